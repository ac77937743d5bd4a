// When each hop of a path is sent, so that every step uses the links evenly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weft::algorithm::flow_steps {

/// What travels together: its amount, and for each hop the link classes that it loads.
struct Travel {
  std::int64_t units = 0;
  std::vector<std::vector<std::int32_t>> hops;
};

/// For each travel the steps of its hops, increasing, below `steps`, which is at least the most
/// hops. They make the sum over steps of the largest load / capacity small: 1 step is all that one
/// pipeline stage costs more than what its links carry, where that is as low as it can be.
/// `capacity` by class. O(passes * sum of hops * steps).
std::vector<std::vector<std::int32_t>> hop_times(std::span<const Travel> travels,
                                                 std::span<const double> capacity,
                                                 std::int32_t steps);

}  // namespace weft::algorithm::flow_steps
