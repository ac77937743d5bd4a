// Ways that pass as few hosts as can be, and of these the fewest links.
//
// Where a network has switches, its hosts pass nothing on, unless two nodes have no other way: the
// cards of a box with a cable to each rail join rails that no spine joins. So distances are counted
// first in relays, hosts on the way, then in links: where switches lead from end to end there is no
// relay, and hosts change nothing. Hosts of the target's mesh (topology/passing.hpp) are no relays
// to each other, but to all others.
//
// Breadth first in rounds: round r finds what is r relays away. Its searches start at the hosts
// that round r - 1 found and those of the mesh that are r links away, each at its number of links,
// and go on through switches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/topology/passing.hpp"
#include "weft/topology/topology.hpp"

namespace weft::network {

using topology::Passing;
using topology::Step;

struct RelayDistance {
  std::int32_t relays = 0, links = 0;
  friend auto operator<=>(const RelayDistance&, const RelayDistance&) = default;
};

/// Visits each of the nodes 0 .. nodes - 1 that has a way to (or from) `start`, by increasing
/// distance:
///   each_next(u, visit)  calls visit(v, edge) for each edge that joins v to u;
///   place(v)             what v is to ways;
///   arrange(level)       orders nodes that are equally far before they are left;
///   found(v, edge, distance)  is told of each node but the start, once.
/// O(nodes + edges).
template <class EachNext, class Place, class Arrange, class Found>
void search_by_relays(std::size_t nodes, std::int32_t start, EachNext&& each_next, Place&& place,
                      Arrange&& arrange, Found&& found) {
  WEFT_ASSERT(start >= 0 && static_cast<std::size_t>(start) < nodes);
  struct Relay {
    std::int32_t node, links;
  };
  std::vector<std::uint8_t> seen(nodes, 0);
  std::vector<std::int32_t> level{start}, next;
  std::vector<Relay> relays, later, mesh_hosts;  // by links: of this round, of the next; all
  seen[start] = 1;
  const Passing::Place mesh = place(start);
  std::size_t left = nodes - 1, relay = 0, entered = 0;
  RelayDistance at;
  while (left > 0 && (!level.empty() || relay < relays.size() || !later.empty() ||
                      entered < mesh_hosts.size())) {
    if (level.empty() && relay == relays.size()) {
      relays = std::exchange(later, {});
      relay = 0;
      ++at.relays;
      const auto others = static_cast<std::ptrdiff_t>(relays.size());
      while (entered < mesh_hosts.size() && mesh_hosts[entered].links == at.relays)
        relays.push_back(mesh_hosts[entered++]);
      std::ranges::inplace_merge(relays, relays.begin() + others, {}, &Relay::links);
      if (relays.empty()) continue;
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
        const Passing::Place here = place(v);
        const Step step = Passing::step(here, place(u), u == start, mesh);
        if (step == Step::none || (step != Step::plain && at.relays == 0)) return;
        seen[v] = 1;
        --left;
        found(v, edge, at);
        const bool inside = here >= 0 && here == mesh;
        if (here == Passing::kSwitch || inside)
          next.push_back(v);
        else
          later.push_back({v, at.links});
        if (inside) mesh_hosts.push_back({v, at.links});
      });
    level.swap(next);
  }
}

/// Distances of all nodes to one, as single numbers: what is nearer has the lower one.
class RelayDistances {
 public:
  static constexpr std::int64_t kNoWay = -1;
  /// `passing` outlives it. O(nodes + links).
  RelayDistances(const Passing& passing, NodeId target);

  std::int64_t operator[](NodeId node) const { return distances_[node.index()]; }
  /// Relays on the way; of a node that has one.
  std::int64_t relays(NodeId node) const { return (*this)[node] / relay_; }
  /// Whether the link starts a way of the least distance from its tail, which is not the target.
  bool leads_on(LinkId link) const {
    const Topology& topology = passing_.topology();
    const NodeId tail = topology.tail(link), head = topology.head(link);
    const Step step = passing_.step(tail, head, reached_.front());
    const std::int64_t rest = (*this)[head];
    if (step == Step::none || rest == kNoWay) return false;
    const std::int32_t relays = Passing::relays(step, static_cast<std::int32_t>(rest % relay_));
    return rest + 1 + relay_ * relays == (*this)[tail];
  }
  /// The nodes that have a way, the nearest first.
  std::span<const NodeId> reached() const { return reached_; }

 private:
  const Passing& passing_;
  std::int64_t relay_;  // more than any number of links
  std::vector<std::int64_t> distances_;
  std::vector<NodeId> reached_;
};

/// Of the ordered pairs of these hosts (a host may stand there several times) those that only hosts
/// join. O(nodes + links) where switches join all, else so much for each host.
std::int64_t relayed_pairs(const Fabric& fabric, std::span<const NodeId> hosts);

}  // namespace weft::network
