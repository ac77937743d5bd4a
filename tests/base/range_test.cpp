#include "weft/base/range.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

using Counts = std::vector<std::int64_t>;

TEST(Range, doubles_steps_and_lists) {
  EXPECT_EQ(parse_counts("7", "ranks"), (Counts{7}));
  EXPECT_EQ(parse_counts("1:64", "ranks"), (Counts{1, 2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(parse_counts("3:20", "ranks"), (Counts{3, 6, 12, 20}));  // both ends are included
  EXPECT_EQ(parse_counts("10:50:10", "ranks"), (Counts{10, 20, 30, 40, 50}));
  EXPECT_EQ(parse_counts("1:6:2", "ranks"), (Counts{1, 3, 5}));  // 6 is not hit
  EXPECT_EQ(parse_counts("0:2:1", "ranks"), (Counts{0, 1, 2}));
  EXPECT_EQ(parse_counts("2..5", "ranks"), (Counts{2, 3, 4, 5}));
  EXPECT_EQ(parse_counts("900..1000:50", "ranks"), (Counts{900, 950, 1000}));
  EXPECT_EQ(parse_counts("9, 1:4, 7", "ranks"), (Counts{9, 1, 2, 4, 7}));
  EXPECT_EQ(parse_counts("9223372036854775806..9223372036854775807", "ranks").size(), 2U);
}

TEST(Range, takes_all_counts_between_two) {
  const auto expect = [](const CountRange& range, int first, int last) {
    EXPECT_EQ(range.first, first);
    EXPECT_EQ(range.last, last);
  };
  expect(parse_count_range("3", "steps"), 3, 3);
  expect(parse_count_range("1..6", "steps"), 1, 6);
  expect(parse_count_range("1:6:1", "steps"), 1, 6);
  expect(parse_open_range("3..", "steps", 2), 3, 5);
  expect(parse_open_range("3..4", "steps", 2), 3, 4);
  for (const char* text : {"0", "1,3", "1:8", "..", "3..x"})
    EXPECT_THROW(parse_open_range(text, "steps", 2), InvalidInput) << text;
}

TEST(Range, reads_numbers_with_points) {
  const std::vector<double> loads = parse_numbers("0.1:0.3:0.1,0.5", "loads");
  ASSERT_EQ(loads.size(), 4U);
  EXPECT_DOUBLE_EQ(loads[2], 0.3);  // the sum of tenths misses it by a rounding
  EXPECT_EQ(parse_numbers("0.1:0.8", "loads"), (std::vector<double>{0.1, 0.2, 0.4, 0.8}));
}

TEST(Range, refuses_what_is_none) {
  for (const char* text :
       {"", ",", "1,", "a", "1:", ":4", "1:2:", "1:2:0", "1:2:4", "4:1", "0:4", "1:2:3:4", "1..",
        "..4", "1.5", "-1", "-3:4", "1..9999999999", "99999999999999999999"})
    EXPECT_THROW(parse_counts(text, "ranks"), InvalidInput) << text;
  EXPECT_THROW(parse_counts("0", "ranks", 1), InvalidInput);
  EXPECT_THROW(parse_counts("9", "ranks", 1, 8), InvalidInput);
  EXPECT_THROW(parse_numbers("inf", "loads"), InvalidInput);
  EXPECT_THROW(parse_numbers("1:1e9:1e-9", "loads"), InvalidInput);
}

}  // namespace
}  // namespace weft
