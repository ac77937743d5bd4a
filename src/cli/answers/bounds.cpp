#include "cli/answers/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/text.hpp"
#include "weft/evaluate/among.hpp"

namespace weft::cli {

namespace {

std::string what_it_is_by(const evaluate::LowerBounds& bounds) {
  if (!bounds.cut || bounds.cut->bandwidth_factor <= bounds.bandwidth_factor) return "";
  return fmt::format(
      "{}{}", bounds.cut->text,
      bounds.cut->searched ? "" : "; the network is too large to search for tighter cuts");
}

}  // namespace

std::string cut_text(const evaluate::LowerBounds& bounds) {
  const std::string by = what_it_is_by(bounds);
  return by.empty() ? "" : fmt::format(" ({})", by);
}

std::string bound_text(const evaluate::LowerBounds& bounds) {
  const std::string bound = show(bounds.greatest()) + cut_text(bounds);
  if (!bounds.optimum)
    return fmt::format(
        "bound {}{}", bound,
        bounds.combining == evaluate::Combining::in_network ? " if switches reduce" : "");
  if (bounds.optimum->bandwidth_factor == bounds.greatest())
    return fmt::format("optimum {}", bound);
  return fmt::format("bound {}; optimum {}{}", bound, show(bounds.optimum->bandwidth_factor),
                     caveat_of(bounds.optimum->among));
}

std::string text_of(const evaluate::StepBound& bound) {
  return bound.one_link
             ? fmt::format("{}, one link per step", bound.steps)
             : fmt::format("{}, {} at once", bound.steps, counted(bound.at_once, "message"));
}

std::int64_t least_steps(const evaluate::LowerBounds& bounds, LinkSteps of) {
  return of == LinkSteps::all ? bounds.steps : std::min<std::int64_t>(bounds.steps, 1);
}

std::string steps_text(const evaluate::LowerBounds& bounds, LinkSteps of) {
  const std::int64_t any = least_steps(bounds, of);
  if (of == LinkSteps::all) return fmt::format("{} (one link per step)", bounds.steps);
  if (of == LinkSteps::some && bounds.steps > any)
    return fmt::format("{} ({} with one link per step)", any, bounds.steps);
  return fmt::format("{}", any);
}

LinkSteps link_steps(std::span<const evaluate::Contender> contenders) {
  const auto links =
      std::ranges::count_if(contenders, [](const auto& each) { return each.step_bound.one_link; });
  return links == 0                        ? LinkSteps::none
         : links == std::ssize(contenders) ? LinkSteps::all
                                           : LinkSteps::some;
}

}  // namespace weft::cli
