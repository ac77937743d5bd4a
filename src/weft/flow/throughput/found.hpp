// What a method finds: the answer, and the flows behind it.
#pragma once

#include <vector>

#include "weft/flow/throughput.hpp"
#include "weft/flow/throughput/certificate.hpp"

namespace weft::flow {

struct Found {
  Throughput throughput;
  /// The flows that prove the lower end, of a rank by source of the orbits, by arc, in any unit: as
  /// integers where the value is exact, else as `flows`.
  std::vector<std::vector<Wide>> exact_flows = {};
  std::vector<std::vector<double>> flows = {};
  /// Whether they are those of all hosts as they stand, without an average over any group.
  bool of_all_hosts = false;
};

/// By cutting planes, the linear program or balance, whichever suits so many orbits and sources.
Found find_throughput(const FlowGraph& graph, const ArcOrbits& orbits,
                      const ThroughputOptions& options);

/// The bound by equal prices.
double distance_bound(const FlowGraph& graph, const ArcOrbits& orbits);

}  // namespace weft::flow
