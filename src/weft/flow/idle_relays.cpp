#include "weft/flow/idle_relays.hpp"

#include <algorithm>
#include <set>

namespace weft::flow {

std::int32_t idle_relays(const Topology& topology, std::span<const NodeId> places) {
  if (!topology.has_switches()) return 0;
  const std::set<NodeId> taken(places.begin(), places.end());
  const auto hosts = topology.hosts();
  return static_cast<std::int32_t>(std::ranges::count_if(hosts, [&](NodeId host) {
    if (taken.contains(host)) return false;
    std::set<NodeId> neighbours;
    for (const LinkId link : topology.out_links(host)) neighbours.insert(topology.head(link));
    return neighbours.size() > 1;
  }));
}

}  // namespace weft::flow
