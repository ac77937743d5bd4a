#include "weft/flow/trees/carrier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/graph/breadth_first.hpp"
#include "weft/graph/rows.hpp"
#include "weft/topology/names.hpp"

namespace weft::flow {

using graph::CapacityArc;
using graph::Sense;

Carrier carrier_of(const Fabric& fabric, const RankTreesQuestion& question) {
  const Topology& topology = fabric.topology();
  Carrier carrier{.nodes = topology.node_count(),
                  .arcs = {},
                  .links = {},
                  .roots = {},
                  .places = {},
                  .goals = {},
                  .kept = std::vector<char>(topology.node_count(), 0),
                  .passes = {}};
  for (const NodeId node : question.places) carrier.kept[node.index()] = 1;
  for (const NodeId node : topology.nodes())
    if (carrier.kept[node.index()] != 0) carrier.places.push_back(node.value());
  carrier.goals = carrier.places;
  if (question.goal)
    carrier.goals = {question.places[static_cast<std::size_t>(*question.goal)].value()};
  const auto add_root = [&](std::size_t rank) {
    carrier.roots.push_back({question.places[rank].value(), 1});
  };
  if (question.roots.empty())
    for (std::size_t rank = 0; rank < question.places.size(); ++rank) add_root(rank);
  for (const std::int32_t rank : question.roots) add_root(static_cast<std::size_t>(rank));
  for (const NodeId node : topology.nodes())
    carrier.passes.push_back(static_cast<char>(
        carrier.kept[node.index()] != 0 || !topology.has_switches() || !topology.is_host(node)));
  const auto passes = [&](NodeId node) { return carrier.passes[node.index()] != 0; };
  for (const LinkId link : topology.links()) {
    NodeId tail = topology.tail(link), head = topology.head(link);
    if (tail == head || !passes(tail) || !passes(head)) continue;
    if (question.sense == Sense::against) std::swap(tail, head);
    carrier.arcs.push_back({tail.value(), head.value(), fabric.bandwidth_Bps(link)});
    carrier.links.push_back(link);
    carrier.unit_Bps = std::gcd(carrier.unit_Bps, fabric.bandwidth_Bps(link));
  }
  for (CapacityArc& arc : carrier.arcs) arc.capacity /= carrier.unit_Bps;
  WEFT_ASSERT(carrier.arcs.size() == carrier.links.size() &&
              std::ssize(carrier.kept) == carrier.nodes);
  WEFT_ASSERT(std::ranges::is_sorted(carrier.places));  // they are searched by halving
  return carrier;
}

namespace {

// The first rank's node that a search from a node does not reach.
std::optional<std::int32_t> unreached(const Carrier& carrier, std::int32_t from, Sense sense) {
  const auto heads = graph::rows_by<std::int32_t>(
      carrier.nodes, static_cast<std::int32_t>(carrier.arcs.size()),
      [&](std::int32_t arc) {
        return sense == Sense::along ? carrier.arcs[arc].tail : carrier.arcs[arc].head;
      },
      [&](std::int32_t arc) {
        return sense == Sense::along ? carrier.arcs[arc].head : carrier.arcs[arc].tail;
      });
  const graph::BreadthFirst reached(carrier.nodes, from, [&](std::int32_t at, auto&& reach) {
    for (const std::int32_t head : heads[at]) reach(head);
  });
  const auto found = std::ranges::find_if_not(
      carrier.places, [&](std::int32_t place) { return reached.reached(place); });
  return found == carrier.places.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

std::optional<std::string> carrier_misfit(const Topology& topology, const Carrier& carrier,
                                          const RankTreesQuestion& question) {
  if (carrier.places.size() < 2)
    return fmt::format("all ranks are on one node of {}", topology.name());
  const std::int32_t hub = question.goal ? carrier.goals.front() : carrier.roots.front().node;
  for (const Sense sense : {Sense::along, Sense::against}) {
    if (sense == Sense::along && question.goal) continue;           // it alone is reached
    if (sense == Sense::against && !question.roots.empty()) break;  // it alone has trees
    const auto lost = unreached(carrier, hub, sense);
    if (!lost) continue;
    const bool leaves = sense == question.sense;  // the data that does not arrive
    const bool idle = topology.has_switches() && carrier.places.size() < topology.hosts().size();
    return fmt::format("no path leads from node {} to node {} of {}{}",
                       topology::node_text(topology, NodeId(leaves ? hub : *lost)),
                       topology::node_text(topology, NodeId(leaves ? *lost : hub)), topology.name(),
                       idle ? ", where hosts without a rank pass nothing on" : "");
  }
  return std::nullopt;
}

}  // namespace weft::flow
