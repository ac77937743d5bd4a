#include "cli/answers/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/answer/keys.hpp"
#include "weft/base/text.hpp"

namespace weft::cli {

using analysis::CutBound;
using answer::Part;
using answer::PartOf;
using answer::Parts;
using answer::Unit;
using evaluate::LowerBounds;

namespace {

std::string what_it_is_by(const evaluate::LowerBounds& bounds) {
  if (!bounds.cut || bounds.cut->bandwidth_factor <= bounds.bandwidth_factor) return "";
  return fmt::format(
      "{}{}", bounds.cut->text,
      bounds.cut->searched ? "" : "; the network is too large to search for tighter cuts");
}

}  // namespace

namespace {

Parts<CutBound> cut_members() {
  constexpr PartOf<CutBound> part;
  return {
      part("text", "", Unit::none, "the cut in words", &CutBound::text),
      part("bandwidth_factor", "", Unit::none, "bound on T_B, in units of M/B",
           &CutBound::bandwidth_factor),
      part("ranks", "", Unit::none, "ranks inside; of cuts between parts: all", &CutBound::ranks),
      part("parts", "", Unit::none, "parts that the cut divides the network into",
           &CutBound::parts),
      part("links", "", Unit::none, "links that the data crosses", &CutBound::links),
      part(keys::kCutBandwidth, &CutBound::bandwidth_Bps),
      part("searched", "", Unit::none, "whether no set of nodes gives a tighter cut",
           &CutBound::searched)};
}

}  // namespace

Part<LowerBounds> cut_part() {
  constexpr PartOf<LowerBounds> part;
  return part.object("cut", "tightest cut of the network, or null if all ranks share a node",
                     &LowerBounds::cut, cut_members());
}

Parts<LowerBounds> bounds_parts() {
  constexpr PartOf<LowerBounds> part;
  return {
      part("bandwidth_factor_bound", "", Unit::none,
           "lower bound on T_B by ports and distances, in units of M/B",
           &LowerBounds::bandwidth_factor),
      part("optimum", "", Unit::none,
           "lowest T_B of these schedules, optimum_among; null if it is not known",
           [](const LowerBounds& bounds) {
             return bounds.optimum ? std::optional(bounds.optimum->bandwidth_factor) : std::nullopt;
           }),
      part("optimum_among", "", Unit::none,
           "set of schedules that the optimum is of; null if it is not known",
           [](const LowerBounds& bounds) {
             return bounds.optimum ? std::optional(name_of(bounds.optimum->among)) : std::nullopt;
           }),
      cut_part()};
}

std::string_view name_of(evaluate::Among among) {
  switch (among) {
    case evaluate::Among::reduce_then_broadcast:
      return "reduce-then-broadcast";
    case evaluate::Among::without_idle_relays:
      return "schedules where idle hosts pass nothing on";
    case evaluate::Among::also_copying_switches:
      return "all schedules, also of switches that code";
    default:
      return "all schedules";
  }
}

std::string_view caveat_of(evaluate::Among among) {
  switch (among) {
    case evaluate::Among::reduce_then_broadcast:
      return " for reduce, then broadcast";
    case evaluate::Among::without_idle_relays:
      return " if idle hosts do not relay";
    case evaluate::Among::also_copying_switches:
      return " if switches may combine messages";
    default:
      return "";
  }
}

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
