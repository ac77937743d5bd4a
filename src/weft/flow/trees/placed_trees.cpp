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
          "trees of {} hosts over {} paths of {} need at least {} GB; name fewer hosts with "
          "--hosts",
          places, arcs, topology.name(), places * arcs / 125'000'000);
}

}  // namespace

std::int32_t PlacedTrees::depth() const {
  std::int32_t depth = 0;
  for (const graph::PackedTree& tree : trees)
    for (const graph::Branch& branch : tree.branches) depth = std::max(depth, branch.depth + 1);
  return depth;
}

std::vector<graph::PackedTree> packed_trees(const Topology& topology,
                                            std::span<const std::int32_t> nodes,
                                            std::span<const graph::WayBundle> bundles,
                                            std::vector<TreeRoot> roots) {
  WEFT_ASSERT(!nodes.empty() && !roots.empty());
  require_room(topology, nodes.size(), bundles.size());
  std::vector<std::int32_t> place(static_cast<std::size_t>(*std::ranges::max_element(nodes)) + 1);
  for (std::size_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = static_cast<std::int32_t>(i);
  std::vector<CapacityArc> arcs;
  for (const graph::WayBundle& bundle : bundles)
    arcs.push_back({place[bundle.tail], place[bundle.head], bundle.capacity()});
  for (TreeRoot& root : roots) root.node = place[root.node];
  auto trees = graph::pack_trees(static_cast<std::int32_t>(nodes.size()), arcs, roots);
  WEFT_ASSERT(!trees.empty());
  return trees;
}

PlacedTrees placed_trees(const Topology& topology, const Carrier& carrier, Sense sense,
                         std::span<const graph::WayBundle> bundles, std::vector<TreeRoot> roots) {
  PlacedTrees result;
  std::vector<std::int32_t> place(carrier.nodes, 0);
  for (const std::int32_t node : carrier.places) {
    place[node] = static_cast<std::int32_t>(result.places.size());
    result.places.push_back(NodeId(node));
  }
  for (const graph::WayBundle& bundle : bundles) {
    TreeArc& arc = result.arcs.emplace_back(TreeArc{place[bundle.tail], place[bundle.head], {}});
    for (const graph::WeightedPath& way : bundle.ways) {
      LinkWay& links = arc.ways.emplace_back(LinkWay{way.capacity, {}});
      for (const std::int32_t each : way.arcs) links.links.push_back(carrier.links[each]);
      if (sense == Sense::against) std::ranges::reverse(links.links);
    }
  }
  result.trees = packed_trees(topology, carrier.places, bundles, std::move(roots));
  return result;
}

}  // namespace weft::flow
