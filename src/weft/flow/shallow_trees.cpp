// Trees are found at the least depth first, and each greater depth begins with those of the one
// before: T_B never grows with the depth. What a search is asked for is the cost of a schedule
// (annealing.hpp); it ends where that is the optimum's.
//
// A link deeper than shortest ways trees come to the optimum on most networks, or near it, so that
// few depths are searched. Single trees come first, since what is found for few is good for many,
// and searches of the same number follow each other, sharper or not: one alone gets stuck at times.
#include "weft/flow/shallow_trees.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/progress.hpp"
#include "weft/flow/trees/shallow/annealing.hpp"
#include "weft/flow/trees/shallow/enumerated_trees.hpp"
#include "weft/flow/trees/shallow/searched.hpp"

namespace weft::flow {

namespace {

// Longer ways are for few places, whose trees are weighed: a search gets lost among many.
WaysWanted ways_wanted(const Carrier& carrier, Weighing weighing) {
  const bool few =
      std::ssize(carrier.places) <= kMostEnumeratedPlaces && weighing == Weighing::where_short;
  return {.shortest = 16, .with_longer = few ? 48 : 0};
}

std::int32_t place_of(const Carrier& carrier, std::int32_t node) {
  return static_cast<std::int32_t>(std::ranges::lower_bound(carrier.places, node) -
                                   carrier.places.begin());
}

FarthestRanks farthest(const Carrier& carrier, const PlaceWays& ways,
                       const RankTreesQuestion& question) {
  FarthestRanks result;
  const auto rank_at = [&](std::int32_t place) {
    const NodeId node(carrier.places[place]);
    return static_cast<std::int32_t>(std::ranges::find(question.places, node) -
                                     question.places.begin());
  };
  for (const graph::TreeRoot& root : carrier.roots) {
    const std::int32_t from = place_of(carrier, root.node);
    const std::vector<std::int32_t> distance = distances_from(ways, from);
    const auto most = std::ranges::max_element(distance);
    if (*most <= result.links) continue;
    result = {rank_at(from), rank_at(static_cast<std::int32_t>(most - distance.begin())), *most};
  }
  if (question.sense == graph::Sense::against) std::swap(result.from, result.to);
  return result;
}

// A tree of each root over shortest ways.
Forest shortest_forest(const Carrier& carrier, const PlaceWays& ways) {
  Forest forest;
  for (const graph::TreeRoot& root : carrier.roots) {
    forest.roots.push_back(place_of(carrier, root.node));
    const std::vector<std::int32_t> distance = distances_from(ways, forest.roots.back());
    for (std::int32_t place = 0; place < ways.places; ++place) {
      Join join;
      for (std::int32_t way = ways.first[place]; way < ways.first[place + 1]; ++way)
        if (distance[ways.ways[way].from] == distance[place] - 1 &&
            (join.way < 0 || ways.ways[way].links.size() <= ways.ways[join.way].links.size()))
          join = {way, distance[place] - 1};
      forest.joins.push_back(join);
    }
  }
  WEFT_ASSERT(std::ssize(forest.joins) == std::ssize(forest.roots) * ways.places);
  return forest;
}

// Begins with one tree of each root over shortest ways. Trees are multiplied, and searched again
// each time, as long as few trees are what T_B is lost by; then links are added, one by one.
class Search {
 public:
  Search(const Fabric& fabric, const Carrier& carrier, const PlaceWays& ways,
         const ShallowQuestion& question)
      : ways_(ways),
        question_(question),
        rng_(question.seed),
        now_(shortest_forest(carrier, ways)),
        least_cost_(cost_of_optimum(fabric, carrier, question)),
        progress_("trees", kTicks) {}

