// Which radixes are tried among how many ranks.
#include "weft/algorithm/radixes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "weft/algorithm/algorithm.hpp"

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

// A measured call ran one tree, whatever is fastest.
TEST(Radixes, are_the_own_ones_of_a_program_that_does_not_choose) {
  const auto name_of = [](const char* name, const AlgorithmOptions& given) {
    const Algorithm& algorithm = find_algorithm(name);
    return name_with(algorithm, with_own_radix(algorithm, given));
  };
  EXPECT_EQ(name_of("bruck", {}), "bruck(radix=2)");
  EXPECT_EQ(name_of("ring", {}), "ring");
  const std::string tree = name_of("knomial", {});
  EXPECT_NE(tree.find("radix=4"), std::string::npos) << tree;
  EXPECT_NE(tree.find("children=in-turn"), std::string::npos) << tree;
  const AlgorithmOptions radix{.values = {{"radix", std::int64_t{8}}}};
  EXPECT_NE(name_of("knomial", radix).find("radix=8"), std::string::npos);
}

}  // namespace
}  // namespace weft::algorithm
