// Direct: where every rank has a link to every other, one step does.
//
// Each block goes straight from where it is to where it is wanted. With all N - 1 links of a rank
// busy, an allgather, reduce-scatter or all-to-all costs one step and M / N on each link: T_B is
// (N-1)/N, both the least possible. An allreduce is two such steps. A scatter or gather is limited
// by the root's links in the same way; a broadcast or reduce in one step sends the whole buffer
// over each of them, T_B = N - 1, the price of the single step. Source: Chan, Heimlich,
// Purkayastha, van de Geijn, "Collective Communication: Theory, Practice, and Experience", CCPE
// 19(13), 2007 (lower bounds on fully connected nodes). It is the "FC" of Pham, "Low-Latency
// Collective Communication for High-Performance Computing Networks", PhD thesis, SOKENDAI, 2026,
// Table 3.2, with an allreduce of 2 alpha + 2 M / (d + 1) beta (the printed half of it is a
// reduce-scatter alone). A point-to-point message is direct on any network: the routing finds its
// way.
#include <set>

#include "shift_pattern.hpp"
#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/exchange/pairwise.hpp"
#include "weft/algorithm/halves.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {

namespace {

/// Broadcast or scatter.
Schedule from_the_root(const Collective& collective) {
  ScheduleBuilder builder(collective, {.algorithm = "direct"});
  const bool whole = collective.kind == CollectiveKind::broadcast;
  for (const Rank to : ids<Rank>(collective.ranks))
    if (to != collective.root)
      builder.at(0).send(collective.root, to,
                         whole ? builder.everything() : builder.block(to.value()));
  return std::move(builder).build();
}

/// Point-to-point, for the network to route.
Schedule one_message(const Collective& collective) {
  ScheduleBuilder builder(collective, {.algorithm = "direct"});
  if (collective.root != collective.peer)
    builder.at(0).send(collective.root, collective.peer, builder.everything());
  return std::move(builder).build();
}

/// Whether every two ranks on different nodes are linked.
bool all_adjacent(const Network& network) {
  const Topology& topology = network.topology();
  const std::set<NodeId> nodes(network.placement().nodes.begin(), network.placement().nodes.end());
  for (const NodeId node : nodes) {
    if (topology.out_degree(node) + 1 < static_cast<std::int64_t>(nodes.size())) return false;
    std::set<NodeId> heads;
    for (const LinkId link : topology.out_links(node)) heads.insert(topology.head(link));
    for (const NodeId other : nodes)
      if (other != node && !heads.contains(other)) return false;
  }
  return true;
}

/// One step, for allreduce two (reduce-scatter, then allgather).
Schedule direct(const Collective& collective) {
  const auto& [kind, ranks, root, peer] = collective;
  switch (kind) {
    case CollectiveKind::broadcast:
    case CollectiveKind::scatter:
      return from_the_root(collective);
    case CollectiveKind::reduce:
      return schedule::transpose(from_the_root(schedule::broadcast(ranks, root)));
    case CollectiveKind::gather:
      return schedule::transpose(from_the_root(schedule::scatter(ranks, root)));
    case CollectiveKind::allgather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::allreduce:
      return from_allgather(spread_allgather(ranks).with_algorithm("direct"), kind);
    case CollectiveKind::alltoall:
      return spread_alltoall(ranks).with_algorithm("direct");
    case CollectiveKind::point_to_point:
      return one_message(collective);
    default:
      break;
  }
  reject("direct does not support {}", schedule::name_of(kind));
}

}  // namespace

Algorithm direct_entry() {
  return {
      .name = "direct",
      .aliases = {"fc"},
      .summary = "Every block goes straight to its destination in one step; complete graphs",
      .source =
          "Chan, Heimlich, Purkayastha, van de Geijn, Collective Communication: Theory, "
          "Practice, and Experience, 2007",
      .collectives = {CollectiveKind::broadcast, CollectiveKind::reduce, CollectiveKind::scatter,
                      CollectiveKind::gather, CollectiveKind::allgather,
                      CollectiveKind::reduce_scatter, CollectiveKind::allreduce,
                      CollectiveKind::alltoall, CollectiveKind::point_to_point},
      .options = {},
      .misfit = [](const Context& context) -> std::optional<std::string> {
        if (context.collective.kind == CollectiveKind::point_to_point) return std::nullopt;
        if (context.network == nullptr || all_adjacent(*context.network)) return std::nullopt;
        return "it needs a link between every two ranks";
      },
      .build = [](const Context& context) { return direct(context.collective); },
  };
}

}  // namespace weft::algorithm
