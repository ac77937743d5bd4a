// MULTITREE: a tree for every root, all grown together over the free links of each step, so that no
// link is asked for twice: contention-free on any topology, and close to (N-1)/N where the trees
// fill the steps. Which tree uses which link when is kept beside the trees ("a separate table"), a
// tree's level is not its step. A rooted collective has one tree, which is then breadth-first.
//
// Segments of that one tree follow one another at a distance of one step and never meet; disjoint
// trees (disjoint_trees.cpp) use the other links too.
//
// In an all-to-all a branch carries the blocks of all nodes beyond it, so that the first step of a
// root's tree is the heavy one. Collecting collectives grow their trees against the links and run
// them backwards. On two-dimensional Hamming networks a rule takes the place of greed
// (trees/grow.cpp).
// Source: Huang, Majumder, Kim, Fulton, Chen, Kim, Kim, Cho, "Communication Algorithm-Architecture
// Co-Design for Distributed Deep Learning", ISCA 2021; Pham, "Low-Latency Collective Communication
// for High-Performance Computing Networks", PhD thesis, SOKENDAI, 2026, sections 3.1 and 4.1.2.
#include "weft/algorithm/multitree.hpp"

#include <numeric>

#include "entries.hpp"
#include "trees/grow.hpp"
#include "trees/tree_schedule.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {

namespace {

using trees::Tree;
using trees::TreeGraph;

std::vector<Tree> trees_for(const Topology& topology, const TreeGraph& graph,
                            const Collective& collective) {
  if (collective.rooted()) return grow_in_turns(graph, {collective.root.value()});
  const auto hamming = topology::as_hamming(topology);
  if (hamming && hamming->dimensions() == 2) return grow_by_rule(graph, *hamming);
  std::vector<std::int32_t> roots(static_cast<std::size_t>(graph.nodes()));
  std::iota(roots.begin(), roots.end(), 0);
  return grow_in_turns(graph, roots);
}

Schedule along_trees(const Topology& topology, const Collective& collective) {
  const TreeGraph graph(topology, trees::growth_of(collective.kind));
  trees::require_spanned(graph, collective, topology);
  trees::TreeSchedule schedule(graph, collective, "multitree");
  for (const Tree& tree : trees_for(topology, graph, collective)) schedule.add(tree);
  return std::move(schedule).build();
}

}  // namespace

Schedule multitree(const Topology& topology, const Collective& collective) {
  return trees::in_parts(collective,
                         [&](const Collective& part) { return along_trees(topology, part); });
}

Algorithm multitree_entry() {
  return {
      .name = "multitree",
      .aliases = {"kautz-m"},
      .summary = "spanning trees of all roots that never meet on a link; any direct network",
      .source =
          "Huang et al., Communication Algorithm-Architecture Co-Design for Distributed Deep "
          "Learning, 2021",
      .collectives = trees::served(),
      .options = {Option::segments},
      .misfit = trees::tree_misfit,
      .build =
          [](const Context& context) {
            return multitree(context.network->topology(), context.collective)
                .with_segments({.count = context.options.segments.value_or(1), .stride = 1});
          },
      .pipelined = {CollectiveKind::broadcast, CollectiveKind::reduce},
  };
}

}  // namespace weft::algorithm