  /// The best of those met; of equally good ones that of the fewest trees and links.
  Forest within(std::int32_t first, std::int32_t last) {
    planned_ = planned(std::min(last, first + kMoreDepths) - first);
    anneal(first);
    for (const std::int32_t times : kTimes) {
      if (is_optimal() || std::int64_t{now_.count} * times > most_count()) break;
      now_ = repeated(now_, times);
      anneal(first);
    }
    for (std::int32_t depth = first + 1; depth <= std::min(last, first + kMoreDepths); ++depth) {
      if (is_optimal()) break;
      anneal(depth);
    }
    if (!is_optimal() && ways_.places <= kMostEnumeratedPlaces &&
        question_.weighing == Weighing::where_short)
      weigh(std::min(last, first + kMoreDepths));
    return std::move(best_);
  }

 private:
  static constexpr std::int32_t kMoreDepths = 8;  // above the least; hardly any more help
  static constexpr std::int64_t kMostJoins = 100'000, kMostTries = 5'000'000;
  static constexpr std::int64_t kMostWeighed = 1'000;  // both halves' units stay below 2^20
  static constexpr double kTolerance = 1e-9;           // of costs, sums of a few quotients near 1
  static constexpr std::int64_t kTicks = 1'000;        // of the progress, which counts trees
  static constexpr std::int32_t kTimes[] = {2, 2, 3, 2, 2, 2};
  static constexpr double kSharpnesses[] = {4, 12, 4};

  // Trees of a root that are searched, time and again, where none are the optimum's.
  double planned(std::int32_t more_depths) const {
    std::int64_t count = now_.count, sum = count;
    for (const std::int32_t times : kTimes) {
      if (count * times > most_count()) break;
      sum += count *= times;
    }
    return static_cast<double>((sum + count * more_depths) * std::ssize(kSharpnesses));
  }

  // No schedule has less in so many segments.
  static double cost_of_optimum(const Fabric& fabric, const Carrier& carrier,
                                const ShallowQuestion& question) {
    RankTreesQuestion without_trees = question.trees;
    without_trees.most_trees = 0;
    const RankCut cut = rank_cut(fabric, without_trees);
    std::int64_t widest = 0;
    for (const auto& arc : carrier.arcs) widest = std::max(widest, arc.capacity);
    return static_cast<double>(question.segments) * static_cast<double>(widest) *
           static_cast<double>(carrier.unit_Bps) * static_cast<double>(cut.lacking) /
           static_cast<double>(cut.bandwidth_Bps);
  }

  bool is_optimal() const { return least_ <= least_cost_ * (1 + kTolerance); }
  std::int64_t most_count() const {
    const std::int64_t of_a_count = std::ssize(now_.joins) / now_.count;
    const std::int64_t most = now_.roots.size() == 1 ? 96 : 48;
    return std::max<std::int64_t>(
        1, std::min({question_.trees.most_trees, kMostJoins / of_a_count, most}));
  }
  // At once, and again from what came of it where that is not the optimum: sharper, then blunt.
  void anneal(std::int32_t depth) {
    for (const double sharpness : kSharpnesses) {
      if (is_optimal()) return;
      anneal(depth, sharpness);
    }
  }
  void anneal(std::int32_t depth, double sharpness) {
    const std::int64_t passes =
        std::clamp<std::int64_t>(kMostTries / std::ssize(now_.joins), 20, 60);
    now_ = annealed(ways_, std::move(now_),
                    {.depth = depth,
                     .segments = question_.segments,
                     .passes = static_cast<std::int32_t>(passes),
                     .first_sharpness = sharpness},
                    rng_.split(rounds_++));
    keep_if_better(now_, depth);
    searched_ += now_.count;
    const double share = std::min(1.0, searched_ / planned_);
    const auto ticks = static_cast<std::int64_t>(share * kTicks);
    progress_.advance(ticks - std::exchange(ticks_, ticks));
  }
  // What trees in numbers that few divide miss, and searches that got stuck. Weights that no whole
  // numbers fit are rounded to few trees, too, from which a search goes on.
  void weigh(std::int32_t depth) {
    const EnumeratedTrees best(ways_, best_, {.depth = depth, .segments = question_.segments});
    if (!best.is_solved()) return;
    keep_if_better(best.rounded(std::min(question_.trees.most_trees, kMostWeighed)), depth);
    if (least_ <= best.cost() * (1 + kTolerance)) return;
    now_ = best.rounded(most_count());
    anneal(depth);
  }
  void keep_if_better(const Forest& forest, std::int32_t depth) {
    const double cost = forest_cost(ways_, forest, depth, question_.segments);
    if (cost >= least_ * (1 - kTolerance)) return;
    least_ = cost;
    best_ = forest;
  }

