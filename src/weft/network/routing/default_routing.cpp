// What `auto` stands for. Only facets of the topology decide, so that the same network gets the
// same routing under every model and in every row of a store.
#include "weft/network/default_routing.hpp"

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

}  // namespace

std::string_view default_routing(const Topology& topology) {
  if (as_xgft(topology)) return "d-mod-k";
  if (const auto damaged = as_damaged_xgft(topology))
    return keeps_up_down_ways(topology, *damaged) ? "d-mod-k" : "shortest-split";
  if (is_dragonfly_or_kin(topology)) return "minimal";
  if (is_grid(topology)) return "dimension-order";
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
