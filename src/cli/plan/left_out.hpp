// What a plan was made without.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "weft/advise/plan/plan_choice.hpp"

namespace weft::cli {

/// A note for each algorithm and reason: of which collectives, why, and how to have it.
std::vector<std::string> notes_of(std::span<const advise::LeftOut> left_out);
/// The same in one line of the plan's text: "packing of allgather, allreduce (why)".
std::string left_out_text(std::span<const advise::LeftOut> left_out);
Json json_of(std::span<const advise::LeftOut> left_out);

}  // namespace weft::cli
