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
// (trees/grow.cpp). On large Cayley networks the trees are translates of one
// (trees/translated.cpp), which takes the least number of steps, or a few more, in no time. Source:
// Huang, Majumder, Kim, Fulton, Chen, Kim, Kim, Cho, "Communication Algorithm-Architecture
// Co-Design for Distributed Deep Learning", ISCA 2021; Pham, "Low-Latency Collective Communication
// for High-Performance Computing Networks", PhD thesis, SOKENDAI, 2026, sections 3.1 and 4.1.2.
#include "weft/algorithm/trees/multitree.hpp"

#include <fmt/format.h>

#include <numeric>
#include <optional>

#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/trees/grow.hpp"
#include "weft/algorithm/trees/translated.hpp"
#include "weft/algorithm/trees/tree_schedule.hpp"
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
  std::vector<std::int32_t> roots(graph.nodes());
  std::iota(roots.begin(), roots.end(), 0);
  return grow_in_turns(graph, roots);
}

/// Trees of fewer roots are grown in turns, within a second.
constexpr std::int32_t kTranslatedFrom = 1024;

/// The group by which one tree makes those of all roots, where they are many.
std::optional<topology::CayleyView> group_of_trees(const Topology& topology, const TreeGraph& graph,
                                                   const Collective& collective) {
  const bool a_block_each = collective.kind == CollectiveKind::allgather ||
                            collective.kind == CollectiveKind::reduce_scatter;
  if (!a_block_each || graph.nodes() < kTranslatedFrom || graph.has_parallel()) return std::nullopt;
  const auto hamming = topology::as_hamming(topology);
  if (hamming && hamming->dimensions() == 2) return std::nullopt;  // has its rule
  auto view = topology::as_cayley(topology);
  if (!view || !view->nodes_are_elements() || view->group().order() != graph.nodes())
    return std::nullopt;
  return view;
}

// Trees of all roots, grown in turns, take 2 s for 1,024 ranks and grow with their square.
std::optional<std::string> multitree_too_long(const Context& context) {
  constexpr std::int32_t kMost = 2048;
  const Collective& collective = context.collective;
  if (collective.rooted() || collective.ranks <= kMost) return std::nullopt;
  const topology::Topology& topology = context.network->topology();
  const TreeGraph graph(topology, trees::growth_of(CollectiveKind::allgather));
  if (collective.kind != CollectiveKind::alltoall &&
      group_of_trees(topology, graph, schedule::allgather(collective.ranks)))
    return std::nullopt;
  return fmt::format("trees of all roots take long above {} ranks", kMost);
}

Schedule along_trees(const Topology& topology, const Collective& collective) {
  const TreeGraph graph(topology, trees::growth_of(collective.kind));
  trees::require_spanned(graph, collective, topology);
  if (const auto view = group_of_trees(topology, graph, collective))
    return trees::along_translates(*view, collective.kind, "multitree");
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
      .summary =
          "Spanning trees of all roots, of which no two use a link in one step; any direct network",
      .source =
          "Huang et al., Communication Algorithm-Architecture Co-Design for Distributed Deep "
          "Learning, 2021",
      .collectives = trees::served(),
      .options = {kSegments, kRoutes},
      .misfit = trees::tree_misfit,
      .build =
          [](const Context& context) {
            return multitree(context.network->topology(), context.collective)
                .with_segments({.count = segments_in(context.options), .stride = 1});
          },
      .pipelined = {CollectiveKind::broadcast, CollectiveKind::reduce},
      .too_long = multitree_too_long,
      .making = Making::grown_trees,
  };
}

}  // namespace weft::algorithm
