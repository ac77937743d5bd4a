// Cables and switches of any topology, its switches placed rack by rack.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "weft/analysis/cable_list.hpp"
#include "weft/analysis/economics.hpp"
#include "weft/analysis/economics/racks.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"

namespace weft::analysis {

namespace {

using RackOf = IdVector<NodeId, std::int64_t>;  // the rack of each node

// The first switch that a host is cabled to.
std::optional<NodeId> first_switch_of(const Topology& topology, NodeId host) {
  for (const LinkId link : topology.out_links(host))
    if (!topology.is_host(topology.head(link))) return topology.head(link);
  return std::nullopt;
}

RackOf racks_by_switches(const Topology& topology, std::int64_t per_rack) {
  WEFT_ASSERT(per_rack >= 1);
  RackOf rack(topology.node_count(), 0);
  const bool switched = topology.has_switches();
  std::int64_t placed = 0;
  for (const NodeId node : switched ? topology.switches() : topology.hosts())
    rack[node] = placed++ / per_rack;
  if (!switched) return rack;
  for (const NodeId host : topology.hosts())
    if (const auto first = first_switch_of(topology, host)) rack[host] = rack[*first];
  return rack;
}

// Switches in order, each with the hosts that it is the first switch of; a switch that is the
// second of its hosts stands with the first of these.
RackOf racks_by_hosts(const Topology& topology, std::int64_t most) {
  WEFT_ASSERT(most >= 1);
  IdVector<NodeId, std::vector<NodeId>> hosts_of(topology.node_count());
  IdVector<NodeId, std::optional<NodeId>> other_host(topology.node_count());
  for (const NodeId host : topology.hosts()) {
    const auto first = first_switch_of(topology, host);
    if (first) hosts_of[*first].push_back(host);
    for (const LinkId link : topology.out_links(host))
      if (const NodeId head = topology.head(link); !other_host[head]) other_host[head] = host;
  }
  RackOf rack(topology.node_count(), 0);
  std::int64_t current = 0, filled = 0;  // hosts in the current rack
  for (const NodeId node : topology.switches()) {
    const std::int64_t hosts = std::ssize(hosts_of[node]);
    if (hosts == 0) continue;
    if (filled > 0 && filled + hosts > most) {
      ++current;
      filled = 0;
    }
    rack[node] = current;
    for (const NodeId host : hosts_of[node]) {
      if (filled == most) {
        ++current;
        filled = 0;
      }
      rack[host] = current;
      ++filled;
    }
  }
  if (current == 0) return rack;
  std::int64_t alone = 0;  // switches without hosts
  for (const NodeId node : topology.switches())
    if (hosts_of[node].empty())
      rack[node] = other_host[node] ? rack[*other_host[node]] : current + 1 + alone++ / most;
  return rack;
}

RackOf racks_of(const Topology& topology, const RackLayout& layout) {
  if (layout.hosts_per_rack == 0) return racks_by_switches(topology, layout.switches_per_rack);
  return topology.has_switches() ? racks_by_hosts(topology, layout.hosts_per_rack)
                                 : racks_by_switches(topology, layout.hosts_per_rack);
}

bool first_of_cable(const Topology& topology, LinkId link) {
  const auto reverse = topology.reverse(link);
  return !reverse || link < *reverse;
}

void require_layout(const RackLayout& layout) {
  require(layout.switches_per_rack >= 1, "{} switches per rack are too few (needs 1 or more)",
          layout.switches_per_rack);
  require(layout.hosts_per_rack >= 0, "{} hosts per rack are too few (needs 1 or more)",
          layout.hosts_per_rack);
  require(layout.columns >= 0, "{} columns of racks are too few (needs 1 or more)", layout.columns);
}

// Racks with the nodes in them.
struct Racks {
  RackOf of;
  std::int64_t columns = 1;

