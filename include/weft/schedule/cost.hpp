// cost: the exact price of a schedule on a network, in steps and in multiples of M/B.
//
// T_L is the number of steps. T_B is the sum over steps of the largest load / bandwidth of a link,
// in units of M / B, where M is N blocks and B the egress bandwidth of a node
// (Fabric::node_egress_Bps). Source: Zhao et al., "Efficient Direct-Connect Topologies for
// Collective Communications", section on the cost model.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::schedule {

inline constexpr std::int64_t kMostStepFactors = 1 << 16;

struct Cost {
  std::int64_t steps = 0;               // T_L
  Rational bandwidth_factor;            // T_B
  std::int64_t messages = 0;            // all segments and orbits, those within a node included
  std::int64_t longest_latency_ps = 0;  // of the route of any message, start-up apart
  Rational max_link_load;  // the largest load of a link over all steps together, in units of M

  /// Of each step that runs, all segments then under way together: the largest load / bandwidth, in
  /// units of M/B. They add up to T_B. Empty where segments make more than kMostStepFactors steps.
  std::vector<Rational> step_factors;
  /// Of each link: all that it carries, in units of M.
  std::vector<Rational> link_loads;
};

/// The exact cost. O(sum of route lengths), or of the representatives alone where the symmetry's
/// action is an automorphism of the network that its routing respects (checked). Throws
/// InvalidInput when the network has fewer ranks than the schedule, and std::overflow_error when a
/// fraction does not fit in 128 bits.
Cost cost(const Verified& verified, const Network& network);

}  // namespace weft::schedule

namespace weft {
using schedule::Cost;
using schedule::cost;
}  // namespace weft
