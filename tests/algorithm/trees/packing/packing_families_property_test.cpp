// Packings of every family of networks; damaged ones and ones behind switches up to 24 nodes
// (packing_families_slow_test.cpp has the larger ones).
#include <algorithm>
#include <iterator>

#include "algorithm/trees/packing/optimal_packings.hpp"
#include "support/samples.hpp"
#include "support/small_networks.hpp"

namespace weft::algorithm {
namespace {

TEST(PackingFamilies, are_served_at_the_optimum) {
  for (const std::string& expression : test::samples(test::small_networks(64)))
    EXPECT_EQ(expect_all_optimal(expression), std::ssize(kServed)) << expression;
}

TEST(PackingFamilies, are_served_at_the_optimum_damaged_and_behind_switches) {
  const std::vector<std::string> expressions =
      test::samples(test::damaged_or_switched(test::small_networks(64), 24));
  int served = 0;
  for (const std::string& expression : expressions) served += expect_all_optimal(expression);
  EXPECT_GT(served, 4 * std::ssize(expressions));
}

}  // namespace
}  // namespace weft::algorithm
