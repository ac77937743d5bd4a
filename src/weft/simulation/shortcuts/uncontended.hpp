// Programs in which no two senders share a link.
//
// The idea. In a ring on a torus, and in many other patterns of neighbours, every link serves one
// sender alone. A sender's messages of a step are through before it sends those of the next, so
// that no two messages are ever on a link together: each has its links to itself and takes
// start-up, latency and bytes / bandwidth of the narrowest link, whatever the others do. What is
// left of the simulation is to follow when each agent enters each step,
//
//     entered(a, t + 1) = max over its sends released and its receives delivered,
//
// two additions and comparisons a message. A host that reduces what it received does so once it has
// started its own message and the other has come, and its step ends with that. So there is no
// event, no rate. Messages of a step that go the same way from the same sender begin together and
// share it evenly until the shortest is through, which a sum tells, too: in an allreduce over
// disjoint trees what goes up meets what goes down so. A step that sends as the one before is
// routed once. Cost: O(messages), a hundredth of the events' time.
#pragma once

#include <optional>

#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

/// What attempts took before a result was found.
struct SunkWork {
  /// Towards SimulationOptions::most_work: what is recalled counts in full, so that it does not
  /// matter which run came first.
  std::int64_t counted = 0;
  /// Of all runs together, what is found once counts once.
  std::int64_t spent = 0;
};

/// The result of simulate_fluid, to rounding, where each link serves one sender, whose messages of
/// a step take the same way or ways without a common link; nothing where links are shared
/// otherwise, where hosts start or reduce several messages one after the other in a step, or with
/// features that Shortcut::uncontended does not cover.
std::optional<SimulationResult> simulate_uncontended(const Program& program, const Network& network,
                                                     const SimulationOptions& options,
                                                     SunkWork& sunk);

}  // namespace weft::simulation
