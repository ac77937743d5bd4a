#include "weft/graph/unit_layer.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "weft/base/random.hpp"

namespace weft::graph {
namespace {

struct Demand {
  std::uint32_t links = 0;
  std::int32_t count = 0;
};

UnitLayer layer_of(int links, const std::vector<Demand>& demands) {
  UnitLayer layer(links);
  for (const Demand& demand : demands) layer.add(demand.links, demand.count);
  return layer;
}

// Theorem 19 as it stands: the maximum over all sets of links.
Rational largest_quotient(int links, const std::vector<Demand>& demands) {
  Rational result;
  for (std::uint32_t set = 1; set < 1U << links; ++set) {
    std::int64_t inside = 0;
    for (const Demand& demand : demands)
      if ((demand.links & ~set) == 0) inside += demand.count;
    result = std::max(result, Rational(inside, std::popcount(set)));
  }
  return result;
}

TEST(UnitLayer, is_the_maximum_over_all_sets_of_links) {
  Rng rng(7);
  for (int round = 0; round < 3000; ++round) {
    const int links = 1 + static_cast<int>(rng.below(11));  // by sets, and above 8 by flows
    std::map<std::uint32_t, std::int32_t> counts;
    for (std::int64_t i = rng.below(9); i >= 0; --i)
      counts[1 + static_cast<std::uint32_t>(rng.below((1 << links) - 1))] +=
          static_cast<std::int32_t>(1 + rng.below(6));
    std::vector<Demand> demands;
    for (const auto& [mask, count] : counts) demands.push_back({mask, count});
    const Rational expected = largest_quotient(links, demands);
    UnitLayer layer = layer_of(links, demands);
    EXPECT_EQ(layer.raise(0), expected) << "round " << round;
    EXPECT_EQ(layer.raise(expected + 1), expected + 1);
    EXPECT_EQ(layer.raise(Rational(1, 3)), std::max(expected, Rational(1, 3)));
    layer.clear();
    EXPECT_EQ(layer.raise(0), Rational(0));
  }
}

TEST(UnitLayer, takes_sixteen_links) {
  // 15 blocks over any of 15 links, 3 over the other one alone: 3; then 45 over the 15: 3 too.
  EXPECT_EQ(layer_of(16, {{0x7fff, 15}, {0x8000, 3}}).raise(0), Rational(3));
  EXPECT_EQ(layer_of(16, {{0x7fff, 46}, {0x8000, 3}}).raise(0), Rational(46, 15));
}

}  // namespace
}  // namespace weft::graph
