#include "weft/design/bounds/bound_parts.hpp"
#include "weft/answer/keys.hpp"

#include "weft/evaluate/among.hpp"

namespace weft::design {

using analysis::CutBound;
using answer::Part;
using answer::PartOf;
using answer::Parts;
using answer::Unit;
using evaluate::LowerBounds;

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

}  // namespace weft::design
