// Rows of the exact price of a schedule.
#include "weft/evaluate/optimum.hpp"
#include "weft/evaluate/step_bound.hpp"
#include "weft/fields/fields.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/prepared.hpp"
#include "weft/rows/kinds/resolve.hpp"

namespace weft::rows {

namespace {

Values answer(const Row& row, Workspace& workspace) {
  const auto setup = prepared(row, workspace);
  const schedule::Verified& verified = setup->candidate().verified;
  const auto& schedule = verified.schedule();
  Values values = setup->price(verified);
  values["moore_steps"] = fields::or_nothing(setup->bounds().moore_steps);
  values["least_steps"] =
      evaluate::step_bound(schedule, setup->network(), setup->bounds().steps).steps;
  values["node_bandwidth_Bps"] = setup->network().fabric().node_egress_Bps();
  values["units_per_block"] = schedule.units_per_block();
  values["symmetry_order"] = std::int64_t{schedule.symmetry().order()};
  values["keeps_order"] = verified.facts().keeps_order;
  values["overwrites"] = verified.facts().overwrites;
  values["combined_messages"] = verified.facts().combined_messages;
  const auto optimum = evaluate::optimum_by_cut(schedule.collective(), setup->network());
  values["optimum"] = fields::or_nothing(optimum);
  values["over_optimum"] = fields::or_nothing(optimum, [&](const Rational& best) {
    return parse_rational(fields::text_in(values, "bandwidth_factor")) / best;
  });
  return values;
}

}  // namespace

RowKind cost_kind() {
  return {.name = "cost",
          .fields = fields::schedule_fields({}),
          .measures = {"steps",
                       "messages",
                       "bandwidth_factor",
                       "bandwidth_factor_bound",
                       "steps_bound",
                       "moore_steps",
                       "least_steps",
                       "max_link_load",
                       {"verified", Measure::Type::truth},
                       "node_bandwidth_Bps",
                       "units_per_block",
                       "symmetry_order",
                       {"keeps_order", Measure::Type::truth},
                       {"overwrites", Measure::Type::truth},
                       "combined_messages",
                       "optimum",
                       "over_optimum"},
          .chart = {.y = "bandwidth_factor", .series = "algorithm"},
          .resolve = resolve_price,
          .estimate = estimate_schedule,
          .answer = answer};
}

}  // namespace weft::rows
