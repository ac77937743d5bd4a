// The table of parts of a point of a load curve.
#include "weft/advise/load_point_parts.hpp"

#include <optional>

namespace weft::advise {

using answer::PartOf;
using answer::Parts;
using answer::Unit;
using simulation::LoadPoint;

Parts<LoadPoint> load_point_parts() {
  constexpr PartOf<LoadPoint> part;
  const auto known = [](auto member) {
    return [member](const LoadPoint& point) {
      return point.packets > 0 ? std::optional(point.*member) : std::nullopt;
    };
  };
  return {
      part("load", "", Unit::none, "offered load, in flits per host and cycle",
           &LoadPoint::offered),
      part("accepted", "", Unit::none, "accepted load, in flits per host and cycle",
           &LoadPoint::accepted),
      part("stable", "", Unit::none, "whether the network carries this load", &LoadPoint::stable),
      part("packets", "", Unit::none, "measured packets", &LoadPoint::packets),
      part("measured_cycles", "", Unit::none, "measured cycles, fewer if the load was stopped",
           &LoadPoint::measured_cycles),
      part("mean_latency", "", Unit::none, "mean latency in cycles, or null without packets",
           known(&LoadPoint::mean_latency)),
      part("p50_latency", "", Unit::none, "median latency in cycles",
           known(&LoadPoint::p50_latency)),
      part("p99_latency", "", Unit::none, "99th percentile of the latency in cycles",
           known(&LoadPoint::p99_latency)),
      part("max_latency", "", Unit::none, "largest latency in cycles",
           known(&LoadPoint::max_latency)),
      part("mean_hops", "", Unit::none, "mean number of routers that a packet enters",
           known(&LoadPoint::mean_hops))};
}

std::vector<answer::Column> load_point_columns() {
  return {{"mean_latency"}, {"accepted"},    {"stable"},    {"p50_latency"},
          {"p99_latency"},  {"max_latency"}, {"mean_hops"}, {"packets"}};
}

}  // namespace weft::advise
