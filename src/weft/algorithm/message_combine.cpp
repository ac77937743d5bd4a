// Message-combine: data moves along the shortest-path tree of every root, a hop in each step, and
// all that a node has for the same neighbour goes as one message.
//
// K(d, k) has one shortest way between any two nodes, so that the trees are given, and each node is
// at depth i of at most d^i outgoing trees: a link carries at most d^i blocks of an allgather in
// step i, k steps and 1 + d + ... + d^(k-1) blocks in all. On K(d, 2), N = d (d + 1), one child of
// a root points back at it and has a subtree of d nodes, the others d + 1; in units of one block,
// scatter and gather take d + 2, all-to-all 2 d + 1, allgather and reduce-scatter d + 1. The
// collecting ones use incoming trees, since links are one-way: an outgoing tree turned round would
// use links that do not exist.
// A broadcast or reduce uses each link of its one tree in one step, so that segments one step apart
// never meet: k + s - 1 steps of M / s.
// Source: Pham, "Low-Latency Collective Communication for High-Performance Computing Networks", PhD
// thesis, SOKENDAI, 2026, section 3.1, Eq. 3.3-3.6, Tables 3.1 and 3.2.
#include "weft/algorithm/message_combine.hpp"

#include "entries.hpp"
#include "trees/tree_schedule.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {

namespace {

using trees::Tree;
using trees::TreeGraph;

Schedule along_shortest_trees(const Topology& topology, const Collective& collective) {
  const TreeGraph graph(topology, trees::growth_of(collective.kind));
  require(graph.nodes() == collective.ranks, "{} ranks do not match the {} nodes of {}",
          collective.ranks, graph.nodes(), topology.name());
  return trees::along_each_tree(graph, collective, "kautz-c", [&](std::int32_t root) {
    std::optional<Tree> tree = trees::shortest_tree(graph, root);
    require(tree.has_value(), "some nodes of {} and node {} cannot reach each other",
            topology.name(), root);
    return *std::move(tree);
  });
}

bool made_of_kautz(const Expression& expression) {
  for (const Expression& child : expression.children)
    if (made_of_kautz(child)) return true;
  return expression.name == "kautz" || expression.name == "genkautz";
}

std::optional<std::string> combine_misfit(const Context& context) {
  auto reason = trees::tree_misfit(context);
  if (reason) return reason;
  const Topology& topology = context.network->topology();
  if (topology::as_kautz(topology) || made_of_kautz(topology.expression())) return reason;
  return "it needs a Kautz or generalised Kautz network";
}

}  // namespace

Schedule message_combine(const Topology& topology, const Collective& collective) {
  return trees::in_parts(
      collective, [&](const Collective& part) { return along_shortest_trees(topology, part); });
}

Algorithm message_combine_entry() {
  return {
      .name = "kautz-c",
      .aliases = {"message-combine"},
      .summary = "Along the shortest paths of a Kautz network, with combined messages",
      .source =
          "Pham, Low-Latency Collective Communication for High-Performance Computing "
          "Networks, 2026",
      .collectives = trees::served(),
      .options = {kSegments},
      .misfit = combine_misfit,
      .build =
          [](const Context& context) {
            return message_combine(context.network->topology(), context.collective)
                .with_segments({.count = segments_in(context.options), .stride = 1});
          },
      .pipelined = {CollectiveKind::broadcast, CollectiveKind::reduce},
      // Its messages are one of the breadth-first schedules, of which BFB is the best.
      .never_beats = "bfb",
  };
}

}  // namespace weft::algorithm
