#include "weft/graph/tree_cuts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>

#include "weft/base/random.hpp"

namespace weft::graph {
namespace {

struct Case {
  std::int32_t nodes = 0;
  std::vector<CapacityArc> arcs;
  std::vector<TreeRoot> roots;
  std::vector<std::int32_t> goals;

  // What enters a set of nodes, a bit each, and the trees that lack there.
  std::pair<std::int64_t, std::int64_t> of(std::int32_t set,
                                           const std::vector<CapacityArc>& of_arcs) const {
    const auto inside = [&](std::int32_t node) { return (set >> node & 1) != 0; };
    std::int64_t enters = 0, lacking = 0;
    for (const CapacityArc& arc : of_arcs)
      if (!inside(arc.tail) && inside(arc.head)) enters += arc.capacity;
    for (const TreeRoot& root : roots)
      if (!inside(root.node)) lacking += root.trees;
    return {enters, lacking};
  }
  void each_set(const std::function<void(std::int32_t set)>& visit) const {
    for (std::int32_t set = 1; set < (1 << nodes); ++set)
      if (std::ranges::any_of(goals, [&](std::int32_t goal) { return (set >> goal & 1) != 0; }))
        visit(set);
  }
  // The least capacity for each tree over all sets; nothing where none lacks any.
  std::optional<Rational> least() const {
    std::optional<Rational> least;
    each_set([&](std::int32_t set) {
      const auto [enters, lacking] = of(set, arcs);
      if (lacking > 0 && (!least || Rational(enters, lacking) < *least))
        least = Rational(enters, lacking);
    });
    return least;
  }
};

Case random_case(Rng& rng) {
  Case it{
      .nodes = static_cast<std::int32_t>(2 + rng.below(6)), .arcs = {}, .roots = {}, .goals = {}};
  const std::int64_t most = 1 + rng.below(20);
  for (std::int64_t i = rng.below(5 * it.nodes); i >= 0; --i) {
    const auto tail = static_cast<std::int32_t>(rng.below(it.nodes));
    const auto head = static_cast<std::int32_t>(rng.below(it.nodes - 1));
    it.arcs.push_back({tail, head + (head >= tail ? 1 : 0), rng.below(most + 1)});
  }
  for (std::int32_t node = 0; node < it.nodes; ++node)
    if (rng.below(3) > 0) {
      it.goals.push_back(node);
      it.roots.push_back({node, 1 + rng.below(2)});
    }
  return it;
}

TEST(TightestCut, is_that_of_all_sets_of_nodes) {
  Rng rng(11);
  int interior = 0;
  for (int round = 0; round < 5'000; ++round) {
    SCOPED_TRACE(round);
    const Case it = random_case(rng);
    const TreeCut cut = tightest_cut(it.nodes, it.arcs, it.roots, it.goals);
    const auto least = it.least();
    if (!least) {
      EXPECT_EQ(cut.lacking, 0);
      continue;
    }
    ASSERT_GT(cut.lacking, 0);
    EXPECT_EQ(Rational(cut.capacity, cut.lacking), *least);
    std::int32_t set = 0;  // its numbers are those of its set
    for (std::int32_t node = 0; node < it.nodes; ++node) set |= (cut.inside[node] != 0) << node;
    EXPECT_EQ(it.of(set, it.arcs), std::pair(cut.capacity, cut.lacking));
    if (cut.capacity > 0 && std::popcount(static_cast<unsigned>(set)) > 1) ++interior;
  }
  EXPECT_GT(interior, 500);
}

TEST(OverfullCut, is_found_where_there_is_one) {
  Rng rng(12);
  int found = 0;
  for (int round = 0; round < 5'000; ++round) {
    SCOPED_TRACE(round);
    const Case it = random_case(rng);
    bool overfull = false;
    it.each_set([&](std::int32_t set) {
      const auto [enters, lacking] = it.of(set, it.arcs);
      overfull |= enters < lacking;
    });
    const auto cut = overfull_cut(it.nodes, it.arcs, it.roots, it.goals);
    ASSERT_EQ(cut.has_value(), overfull);
    if (cut) {
      EXPECT_LT(cut->capacity, cut->lacking);
    }
    found += overfull ? 1 : 0;
  }
  EXPECT_GT(found, 500);
}

// Every rate at which some arc takes one more, from the greatest on, until all sets have enough.
Rational greatest_by_hand(const Case& it, std::int64_t trees) {
  std::vector<Rational> rates;
  std::int64_t all = 0;
  for (const TreeRoot& root : it.roots) all += root.trees * trees;
  for (const CapacityArc& arc : it.arcs)
    for (std::int64_t i = 1; i <= all; ++i) rates.push_back(Rational(arc.capacity) / Rational(i));
  std::ranges::sort(rates, std::greater<>());
  for (const Rational& rate : rates) {
    if (rate == 0) break;
    std::vector<CapacityArc> takes = it.arcs;
    for (CapacityArc& arc : takes) {
      const Rational many = Rational(arc.capacity) / rate;
      arc.capacity = many.numerator() / many.denominator();
    }
    bool fits = true;
    it.each_set([&](std::int32_t set) {
      const auto [enters, lacking] = it.of(set, takes);
      fits &= enters >= trees * lacking;
    });
    if (fits) return rate;
  }
  return 0;
}

TEST(GreatestRate, is_that_of_all_rates) {
  Rng rng(13);
  int rounded = 0, whole = 0;
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    const Case it = random_case(rng);
    const TreeCut tightest = tightest_cut(it.nodes, it.arcs, it.roots, it.goals);
    if (tightest.lacking == 0 || tightest.capacity == 0) continue;
    const Rational optimum(tightest.capacity, tightest.lacking);
    Rational best = 0;
    std::int64_t fewest = 0;
    for (std::int64_t trees = 1; trees <= 5; ++trees) {
      const TreeRate rate = greatest_rate(it.nodes, it.arcs, it.roots, it.goals, tightest, trees);
      EXPECT_EQ(rate.rate, greatest_by_hand(it, trees));
      EXPECT_LE(rate.rate * trees, optimum);
      if (rate.rate * trees > best) {
        best = rate.rate * trees;
        fewest = trees;
      }
    }
    ++(best < optimum ? rounded : whole);
    const TreeRate found = fewest_trees(it.nodes, it.arcs, it.roots, it.goals, tightest, 5);
    EXPECT_EQ(found.trees, fewest);
    EXPECT_EQ(found.rate * found.trees, best);
    std::vector<TreeRoot> wanted = it.roots;
    for (TreeRoot& root : wanted) root.trees *= found.trees;
    EXPECT_FALSE(overfull_cut(it.nodes, found.arcs, wanted, it.goals));
  }
  EXPECT_GT(rounded, 20);
  EXPECT_GT(whole, 100);
}

// The first number of trees by which all capacities are whole numbers of them.
TEST(FullRate, leaves_nothing_idle) {
  Rng rng(14);
  int found = 0;
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    const Case it = random_case(rng);
    const TreeCut tightest = tightest_cut(it.nodes, it.arcs, it.roots, it.goals);
    if (tightest.lacking == 0 || tightest.capacity == 0) continue;
    std::int64_t fewest = 1;
    const auto is_full = [&](const CapacityArc& arc) {
      return arc.capacity * tightest.lacking * fewest % tightest.capacity == 0;
    };
    while (!std::ranges::all_of(it.arcs, is_full)) ++fewest;
    EXPECT_FALSE(full_rate(it.arcs, tightest, fewest - 1));
    const auto rate = full_rate(it.arcs, tightest, fewest);
    ASSERT_TRUE(rate);
    EXPECT_EQ(rate->trees, fewest);
    EXPECT_EQ(rate->rate * fewest, Rational(tightest.capacity, tightest.lacking));
    for (std::size_t i = 0; i < it.arcs.size(); ++i)
      EXPECT_EQ(rate->rate * rate->arcs[i].capacity, it.arcs[i].capacity);
    ++found;
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace weft::graph
