// Rows of the exact price alone: known by the algorithm without its schedule where it can be, else
// that of the proved schedule.
#include <algorithm>

#include "weft/analysis/bounds.hpp"
#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/fields/fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::rows {

namespace {

// What a testbed's fit calls epsilon: it is paid once, whatever the steps.
inline constexpr auto kCallCost =
    fields::time("call-cost", "0s").helped("Time of a call apart from its steps and bytes");

// What both ways give.
struct Price {
  std::int64_t steps = 0;
  Rational bandwidth_factor, exact_bandwidth_factor;
  std::int64_t units_per_block = 1, segments = 1;
  std::int64_t latency_ps = 0;  // the longest of a message
  bool verified = false;
};

std::int64_t longest_link_ps(const Fabric& fabric) {
  std::int64_t longest_ps = 0;
  for (const LinkId link : fabric.topology().links())
    longest_ps = std::max(longest_ps, fabric.latency_ps(link));
  return longest_ps;
}

Price built_price(const algorithm::Algorithm& algorithm, const Collective& collective,
                  const Network& network, const Values& parameters, std::int64_t size_B) {
  const Candidate candidate =
      make_candidate(algorithm, collective, network, fields::algorithm_options_in(parameters));
  const schedule::Verified verified = candidate.for_size(size_B);
  const Cost cost = schedule::cost(verified, network);
  return {.steps = cost.steps,
          .bandwidth_factor = cost.bandwidth_factor,
          .exact_bandwidth_factor = cost.bandwidth_factor,
          .units_per_block = verified.schedule().units_per_block(),
          .segments = verified.schedule().segments().count,
          .latency_ps = cost.longest_latency_ps,
          .verified = true};
}

Price price_of(const Collective& collective, const Network& network, const Values& parameters,
               std::int64_t size_B) {
  const auto& algorithm = algorithm::find_algorithm(fields::text_in(parameters, "algorithm"));
  const auto options = algorithm::taken_by(algorithm, fields::algorithm_options_in(parameters));
  const auto known = algorithm::forecast(algorithm.name, collective, network, options);
  if (!known) return built_price(algorithm, collective, network, parameters, size_B);
  return {.steps = known->steps,
          .bandwidth_factor = known->bandwidth_factor,
          .exact_bandwidth_factor = known->exact_bandwidth_factor,
          .units_per_block = known->units_per_block,
          .segments = 1,
          .latency_ps = longest_link_ps(network.fabric()),
          .verified = false};
}

// A call, its steps at the latency, and the factor of M/B, for one call of this size.
class Clock {
 public:
  Clock(const Collective& collective, const Network& network, std::int64_t size_B,
        std::int64_t call_ps)
      : call_ps_(call_ps),
        startup_ps_(network.host().send_ps()),
        m_s_(static_cast<double>(collective.total_bytes(size_B)) /
             static_cast<double>(collective.blocks()) *
             static_cast<double>(collective.blocks_in_m()) /
             static_cast<double>(network.fabric().node_egress_Bps())) {}

  double time_s(std::int64_t steps, std::int64_t latency_ps, const Rational& factor) const {
    return static_cast<double>(call_ps_) * kSecondsPerPicosecond +
           static_cast<double>(steps) * static_cast<double>(startup_ps_ + latency_ps) *
               kSecondsPerPicosecond +
           factor.to_double() * m_s_;
  }

 private:
  std::int64_t call_ps_, startup_ps_;
  double m_s_;
};

Values answer(const Row& row, Workspace&) {
  const Values& parameters = row.parameters;
  const Network network = fields::make_network(parameters);
  const Collective collective = fields::make_collective(parameters, network.ranks());
  const std::int64_t size_B = fields::count_in(parameters, "size", 0);
  const Price price = price_of(collective, network, parameters, size_B);
  const LowerBounds bounds = lower_bounds(collective, network);
  const Topology& topology = network.topology();
  const Clock clock(collective, network, size_B, kCallCost.in(parameters, 0));
  const std::int64_t phases = schedule::traits_of(collective.kind).reduces_to_all() ? 2 : 1;
  const auto nodes = static_cast<std::int64_t>(topology.node_count());
  const Rational ratio = bounds.bandwidth_factor == Rational(0)
                             ? Rational(1)
                             : price.bandwidth_factor / bounds.bandwidth_factor;
  Values values{
      {"steps", price.steps},
      {"bandwidth_factor", to_string(price.bandwidth_factor)},
      {"bandwidth_factor_bound", to_string(bounds.bandwidth_factor)},
      {"bound_ratio", ratio.to_double()},
      {"steps_bound", bounds.steps},
      {"moore_steps", fields::or_nothing(bounds.moore_steps)},
      {"moore_steps_two_way", fields::or_nothing(analysis::moore_steps(
                                  nodes, topology.nominal_degree(), analysis::Wiring::two_way))},
      {"time", clock.time_s(price.steps, price.latency_ps, price.bandwidth_factor)},
      {"least_time", Value()},
      {"excess", Value()},
      {"steps_above_moore", Value()},
      {"nodes", nodes},
      {"units_per_block", price.units_per_block},
      {"segments_used", price.segments},
      {"exact_bandwidth_factor", to_string(price.exact_bandwidth_factor)},
      {"verified", price.verified}};
  if (!bounds.moore_steps) return values;
  const std::int64_t least_steps = phases * *bounds.moore_steps;
  const double least_s =
      clock.time_s(least_steps, longest_link_ps(network.fabric()), bounds.bandwidth_factor);
  values["least_time"] = least_s;
  values["excess"] = fields::to_number(values["time"]).value() / least_s - 1;
  values["steps_above_moore"] = price.steps - least_steps;
  return values;
}

void resolve(Row& row, FactsOfNetworks& facts) {
  resolve_schedule(row, facts);
  if (kCallCost.in(row.parameters) == 0) row.parameters.erase(std::string(kCallCost.name));
}

// Where BFB has no symmetry to use it visits every link once for each node.
Estimate estimate_of(const Row& row) {
  constexpr double kBfbPair_s = 2e-7;
  const auto nodes = static_cast<double>(row.nodes);
  return {.time_s = kReport_s + nodes * nodes * kBfbPair_s, .memory_B = kRow_B + nodes * 1e3};
}

}  // namespace

RowKind forecast_kind() {
  return {.name = "forecast",
          .fields = fields::schedule_fields({.sized = true, .started = true}, {&kCallCost}),
          .measures = {"steps",
                       "bandwidth_factor",
                       "bandwidth_factor_bound",
                       "bound_ratio",
                       "steps_bound",
                       "moore_steps",
                       "moore_steps_two_way",
                       "steps_above_moore",
                       "time",
                       "least_time",
                       "excess",
                       "nodes",
                       "units_per_block",
                       "segments_used",
                       "exact_bandwidth_factor",
                       {"verified", Measure::Type::truth}},
          .chart = {.y = "bandwidth_factor", .series = "algorithm"},
          .resolve = resolve,
          .estimate = estimate_of,
          .answer = answer};
}

}  // namespace weft::rows
