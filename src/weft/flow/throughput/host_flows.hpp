// The flows of all hosts from those of one source an orbit.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/flow/throughput/found.hpp"
#include "weft/topology/topology.hpp"

namespace weft::flow {

struct HostFlows {
  std::vector<Int> sources;  // nodes
  /// Of a rank by source, by link, in equal parts, of which every rank of other hosts gets
  /// `demand`, or a little less where they are not exact.
  std::vector<std::vector<std::int64_t>> parts;
  std::int64_t demand = 1;
  bool exact = false;
};

/// What moves flows: images of nodes.
using Moves = std::span<const std::vector<Int>>;

/// The flows of all hosts, averaged over the group that these automorphisms generate, of which the
/// sources that were solved for stand for the orbits: then all arcs of an orbit carry the same.
/// Parallel links share by capacity (by link; empty: all alike). O(hosts * arcs * automorphisms).
HostFlows flows_of_all(const FlowGraph& graph, const ArcOrbits& orbits, const Found& found,
                       Moves automorphisms, const Topology& topology,
                       std::span<const std::int64_t> capacity);

/// The flow of the one source that was solved for, averaged over the group that these generate,
/// each of which keeps the source.
HostFlows flows_of_source(const FlowGraph& graph, const ArcOrbits& orbits, const Found& found,
                          Moves automorphisms, const Topology& topology,
                          std::span<const std::int64_t> capacity);

}  // namespace weft::flow
