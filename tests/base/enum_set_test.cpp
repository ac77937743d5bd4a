#include "weft/base/enum_set.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

enum class Letter : std::uint8_t { a, b, c };
using Letters = EnumSet<Letter>;

TEST(EnumSet, has_the_values_of_its_list) {
  constexpr Letters kSet{Letter::a, Letter::c};
  EXPECT_TRUE(kSet.has(Letter::a));
  EXPECT_FALSE(kSet.has(Letter::b));
  EXPECT_FALSE(kSet.empty());
  EXPECT_TRUE(Letters().empty());
}

TEST(EnumSet, has_all_or_any_of_another) {
  constexpr Letters kSet{Letter::a, Letter::c};
  EXPECT_TRUE(kSet.has_all_of({Letter::c}));
  EXPECT_TRUE(kSet.has_all_of({}));
  EXPECT_FALSE(kSet.has_all_of({Letter::b, Letter::c}));
  EXPECT_TRUE(kSet.has_any_of({Letter::b, Letter::c}));
  EXPECT_FALSE(kSet.has_any_of({Letter::b}));
  EXPECT_FALSE(kSet.has_any_of({}));
}

TEST(EnumSet, adds_and_takes_away) {
  constexpr Letters kSet{Letter::a, Letter::c};
  EXPECT_EQ((kSet | Letters{Letter::b}), (Letters{Letter::a, Letter::b, Letter::c}));
  EXPECT_EQ((kSet - Letters{Letter::b, Letter::c}), Letters{Letter::a});
}

}  // namespace
}  // namespace weft
