// What a plan was made without.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/advise/plan/plan_choice.hpp"
#include "weft/answer/part.hpp"

namespace weft::cli {

/// An algorithm, and the collectives that are planned without it for one reason.
struct LeftOutGroup {
  const evaluate::Dropped& what;
  std::vector<std::string_view> collectives;
};
std::vector<LeftOutGroup> grouped(std::span<const advise::LeftOut> left_out);
answer::Parts<LeftOutGroup> left_out_parts();

/// A note for each algorithm and reason: of which collectives, why, and how to have it.
std::vector<std::string> notes_of(std::span<const advise::LeftOut> left_out);
/// The same in one line of the plan's text: "packing of allgather, allreduce (why)".
std::string left_out_text(std::span<const advise::LeftOut> left_out);

}  // namespace weft::cli
