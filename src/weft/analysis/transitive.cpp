#include "transitive.hpp"

#include <algorithm>

#include "weft/base/id_vector.hpp"
#include "weft/topology/cayley_view.hpp"
#include "weft/topology/views.hpp"

namespace weft::analysis {

namespace {

bool hosts_are_spread_evenly(const Topology& topology) {
  const auto attached = topology::as_attached_hosts(topology);
  if (!attached) return false;
  IdVector<NodeId, std::int32_t> hosts(topology.node_count(), 0);
  for (const NodeId host : topology.hosts()) ++hosts[attached->switch_of[host]];
  const auto switches = topology.switches();
  return std::all_of(switches.begin(), switches.end(),
                     [&](NodeId node) { return hosts[node] == hosts[switches.front()]; });
}

}  // namespace

bool is_known_vertex_transitive(const Topology& topology) {
  const auto cayley = topology::as_cayley(topology);
  if (!cayley) return false;
  if (!topology.has_switches()) return cayley->group().order() == topology.node_count();
  return cayley->group().order() == static_cast<std::int64_t>(topology.switches().size()) &&
         hosts_are_spread_evenly(topology);
}

}  // namespace weft::analysis
