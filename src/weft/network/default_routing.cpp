// What `auto` stands for. Only facets of the topology decide, so that the same network gets the
// same routing under every model and in every row of a store.
#include "weft/network/default_routing.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/graph/breadth_first.hpp"
#include "weft/network/routing.hpp"
#include "weft/network/routing/entries.hpp"
#include "weft/network/routing/tree/up_down_ways.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/joined.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

namespace {

// Also of one with holes, which dimension order goes around.
bool is_grid(const Topology& topology) {
  constexpr auto kAllowed = topology::Damage::allowed;
  return as_hyperx(topology, kAllowed) || as_torus(topology, kAllowed) ||
         as_mesh(topology, kAllowed);
}

// A Dragonfly whose groups one link joins, any two.
bool is_dragonfly_of_single_links(const Topology& topology) {
  const auto dragonfly = as_dragonfly(topology);
  return dragonfly && dragonfly->a * dragonfly->h == dragonfly->g - 1;
}

bool is_kin_of_dragonflies(const Topology& topology) {
  return as_dragonfly_plus(topology) || as_slimfly(topology) || as_polarfly(topology);
}

using Links = std::vector<LinkId>;

// Whether two hosts meet at one switch by links of one class and at another by those of another:
// GPUs of a box that share a PCI bridge, or whose cards have a switch, too.
bool meet_by_two_classes(const Topology& topology) {
  std::set<std::pair<NodeId, NodeId>> shared;  // by a host that was looked at
  for (const NodeId host : topology.hosts()) {
    std::set<std::pair<NodeId, NodeId>> own;
    for (const LinkId a : topology.out_links(host))
      for (const LinkId b : topology.out_links(host))
        if (topology.head(a) < topology.head(b) &&
            topology.link_class(a) != topology.link_class(b) &&
            !topology.is_host(topology.head(a)) && !topology.is_host(topology.head(b)))
          own.emplace(topology.head(a), topology.head(b));
    for (const auto& pair : own)
      if (!shared.insert(pair).second) return true;
  }
  return false;
}

// Whether a switch between groups joins two hosts of one group that switches of the group's own
// join, too: GPUs of a box whose cards hang on one leaf. Both ways are as short, and the box's is
// meant for them.
bool cards_of_a_box_share_a_leaf(const Topology& topology) {
  const auto groups = as_host_groups(topology);
  if (!groups || groups->count == 1) return meet_by_two_classes(topology);
  const IdVector<NodeId, NodeId> first = topology::lowest_joined(topology);
  const auto group_of = [&](LinkId link) { return groups->of[topology.tail(link)]; };
  const auto hosts_of = [&](NodeId node) {  // the links from hosts to a switch, by host
    Links links;
    for (const LinkId link : topology.in_links(node))
      if (topology.is_host(topology.tail(link))) links.push_back(link);
    std::ranges::sort(links, {}, [&](LinkId link) { return topology.tail(link); });
    return links;
  };
  constexpr std::int32_t kNoGroup = -1, kSeveral = -2;
  IdVector<NodeId, std::int32_t> group_of_part(first.size(), kNoGroup);  // by first switch
  for (const NodeId node : topology.switches())
    for (const LinkId link : hosts_of(node)) {
      std::int32_t& group = group_of_part[first[node]];
      group = group == kNoGroup || group == group_of(link) ? group_of(link) : kSeveral;
    }
  const auto is_own = [&](NodeId node) { return group_of_part[first[node]] != kSeveral; };
  IdVector<NodeId, char> in_box(first.size(), 0);
  for (const NodeId node : topology.switches())
    if (is_own(node))
      for (const LinkId link : hosts_of(node)) in_box[topology.tail(link)] = 1;
  return std::ranges::any_of(topology.switches(), [&](NodeId node) {
    if (is_own(node)) return false;
    const Links links = hosts_of(node);
    return std::ranges::adjacent_find(links, [&](LinkId a, LinkId b) {
             return group_of(a) == group_of(b) && topology.tail(a) != topology.tail(b) &&
                    in_box[topology.tail(a)] != 0 && in_box[topology.tail(b)] != 0;
           }) != links.end();
  });
}

// Whether hosts of boxes are joined to one another by cables of several classes that are no
// dimensions: along two dimensions a host reaches no other host by both.
bool boxes_have_cables_of_own_widths(const Topology& topology) {
  for (const NodeId host : topology.hosts()) {
    std::set<ClassId> classes;
    for (const LinkId link : topology.out_links(host))
      if (topology.is_host(topology.head(link))) classes.insert(topology.link_class(link));
    if (classes.size() < 2) continue;
    std::set<std::int32_t> reached;
    for (const ClassId each : classes) {
      const graph::BreadthFirst along(
          topology.node_count(), host.value(), [&](std::int32_t at, auto&& reach) {
            for (const LinkId link : topology.out_links(NodeId(at)))
              if (topology.is_host(topology.head(link)) && topology.link_class(link) == each)
                reach(topology.head(link).value());
          });
      for (const std::int32_t other : along.order())
        if (other != host.value() && !reached.insert(other).second) return true;
    }
    return false;
  }
  return false;
}

// Whether hosts are joined to one another by cables of several classes and no facet tells how, as
// GPUs of a box by one or more links each: where two ways are as short, the wider one is meant.
bool has_cables_of_own_widths(const Topology& topology) {
  if (topology.has_switches()) return boxes_have_cables_of_own_widths(topology);
  return topology.facets().facets.empty() && topology.class_names().size() > 1;
}

}  // namespace

std::string_view default_routing(const Topology& topology) {
  if (topology.facets().tables) return "table";
  if (as_xgft(topology)) return "d-mod-k";
  if (const auto damaged = as_damaged_xgft(topology))
    return keeps_up_down_ways(topology, *damaged) ? "d-mod-k" : "shortest-split";
  if (is_dragonfly_of_single_links(topology) || is_kin_of_dragonflies(topology)) return "minimal";
  // Of several links between two groups minimal takes one for all pairs of routers alike.
  if (switch_groups_of(topology)) return "minimal-split";
  if (is_grid(topology)) return "dimension-order";
  if (has_cables_of_own_widths(topology) ||
      (topology.has_switches() && cards_of_a_box_share_a_leaf(topology)))
    return "widest-split";
  if (as_kautz(topology)) return "shortest";  // there is but one way
  // Split over all shortest paths, an all-to-all loads links that are alike alike; one path a pair
  // does not: on a twisted torus of 4 x 4 x 8 nodes it takes five times as long, on a circulant
  // twice.
  return "shortest-split";
}

std::string default_routing_reason(const Topology& topology) {
  if (topology.facets().part_had_tables && !topology.facets().tables)
    return "the forwarding tables cover only a part of the network";
  if (!as_damaged_xgft(topology) || default_routing(topology) != "shortest-split") return "";
  return "after the failures some hosts have no path up and then down, which d-mod-k needs";
}

RoutingEntry auto_entry() {
  return {
      .info = {.name = "auto",
               .summary = "The usual choice for the network, which answers name: table if a fabric "
                          "brings tables, d-mod-k on trees, minimal on Dragonflies and similar "
                          "networks (minimal-split if groups have several links, something failed, "
                          "or planes or boxes are on Dragonflies), dimension-order on grids, "
                          "widest-split if the cards of a box share a leaf or cables between hosts "
                          "have several widths, and shortest-split otherwise",
               .fits = "any"},
      .paths = [](const Fabric& fabric, std::uint64_t seed) {
        return make_routing(default_routing(fabric.topology()), fabric, seed);
      }};
}

}  // namespace weft::network
