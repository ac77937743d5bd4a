#include "support/even_bfb.hpp"

#include <numeric>

#include "support/graphs.hpp"

namespace weft::test {

namespace {

using Distances = std::vector<std::vector<std::int32_t>>;

// The in-links of `node` from nodes that are nearer to `source`.
std::vector<LinkId> ways(const Topology& topology, const Distances& distance, NodeId source,
                         NodeId node) {
  std::vector<LinkId> result;
  const auto& from = distance[source.index()];
  for (const LinkId link : topology.in_links(node))
    if (from[topology.tail(link).index()] + 1 == from[node.index()]) result.push_back(link);
  return result;
}

}  // namespace

schedule::Schedule even_bfb(const Topology& topology) {
  const Distances distance = support::naive_distances(topology);
  std::int64_t units = 1;
  for (const NodeId source : topology.nodes())
    for (const NodeId node : topology.nodes())
      if (node != source)
        units = std::lcm(units,
                         static_cast<std::int64_t>(ways(topology, distance, source, node).size()));
  schedule::ScheduleBuilder builder(
      schedule::allgather(topology.node_count()),
      {.units_per_block = units, .binding = {topology.name(), topology.hash(), {}}});
  for (const LinkId link : topology.links()) builder.add_route(std::span(&link, 1));
  std::vector<std::vector<schedule::Piece>> pieces;
  for (std::int32_t t = 0;; ++t) {
    pieces.assign(static_cast<std::size_t>(topology.link_count()), {});
    bool any = false;
    for (const NodeId source : topology.nodes())
      for (const NodeId node : topology.nodes()) {
        if (distance[source.index()][node.index()] != t + 1) continue;
        any = true;
        const auto links = ways(topology, distance, source, node);
        const auto share = units / static_cast<std::int64_t>(links.size());
        std::int64_t first = source.value() * units;
        for (const LinkId link : links) {
          pieces[link.index()].push_back({first, share});
          first += share;
        }
      }
    if (!any) return std::move(builder).build();
    for (const LinkId link : topology.links())
      builder.at(t).send(schedule::Agent(topology.tail(link).value()),
                         schedule::Agent(topology.head(link).value()), pieces[link.index()],
                         schedule::Arrival::copy, schedule::RouteId(link.value()));
  }
}

}  // namespace weft::test
