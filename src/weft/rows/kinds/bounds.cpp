// Rows of what no schedule of a collective can beat on a network: no algorithm, nothing built.

#include "weft/algorithm/algorithm.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/fields/fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/rows/row_key.hpp"

namespace weft::rows {

namespace {

// Those of a schedule, without what an algorithm is asked and how messages are routed.
std::vector<const Field*> fields() {
  std::vector<const Field*> fields = fields::schedule_fields({.sized = true});
  std::erase_if(fields, [](const Field* field) {
    return field->name == "algorithm" || field->name == "routing" ||
           algorithm::find_option(field->name) != nullptr;
  });
  return fields;
}

Values answer(const Row& row, Workspace&) {
  Values parameters = row.parameters;
  parameters["routing"] = std::string("shortest");  // any: bounds hold for all
  const Network network = fields::make_network(parameters);
  contents_of_files(row);
  const Collective collective = fields::make_collective(row.parameters, network.ranks());
  const LowerBounds bounds = lower_bounds(collective, network, Cuts::and_optimum);
  const std::int64_t size_B = fields::count_in(row.parameters, "size", 0);
  return {{"steps_bound", bounds.steps},
          {"moore_steps", fields::or_nothing(bounds.moore_steps)},
          {"bandwidth_factor_bound", to_string(bounds.bandwidth_factor)},
          {"cut_bound", fields::or_nothing(bounds.cut, &analysis::CutBound::bandwidth_factor)},
          {"optimum", fields::or_nothing(bounds.optimum, &KnownOptimum::bandwidth_factor)},
          {"greatest_bound", to_string(bounds.greatest())},
          {"least_time", least_time_s(bounds, collective, network, size_B)},
          {"node_bandwidth_Bps", network.fabric().node_egress_Bps()}};
}

}  // namespace

RowKind bounds_kind() {
  return {.name = "bounds",
          .subject = Subject::topology,
          .fields = fields(),
          .needed = {"collective", "topology"},
          .measures = {"steps_bound", "moore_steps", "bandwidth_factor_bound", "cut_bound",
                       "optimum", "greatest_bound", "least_time", "node_bandwidth_Bps"},
          .chart = {.y = "greatest_bound", .series = "collective"},
          .resolve = resolve_collective,
          .estimate = estimate_routes,
          .answer = answer};
}

}  // namespace weft::rows
