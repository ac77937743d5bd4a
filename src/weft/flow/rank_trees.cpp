#include "weft/flow/rank_trees.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/flow/tightest.hpp"
#include "weft/graph/splitting_off.hpp"
#include "weft/graph/tree_cuts.hpp"

namespace weft::flow {

namespace {

using graph::CapacityArc;
using graph::Sense;
using graph::TreeRoot;

RankCut shown(const graph::TreeCut& cut, const Carrier& carrier, const graph::TreeRate& rate) {
  RankCut result{.inside = {},
                 .outside = {},
                 .lacking = cut.lacking,
                 .bandwidth_Bps = cut.capacity * carrier.unit_Bps,
                 .links = {}};
  for (std::int32_t node = 0; node < carrier.nodes; ++node)
    if (carrier.passes[node] != 0)
      (cut.inside[node] != 0 ? result.inside : result.outside).push_back(NodeId(node));
  for (std::size_t i = 0; i < carrier.arcs.size(); ++i)
    if (cut.inside[carrier.arcs[i].tail] == 0 && cut.inside[carrier.arcs[i].head] != 0)
      result.links.push_back(carrier.links[i]);
  if (rate.rate * Rational(rate.trees) == Rational(cut.capacity, cut.lacking))
    result.trees = rate.trees;
  return result;
}

// The ways between ranks' nodes and what trees they take.
struct Scaled {
  std::int64_t count = 1;  // trees of each root
  Rational rate;           // of each, in units of the carrier
  std::vector<graph::WayBundle> bundles;
};

// Where trees were lost, as many as the ways that are left can take.
void scale_again(const Carrier& carrier, std::int64_t most, const graph::SplitNetwork& split,
                 Scaled& scaled) {
  std::vector<CapacityArc> arcs;
  for (const graph::WayBundle& bundle : scaled.bundles)
    for (const graph::Way& way : bundle.ways)
      arcs.push_back({bundle.tail, bundle.head, way.capacity});
  const auto cut = graph::tightest_cut(carrier.nodes, arcs, carrier.roots, carrier.goals);
  require(cut.capacity > 0,
          "no trees are found: switches whose links in and out differ would have to copy data");
  const graph::TreeRate rate =
      graph::fewest_trees(carrier.nodes, arcs, carrier.roots, carrier.goals, cut, most);
  std::size_t at = 0;
  for (graph::WayBundle& bundle : scaled.bundles) {
    for (graph::Way& way : bundle.ways) way.capacity = rate.arcs[at++].capacity;
    std::erase_if(bundle.ways, [](const graph::Way& way) { return way.capacity == 0; });
  }
  scaled.count = rate.trees;
  scaled.rate = scaled.rate * rate.rate / Rational(split.finer);
}

Scaled scaled_ways(const Carrier& carrier, const graph::TreeRate& rate, std::int64_t most) {
  std::vector<TreeRoot> roots = carrier.roots;
  for (TreeRoot& root : roots) root.trees *= rate.trees;
  graph::SplitNetwork split =
      graph::split_off(carrier.nodes, rate.arcs, roots, carrier.goals, carrier.kept);
  Scaled scaled{rate.trees, rate.rate, std::move(split.bundles)};
  if (split.finer > 1) scale_again(carrier, most, split, scaled);
  std::erase_if(scaled.bundles, [](const graph::WayBundle& bundle) { return bundle.ways.empty(); });
  return scaled;
}

// A flow to each place is kept while trees are packed, a number for each arc.
void require_room(const Topology& topology, std::size_t places, std::size_t arcs) {
  constexpr std::size_t kMost = 500'000'000;  // 4 GB
  require(arcs == 0 || places <= kMost / arcs,
          "trees of {} hosts over {} ways of {} take {} GB and more; name fewer with --hosts",
          places, arcs, topology.name(), places * arcs / 125'000'000);
}

}  // namespace

std::int32_t RankTrees::depth() const {
  std::int32_t depth = 0;
  for (const graph::PackedTree& tree : trees)
    for (const graph::Branch& branch : tree.branches) depth = std::max(depth, branch.depth + 1);
  return depth;
}

std::optional<std::string> rank_trees_misfit(const Fabric& fabric,
                                             const RankTreesQuestion& question) {
  return carrier_misfit(fabric.topology(), carrier_of(fabric, question), question);
}

RankCut rank_cut(const Fabric& fabric, const RankTreesQuestion& question) {
  const Carrier carrier = carrier_of(fabric, question);
  if (const auto why = carrier_misfit(fabric.topology(), carrier, question)) reject("{}", *why);
  const auto [cut, rate] = tightest(fabric.topology(), carrier, question);
  return shown(cut, carrier, rate);
}

RankTrees rank_trees(const Fabric& fabric, const RankTreesQuestion& question) {
  WEFT_ASSERT(!question.goal);
  const Carrier carrier = carrier_of(fabric, question);
  if (const auto why = carrier_misfit(fabric.topology(), carrier, question)) reject("{}", *why);
  const auto [cut, rate] = tightest(fabric.topology(), carrier, question);
  Scaled scaled = scaled_ways(carrier, rate, question.most_trees);
  require_room(fabric.topology(), carrier.places.size(), scaled.bundles.size());

  RankTrees result{.cut = shown(cut, carrier, rate),
                   .optimum_Bps = Rational(cut.capacity, cut.lacking) * Rational(carrier.unit_Bps),
                   .count = scaled.count,
                   .rate_Bps = scaled.rate * Rational(carrier.unit_Bps),
                   .places = {},
                   .arcs = {},
                   .trees = {}};
  std::vector<std::int32_t> place(static_cast<std::size_t>(carrier.nodes), 0);
  for (const std::int32_t node : carrier.places) {
    place[node] = static_cast<std::int32_t>(result.places.size());
    result.places.push_back(NodeId(node));
  }
  std::vector<CapacityArc> arcs;
  for (const graph::WayBundle& bundle : scaled.bundles) {
    arcs.push_back({place[bundle.tail], place[bundle.head], bundle.capacity()});
    TreeArc& arc = result.arcs.emplace_back(TreeArc{arcs.back().tail, arcs.back().head, {}});
    for (const graph::Way& way : bundle.ways) {
      LinkWay& links = arc.ways.emplace_back(LinkWay{way.capacity, {}});
      for (const std::int32_t each : way.arcs) links.links.push_back(carrier.links[each]);
      if (question.sense == Sense::against) std::ranges::reverse(links.links);
    }
  }
  std::vector<TreeRoot> roots = carrier.roots;
  for (TreeRoot& root : roots) root = {place[root.node], scaled.count};
  result.trees = graph::pack_trees(static_cast<std::int32_t>(result.places.size()), arcs, roots);
  WEFT_ASSERT(!result.trees.empty());
  return result;
}

}  // namespace weft::flow
