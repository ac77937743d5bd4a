// A network as flow sees it: parallel links are one arc with the sum of their capacities, links
// from a node to itself are gone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "weft/graph/rows.hpp"
#include "weft/topology/topology.hpp"

namespace weft::flow {

using Int = std::int32_t;  // nodes, arcs, sources

struct FlowGraph {
  Int nodes = 0;
  graph::Rows<Int> heads;              // of a node's arcs, which are numbered by tail, then by head
  std::vector<Int> tail;               // by arc
  graph::Rows<Int> in_arcs;            // the arcs into a node
  std::vector<std::int64_t> capacity;  // by arc, positive, without common divisor
  std::int64_t unit = 1;               // the capacity of the fastest link, in which f is counted
  std::vector<Int> hosts;              // the sources and sinks, increasing
  std::vector<std::int64_t> ranks;     // by node: of a host 1 or more, of others 0
  std::vector<Int> arc_of_link;        // by link id; -1 for links from a node to itself

  Int arcs() const { return static_cast<Int>(tail.size()); }
  Int head(Int arc) const { return heads.values()[arc]; }
  bool is_host(Int node) const { return ranks[node] > 0; }
};

inline bool has_equal_ranks(const FlowGraph& graph) {
  return std::ranges::all_of(
      graph.hosts, [&](Int host) { return graph.ranks[host] == graph.ranks[graph.hosts[0]]; });
}
/// On all hosts together.
inline std::int64_t all_ranks(const FlowGraph& graph) {
  return std::accumulate(graph.ranks.begin(), graph.ranks.end(), std::int64_t{0});
}

/// Between all hosts, a rank on each, or between these, of which each is named once for every rank
/// there; of the others those beside switches are left out, elsewhere they pass flow on. Throws
/// InvalidInput for fewer than two hosts, capacities that are not positive, or hosts that do not
/// reach each other.
FlowGraph flow_graph(const Topology& topology, std::span<const std::int64_t> capacity,
                     std::span<const NodeId> places = {});

/// One node for all nodes with the same part (by node, in [0, parts)), with their ranks together;
/// what stays within a part needs no arc. `arc_of_link` is by arc of the graph given.
FlowGraph contracted(const FlowGraph& graph, std::span<const Int> part, Int parts);

}  // namespace weft::flow
