#include <algorithm>

#include "plan.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {

BfbCost bfb_cost(const Fabric& fabric, CollectiveKind kind, const BfbOptions& options) {
  WEFT_ASSERT(!options.block_B);
  const bfb::Plan plan = bfb::make_plan(fabric, kind, options);
  BfbCost cost;
  cost.chunks = plan.units;
  for (const bfb::Pass& pass : plan.passes) {
    // A block on a link of unit capacity, in units of M/B: M is as many blocks as there are nodes.
    const Rational block(fabric.node_egress_Bps(), pass.arcs.unit());
    const Rational share = block / pass.arcs.nodes();
    cost.steps += static_cast<std::int64_t>(pass.exact.size());
    std::vector<Rational> factors;
    for (const Rational& time : pass.times) factors.push_back(time / plan.units * share);
    if (pass.arcs.sense() == bfb::Sense::against) std::ranges::reverse(factors);
    for (const Rational& factor : factors) cost.bandwidth_factor += factor;
    for (const Rational& time : pass.exact) cost.exact_bandwidth_factor += time * share;
    cost.step_factors.insert(cost.step_factors.end(), factors.begin(), factors.end());
  }
  return cost;
}

BfbCost bfb_cost(const Topology& topology, CollectiveKind kind, const BfbOptions& options) {
  return bfb_cost(Fabric(topology, LinkSpeed{}), kind, options);
}

}  // namespace weft::algorithm