  const PlaceWays& ways_;
  const ShallowQuestion& question_;
  Rng rng_;
  std::uint64_t rounds_ = 0;
  Forest now_, best_;
  double least_cost_ = 0, least_ = INFINITY;
  double planned_ = 1, searched_ = 0;  // trees of a root, each time
  std::int64_t ticks_ = 0;
  Progress progress_;
};

PlacedTrees placed(const Carrier& carrier, const PlaceWays& ways, const Forest& forest,
                   graph::Sense sense) {
  PlacedTrees result;
  for (const std::int32_t node : carrier.places) result.places.emplace_back(node);
  std::vector<std::int64_t> taken(ways.ways.size(), 0);
  for (const Join& join : forest.joins)
    if (join.way >= 0) ++taken[join.way];
  std::vector<std::int32_t> arc_of(ways.ways.size(), -1);
  for (std::size_t way = 0; way < ways.ways.size(); ++way) {
    if (taken[way] == 0) continue;
    arc_of[way] = static_cast<std::int32_t>(result.arcs.size());
    LinkWay links{taken[way], {}};
    for (const std::int32_t link : ways.ways[way].links) links.links.push_back(ways.links[link]);
    if (sense == graph::Sense::against) std::ranges::reverse(links.links);
    result.arcs.push_back({ways.ways[way].from, ways.ways[way].to, {std::move(links)}});
  }
  const auto places = static_cast<std::size_t>(ways.places);
  for (std::int64_t tree = 0; tree < forest.trees(); ++tree) {
    const auto joins = [&](std::int64_t each) {
      return std::span(forest.joins).subspan(static_cast<std::size_t>(each) * places, places);
    };
    if (tree % forest.count > 0 && std::ranges::equal(joins(tree), joins(tree - 1))) {
      ++result.trees.back().multiplicity;
      continue;
    }
    graph::PackedTree& packed = result.trees.emplace_back(
        graph::PackedTree{static_cast<std::int32_t>(tree / forest.count), 1, {}});
    for (std::size_t place = 0; place < places; ++place) {
      const Join& join = forest.joins[static_cast<std::size_t>(tree) * places + place];
      if (join.way < 0)
        packed.branches.push_back({static_cast<std::int32_t>(place), 0, -1});
      else
        packed.branches.push_back({ways.ways[join.way].from, arc_of[join.way], join.step});
    }
  }
  return result;
}

}  // namespace

FarthestRanks least_depth(const Fabric& fabric, const RankTreesQuestion& question) {
  const Carrier carrier = carrier_of(fabric, question);
  return farthest(carrier, place_ways(carrier, {}), question);
}

ShallowTrees shallow_trees(const Fabric& fabric, const ShallowQuestion& question) {
  const Carrier carrier = carrier_of(fabric, question.trees);
  if (const auto why = carrier_misfit(fabric.topology(), carrier, question.trees))
    reject("{}", *why);
  const PlaceWays ways = place_ways(carrier, ways_wanted(carrier, question.weighing));
  const FarthestRanks least = farthest(carrier, ways, question.trees);
  require(question.depth >= least.links,
          "depth {} is too small (rank {} is {} links from rank {}); use {} or more",
          question.depth, least.to, least.links, least.from, least.links);
  const Forest forest = searched_once(carrier, question, [&] {
    return Search(fabric, carrier, ways, question).within(least.links, question.depth);
  });
  ShallowTrees result;
  static_cast<PlacedTrees&>(result) = placed(carrier, ways, forest, question.trees.sense);
  result.count = forest.count;
  return result;
}

}  // namespace weft::flow
