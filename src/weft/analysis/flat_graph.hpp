// FlatGraph: the links of a network, or of its core, as plain arrays for inner loops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::analysis {

/// Adjacency in both directions over nodes 0 .. node_count - 1.
struct FlatGraph {
  std::int32_t node_count = 0;
  std::vector<std::int32_t> first_out, heads;  // out-neighbours of v: heads[first_out[v] ..]
  std::vector<std::int32_t> first_in, tails;   // in-neighbours of v: tails[first_in[v] ..]
  std::vector<std::int32_t> cables;            // by out-link: the id of its cable
  std::vector<NodeId> node_of;                 // by node: its id in the network

  std::span<const std::int32_t> out(std::int32_t v) const { return range(heads, first_out, v); }
  std::span<const std::int32_t> in(std::int32_t v) const { return range(tails, first_in, v); }
  std::int32_t out_degree(std::int32_t v) const {
    return first_out[static_cast<std::size_t>(v) + 1] - first_out[v];
  }
  std::int32_t in_degree(std::int32_t v) const {
    return first_in[static_cast<std::size_t>(v) + 1] - first_in[v];
  }
  std::int64_t link_count() const { return static_cast<std::int64_t>(heads.size()); }

 private:
  static std::span<const std::int32_t> range(const std::vector<std::int32_t>& items,
                                             const std::vector<std::int32_t>& first,
                                             std::int32_t v) {
    const auto begin = static_cast<std::size_t>(first[v]);
    const auto end = static_cast<std::size_t>(first[static_cast<std::size_t>(v) + 1]);
    return std::span(items).subspan(begin, end - begin);
  }
};

/// The whole network.
FlatGraph flatten(const Topology& topology);

/// The switches and the links between them; the whole network where there are none.
FlatGraph flatten_core(const Topology& topology);

}  // namespace weft::analysis
