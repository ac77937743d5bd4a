// CoreGraph: the nodes that are not leaves, renumbered in order, and searches backwards from a
// destination.
//
// Where a network has switches, a host with several cables is in the core as an end of paths, and
// as a relay of those that have no other way (relay_search.hpp). Renumbering keeps the order of
// nodes, so that "lowest next node" means the same here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "weft/graph/rows.hpp"
#include "weft/network/access.hpp"
#include "weft/network/relay_search.hpp"
#include "weft/topology/topology.hpp"

namespace weft::network {

class CoreGraph {
 public:
  using Core = std::int32_t;  // index of a core node

  CoreGraph(const Topology& topology, const Access& access);

  Core node_count() const { return static_cast<Core>(transit_.size()); }
  Core core_of(NodeId node) const { return core_of_[node.index()]; }
  std::int32_t max_out_degree() const { return max_out_degree_; }

  /// Out-edges of a core node are [first_out(u), first_out(u + 1)), in link order.
  std::int32_t first_out(Core u) const { return heads_.first(u); }
  Core head(std::int32_t edge) const { return heads_.values()[edge]; }
  LinkId link(std::int32_t edge) const { return links_[edge]; }

  /// Whether paths go through the node wherever they are shorter there.
  bool transit(Core u) const { return transit_[u] != 0; }

  /// Search backwards from `target`, by relays, then by links. Calls found(v, edge, distance) once
  /// for every other node that reaches it, by increasing RelayDistance, with the out-edge of v that
  /// starts the shortest path: to the lowest next node, by the lowest of parallel links.
  /// O(nodes + edges).
  ///
  /// Why the lowest: each level is expanded in increasing order of nodes, so that the first to
  /// find v is the lowest next node of v.
  template <class Found>
  void search_backwards(Core target, Found&& found) const;

 private:
  // Sorts a level: by counting bits when it is large, else by comparison.
  static void sort_level(std::vector<Core>& level, std::vector<std::uint64_t>& bits);

  std::vector<Core> core_of_;
  std::vector<std::uint8_t> transit_;
  graph::Rows<Core> heads_;
  std::vector<LinkId> links_;  // by edge
  struct InEdge {
    Core tail = 0;
    std::int32_t edge = 0;
  };
  graph::Rows<InEdge> in_edges_;
  std::int32_t max_out_degree_ = 0;
};

template <class Found>
void CoreGraph::search_backwards(Core target, Found&& found) const {
  std::vector<std::uint64_t> bits((transit_.size() + 63) / 64, 0);
  search_by_relays(
      transit_.size(), target,
      [&](Core u, auto&& visit) {
        for (const auto& [tail, edge] : in_edges_[u]) visit(tail, edge);
      },
      [&](Core v) { return transit(v); },
      [&](std::vector<Core>& level) { sort_level(level, bits); }, found);
}

}  // namespace weft::network
