#include "weft/network/relay_search.hpp"

#include <algorithm>

#include "weft/graph/sense.hpp"

namespace weft::network {

namespace {

// The nodes that switches join to a switch, itself included.
std::vector<char> joined_to(const Topology& topology, NodeId from, graph::Sense sense) {
  std::vector<char> joined(static_cast<std::size_t>(topology.node_count()), 0);
  std::vector<NodeId> queue{from};
  joined[from.index()] = 1;
  const auto join = [&](NodeId node) {
    if (std::exchange(joined[node.index()], 1) == 0) queue.push_back(node);
  };
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const NodeId node = queue[i];
    if (!passes_on(topology, node)) continue;
    if (sense == graph::Sense::along)
      for (const LinkId link : topology.out_links(node)) join(topology.head(link));
    else
      for (const LinkId link : topology.in_links(node)) join(topology.tail(link));
  }
  return joined;
}

// Whether one switch reaches all these hosts, and they it: then switches join them all.
bool meet_at_a_switch(const Topology& topology, std::span<const NodeId> hosts) {
  const auto ways = topology.out_links(hosts.front());
  if (ways.empty() || topology.is_host(topology.head(ways[0]))) return false;
  const NodeId middle = topology.head(ways[0]);
  const auto there = joined_to(topology, middle, graph::Sense::along),
             back = joined_to(topology, middle, graph::Sense::against);
  return std::ranges::all_of(
      hosts, [&](NodeId host) { return there[host.index()] != 0 && back[host.index()] != 0; });
}

}  // namespace

RelayDistances::RelayDistances(const Topology& topology, NodeId target)
    : topology_(topology),
      relay_(topology.node_count()),
      distances_(static_cast<std::size_t>(topology.node_count()), kNoWay),
      reached_(1, target) {
  distances_[target.index()] = 0;
  search_by_relays(
      distances_.size(), target.value(),
      [&](std::int32_t u, auto&& visit) {
        for (const LinkId link : topology.in_links(NodeId(u)))
          visit(topology.tail(link).value(), link);
      },
      [&](std::int32_t v) { return passes_on(NodeId(v)); }, [](const auto&) {},
      [&](std::int32_t v, LinkId, const RelayDistance& distance) {
        distances_[v] = distance.relays * relay_ + distance.links;
        reached_.emplace_back(v);
      });
}

std::int64_t relayed_pairs(const Topology& topology, std::span<const NodeId> hosts) {
  if (!topology.has_switches() || hosts.empty() || meet_at_a_switch(topology, hosts)) return 0;
  std::vector<NodeId> targets(hosts.begin(), hosts.end());
  std::ranges::sort(targets);
  std::int64_t pairs = 0;
  for (auto target = targets.begin(); target != targets.end();) {
    const auto others = std::ranges::upper_bound(target, targets.end(), *target);
    const RelayDistances distances(topology, *target);
    const auto relayed = std::ranges::count_if(hosts, [&](NodeId host) {
      return distances[host] != RelayDistances::kNoWay && distances.relays(host) > 0;
    });
    pairs += relayed * (others - target);
    target = others;
  }
  return pairs;
}

}  // namespace weft::network