  Racks(const Topology& topology, const RackLayout& layout) {
    require_layout(layout);
    of = racks_of(topology, layout);
    const std::int64_t racks = of.empty() ? 1 : std::ranges::max(of) + 1;
    columns = layout.columns > 0 ? layout.columns : square_columns(racks);
  }
  bool share(NodeId a, NodeId b) const { return of[a] == of[b]; }
  double length_m(NodeId a, NodeId b) const {
    return share(a, b) ? kCableInRack_m : cable_between(of[a], of[b], columns);
  }
  // Where panels stand.
  std::int64_t middle() const {
    const std::int64_t rows = of.empty() ? 1 : std::ranges::max(of) / columns + 1;
    return rows / 2 * columns + columns / 2;
  }
  double length_to_middle_m(NodeId node) const {
    return of[node] == middle() ? kCableInRack_m : cable_between(of[node], middle(), columns);
  }
};

// Where each link arrives: the port of its reverse, or one after the node's links out.
IdVector<LinkId, std::int32_t> ports_of_arrival(const Topology& topology) {
  IdVector<LinkId, std::int32_t> port(topology.link_count(), 0);
  for (const NodeId node : topology.nodes()) {
    std::int32_t next = topology.out_degree(node);
    std::vector<LinkId> one_way;
    for (const LinkId link : topology.in_links(node)) {
      if (const auto back = topology.reverse(link))
        port[link] = back->value() - topology.out_links(node)[0].value();
      else
        one_way.push_back(link);
    }
    std::sort(one_way.begin(), one_way.end());
    for (const LinkId link : one_way) port[link] = next++;
  }
  return port;
}

}  // namespace

Shopping shopping(const Topology& topology, const RackLayout& layout) {
  const Racks racks(topology, layout);
  IdVector<NodeId, std::int64_t> ports(racks.of.size(), 0);
  Shopping result;
  for (const LinkId link : topology.links()) {
    const NodeId from = topology.tail(link), to = topology.head(link);
    if (from == to || !first_of_cable(topology, link)) continue;
    ++ports[from];
    ++ports[to];
    ++(racks.share(from, to) ? result.electrical : result.optical)[racks.length_m(from, to)];
  }
  for (const NodeId node : topology.switches()) ++result.switch_nodes[ports[node]];
  return result;
}

Shopping shopping_to_panel(const Topology& topology, const RackLayout& layout) {
  const Racks racks(topology, layout);
  Shopping result;
  for (const LinkId link : topology.links()) {
    const NodeId ends[] = {topology.tail(link), topology.head(link)};
    if (ends[0] == ends[1] || !first_of_cable(topology, link)) continue;
    for (const NodeId node : ends) ++result.optical[racks.length_to_middle_m(node)];
  }
  return result;
}

namespace {

struct NodePort {
  NodeId node;
  std::int32_t port;
};

// Calls visit(link, panel, port, a, b) for each cable between two nodes: the panel that joins its
// ends, and the lower of the two ports there.
template <class Visit>
void each_circuit(const Topology& topology, std::int64_t panel_ports, Visit&& visit) {
  const auto arrival = ports_of_arrival(topology);
  const std::int64_t circuits = panel_ports / 2;
  std::int64_t number = 0;
  for (const LinkId link : topology.links()) {
    const NodeId from = topology.tail(link), to = topology.head(link);
    if (from == to || !first_of_cable(topology, link)) continue;
    visit(link, number / circuits, 2 * (number % circuits),
          NodePort{from, link.value() - topology.out_links(from)[0].value()},
          NodePort{to, arrival[link]});
    ++number;
  }
}

}  // namespace

std::string panel_cable_list(const Topology& topology, const RackLayout& layout,
                             std::int64_t panel_ports) {
  const Racks racks(topology, layout);
  const std::int64_t middle = racks.middle();
  std::string text = "node,port,panel,panel_port,class,cable,length_m,rack,panel_rack\n";
  each_circuit(topology, panel_ports,
               [&](LinkId link, std::int64_t panel, std::int64_t port, NodePort a, NodePort b) {
                 for (const NodePort& end : {a, b})
                   fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{:g},{},{}\n",
                                  end.node.value(), end.port, panel, port++,
                                  topology.class_names()[topology.link_class(link)],
                                  topology.cable(link).value(), racks.length_to_middle_m(end.node),
                                  racks.of[end.node], middle);
               });
  return text;
}

std::string circuit_list(const Topology& topology, std::int64_t panel_ports) {
  std::string text = "panel,panel_port_a,panel_port_b,node_a,port_a,node_b,port_b,cable\n";
  each_circuit(topology, panel_ports,
               [&](LinkId link, std::int64_t panel, std::int64_t port, NodePort a, NodePort b) {
                 fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{}\n", panel, port,
                                port + 1, a.node.value(), a.port, b.node.value(), b.port,
                                topology.cable(link).value());
               });
  return text;
}

std::string cable_list(const topology::BuiltTopology& built,
                       const std::optional<RackLayout>& layout) {
  const Topology& topology = built.topology;
  const auto arrival = ports_of_arrival(topology);
  std::optional<Racks> racks;
  if (layout) racks.emplace(topology, *layout);
  const bool speeds = !built.speeds.empty();
  std::string text = "node_a,port_a,node_b,port_b,class,cable,link_ab,link_ba";
  if (speeds) text += ",bandwidth_Bps,latency_ps";
  if (racks) text += ",length_m,rack_a,rack_b,medium";
  if (topology.has_switches()) text += ",kind_a,kind_b";
  const auto out = std::back_inserter(text);
  const auto kind = [&](NodeId node) { return topology.is_host(node) ? "host" : "switch"; };
  const auto given = [](const auto& column, LinkId link) {
    return column.empty() || !column[link] ? std::string() : std::to_string(*column[link]);
  };
  for (const LinkId link : topology.links()) {
    if (!first_of_cable(topology, link)) continue;
    const NodeId from = topology.tail(link), to = topology.head(link);
    const auto back = topology.reverse(link);
    fmt::format_to(out, "\n{},{},{},{},{},{},{},{}", from.value(),
                   link.value() - topology.out_links(from)[0].value(), to.value(), arrival[link],
                   topology.class_names()[topology.link_class(link)], topology.cable(link).value(),
                   link.value(), back ? std::to_string(back->value()) : "");
    if (speeds)
      fmt::format_to(out, ",{},{}", given(built.speeds.bandwidth_Bps, link),
                     given(built.speeds.latency_ps, link));
    if (racks)
      fmt::format_to(out, ",{:g},{},{},{}", from == to ? 0 : racks->length_m(from, to),
                     racks->of[from], racks->of[to],
                     racks->share(from, to) ? "electrical" : "optical");
    if (topology.has_switches()) fmt::format_to(out, ",{},{}", kind(from), kind(to));
  }
  return text + "\n";
}

}  // namespace weft::analysis
