#include "weft/analysis/leaves.hpp"

#include <set>

namespace weft::analysis {

std::vector<std::int32_t> leaf_switches(const Topology& topology) {
  std::vector<std::int32_t> switch_of(static_cast<std::size_t>(topology.node_count()), -1);
  for (const NodeId host : topology.hosts()) {
    std::set<NodeId> others;
    for (const LinkId link : topology.out_links(host)) others.insert(topology.head(link));
    for (const LinkId link : topology.in_links(host)) others.insert(topology.tail(link));
    others.erase(host);
    if (others.size() == 1 && !topology.is_host(*others.begin()))
      switch_of[host.index()] = others.begin()->value();
  }
  return switch_of;
}

}  // namespace weft::analysis
