#include "weft/base/union_find.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "weft/base/random.hpp"

namespace weft {
namespace {

TEST(UnionFind, names_a_set_by_its_least_member) {
  UnionFind sets(6);
  sets.join(5, 3);
  sets.join(3, 4);
  EXPECT_EQ(sets.find(5), 3);
  EXPECT_EQ(sets.find(2), 2);
  sets.join(4, 0);
  EXPECT_EQ(sets.find(5), 0);
}

// Against labels that are rewritten one by one.
TEST(UnionFind, joins_as_labels_do) {
  Rng rng(3);
  UnionFind sets(40);
  std::vector<std::int32_t> label(40);
  std::iota(label.begin(), label.end(), 0);
  for (int i = 0; i < 60; ++i) {
    const auto a = static_cast<std::int32_t>(rng.below(40));
    const auto b = static_cast<std::int32_t>(rng.below(40));
    sets.join(a, b);
    const auto from = std::max(label[a], label[b]);
    const auto to = std::min(label[a], label[b]);
    for (auto& each : label)
      if (each == from) each = to;
    for (std::int32_t x = 0; x < 40; ++x) ASSERT_EQ(sets.find(x), label[x]);
  }
}

}  // namespace
}  // namespace weft
