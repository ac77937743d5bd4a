#include "weft/algorithm/trees/packing/deep_trees.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "weft/algorithm/packing.hpp"
#include "weft/algorithm/trees/packing/translated_packing.hpp"
#include "weft/algorithm/trees/packing/tree_messages.hpp"
#include "weft/flow/allreduce_packing.hpp"
#include "weft/flow/few_trees.hpp"
#include "weft/flow/rank_trees.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm::trees {

namespace {

using graph::Sense;
using schedule::Collective, schedule::CollectiveKind;

Schedule over_trees(const Network& network, const Collective& collective, std::int64_t most_trees) {
  flow::RankTreesQuestion question = trees_of(collective, network);
  question.most_trees = most_trees;
  const flow::RankTrees packed = flow::rank_trees(network.fabric(), question);
  return along_trees(network, collective, packed, packed.count);
}

// Shallow ones in a few numbers, each where fewer are deeper or bring less; for so few ranks that
// all they send in hundreds of segments is soon simulated.
std::vector<Schedule> over_few_trees(const Network& network, const Collective& collective,
                                     std::int64_t most_trees) {
  constexpr std::int64_t kMostHops = 8'192;
  struct Number {
    std::int64_t trees = 1, spare = 0;
  };
  std::vector<flow::FewTrees> found;
  std::vector<Schedule> schedules;
  for (const auto& [count, spare] : {Number{2}, {3}, {4}, {8}, {8, 1}}) {
    if (count > most_trees || count * collective.ranks > kMostHops) continue;
    auto trees = flow::few_trees(network.fabric(), trees_of(collective, network), count, spare);
    if (!trees || std::ranges::any_of(found, [&](const flow::FewTrees& fewer) {
          return fewer.depth() <= trees->depth() && fewer.all_Bps >= trees->all_Bps;
        }))
      continue;
    schedules.push_back(along_trees(network, collective, *trees, count));
    found.push_back(*std::move(trees));
  }
  return schedules;
}

// Blocks are cut for both: into fewer units where those of the halves have no small multiple. They
// are of one symmetry, or of none.
Schedule both_halves(const Network& network, std::int32_t ranks, std::int64_t most_trees) {
  const auto translated = [&](const Collective& half) {
    return translated_packing(network, half, most_trees);
  };
  if (const auto first = translated(schedule::reduce_scatter(ranks)))
    if (const auto second = translated(schedule::allgather(ranks)))
      return schedule::concatenate(*first, *second);
  constexpr std::int64_t kFew = 1'024;  // any two such numbers have one
  for (std::int64_t most = most_trees;; most = kFew) {
    const Schedule first = over_trees(network, schedule::reduce_scatter(ranks), most);
    const Schedule second = over_trees(network, schedule::allgather(ranks), most);
    const std::int64_t a = first.units_per_block(), b = second.units_per_block();
    if (a / std::gcd(a, b) <= schedule::kMaxUnitsPerBlock / b || most <= kFew)
      return schedule::concatenate(first, second);
  }
}

// Both halves together, of shares that are best for both, in as many parts of a block as trees are
// allowed; nothing where shares are equal.
std::optional<Schedule> with_shares(const Network& network, std::int32_t ranks,
                                    std::int64_t most_trees) {
  if (ranks > kMostRanksOfShares) return std::nullopt;
  const std::vector<NodeId>& nodes = network.placement().nodes;
  const auto packed = flow::allreduce_packing(
      network.fabric(), nodes,
      flow::allreduce_trees(network.fabric(), {.places = nodes, .time_limit_s = 1e9}), most_trees);
  if (!packed) return std::nullopt;
  TreePhase in{packed->in, Sense::against, {}, {}};
  std::int64_t first = 0;
  for (std::size_t place = 0; place < packed->roots.size(); ++place) {
    const auto rank = std::ranges::find(nodes, packed->in.places[place]) - nodes.begin();
    in.roots.emplace_back(static_cast<std::int32_t>(rank));
    in.first.push_back(first);
    first += packed->roots[place];
  }
  const TreePhase phases[]{in, {packed->out, Sense::along, in.roots, in.first}};
  return along_phases(network, schedule::allreduce(ranks), phases, packed->units);
}

// Both halves apart, and together where that may be better.
std::vector<Schedule> of_allreduce(const Network& network, std::int32_t ranks,
                                   std::int64_t most_trees) {
  std::vector<Schedule> found{both_halves(network, ranks, most_trees)};
  if (!found.front().symmetry().is_trivial()) return found;
  if (auto together = with_shares(network, ranks, most_trees))
    found.push_back(*std::move(together));
  return found;
}

}  // namespace

Schedule over_few_deep_trees(const Network& network, const Collective& collective,
                             std::int64_t most_trees) {
  return collective.kind == CollectiveKind::allreduce
             ? both_halves(network, collective.ranks, most_trees)
             : over_trees(network, collective, most_trees);
}

std::vector<Schedule> over_deep_trees(const Network& network, const Collective& collective,
                                      std::int64_t most_trees) {
  if (collective.kind == CollectiveKind::allreduce)
    return of_allreduce(network, collective.ranks, most_trees);
  if (!collective.rooted())
    if (auto translated = translated_packing(network, collective, most_trees))
      return {*std::move(translated)};
  std::vector<Schedule> found{over_trees(network, collective, most_trees)};
  if (collective.rooted())
    std::ranges::move(over_few_trees(network, collective, most_trees), std::back_inserter(found));
  return found;
}

}  // namespace weft::algorithm::trees
