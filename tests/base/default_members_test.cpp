#include "weft/base/default_members.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace weft {
namespace {

struct Options {
  int count = 3;
  std::optional<double> rate = {};
  bool is_fast = false;

  friend bool operator==(const Options&, const Options&) = default;
};

TEST(DefaultMembers, may_differ_where_they_are_named) {
  EXPECT_TRUE(is_default_but_for<>(Options()));
  EXPECT_FALSE(is_default_but_for<>(Options{.count = 4}));
  EXPECT_TRUE(is_default_but_for<&Options::count>(Options{.count = 4}));
  EXPECT_FALSE(is_default_but_for<&Options::count>(Options{.count = 4, .rate = 1.5}));
  EXPECT_TRUE((is_default_but_for<&Options::count, &Options::rate>(Options{4, 1.5, false})));
  EXPECT_FALSE((is_default_but_for<&Options::count, &Options::rate>(Options{3, 1.5, true})));
}

}  // namespace
}  // namespace weft
