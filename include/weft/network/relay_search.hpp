// Ways that pass as few hosts as can be, and of these the fewest links.
//
// Where a network has switches, its hosts pass nothing on, unless two nodes have no other way: the
// cards of a box with a cable to each rail join rails that no spine joins. So distances are counted
// first in relays, hosts on the way, then in links: where switches lead from end to end there is no
// relay, and hosts change nothing.
//
// Breadth first in rounds: round r finds what is r relays away. Its searches start at the hosts
// that round r - 1 found, each at its number of links, and go on through switches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::network {

/// Whether messages go through the node wherever that is shorter; other nodes, hosts of networks
/// with switches, are relays.
inline bool passes_on(const Topology& topology, NodeId node) {
  return !topology.has_switches() || !topology.is_host(node);
}

struct RelayDistance {
  std::int32_t relays = 0, links = 0;
  friend auto operator<=>(const RelayDistance&, const RelayDistance&) = default;
};

/// Visits each of the nodes 0 .. nodes - 1 that has a way to (or from) `start`, by increasing
/// distance:
///   each_next(u, visit)  calls visit(v, edge) for each edge that joins v to u;
///   transit(v)           whether v passes on;
///   arrange(level)       orders nodes that are equally far before they are left;
///   found(v, edge, distance)  is told of each node but the start, once.
/// O(nodes + edges).
template <class EachNext, class Transit, class Arrange, class Found>
void search_by_relays(std::size_t nodes, std::int32_t start, EachNext&& each_next,
                      Transit&& transit, Arrange&& arrange, Found&& found) {
  struct Relay {
    std::int32_t node, links;
  };
  std::vector<std::uint8_t> seen(nodes, 0);
  std::vector<std::int32_t> level{start}, next;
  std::vector<Relay> relays, later;  // by links: of this round, of the next
  seen[start] = 1;
  std::size_t left = nodes - 1, relay = 0;
  RelayDistance at;
  while (left > 0 && (!level.empty() || relay < relays.size() || !later.empty())) {
    if (level.empty() && relay == relays.size()) {
      relays = std::exchange(later, {});
      relay = 0;
      ++at.relays;
    }
    if (level.empty()) at.links = relays[relay].links;
    for (; relay < relays.size() && relays[relay].links == at.links; ++relay)
      level.push_back(relays[relay].node);
    arrange(level);
    ++at.links;
    next.clear();
    for (const std::int32_t u : level)
      each_next(u, [&](std::int32_t v, auto edge) {
        if (seen[v] != 0) return;
        seen[v] = 1;
        --left;
        found(v, edge, at);
        if (transit(v))
          next.push_back(v);
        else
          later.push_back({v, at.links});
      });
    level.swap(next);
  }
}

/// Distances of all nodes to one, as single numbers: what is nearer has the lower one.
class RelayDistances {
 public:
  static constexpr std::int64_t kNoWay = -1;
  /// O(nodes + links).
  RelayDistances(const Topology& topology, NodeId target);

  std::int64_t operator[](NodeId node) const { return distances_[node.index()]; }
  /// Relays on the way; of a node that has one.
  std::int64_t relays(NodeId node) const { return (*this)[node] / relay_; }
  /// Whether the link starts a way of the least distance from its tail, which is not the target.
  bool leads_on(LinkId link) const {
    const NodeId head = topology_.head(link);
    const std::int64_t rest = (*this)[head], step = rest == 0 || passes_on(head) ? 1 : 1 + relay_;
    return rest != kNoWay && rest + step == (*this)[topology_.tail(link)];
  }
  /// The nodes that have a way, the nearest first.
  std::span<const NodeId> reached() const { return reached_; }

 private:
  bool passes_on(NodeId node) const { return network::passes_on(topology_, node); }

  const Topology& topology_;
  std::int64_t relay_;  // more than any number of links
  std::vector<std::int64_t> distances_;
  std::vector<NodeId> reached_;
};

/// Of the ordered pairs of these hosts (a host may stand there several times) those that only hosts
/// join. O(nodes + links) where switches join all, else so much for each host.
std::int64_t relayed_pairs(const Topology& topology, std::span<const NodeId> hosts);

}  // namespace weft::network
