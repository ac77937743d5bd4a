// DF-C: message-combine on a Dragonfly whose routers are each linked to every other group.
//
// Step 1: a router sends over all its links, a block or more for a group over the global link to
// it. Step 2: who was reached over a global link passes on over its local links. With groups of a =
// h = g - 1 routers that makes, in blocks over a link, a + 1 for scatter and for allgather (a
// global link leads to a routers; a local one brings on what came from g - 1 groups), 2 a for
// all-to-all: the network is close to a x g of two fully connected dimensions. Breadth-first trees
// at large would cross two global links for some and load links unevenly. Collecting trees grow
// against the links: local first, then global. Source: Pham, "Low-Latency Collective Communication
// for High-Performance Computing Networks", PhD thesis, SOKENDAI, 2026, section 3.1, Table 3.2
// (column Dragonfly, a = ceil(d / 2)).
#include "weft/algorithm/dragonfly/combine.hpp"

#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/trees/tree_schedule.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {

namespace {

using trees::Arc;
using trees::Branch;
using trees::Tree;
using trees::TreeGraph;

/// A tree of two steps; nothing where it does not reach all routers.
std::optional<Tree> global_first_tree(const TreeGraph& graph, int group_size, std::int32_t root) {
  WEFT_ASSERT(group_size >= 1 && root >= 0 && root < graph.nodes());
  const auto nodes = static_cast<std::size_t>(graph.nodes());
  Tree tree{root, std::vector<Branch>(nodes)};
  std::vector<bool> joined(nodes, false);
  joined[root] = true;
  tree.branches[root] = {root, LinkId(0), -1};
  std::vector<std::int32_t> order{root};
  const auto join = [&](std::int32_t from, const Arc& arc, std::int32_t step) {
    const auto node = static_cast<std::size_t>(arc.node);
    if (joined[node]) return;
    joined[node] = true;
    tree.branches[node] = {from, arc.link, step};
    order.push_back(arc.node);
  };
  for (const Arc& arc : graph.from(root)) join(root, arc, 0);
  const std::vector<std::int32_t> reached(order.begin() + 1, order.end());
  for (const std::int32_t from : reached)
    for (const Arc& arc : graph.from(from))
      if (arc.node / group_size == from / group_size) join(from, arc, 1);
  if (order.size() < nodes) return std::nullopt;
  return tree;
}

Schedule along_trees(const Topology& topology, const Collective& collective) {
  const TreeGraph graph(topology, trees::growth_of(collective.kind));
  const auto dragonfly = topology::as_dragonfly(topology);
  require(dragonfly && graph.nodes() == collective.ranks,
          "{} ranks do not match the routers of the Dragonfly; {} has {}", collective.ranks,
          topology.name(), dragonfly ? graph.nodes() : 0);
  return trees::along_each_tree(graph, collective, "dragonfly-c", [&](std::int32_t root) {
    auto tree = global_first_tree(graph, dragonfly->a, root);
    require(tree.has_value(), "router {} of {} is not linked to every group", root,
            topology.name());
    return *std::move(tree);
  });
}

std::optional<std::string> dragonfly_misfit(const Context& context) {
  if (context.network == nullptr) return "it needs a topology";
  const Topology& topology = context.network->topology();
  const auto dragonfly = topology::as_dragonfly(topology);
  if (!dragonfly) return "it needs a Dragonfly";
  if (auto reason = trees::tree_misfit(context)) return reason;
  const TreeGraph graph(topology, trees::Growth::outgoing);
  for (std::int32_t root = 0; root < graph.nodes(); ++root)
    if (!global_first_tree(graph, dragonfly->a, root))
      return "it needs every router to be linked to every group";
  return std::nullopt;
}

}  // namespace

Schedule dragonfly_combine(const Topology& topology, const Collective& collective) {
  return trees::in_parts(collective,
                         [&](const Collective& part) { return along_trees(topology, part); });
}

Algorithm dragonfly_combine_entry() {
  return {
      .name = "dragonfly-c",
      .aliases = {"df-c"},
      .summary =
          "Global links first, then local links, with combined messages; Dragonflies with all "
          "global links",
      .source =
          "Pham, Low-Latency Collective Communication for High-Performance Computing "
          "Networks, 2026",
      .collectives = trees::served(),
      .options = {},
      .misfit = dragonfly_misfit,
      .build =
          [](const Context& context) {
            return dragonfly_combine(context.network->topology(), context.collective);
          },
  };
}

}  // namespace weft::algorithm
