#include "weft/base/progress.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weft {
namespace {

TEST(SpeedText, tells_rate_and_time_left) {
  EXPECT_EQ(speed_text("rows", 20, 10, 30), "2 rows/s, 30 s left");
  EXPECT_EQ(speed_text("rows", 1000, 30, 2970), "33.3 rows/s, 50 min left");
  EXPECT_EQ(speed_text("rows", 1, 100, 99900), "0.01 rows/s, 27.8 h left");
}

TEST(SpeedText, says_nothing_before_there_is_a_rate) {
  EXPECT_EQ(speed_text("rows", 0, 5, {}), "");
  EXPECT_EQ(speed_text("rows", 3, 0, {}), "");
  EXPECT_EQ(speed_text("rows", 3, 6, {}), "0.5 rows/s");
}

// 1 % a second: after 20 s a fifth is done and 80 s are left.
TEST(TimeLeft, is_known_of_steady_work) {
  TimeLeft left;
  for (int second = 1; second <= 20; ++second) left.add(second, second / 100.0);
  EXPECT_NEAR(left.seconds(20, 0.2).value(), 80, 1e-9);
}

TEST(TimeLeft, is_unknown_before_anything_is_done) {
  EXPECT_FALSE(TimeLeft().seconds(0, 0));
  EXPECT_FALSE(TimeLeft().seconds(10, 0));
}

// 90 % in 54 s: 6 s are left. The last item takes 29 minutes: no estimate while it stands still.
TEST(TimeLeft, is_unknown_of_work_that_stands_still) {
  TimeLeft left;
  for (int second = 1; second <= 54; ++second) left.add(second, second / 60.0);
  EXPECT_NEAR(left.seconds(54, 0.9).value(), 6, 1e-9);
  for (const double later_s : {75.0, 100.0, 600.0, 1740.0})
    EXPECT_FALSE(left.seconds(later_s, 0.9)) << later_s;
}

// Half of the items at once, then one every 10 s: what the first half took says nothing.
TEST(TimeLeft, is_unknown_where_items_differ) {
  TimeLeft left;
  left.add(0.1, 0.5);
  for (int item = 1; item <= 4; ++item) {
    left.add(10 * item, 0.5 + item / 100.0);
    EXPECT_FALSE(left.seconds(10 * item, 0.5 + item / 100.0)) << item;
  }
}

// Whenever it is known, the work goes on at half to twice the speed that it says, if the speed is
// that of either half of the time before. Items of 1 to 3 s, drawn once.
TEST(TimeLeft, is_within_a_factor_of_two_of_items_that_differ_a_little) {
  constexpr int kItems = 60;
  std::vector<double> ends_s{0};
  for (int item = 0; item < kItems; ++item)
    ends_s.push_back(ends_s.back() + 1 + item * 7 % 5 / 2.0);
  TimeLeft left;
  int known = 0;
  for (int item = 1; item < kItems - 2; ++item) {
    const double share = item / static_cast<double>(kItems);
    left.add(ends_s[item], share);
    const auto left_s = left.seconds(ends_s[item], share);
    if (!left_s) continue;
    ++known;
    EXPECT_LE(*left_s, 2 * (ends_s.back() - ends_s[item])) << item;
    EXPECT_GE(2 * *left_s, ends_s.back() - ends_s[item]) << item;
  }
  EXPECT_GE(known, kItems / 2);
}

TEST(Progress, has_the_first_of_its_lines_as_status) {
  const Progress shown("compare", [] { return std::vector<std::string>{"simulating", "  1KiB"}; });
  EXPECT_EQ(Progress::status(), "compare: simulating");
}

}  // namespace
}  // namespace weft
