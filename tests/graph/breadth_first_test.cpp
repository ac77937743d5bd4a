#include "weft/graph/breadth_first.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "weft/base/random.hpp"

namespace weft::graph {
namespace {

using Arcs = std::vector<std::pair<std::int32_t, std::int32_t>>;

Arcs random_arcs(Rng& random, std::int32_t nodes, std::int64_t count) {
  Arcs arcs;
  for (std::int64_t i = 0; i < count; ++i)
    arcs.emplace_back(static_cast<std::int32_t>(random.below(nodes)),
                      static_cast<std::int32_t>(random.below(nodes)));
  return arcs;
}

BreadthFirst search(std::int32_t nodes, std::span<const std::int32_t> starts, const Arcs& arcs) {
  return {nodes, starts, [&](std::int32_t at, auto&& reach) {
            for (const auto& [tail, head] : arcs)
              if (tail == at) reach(head);
          }};
}

// Shortens arc after arc until none shortens anything.
std::vector<std::int32_t> by_relaxation(std::int32_t nodes, std::span<const std::int32_t> starts,
                                        const Arcs& arcs) {
  std::vector<std::int32_t> distance(static_cast<std::size_t>(nodes), kUnreached);
  for (const std::int32_t start : starts) distance[start] = 0;
  for (bool shorter = true; std::exchange(shorter, false);)
    for (const auto& [tail, head] : arcs)
      if (distance[tail] != kUnreached && distance[tail] + 1 < distance[head]) {
        distance[head] = distance[tail] + 1;
        shorter = true;
      }
  return distance;
}

TEST(BreadthFirst, AgreesWithRelaxationOnRandomGraphs) {
  Rng random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const auto nodes = static_cast<std::int32_t>(1 + random.below(20));
    const Arcs arcs = random_arcs(random, nodes, random.below(3 * nodes));
    std::vector<std::int32_t> starts;
    for (std::int64_t k = random.below(3); k >= 0; --k)
      starts.push_back(static_cast<std::int32_t>(random.below(nodes)));
    const BreadthFirst found = search(nodes, starts, arcs);
    const std::vector<std::int32_t> expected = by_relaxation(nodes, starts, arcs);
    EXPECT_EQ(found.distances(), expected);
    EXPECT_TRUE(std::ranges::is_sorted(found.order(), {}, [&](auto v) { return expected[v]; }));
    EXPECT_EQ(std::ssize(found.order()), nodes - std::ranges::count(expected, kUnreached));
    EXPECT_EQ(found.reached_all(), std::ranges::count(expected, kUnreached) == 0);
    for (const std::int32_t node : found.order()) EXPECT_TRUE(found.reached(node));
  }
}

TEST(BreadthFirst, NodesAreFoundInTheOrderOfTheStepsThatFindThem) {
  const Arcs arcs{{0, 3}, {0, 1}, {1, 4}, {3, 2}};
  EXPECT_EQ(search(5, std::vector<std::int32_t>{0}, arcs).order(),
            (std::vector<std::int32_t>{0, 3, 1, 2, 4}));
}

TEST(BreadthFirst, ALoopLeadsNowhere) {
  const BreadthFirst found(2, 0, [](std::int32_t at, auto&& reach) { reach(at); });
  EXPECT_FALSE(found.reached_all());
  EXPECT_FALSE(found.reached(1));
  EXPECT_EQ(found.distances(), (std::vector<std::int32_t>{0, kUnreached}));
}

}  // namespace
}  // namespace weft::graph
