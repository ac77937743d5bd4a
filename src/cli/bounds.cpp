#include "cli/bounds.hpp"

#include <fmt/format.h>

namespace weft::cli {

void add_cut_bound(const std::optional<analysis::CutBound>& cut, Json& json) {
  json["cut_bound"] = cut ? Json(to_string(cut->bandwidth_factor)) : Json();
  json["cut"] = cut ? Json{{"text", cut->text},
                           {"ranks", cut->ranks},
                           {"parts", cut->parts},
                           {"links", cut->links},
                           {"bandwidth_Bps", cut->bandwidth_Bps},
                           {"searched", cut->searched}}
                    : Json();
}

void add_bounds(const experiment::LowerBounds& bounds, Json& json) {
  json["bandwidth_factor_bound"] = to_string(bounds.bandwidth_factor);
  add_cut_bound(bounds.cut, json);
}

std::string cut_text(const experiment::LowerBounds& bounds) {
  if (!bounds.cut || bounds.cut->bandwidth_factor <= bounds.bandwidth_factor) return "";
  return fmt::format(
      " ({}{})", bounds.cut->text,
      bounds.cut->searched ? "" : "; the network is too large to look for tighter ones");
}

std::string bound_text(const experiment::LowerBounds& bounds) {
  return show(bounds.greatest()) + cut_text(bounds);
}

std::string text_of(const experiment::StepBound& bound) {
  return bound.one_link ? fmt::format("{}, a link a step", bound.steps)
                        : fmt::format("{}, {} message{} at once", bound.steps, bound.at_once,
                                      bound.at_once == 1 ? "" : "s");
}

std::string steps_text(const experiment::LowerBounds& bounds, const Topology& topology) {
  return topology.has_switches() ? fmt::format("{}", bounds.steps > 0 ? 1 : 0)
                                 : fmt::format("{} (a link a step)", bounds.steps);
}

}  // namespace weft::cli
