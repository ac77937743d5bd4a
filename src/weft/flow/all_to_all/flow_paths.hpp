// A flow taken apart into paths.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/flow/flow_graph.hpp"

namespace weft::flow {

struct FlowPath {
  NodeId from, to;
  std::int64_t parts = 0;
  std::vector<LinkId> links;
  std::int64_t pairs = 1;  // of ranks on the two
};

/// Paths from the source to each other host, in the order of hosts, that carry `demand` parts to
/// each of its ranks where the flow (parts by link) has them: no link more than the flow, each path
/// as much as its links have left. What goes in circles or to nobody is left out. At most a path
/// for each link and host; O(paths * their length * degree).
std::vector<FlowPath> paths_of(const FlowGraph& graph, const Topology& topology, Int source,
                               std::int64_t demand, std::vector<std::int64_t> parts);

}  // namespace weft::flow
