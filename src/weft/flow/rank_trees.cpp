#include "weft/flow/rank_trees.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/flow/trees/even_capacities.hpp"
#include "weft/flow/trees/moved_trees.hpp"
#include "weft/flow/trees/placed_trees.hpp"
#include "weft/flow/trees/tightest.hpp"
#include "weft/flow/trees/trees_of_bunches.hpp"
#include "weft/graph/splitting_off.hpp"
#include "weft/graph/tree_cuts.hpp"

namespace weft::flow {

namespace {

using graph::CapacityArc;
using graph::Sense;
using graph::TreeRoot;

RankCut shown(const graph::TreeCut& cut, const Carrier& carrier, const graph::TreeRate& rate) {
  WEFT_ASSERT(std::ssize(cut.inside) == carrier.nodes && cut.lacking > 0);
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
    for (const graph::WeightedPath& way : bundle.ways)
      arcs.push_back({bundle.tail, bundle.head, way.capacity});
  const auto cut = graph::tightest_cut(carrier.nodes, arcs, carrier.roots, carrier.goals);
  require(cut.capacity > 0,
          "no trees were found, because switches with unequal links in and out would have to "
          "copy data");
  const graph::TreeRate rate =
      graph::fewest_trees(carrier.nodes, arcs, carrier.roots, carrier.goals, cut, most);
  std::size_t at = 0;
  for (graph::WayBundle& bundle : scaled.bundles) {
    for (graph::WeightedPath& way : bundle.ways) way.capacity = rate.arcs[at++].capacity;
    std::erase_if(bundle.ways, [](const graph::WeightedPath& way) { return way.capacity == 0; });
  }
  scaled.count = rate.trees;
  scaled.rate = scaled.rate * rate.rate / Rational(split.finer);
}

graph::SplitNetwork split(const Carrier& carrier, const graph::TreeRate& rate) {
  std::vector<TreeRoot> roots = carrier.roots;
  for (TreeRoot& root : roots) root.trees *= rate.trees;
  return graph::split_off(carrier.nodes, rate.arcs, roots, carrier.goals, carrier.kept);
}

// The best that there is where more enters some node that copies nothing than leaves it, or less;
// nothing where that takes too many trees, or is not found.
std::optional<Scaled> even_ways(const Carrier& carrier, std::int64_t most) {
  const auto even = even_capacities(carrier);
  if (!even) return std::nullopt;
  const graph::TreeCut cut =
      graph::tightest_cut(carrier.nodes, even->arcs, carrier.roots, carrier.goals);
  const auto rate = graph::full_rate(even->arcs, cut, most);
  if (!rate) return std::nullopt;
  graph::SplitNetwork network = split(carrier, *rate);
  WEFT_ASSERT(network.finer == 1);
  return Scaled{rate->trees, rate->rate / Rational(even->finer), std::move(network.bundles)};
}

Scaled scaled_ways(const Carrier& carrier, const graph::TreeRate& rate, std::int64_t most) {
  graph::SplitNetwork network = split(carrier, rate);
  const bool is_lossless = network.finer == 1;
  if (!is_lossless)
    if (auto even = even_ways(carrier, most)) return *std::move(even);
  Scaled scaled{rate.trees, rate.rate, std::move(network.bundles)};
  if (!is_lossless) scale_again(carrier, most, network, scaled);
  return scaled;
}

// Trees of that rate that hosts alike make easier to find. Moved ones take long where few hosts are
// alike, so that those of bunches come first then.
std::optional<PlacedTrees> trees_by_likeness(const Topology& topology, const Carrier& carrier,
                                             const graph::TreeRate& rate,
                                             const RankTreesQuestion& question) {
  const auto moved = [&](MovingEffort effort) {
    return question.roots.empty() ? moved_trees(carrier, rate, question.sense, effort)
                                  : std::nullopt;
  };
  if (auto trees = moved(MovingEffort::little)) return trees;
  if (auto trees = trees_of_bunches(topology, carrier, rate, question.sense)) return trees;
  return moved(MovingEffort::much);
}

}  // namespace

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

bool pass_evenly(const Fabric& fabric, const RankTreesQuestion& question) {
  const Carrier carrier = carrier_of(fabric, question);
  return is_even(carrier, carrier.arcs);
}

std::optional<Rational> rate_without_copies_Bps(const Fabric& fabric,
                                                const RankTreesQuestion& question) {
  WEFT_ASSERT(!question.goal);
  const Carrier carrier = carrier_of(fabric, question);
  if (const auto why = carrier_misfit(fabric.topology(), carrier, question)) reject("{}", *why);
  if (is_even(carrier, carrier.arcs)) {
    const RankCut cut = rank_cut(fabric, question);
    return Rational(cut.bandwidth_Bps, cut.lacking);
  }
  const auto even = even_capacities(carrier);
  if (!even) return std::nullopt;
  const graph::TreeCut cut =
      graph::tightest_cut(carrier.nodes, even->arcs, carrier.roots, carrier.goals);
  return Rational(cut.capacity, cut.lacking) * Rational(carrier.unit_Bps) / Rational(even->finer);
}

RankTrees rank_trees(const Fabric& fabric, const RankTreesQuestion& question) {
  WEFT_ASSERT(!question.goal);
  const Carrier carrier = carrier_of(fabric, question);
  if (const auto why = carrier_misfit(fabric.topology(), carrier, question)) reject("{}", *why);
  const auto [cut, rate] = tightest(fabric.topology(), carrier, question);
  RankTrees result;
  result.cut = shown(cut, carrier, rate);
  result.optimum_Bps = Rational(cut.capacity, cut.lacking) * Rational(carrier.unit_Bps);
  if (fabric.topology().has_switches())
    if (auto trees = trees_by_likeness(fabric.topology(), carrier, rate, question)) {
      result.count = rate.trees;
      result.rate_Bps = rate.rate * Rational(carrier.unit_Bps);
      static_cast<PlacedTrees&>(result) = *std::move(trees);
      return result;
    }
  Scaled scaled = scaled_ways(carrier, rate, question.most_trees);
  std::erase_if(scaled.bundles, [](const graph::WayBundle& bundle) { return bundle.ways.empty(); });
  result.count = scaled.count;
  result.rate_Bps = scaled.rate * Rational(carrier.unit_Bps);
  std::vector<TreeRoot> roots = carrier.roots;
  for (TreeRoot& root : roots) root.trees = scaled.count;
  static_cast<PlacedTrees&>(result) =
      placed_trees(fabric.topology(), carrier, question.sense, scaled.bundles, roots);
  return result;
}

}  // namespace weft::flow
