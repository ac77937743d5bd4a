#include "weft/network/relay_search.hpp"

#include <algorithm>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/graph/breadth_first.hpp"
#include "weft/graph/sense.hpp"

namespace weft::network {

namespace {

// The nodes that switches join to a switch, itself included; of networks with switches.
graph::BreadthFirst joined_to(const Topology& topology, NodeId from, graph::Sense sense) {
  return {topology.node_count(), from.value(), [&](std::int32_t at, auto&& reach) {
            const NodeId node(at);
            if (topology.is_host(node)) return;
            if (sense == graph::Sense::along)
              for (const LinkId link : topology.out_links(node)) reach(topology.head(link).value());
            else
              for (const LinkId link : topology.in_links(node)) reach(topology.tail(link).value());
          }};
}

// Whether one switch reaches all these hosts, and they it: then switches join them all. A GPU hangs
// on the switches of its box as well as on those of the fabric.
bool meet_at_a_switch(const Topology& topology, std::span<const NodeId> hosts) {
  std::vector<graph::BreadthFirst> tried;
  for (const LinkId link : topology.out_links(hosts.front())) {
    const NodeId middle = topology.head(link);
    const auto reaches = [&](const graph::BreadthFirst& search) {
      return search.reached(middle.value());
    };
    if (topology.is_host(middle) || std::ranges::any_of(tried, reaches)) continue;
    const graph::BreadthFirst& there =
        tried.emplace_back(joined_to(topology, middle, graph::Sense::along));
    const auto back = joined_to(topology, middle, graph::Sense::against);
    if (std::ranges::all_of(hosts, [&](NodeId host) {
          return there.reached(host.value()) && back.reached(host.value());
        }))
      return true;
  }
  return false;
}

}  // namespace

RelayDistances::RelayDistances(const Passing& passing, NodeId target)
    : passing_(passing),
      relay_(passing.topology().node_count()),
      distances_(relay_, kNoWay),
      reached_(1, target) {
  const Topology& topology = passing.topology();
  distances_[target.index()] = 0;
  search_by_relays(
      distances_.size(), target.value(),
      [&](std::int32_t u, auto&& visit) {
        for (const LinkId link : topology.in_links(NodeId(u)))
          visit(topology.tail(link).value(), link);
      },
      [&](std::int32_t v) { return passing[NodeId(v)]; }, [](const auto&) {},
      [&](std::int32_t v, LinkId, const RelayDistance& distance) {
        distances_[v] = distance.relays * relay_ + distance.links;
        reached_.emplace_back(v);
      });
}

std::int64_t relayed_pairs(const Fabric& fabric, std::span<const NodeId> hosts) {
  const Topology& topology = fabric.topology();
  if (!topology.has_switches() || hosts.empty() || meet_at_a_switch(topology, hosts)) return 0;
  const Passing passing(fabric);
  std::vector<NodeId> targets(hosts.begin(), hosts.end());
  std::ranges::sort(targets);
  std::int64_t pairs = 0;
  for (auto target = targets.begin(); target != targets.end();) {
    const auto others = std::ranges::upper_bound(target, targets.end(), *target);
    const RelayDistances distances(passing, *target);
    const auto relayed = std::ranges::count_if(hosts, [&](NodeId host) {
      return distances[host] != RelayDistances::kNoWay && distances.relays(host) > 0;
    });
    pairs += relayed * (others - target);
    target = others;
  }
  WEFT_ASSERT(pairs >= 0 && pairs <= std::ssize(hosts) * std::ssize(hosts));
  return pairs;
}

}  // namespace weft::network
