#include <vector>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/network/routing.hpp"
#include "weft/network/routing/makers.hpp"

namespace weft::network {

namespace {

using Maker = std::shared_ptr<const Routing> (*)(const Fabric&, std::uint64_t seed);

struct Entry {
  RoutingInfo info;
  Maker make;
};

// In the order in which `weft list routings` shows them; the first is the default.
const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {{"auto",
        "what such a machine does: one of those below, and answers name it: table where a fabric "
        "brings tables, d-mod-k on trees, minimal on Dragonflies and kin (minimal-split where "
        "groups have several links, something failed, or planes or boxes are on Dragonflies), "
        "dimension-order on grids, widest-split where the cards of a box share a leaf or cables "
        "between hosts have "
        "several widths, shortest-split on the rest",
        "any"},
       [](const Fabric& fabric, std::uint64_t seed) {
         return make_routing(default_routing(fabric.topology()), fabric, seed);
       }},
      {{"shortest", "fewest links; of equal paths the one by the lowest next node", "any"},
       [](const Fabric& fabric, std::uint64_t) { return make_shortest(fabric); }},
      {{"shortest-random", "a shortest path drawn for each pair (by --seed)", "any"},
       [](const Fabric& fabric, std::uint64_t seed) { return make_shortest_random(fabric, seed); }},
      {{"shortest-split", "split equally at each hop over all shortest paths", "any"},
       [](const Fabric& fabric, std::uint64_t) { return make_split(fabric, Ways::all); }},
      {{"widest-split", "the same over the class of links nearer that is the fastest in all",
        "any"},
       [](const Fabric& fabric, std::uint64_t) { return make_split(fabric, Ways::widest); }},
      {{"dimension-order", "first dimension first; half-way round a ring half goes either way",
        "Hamming, HyperX, torus, mesh, hypercube, also damaged"},
       [](const Fabric& fabric, std::uint64_t) {
         return make_dimension_order(fabric, Ties::split);
       }},
      {{"dimension-order-up", "first dimension first; half-way round a ring all goes up",
        "Hamming, HyperX, torus, mesh, hypercube, also damaged"},
       [](const Fabric& fabric, std::uint64_t) { return make_dimension_order(fabric, Ties::up); }},
      {{"d-mod-k", "up by the digits of the destination, then down", "xgft, fat-tree"},
       [](const Fabric& fabric, std::uint64_t) { return make_mod_k(fabric, ModKey::destination); }},
      {{"s-mod-k", "up by the digits of the source, then down", "xgft, fat-tree"},
       [](const Fabric& fabric, std::uint64_t) { return make_mod_k(fabric, ModKey::source); }},
      {{"pattern-aware", "the messages of a step together, without conflicts", "xgft, fat-tree"},
       [](const Fabric& fabric, std::uint64_t) { return make_pattern_aware(fabric); }},
      {{"minimal",
        "at most one local, one global and one local link; or one common neighbour; or by "
        "dimension",
        "dragonfly, dragonfly-plus; slimfly, polarfly; hyperx, hamming; xpander"},
       [](const Fabric& fabric, std::uint64_t) { return make_minimal(fabric); }},
      {{"minimal-split",
        "split equally at each hop over all ways with the fewest links between groups, then the "
        "fewest links",
        "dragonfly, planes and boxes on dragonflies, also damaged"},
       [](const Fabric& fabric, std::uint64_t) { return make_split(fabric, Ways::minimal); }},
      {{"table", "by the forwarding tables that the fabric was imported with",
        "fabrics with --routes"},
       [](const Fabric& fabric, std::uint64_t) { return make_table(fabric); }},
  };
  return all;
}

std::vector<RoutingInfo> infos() {
  std::vector<RoutingInfo> all;
  for (const Entry& entry : entries()) all.push_back(entry.info);
  return all;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Entry& entry : entries()) all.push_back(entry.info.name);
  return all;
}

}  // namespace

std::span<const RoutingInfo> routings() {
  static const std::vector<RoutingInfo> all = infos();
  return all;
}

std::shared_ptr<const Routing> make_routing(std::string_view name, const Fabric& fabric,
                                            std::uint64_t seed) {
  const std::string wanted = lower_name(name);
  for (const Entry& entry : entries())
    if (entry.info.name == wanted) return entry.make(fabric, seed);
  reject("unknown routing '{}'; {}", name, suggest(name, names()));
}

}  // namespace weft::network
