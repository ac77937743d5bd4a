#include "weft/simulation/packet/distances.hpp"

#include <algorithm>

#include "weft/network/relay_search.hpp"

namespace weft::simulation::packet {

using network::passes_on;

namespace {

bool is_leaf(const Wiring& wiring, NodeId node) {
  return wiring.leaves[node.index()].up != kNone;
}

// The nodes that reach the target, nearest first, and their distances.
std::vector<NodeId> reach(const Wiring& wiring, std::int32_t target,
                          std::vector<std::int32_t>& distance) {
  const Topology& topology = wiring.topology;
  distance.assign(place(wiring.node_count()), kNone);
  std::vector<NodeId> queue{NodeId(target)};
  distance[place(target)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const NodeId node = queue[i];
    if (i > 0 && !passes_on(topology, node)) continue;
    for (const LinkId link : topology.in_links(node)) {
      const NodeId tail = topology.tail(link);
      if (is_leaf(wiring, tail) || distance[tail.index()] != kNone) continue;
      distance[tail.index()] = distance[node.index()] + 1;
      queue.push_back(tail);
    }
  }
  return queue;
}

}  // namespace

int distances_towards(const Wiring& wiring, std::int32_t target,
                      std::vector<std::int32_t>& distance) {
  return distance[reach(wiring, target, distance).back().index()];
}

int search_towards(const Wiring& wiring, std::int32_t target, std::vector<std::int32_t>& next) {
  const Topology& topology = wiring.topology;
  next.assign(place(wiring.node_count()), kNone);
  std::vector<std::int32_t> distance;
  const std::vector<NodeId> queue = reach(wiring, target, distance);
  for (const NodeId node : queue) {
    if (node.value() == target) continue;
    for (const LinkId link : topology.out_links(node)) {
      const NodeId head = topology.head(link);
      if (distance[head.index()] != distance[node.index()] - 1) continue;
      if (head.value() != target && !passes_on(topology, head)) continue;
      std::int32_t& best = next[node.index()];
      if (best == kNone || head < topology.head(LinkId(best))) best = link.value();
    }
  }
  return distance[queue.back().index()];
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

}  // namespace weft::simulation::packet
