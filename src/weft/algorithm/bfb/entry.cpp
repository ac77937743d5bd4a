// BFB in the registry.
#include "../entries.hpp"
#include "rooted.hpp"
#include "schedule.hpp"
#include "weft/graph/layers.hpp"
#include "weft/topology/in_arcs.hpp"

namespace weft::algorithm {

namespace {

BfbOptions options_of(const Context& context) {
  return {.chunks = kChunks.given(context.options), .symmetries = context.options.symmetries};
}

std::optional<std::string> bfb_misfit(const Context& context) {
  if (context.network == nullptr) return "it needs a topology";
  const Topology& topology = context.network->topology();
  if (topology.has_switches()) return "it needs hosts that are linked directly, without switches";
  if (!bfb::one_on_each_node(context.network->placement().nodes, topology))
    return "it needs one rank on each node";
  const Fabric fabric(topology, {});
  return graph::unreached(topology::in_arcs(fabric, graph::Sense::along),
                          topology::in_arcs(fabric, graph::Sense::against));
}

Schedule build_whole(const Context& context) {
  if (context.collective.rooted())
    return bfb::rooted_schedule(context.network->fabric(), context.collective,
                                context.network->placement().nodes, kChunks.given(context.options));
  return bfb::placed_schedule(context.network->fabric(), context.collective.kind,
                              context.network->placement().nodes, options_of(context));
}

// A broadcast uses each link in one step only, so that segments one step apart never meet. Steps of
// the others share links; their segments even out steps that load different links.
Schedule build_bfb(const Context& context) {
  return build_whole(context).with_segments({.count = segments_in(context.options), .stride = 1});
}

std::optional<Forecast> forecast_bfb(const Context& context) {
  if (context.collective.rooted() || segments_in(context.options) != 1) return std::nullopt;
  const BfbCost cost =
      bfb_cost(context.network->fabric(), context.collective.kind, options_of(context));
  return Forecast{cost.steps, cost.bandwidth_factor, cost.exact_bandwidth_factor, cost.chunks,
                  cost.step_factors};
}

}  // namespace

Algorithm bfb_entry() {
  return {
      .name = "bfb",
      .aliases = {"breadth-first-broadcast"},
      .summary = "breadth first over shortest paths, links balanced exactly; any direct network",
      .source =
          "Zhao et al., Efficient Direct-Connect Topologies for Collective Communications, 2024",
      .collectives = {CollectiveKind::broadcast, CollectiveKind::reduce, CollectiveKind::scatter,
                      CollectiveKind::gather, CollectiveKind::allgather,
                      CollectiveKind::reduce_scatter, CollectiveKind::allreduce},
      .options = {kSegments, kChunks},
      .misfit = bfb_misfit,
      .build = build_bfb,
      .forecast = forecast_bfb,
      .pipelined = {CollectiveKind::broadcast, CollectiveKind::reduce},
  };
}

}  // namespace weft::algorithm
