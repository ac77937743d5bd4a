// Packings of every family of networks of up to 64 nodes, damaged and behind switches.
#include "algorithm/trees/packing/optimal_packings.hpp"
#include "support/small_networks.hpp"

namespace weft::algorithm {
namespace {

TEST(PackingFamiliesSlow, are_served_at_the_optimum_damaged_and_behind_switches) {
  const std::vector<std::string> expressions =
      test::damaged_or_switched(test::small_networks(64), 64);
  int served = 0;
  for (const std::string& expression : expressions) served += expect_all_optimal(expression);
  EXPECT_GT(served, 4 * std::ssize(expressions));
}

}  // namespace
}  // namespace weft::algorithm
