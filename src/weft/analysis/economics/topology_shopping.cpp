// Cables and switches of any topology, its switches placed rack by rack.
#include <vector>

#include "weft/analysis/economics.hpp"
#include "weft/analysis/economics/racks.hpp"
#include "weft/base/error.hpp"

namespace weft::analysis {

namespace {

// The rack of each node.
std::vector<std::int64_t> racks_of(const Topology& topology, std::int64_t per_rack) {
  std::vector<std::int64_t> rack(static_cast<std::size_t>(topology.node_count()), 0);
  const bool switched = topology.has_switches();
  std::int64_t placed = 0;
  for (const NodeId node : switched ? topology.switches() : topology.hosts())
    rack[node.index()] = placed++ / per_rack;
  if (!switched) return rack;
  for (const NodeId host : topology.hosts())
    for (const LinkId link : topology.out_links(host)) {
      if (topology.is_host(topology.head(link))) continue;
      rack[host.index()] = rack[topology.head(link).index()];
      break;
    }
  return rack;
}

bool first_of_cable(const Topology& topology, LinkId link) {
  const auto reverse = topology.reverse(link);
  return !reverse || link < *reverse;
}

void require_layout(const RackLayout& layout) {
  require(layout.switches_per_rack >= 1, "{} switches a rack are too few; 1 or more",
          layout.switches_per_rack);
  require(layout.columns >= 0, "{} columns of racks are too few; 1 or more", layout.columns);
}

}  // namespace

Shopping shopping(const Topology& topology, const RackLayout& layout) {
  require_layout(layout);
  const std::int64_t placed =
      topology.has_switches() ? std::ssize(topology.switches()) : std::ssize(topology.hosts());
  const std::int64_t racks = (placed - 1) / layout.switches_per_rack + 1;
  const std::int64_t columns = layout.columns > 0 ? layout.columns : square_columns(racks);
  const std::vector<std::int64_t> rack = racks_of(topology, layout.switches_per_rack);
  std::vector<std::int64_t> ports(rack.size(), 0);
  Shopping result;
  for (const LinkId link : topology.links()) {
    const NodeId from = topology.tail(link), to = topology.head(link);
    if (from == to || !first_of_cable(topology, link)) continue;
    ++ports[from.index()];
    ++ports[to.index()];
    const std::int64_t a = rack[from.index()], b = rack[to.index()];
    if (a == b)
      ++result.electrical[kCableInRack_m];
    else
      ++result.optical[cable_between(a, b, columns)];
  }
  for (const NodeId node : topology.switches()) ++result.switch_nodes[ports[node.index()]];
  return result;
}

}  // namespace weft::analysis
