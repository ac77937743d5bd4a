#include "placed_trees.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::flow {

using graph::CapacityArc;
using graph::Sense;
using graph::TreeRoot;

namespace {

// A flow to each place is kept while trees are packed, a number for each arc.
void require_room(const Topology& topology, std::size_t places, std::size_t arcs) {
  constexpr std::size_t kMost = 500'000'000;  // 4 GB
  require(arcs == 0 || places <= kMost / arcs,
          "trees of {} hosts over {} ways of {} take {} GB and more; name fewer with --hosts",
          places, arcs, topology.name(), places * arcs / 125'000'000);
}

}  // namespace

std::int32_t PlacedTrees::depth() const {
  std::int32_t depth = 0;
  for (const graph::PackedTree& tree : trees)
    for (const graph::Branch& branch : tree.branches) depth = std::max(depth, branch.depth + 1);
  return depth;
}

PlacedTrees placed_trees(const Topology& topology, const Carrier& carrier, Sense sense,
                         std::span<const graph::WayBundle> bundles, std::vector<TreeRoot> roots) {
  require_room(topology, carrier.places.size(), bundles.size());
  PlacedTrees result;
  std::vector<std::int32_t> place(carrier.nodes, 0);
  for (const std::int32_t node : carrier.places) {
    place[node] = static_cast<std::int32_t>(result.places.size());
    result.places.push_back(NodeId(node));
  }
  std::vector<CapacityArc> arcs;
  for (const graph::WayBundle& bundle : bundles) {
    arcs.push_back({place[bundle.tail], place[bundle.head], bundle.capacity()});
    TreeArc& arc = result.arcs.emplace_back(TreeArc{arcs.back().tail, arcs.back().head, {}});
    for (const graph::Way& way : bundle.ways) {
      LinkWay& links = arc.ways.emplace_back(LinkWay{way.capacity, {}});
      for (const std::int32_t each : way.arcs) links.links.push_back(carrier.links[each]);
      if (sense == Sense::against) std::ranges::reverse(links.links);
    }
  }
  for (TreeRoot& root : roots) root.node = place[root.node];
  result.trees = graph::pack_trees(static_cast<std::int32_t>(result.places.size()), arcs, roots);
  WEFT_ASSERT(!result.trees.empty());
  return result;
}

}  // namespace weft::flow
