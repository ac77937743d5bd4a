// The registry's entry, and where bases come from when nobody says otherwise: BFB, and the
// schedules that ship.
#include "../entries.hpp"
#include "recursion.hpp"
#include "weft/algorithm/bfb.hpp"
#include "weft/algorithm/expansion.hpp"
#include "weft/algorithm/expansion_catalogue.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {

namespace {

// BFB itself serves what is no expansion, with its symmetry and the speeds of the links.
bool is_plain(const Topology& topology) {
  return !has_expansion(topology.expression()) && !StoredSchedules::shipped().find(topology);
}

const Algorithm& bfb() {
  return find_algorithm("bfb");
}

std::optional<std::string> expand_misfit(const Context& context) {
  if (auto reason = bfb().misfit(context)) return reason;
  const Topology& topology = context.network->topology();
  if (is_plain(topology)) return std::nullopt;
  try {
    if (topology::build_topology(topology.expression()).topology.hash() == topology.hash())
      return std::nullopt;
  } catch (const InvalidInput&) {  // a name that was given to a network, not one that builds it
  }
  return "its expression builds another network";
}

std::optional<std::string_view> same_as_bfb(const Context& context) {
  if (context.network == nullptr || !is_plain(context.network->topology())) return std::nullopt;
  return "bfb";
}

Schedule build_expanded(const Context& context) {
  const Network& network = *context.network;
  if (is_plain(network.topology())) return bfb().build(context);
  return expand(context.collective, network, shipped_bases());
}

bool all_alike(const Fabric& fabric) {
  for (const LinkId link : fabric.topology().links())
    if (fabric.bandwidth_Bps(link) != fabric.bandwidth_Bps(LinkId(0))) return false;
  return true;
}

// The algebra speaks of links that are all alike.
std::optional<Forecast> forecast_expanded(const Context& context) {
  const Network& network = *context.network;
  const CollectiveKind kind = context.collective.kind;
  if (is_plain(network.topology())) {
    const BfbCost cost = bfb_cost(network.fabric(), kind);
    return Forecast{cost.steps, cost.bandwidth_factor, cost.exact_bandwidth_factor, cost.chunks,
                    cost.step_factors};
  }
  if (!all_alike(network.fabric())) return std::nullopt;
  Forecast result;
  for (const graph::Sense sense : {graph::Sense::against, graph::Sense::along}) {
    if (kind == CollectiveKind::allgather && sense == graph::Sense::against) continue;
    if (kind == CollectiveKind::reduce_scatter && sense == graph::Sense::along) continue;
    const Prediction one = predict(network.topology().expression(), sense, shipped_bases());
    result.steps += one.steps;
    result.bandwidth_factor = result.bandwidth_factor + one.bandwidth_factor;
  }
  result.exact_bandwidth_factor = result.bandwidth_factor;
  return result;
}

}  // namespace

Bases shipped_bases() {
  return {
      .general =
          [](const Topology& topology) { return bfb_schedule(Fabric(topology, LinkSpeed{})); },
      .general_cost =
          [](const Topology& topology) {
            const BfbCost cost = bfb_cost(topology);
            return BaseCost{cost.steps, cost.bandwidth_factor};
          },
      .known = [](const Topology& topology) { return StoredSchedules::shipped().find(topology); }};
}

Algorithm expand_entry() {
  return {
      .name = "expand",
      .aliases = {"expansion"},
      .summary =
          "The schedule of X, expanded to line(X), degree(n, X), power(n, X) and so on; else bfb",
      .source =
          "Zhao et al., Efficient Direct-Connect Topologies for Collective Communications, 2024",
      .collectives = {CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                      CollectiveKind::allreduce},
      .options = {kRoutes},
      .misfit = expand_misfit,
      .build = build_expanded,
      .forecast = forecast_expanded,
      .same_as = same_as_bfb,
  };
}

}  // namespace weft::algorithm
