// CoreGraph: the nodes that are not leaves, renumbered in order, and searches backwards from a
// destination.
//
// Where a network has switches, hosts pass nothing on: a host with several cables is in the core as
// an end of paths only. Renumbering keeps the order of nodes, so that "lowest next node" means the
// same here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "weft/network/access.hpp"
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
  std::int32_t first_out(Core u) const { return first_out_[static_cast<std::size_t>(u)]; }
  Core head(std::int32_t edge) const { return heads_[static_cast<std::size_t>(edge)]; }
  LinkId link(std::int32_t edge) const { return links_[static_cast<std::size_t>(edge)]; }

  /// Whether paths may go through the node.
  bool transit(Core u) const { return transit_[static_cast<std::size_t>(u)] != 0; }

  /// Breadth-first search backwards from `target`. Calls found(v, edge, distance) once for every
  /// other node that reaches it, by increasing distance, with the out-edge of v that starts the
  /// shortest path: to the lowest next node, by the lowest of parallel links. O(nodes + edges).
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
  std::vector<std::int32_t> first_out_, first_in_;
  std::vector<Core> heads_;
  std::vector<LinkId> links_;
  std::vector<Core> in_tails_;          // by in-position
  std::vector<std::int32_t> in_edges_;  // by in-position
  std::int32_t max_out_degree_ = 0;
};

template <class Found>
void CoreGraph::search_backwards(Core target, Found&& found) const {
  const auto n = transit_.size();
  std::vector<std::uint8_t> seen(n, 0);
  std::vector<std::uint64_t> bits((n + 63) / 64, 0);
  std::vector<Core> level{target}, next;
  seen[static_cast<std::size_t>(target)] = 1;
  std::size_t left = n - 1;
  for (std::int32_t distance = 1; !level.empty() && left > 0; ++distance) {
    next.clear();
    for (Core u : level) {
      const auto last = static_cast<std::size_t>(first_in_[static_cast<std::size_t>(u) + 1]);
      for (auto i = static_cast<std::size_t>(first_in_[static_cast<std::size_t>(u)]); i < last;
           ++i) {
        const Core v = in_tails_[i];
        if (seen[static_cast<std::size_t>(v)] != 0) continue;
        seen[static_cast<std::size_t>(v)] = 1;
        --left;
        found(v, in_edges_[i], distance);
        if (transit(v)) next.push_back(v);
      }
    }
    sort_level(next, bits);
    level.swap(next);
  }
}

}  // namespace weft::network
