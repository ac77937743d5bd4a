// The one tie rule.
#include "weft/evaluate/winner.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace weft::evaluate {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

// 0.1 %: 1.0009 s is as good as 1 s, 1.0011 s is not. What is faster ties, too.
TEST(Winner, ties_within_a_thousandth) {
  EXPECT_TRUE(ties(1.0009, 1));
  EXPECT_FALSE(ties(1.0011, 1));
  EXPECT_TRUE(ties(0.5, 1));
  EXPECT_DOUBLE_EQ(tie_limit_s(2), 2.002);
}

// Of the times within 0.1 % of the least the smallest estimate wins, and of equal estimates the
// first; who is not within it does not take part, whatever its estimate.
TEST(Winner, has_the_smallest_estimate_of_those_that_tie) {
  const std::array times_s{1.0008, kUnknown, 1.0, 1.0011, 1.0005};
  const auto winner = [&](const std::array<double, 5>& estimates_s) {
    return winner_of(times_s, [&](std::size_t i) { return estimates_s[i]; });
  };
  EXPECT_EQ(winner({3, 1, 2, 1, 4}), 2U);
  EXPECT_EQ(winner({3, 1, 4, 1, 2}), 4U);
  EXPECT_EQ(winner({2, 1, 2, 1, 2}), 0U);
}

TEST(Winner, is_nobody_where_no_time_is_known) {
  const auto no_estimate = [](std::size_t) { return 0.0; };
  EXPECT_EQ(winner_of(std::array{kUnknown, kUnknown}, no_estimate), 2U);
  EXPECT_EQ(winner_of({}, no_estimate), 0U);
}

}  // namespace
}  // namespace weft::evaluate
