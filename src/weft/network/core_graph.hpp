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

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/graph/rows.hpp"
#include "weft/network/access.hpp"
#include "weft/network/relay_search.hpp"
#include "weft/network/round_search.hpp"
#include "weft/topology/topology.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

class CoreGraph {
 public:
  using Core = std::int32_t;  // index of a core node

  /// With groups of switches, distances count links between groups before all links.
  CoreGraph(const Fabric& fabric, const Access& access,
            const topology::GroupsOfSwitches* groups = nullptr);

  Core node_count() const { return static_cast<Core>(places_.size()); }
  Core core_of(NodeId node) const { return core_of_[node]; }
  NodeId node_of(Core u) const { return nodes_[static_cast<std::size_t>(u)]; }
  std::int32_t max_out_degree() const { return max_out_degree_; }
  std::int32_t edge_count() const { return static_cast<std::int32_t>(links_.size()); }
  std::int32_t out_degree(Core u) const { return heads_.length(u); }
  std::int32_t in_degree(Core u) const { return in_edges_.length(u); }
  bool has_groups() const { return !crosses_.empty(); }

  /// Out-edges of a core node are [first_out(u), first_out(u + 1)), in link order.
  std::int32_t first_out(Core u) const { return heads_.first(u); }
  Core head(std::int32_t edge) const { return heads_.values()[edge]; }
  LinkId link(std::int32_t edge) const { return links_[edge]; }

  /// Calls visit(tail) for each edge to the node.
  template <class Visit>
  void each_tail(Core u, Visit&& visit) const {
    for (const auto& [tail, edge] : in_edges_[u]) visit(tail);
  }

  /// What the node is to ways.
  Passing::Place place(Core u) const { return places_[u]; }

  /// The distance over an edge to a node that is so far. Not Step::none.
  std::uint64_t distance_over(std::int32_t edge, Step step, std::uint32_t rest) const {
    const auto relays = static_cast<std::uint64_t>(
        Passing::relays(step, static_cast<std::int32_t>(rest % link_range())));
    return rest + 1 + relays * relay_length() +
           (!crosses_.empty() && crosses_[edge] != 0 ? RoundDistance::kCrossing : 0);
  }
  /// All others' distances to `target`, found(v, distance). O(nodes + edges), with groups times
  /// their logarithm.
  template <class Found>
  void measure_backwards(Core target, Found&& found) const;

  /// Search backwards from `target`, by relays, then by links. Calls found(v, edge, distance) once
  /// for every other node that reaches it, by increasing RelayDistance, with the out-edge of v that
  /// starts the shortest path: to the lowest next node, by the lowest of parallel links.
  /// O(nodes + edges).
  ///
  /// Why the lowest: each level is expanded in increasing order of nodes, so that the first to
  /// find v is the lowest next node of v. Without groups.
  template <class Found>
  void search_backwards(Core target, Found&& found) const;

 private:
  // As RoundDistance with groups, else in links, a relay counting as more than any way has.
  std::uint32_t relay_length() const {
    return crosses_.empty() ? static_cast<std::uint32_t>(node_count()) : RoundDistance::kRelay;
  }
  std::uint32_t link_range() const {
    return crosses_.empty() ? relay_length() : RoundDistance::kCrossing;
  }
  // Sorts a level: by counting bits when it is large, else by comparison.
  static void sort_level(std::vector<Core>& level, std::vector<std::uint64_t>& bits);

  IdVector<NodeId, Core> core_of_;
  std::vector<Passing::Place> places_;  // by core node
  std::vector<NodeId> nodes_;           // likewise
  graph::Rows<Core> heads_;
  std::vector<LinkId> links_;          // by edge
  std::vector<std::uint8_t> crosses_;  // by edge, with groups
  struct InEdge {
    Core tail = 0;
    std::int32_t edge = 0;
  };
  graph::Rows<InEdge> in_edges_;
  std::int32_t max_out_degree_ = 0;
};

template <class Found>
void CoreGraph::search_backwards(Core target, Found&& found) const {
  std::vector<std::uint64_t> bits((places_.size() + 63) / 64, 0);
  search_by_relays(
      places_.size(), target,
      [&](Core u, auto&& visit) {
        for (const auto& [tail, edge] : in_edges_[u]) visit(tail, edge);
      },
      [&](Core v) { return place(v); }, [&](std::vector<Core>& level) { sort_level(level, bits); },
      found);
}

template <class Found>
void CoreGraph::measure_backwards(Core target, Found&& found) const {
  if (crosses_.empty())
    return search_backwards(target, [&](Core v, auto, const RelayDistance& distance) {
      const std::int64_t number = std::int64_t{distance.relays} * relay_length() + distance.links;
      require(number < std::numeric_limits<std::uint32_t>::max(),
              "paths through {} hosts are too long for a table; use shortest", distance.relays);
      found(v, static_cast<std::uint32_t>(number));
    });
  search_by_rounds(
      places_.size(), target,
      [&](Core u, auto&& visit) {
        for (const auto& [tail, edge] : in_edges_[u]) visit(tail, crosses_[edge] != 0);
      },
      [&](Core v) { return place(v); },
      [&](Core v, const RoundDistance& distance) { found(v, distance.number()); });
}

}  // namespace weft::network
