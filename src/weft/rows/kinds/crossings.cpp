// Rows of the links that a schedule's messages cross.
#include "weft/schedule/crossings.hpp"
#include "weft/analysis/dragonfly_links.hpp"
#include "weft/fields/fields.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/prepared.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/topology/views.hpp"

namespace weft::rows {

namespace {

// What hosts at random and topology-aware broadcasts cross, where the formulas cover the network.
void add_link_formulas(Values& values, const Network& network) {
  const auto dragonfly = topology::as_dragonfly(network.topology());
  const bool covered = dragonfly && dragonfly->g == dragonfly->a * dragonfly->h + 1 &&
                       network.ranks() <= dragonfly->g * dragonfly->a * dragonfly->p;
  for (const char* name : {"expected_local", "expected_global", "most_local", "most_global"})
    values[name] = Value();
  if (!covered) return;
  const auto expected = analysis::expected_tree_crossings(*dragonfly, network.ranks());
  const auto most = analysis::most_crossings_of_aware(*dragonfly);
  values["expected_local"] = to_string(expected.local);
  values["expected_global"] = to_string(expected.global);
  values["most_local"] = to_string(most.local);
  values["most_global"] = to_string(most.global);
}

Values answer(const Row& row, Workspace& workspace) {
  const auto setup = prepared(row, workspace);
  const schedule::Verified& verified = setup->candidate().verified;
  const auto counted = schedule::crossings(verified, setup->network());
  Values values{{"makespan", counted.makespan},
                {"messages", verified.schedule().message_count()},
                {"steps", verified.schedule().steps()},
                {"crossings", counted.total()},
                {"verified", true}};
  for (const char* name : {"terminal", "local", "global"}) {
    values[std::string(name) + "_crossings"] = counted.of(name).messages;
    values[std::string(name) + "_data"] = to_string(counted.of(name).data);
  }
  add_link_formulas(values, setup->network());
  return values;
}

}  // namespace

RowKind crossings_kind() {
  return {.name = "crossings",
          .fields = fields::schedule_fields({}),
          .measures = {"makespan",
                       "messages",
                       "steps",
                       "crossings",
                       "terminal_crossings",
                       "local_crossings",
                       "global_crossings",
                       "terminal_data",
                       "local_data",
                       "global_data",
                       "expected_local",
                       "expected_global",
                       "most_local",
                       "most_global",
                       {"verified", Measure::Type::truth}},
          .chart = {.y = "makespan", .series = "algorithm"},
          .resolve = resolve_price,
          .estimate = estimate_routes,
          .answer = answer};
}

}  // namespace weft::rows
