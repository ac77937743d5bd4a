// BFB in the registry.
#include "../entries.hpp"
#include "rooted.hpp"
#include "schedule.hpp"
#include "weft/algorithm/groups/mesh_of_groups.hpp"
#include "weft/base/error.hpp"
#include "weft/graph/layers.hpp"
#include "weft/topology/in_arcs.hpp"

namespace weft::algorithm {

namespace {

constexpr CountOption kBlockBytes{
    {.name = "block-bytes",
     .what = "Block size in bytes for which bfb balances latencies, too",
     .least = 1,
     .most = std::int64_t{1} << 40,
     .otherwise = "it balances loads only"}};

BfbOptions options_of(const Context& context) {
  return {.chunks = kChunks.given(context.options),
          .block_B = kBlockBytes.given(context.options),
          .symmetries = context.options.symmetries};
}

/// Beside switches: the ranks' hosts, where links of their own join them, as in a box of GPUs.
std::optional<Network> mesh_of_ranks(const Context& context) {
  if (!context.network->topology().has_switches()) return std::nullopt;
  const std::int32_t ranks = context.network->ranks();
  return mesh_of_groups(consecutive_groups(ranks, ranks), *context.network);
}

std::optional<std::string> bfb_misfit(const Context& context) {
  if (context.network == nullptr) return "it needs a topology";
  const Topology& topology = context.network->topology();
  if (topology.has_switches())
    return mesh_of_ranks(context)
               ? std::nullopt
               : std::optional<std::string>(
                     "it needs hosts with direct links between them, without switches");
  if (!bfb::one_on_each_node(context.network->placement().nodes, topology))
    return "it needs one rank on each node";
  const Fabric fabric(topology, {});
  return graph::unreached(topology::in_arcs(fabric, graph::Sense::along),
                          topology::in_arcs(fabric, graph::Sense::against));
}

Schedule build_whole(const Context& context) {
  const std::optional<Network> mesh = mesh_of_ranks(context);
  const Network& network = mesh ? *mesh : *context.network;
  require(!context.collective.rooted() || !kBlockBytes.given(context.options),
          "block-bytes applies to allgather, reduce-scatter and allreduce; leave it out for {}",
          schedule::name_of(context.collective.kind));
  if (context.collective.rooted())
    return bfb::rooted_schedule(network.fabric(), context.collective, network.placement().nodes,
                                kChunks.given(context.options));
  return bfb::placed_schedule(network.fabric(), context.collective.kind, network.placement().nodes,
                              options_of(context));
}

// A broadcast uses each link in one step only, so that segments one step apart never meet. Steps of
// the others share links; their segments even out steps that load different links.
Schedule build_bfb(const Context& context) {
  return build_whole(context).with_segments({.count = segments_in(context.options), .stride = 1});
}

std::optional<Forecast> forecast_bfb(const Context& context) {
  if (context.collective.rooted() || segments_in(context.options) != 1 ||
      kBlockBytes.given(context.options) || context.network->topology().has_switches())
    return std::nullopt;
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
      .summary =
          "Breadth first along shortest paths, with exactly balanced links; any direct network",
      .source =
          "Zhao et al., Efficient Direct-Connect Topologies for Collective Communications, 2024",
      .collectives = {CollectiveKind::broadcast, CollectiveKind::reduce, CollectiveKind::scatter,
                      CollectiveKind::gather, CollectiveKind::allgather,
                      CollectiveKind::reduce_scatter, CollectiveKind::allreduce},
      .options = {kSegments, kChunks, kBlockBytes, kRoutes},
      .misfit = bfb_misfit,
      .build = build_bfb,
      .forecast = forecast_bfb,
      .pipelined = {CollectiveKind::broadcast, CollectiveKind::reduce},
      .tried_early = TriedEarly::near_bound,
  };
}

}  // namespace weft::algorithm
