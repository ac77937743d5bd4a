#include "weft/network/routing/distances.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/graph/breadth_first.hpp"
#include "weft/network/hop_routing.hpp"

namespace weft::network {

namespace {

bool is_leaf(const Wiring& wiring, NodeId node) {
  return wiring.leaves[node.index()].up != kNone;
}

// The nodes that reach the target.
graph::BreadthFirst search(const Wiring& wiring, NodeId target) {
  const Topology& topology = wiring.topology;
  return {wiring.node_count(), target.value(), [&](std::int32_t at, auto&& reach) {
            for (const LinkId link : topology.in_links(NodeId(at)))
              if (!is_leaf(wiring, topology.tail(link)) && leads_plainly(wiring, link, target))
                reach(topology.tail(link).value());
          }};
}

}  // namespace

bool leads_plainly(const Wiring& wiring, LinkId link, NodeId target) {
  const Topology& topology = wiring.topology;
  return wiring.passing.step(topology.tail(link), topology.head(link), target) ==
         topology::Step::plain;
}

std::vector<std::int32_t> distances_towards(const Wiring& wiring, std::int32_t target) {
  WEFT_ASSERT(target >= 0 && target < wiring.node_count());
  return search(wiring, NodeId(target)).distances();
}

int search_towards(const Wiring& wiring, std::int32_t target, std::vector<std::int32_t>& next) {
  WEFT_ASSERT(target >= 0 && target < wiring.node_count());
  const Topology& topology = wiring.topology;
  next.assign(place(wiring.node_count()), kNone);
  const graph::BreadthFirst found = search(wiring, NodeId(target));
  const std::vector<std::int32_t>& distance = found.distances();
  for (const std::int32_t node : found.order()) {
    if (node == target) continue;
    for (const LinkId link : topology.out_links(NodeId(node))) {
      const NodeId head = topology.head(link);
      if (distance[head.index()] != distance[node] - 1) continue;
      if (!leads_plainly(wiring, link, NodeId(target))) continue;
      std::int32_t& best = next[node];
      if (best == kNone || head < topology.head(LinkId(best))) best = link.value();
    }
  }
  return distance[found.order().back()];
}

int longest_shortest_path(const Wiring& wiring) {
  std::vector<char> ends(place(wiring.node_count()), 0);
  for (const NodeId host : wiring.topology.hosts()) ends[place(wiring.router[host.index()])] = 1;
  std::vector<std::int32_t> next;
  int longest = 1;
  for (std::int32_t node = 0; node < wiring.node_count(); ++node)
    if (ends[place(node)] != 0) longest = std::max(longest, search_towards(wiring, node, next));
  return longest;
}

}  // namespace weft::network
