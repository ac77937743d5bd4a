// Rows of what one step of a schedule asks of the links.
#include <numeric>

#include "weft/fields/fields.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/prepared.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/schedule/phase_loads.hpp"

namespace weft::rows {

namespace {

constexpr auto kPhase = fields::count<0>("phase", "0");

Values answer(const Row& row, Workspace& workspace) {
  const auto setup = prepared(row, workspace);
  const schedule::Verified& verified = setup->candidate().verified;
  const auto load = schedule::phase_load(verified, setup->network(), kPhase.in(row.parameters));
  return {
      {"messages", load.messages},
      {"crossings", std::accumulate(load.by_class.begin(), load.by_class.end(), std::int64_t{0})},
      {"busiest_link", load.busiest_link},
      {"least_busiest_link", fields::or_nothing(load.least)},
      {"top_level", fields::or_nothing(load.top_level)},
      {"steps", verified.schedule().steps()}};
}

}  // namespace

RowKind phases_kind() {
  return {.name = "phases",
          .fields = fields::schedule_fields({}, {&kPhase}),
          .measures = {"messages", "crossings", "busiest_link", "least_busiest_link", "top_level",
                       "steps"},
          .chart = {.x = "phase", .y = "busiest_link", .series = "algorithm"},
          .resolve = resolve_price,
          .estimate = estimate_routes,
          .answer = answer};
}

}  // namespace weft::rows
