// How commands show what no algorithm betters.
#pragma once

#include <span>

#include "cli/output.hpp"
#include "weft/advise/comparison.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/evaluate/step_bound.hpp"

namespace weft::cli {

/// The optimum of T_B, else the greatest bound, and what it is by: "bound 7/4 = 1.75 (cut around
/// leaf switch 3)".
std::string bound_text(const evaluate::LowerBounds& bounds);
/// What the greatest bound is by, where that is a cut with more to say than the ports: " (cut
/// around leaf switch 3)"; else nothing.
std::string cut_text(const evaluate::LowerBounds& bounds);

/// A bound on T_L and what it holds for: "4, one link per step", "7, 1 message at once".
std::string text_of(const evaluate::StepBound& bound);
/// Of algorithms: how many of them have messages that cross a link a step.
enum class LinkSteps : std::uint8_t { none, some, all };
/// The bound on T_L of any of them: `least_steps` of weft compare.
std::int64_t least_steps(const evaluate::LowerBounds& bounds, LinkSteps of);
/// The same, "1", with what holds for those of them whose messages cross a
/// link a step: "1 (4 with one link per step)", or "4 (one link per step)" where these are all.
std::string steps_text(const evaluate::LowerBounds& bounds, LinkSteps of);
/// Which of the contenders these are.
LinkSteps link_steps(std::span<const evaluate::Contender> contenders);

}  // namespace weft::cli
