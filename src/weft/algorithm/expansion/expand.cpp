#include "recursion.hpp"
#include "weft/algorithm/expansion.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {

namespace {

std::vector<Rank> ranks_of_nodes(const Network& network) {
  const Topology& topology = network.topology();
  constexpr std::int32_t kNone = -1;
  std::vector<Rank> ranks(topology.node_count(), Rank(kNone));
  require(network.ranks() == topology.node_count(),
          "{} nodes have {} ranks; an expanded schedule needs one rank on every node",
          topology.node_count(), network.ranks());
  for (std::int32_t rank = 0; rank < network.ranks(); ++rank) {
    Rank& there = ranks[network.placement().nodes[rank].index()];
    require(there.value() == kNone,
            "ranks {} and {} share a node; an expanded schedule needs one rank on every node",
            there.value(), rank);
    there = Rank(rank);
  }
  return ranks;
}

Schedule expand_one_way(graph::Sense sense, const Network& network, const Bases& bases) {
  const Topology& topology = network.topology();
  const Expanded expanded = expand_sends(topology.expression(), sense, bases);
  require(expanded.topology.hash() == topology.hash(),
          "the network {} differs from what its expression builds; expand needs the network of "
          "the expression",
          topology.name());
  return to_schedule(expanded.sends, {expanded.topology, sense}, ranks_of_nodes(network),
                     schedule::binding_to(network));
}

}  // namespace

Schedule expand(const schedule::Collective& collective, const Network& network,
                const Bases& bases) {
  require(collective.ranks == network.ranks(), "{} ranks do not match a network of {} nodes",
          collective.ranks, network.ranks());
  switch (collective.kind) {
    case CollectiveKind::allgather:
      return expand_one_way(graph::Sense::along, network, bases);
    case CollectiveKind::reduce_scatter:
      return expand_one_way(graph::Sense::against, network, bases);
    case CollectiveKind::allreduce:
      return schedule::concatenate(expand_one_way(graph::Sense::against, network, bases),
                                   expand_one_way(graph::Sense::along, network, bases));
    default:
      reject("expansion does not support {}; it supports allgather, reduce-scatter and allreduce",
             schedule::name_of(collective.kind));
  }
}

}  // namespace weft::algorithm
