#include "near_ranks.hpp"

#include <algorithm>
#include <map>

#include "weft/topology/joined.hpp"

namespace weft::algorithm {

namespace {

/// Of each switch the lowest that joins the same hosts (a plane of the same box). O(links * log).
std::vector<NodeId> first_planes(const Topology& topology) {
  std::map<std::vector<NodeId>, NodeId> first;
  std::vector<NodeId> result;
  for (const NodeId node : topology.nodes()) {
    std::vector<NodeId> hosts;
    if (!topology.is_host(node))
      for (const LinkId link : topology.in_links(node))
        if (topology.is_host(topology.tail(link))) hosts.push_back(topology.tail(link));
    std::ranges::sort(hosts);
    result.push_back(hosts.empty() ? node
                                   : first.try_emplace(std::move(hosts), node).first->second);
  }
  return result;
}

/// What is around a host. `widest_switch` is the switch with most bandwidth to it, the lowest of
/// equal ones. `rail` is its lowest other switch, or its lowest switch where other hosts are joined
/// to it by more bandwidth. Planes of one box count as one switch.
struct Surroundings {
  std::optional<NodeId> widest_switch, rail;
  std::int64_t switch_Bps = 0, hosts_Bps = 0;

  bool by_switch() const { return widest_switch && switch_Bps >= hosts_Bps; }
};
Surroundings surroundings_of(NodeId host, const Fabric& fabric,
                             const std::vector<NodeId>& first_plane) {
  const Topology& topology = fabric.topology();
  Surroundings result;
  std::map<NodeId, std::int64_t> switches;
  for (const LinkId link : topology.out_links(host)) {
    const NodeId neighbour = topology.head(link);
    (topology.is_host(neighbour) ? result.hosts_Bps : switches[first_plane[neighbour.index()]]) +=
        fabric.bandwidth_Bps(link);
  }
  for (const auto& [node, bandwidth_Bps] : switches)
    if (bandwidth_Bps > result.switch_Bps) {
      result.widest_switch = node;
      result.switch_Bps = bandwidth_Bps;
    }
  for (const auto& [node, bandwidth_Bps] : switches)
    if (!result.rail && !(result.by_switch() && node == result.widest_switch)) result.rail = node;
  return result;
}

}  // namespace

LocalGroups by_key(const Network& network, const std::function<std::int64_t(NodeId)>& key) {
  std::map<std::int64_t, std::size_t> index;
  LocalGroups groups;
  for (const Rank rank : ids<Rank>(network.ranks())) {
    const auto [entry, is_new] =
        index.try_emplace(key(network.placement().nodes[rank.index()]), groups.size());
    if (is_new) groups.emplace_back();
    groups[entry->second].push_back(rank);
  }
  return groups;
}

RailedGroups by_widest_links(const Network& network) {
  const Topology& topology = network.topology();
  const std::vector<NodeId> first_plane = first_planes(topology);
  const auto around = [&](NodeId host) {
    return surroundings_of(host, network.fabric(), first_plane);
  };
  IdVector<NodeId, NodeId> joined;  // made when the first host asks
  LocalGroups groups = by_key(network, [&](NodeId node) -> std::int64_t {
    if (const Surroundings own = around(node); own.by_switch()) return own.widest_switch->value();
    if (joined.empty()) joined = topology::lowest_joined(topology);
    return joined[node].value();
  });
  IdVector<Rank, std::optional<NodeId>> rails;
  for (const NodeId node : network.placement().nodes) rails.push_back(around(node).rail);
  for (auto& group : groups)
    std::ranges::stable_sort(group, {}, [&](Rank rank) { return rails[rank]; });
  return {std::move(groups), std::move(rails)};
}

}  // namespace weft::algorithm
