// What `auto` stands for. Only facets of the topology decide, so that the same network gets the
// same routing under every model and in every row of a store.
#include "weft/network/default_routing.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "weft/network/routing.hpp"
#include "weft/network/routing/tree/up_down_ways.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

namespace {

// Also of one with holes, which dimension order goes around.
bool is_grid(const Topology& topology) {
  constexpr auto kAllowed = topology::Damage::allowed;
  return as_hyperx(topology, kAllowed) || as_torus(topology, kAllowed) ||
         as_mesh(topology, kAllowed);
}

bool is_dragonfly_or_kin(const Topology& topology) {
  return as_dragonfly(topology) || as_dragonfly_plus(topology) || as_slimfly(topology) ||
         as_polarfly(topology);
}

// Whether a switch joins hosts of one group that a switch of the group's own joins, too: GPUs of a
// box whose cards hang on one leaf. Both ways are as short, and the box's is meant for them.
bool cards_of_a_box_share_a_leaf(const Topology& topology) {
  const auto groups = as_host_groups(topology);
  if (!groups) return false;
  const auto group_of = [&](LinkId link) { return groups->of[topology.tail(link).index()]; };
  const auto hosts_of = [&](NodeId node) {  // the links from hosts to a switch
    std::vector<LinkId> links;
    for (const LinkId link : topology.in_links(node))
      if (topology.is_host(topology.tail(link))) links.push_back(link);
    std::ranges::sort(links, {}, [&](LinkId link) { return topology.tail(link); });
    return links;
  };
  std::vector<char> in_box(static_cast<std::size_t>(topology.node_count()), 0);  // by host
  std::vector<std::vector<LinkId>> of_leaves;
  for (const NodeId node : topology.switches()) {
    auto links = hosts_of(node);
    if (links.empty()) continue;
    if (std::ranges::adjacent_find(links, std::ranges::not_equal_to(), group_of) != links.end())
      of_leaves.push_back(std::move(links));
    else
      for (const LinkId link : links) in_box[topology.tail(link).index()] = 1;
  }
  return std::ranges::any_of(of_leaves, [&](const std::vector<LinkId>& links) {
    return std::ranges::adjacent_find(links, [&](LinkId a, LinkId b) {
             return group_of(a) == group_of(b) && topology.tail(a) != topology.tail(b) &&
                    in_box[topology.tail(a).index()] != 0 && in_box[topology.tail(b).index()] != 0;
           }) != links.end();
  });
}

}  // namespace

std::string_view default_routing(const Topology& topology) {
  if (as_xgft(topology)) return "d-mod-k";
  if (const auto damaged = as_damaged_xgft(topology))
    return keeps_up_down_ways(topology, *damaged) ? "d-mod-k" : "shortest-split";
  if (is_dragonfly_or_kin(topology)) return "minimal";
  if (is_grid(topology)) return "dimension-order";
  if (topology.has_switches() && cards_of_a_box_share_a_leaf(topology)) return "widest-split";
  // A product of rings and cliques with holes too: one path a pair would show its own imbalance for
  // the failure's.
  if (topology.has_switches() || is_damaged_grid(topology)) return "shortest-split";
  return "shortest";
}

std::string default_routing_reason(const Topology& topology) {
  if (!as_damaged_xgft(topology) || default_routing(topology) == "d-mod-k") return "";
  return "past what failed no way up and then down joins some hosts, as d-mod-k needs";
}

}  // namespace weft::network
