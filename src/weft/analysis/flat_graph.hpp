// FlatGraph: the links of a network, or of its core, as plain arrays for inner loops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/graph/rows.hpp"
#include "weft/topology/topology.hpp"

namespace weft::analysis {

/// Adjacency in both directions over nodes 0 .. node_count - 1.
struct FlatGraph {
  std::int32_t node_count = 0;
  graph::Rows<std::int32_t> heads, tails;  // the out- and in-neighbours of a node
  std::vector<std::int32_t> cables;        // by place in `heads`: the id of the link's cable
  std::vector<NodeId> node_of;             // by node: its id in the network

  std::span<const std::int32_t> out(std::int32_t v) const { return heads[v]; }
  std::span<const std::int32_t> in(std::int32_t v) const { return tails[v]; }
  std::int32_t out_degree(std::int32_t v) const { return heads.length(v); }
  std::int32_t in_degree(std::int32_t v) const { return tails.length(v); }
  std::int64_t link_count() const { return std::ssize(heads.values()); }
};

/// The whole network.
FlatGraph flatten(const Topology& topology);

/// The switches and the links between them; the whole network where there are none.
FlatGraph flatten_core(const Topology& topology);

}  // namespace weft::analysis
