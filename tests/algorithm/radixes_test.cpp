// Which radixes are tried among how many ranks.
#include "weft/algorithm/radixes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace weft::algorithm {
namespace {

using Radixes = std::vector<std::int64_t>;

constexpr CountOption kOfTrees = kRadix.or_else("4");

// A radix of all ranks and more has one step, whichever it is.
TEST(Radixes, are_those_that_make_different_schedules) {
  EXPECT_EQ(radixes_to_try(kOfTrees, {}, 2), Radixes({4}));
  EXPECT_EQ(radixes_to_try(kOfTrees, {}, 3), Radixes({4, 2}));
  EXPECT_EQ(radixes_to_try(kOfTrees, {}, 4), Radixes({4, 2, 3}));
  EXPECT_EQ(radixes_to_try(kOfTrees, {}, 5), Radixes({4, 2, 3, 8}));
  EXPECT_EQ(radixes_to_try(kOfTrees, {}, 1000), Radixes({4, 2, 3, 8}));
}

TEST(Radixes, are_the_given_one_alone) {
  const AlgorithmOptions given{.values = {{"radix", std::int64_t{5}}}};
  EXPECT_EQ(radixes_to_try(kOfTrees, given, 1000), Radixes({5}));
}

}  // namespace
}  // namespace weft::algorithm
