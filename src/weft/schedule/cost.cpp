// The exact cost of a schedule.
//
// Loads of a step are counted in units (exact integers unless the routing splits flows) and weighed
// by bandwidth: factor(link) = (units / units of M) * (B / bandwidth). T_B sums the largest factor
// of each step that runs.
// With segments steps overlap: pipeline_price.hpp.
#include "weft/schedule/cost.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "loads.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/numbers/fraction_sum.hpp"
#include "weft/schedule/pipeline_price.hpp"
#include "weft/schedule/segments/costs_by_segments.hpp"

namespace weft::schedule {

namespace {

// Turns units on a link into a multiple of M/B.
class Weights {
 public:
  Weights(const Schedule& schedule, const Fabric& fabric) : fabric_(fabric) {
    const std::int64_t units_of_m =
        checked_mul(checked_mul(schedule.collective().blocks_in_m(), schedule.units_per_block()),
                    schedule.segments().count);
    WEFT_ASSERT(units_of_m > 0);
    share_of_unit_ = Rational(1, units_of_m);
  }

  Rational share(const Rational& units) const { return units * share_of_unit_; }

  /// The largest load / bandwidth: links are compared within each bandwidth first, by their units
  /// alone.
  template <class Loads>
  Rational largest_factor(const Loads& loads) const {
    std::map<std::int64_t, Rational> largest;  // by bandwidth
    std::int64_t last_bandwidth = -1;
    Rational* last = nullptr;
    for (const LinkLoad& load : loads) {
      const std::int64_t bandwidth = fabric_.bandwidth_Bps(load.link);
      if (bandwidth != last_bandwidth) {
        last = &largest[bandwidth];
        last_bandwidth = bandwidth;
      }
      if (*last < load.units) *last = load.units;
    }
    Rational factor;
    for (const auto& [bandwidth, units] : largest)
      factor = std::max(factor, share(units) * Rational(fabric_.node_egress_Bps(), bandwidth));
    return factor;
  }

 private:
  const Fabric& fabric_;
  Rational share_of_unit_;
};

// What the steps of one segment put on the links.
struct StoredLoads {
  std::vector<Rational> factors;             // by step, the largest, in units of M/B
  std::vector<std::vector<LinkLoad>> steps;  // in units; empty where they are not kept
  std::vector<Rational> links;               // of all steps, in units of M
  std::int64_t longest_latency_ps = 0;
};

enum class Keep : std::uint8_t { sums, steps };

StoredLoads stored_loads(const Schedule& schedule, const Network& network, Keep keep) {
  const Weights weights(schedule, network.fabric());
  StepLoads step_loads(schedule, network);
  StoredLoads stored;
  IdVector<LinkId, Rational> totals(network.topology().link_count());
  std::vector<LinkLoad> last;
  std::int64_t repeats = 0;
  const auto add_last = [&] {
    for (const LinkLoad& load : last) totals[load.link] += load.units * repeats;
    repeats = 0;
  };
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t) {
    const std::vector<LinkLoad>& loads = step_loads.of(t);
    if (!step_loads.repeated()) {
      add_last();
      last = loads;
      stored.factors.push_back(weights.largest_factor(loads));
    } else {
      stored.factors.push_back(stored.factors.back());
    }
    ++repeats;
    if (keep == Keep::steps) stored.steps.push_back(loads);
  }
  add_last();
  stored.longest_latency_ps = step_loads.longest_latency_ps();
  stored.links.resize(totals.size());
  IdVector<LinkId, bool> known(totals.size(), false);
  for (const LinkId link : ids<LinkId>(network.topology().link_count())) {
    const LinkId source = step_loads.shared() ? step_loads.representative(link) : link;
    Rational& load = stored.links[source.index()];
    if (!known[source]) load = weights.share(totals[source]);
    known[source] = true;
    stored.links[link.index()] = load;
  }
  return stored;
}

Cost cost_of(const Schedule& schedule, const StoredLoads& stored, const Network& network,
             std::optional<PipelinePrice>& pipeline) {
  Cost cost;
  cost.steps = schedule.steps();
  cost.messages = schedule.message_count();
  cost.longest_latency_ps = stored.longest_latency_ps;
  cost.link_loads = stored.links;
  WEFT_ASSERT(std::ssize(cost.link_loads) == network.topology().link_count());
  for (const Rational& load : stored.links) cost.max_link_load = std::max(cost.max_link_load, load);
  if (schedule.segments().count > 1) {
    if (!pipeline) pipeline.emplace(stored.steps, schedule.segments().stride, network.fabric());
    pipeline->price(schedule.segments().count, Weights(schedule, network.fabric()).share(1), cost);
    return cost;
  }
  cost.step_factors = stored.factors;
  WEFT_ASSERT(std::ssize(cost.step_factors) == cost.steps);  // one segment: every step is stored
  FractionSum sum;
  for (const Rational& factor : stored.factors) sum.add(factor);
  cost.bandwidth_factor = sum.total();
  return cost;
}

}  // namespace

std::vector<Cost> costs_before_proof(const Schedule& schedule, const Network& network,
                                     std::span<const std::int64_t> segments) {
  const bool is_pipelined = std::ranges::any_of(segments, [](std::int64_t s) { return s > 1; });
  const auto in_segments = [&](std::int64_t count) {
    return schedule.with_segments({count, schedule.segments().stride});
  };
  const Schedule one = in_segments(1);
  const StoredLoads stored = stored_loads(one, network, is_pipelined ? Keep::steps : Keep::sums);
  std::vector<Cost> costs;
  std::optional<PipelinePrice> pipeline;
  for (const std::int64_t count : segments)
    costs.push_back(cost_of(in_segments(count), stored, network, pipeline));
  return costs;
}

std::vector<Cost> costs_by_segments(const Verified& verified, const Network& network,
                                    std::span<const std::int64_t> segments) {
  return costs_before_proof(verified.schedule(), network, segments);
}

Cost cost(const Verified& verified, const Network& network) {
  const std::int64_t own[]{verified.schedule().segments().count};
  return std::move(costs_by_segments(verified, network, own).front());
}

}  // namespace weft::schedule
