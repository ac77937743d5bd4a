#include "weft/base/progress.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(SpeedText, tells_rate_and_time_left) {
  // 20 rows in 10 s; a quarter of the work is done, so three times as long is left.
  EXPECT_EQ(speed_text("rows", 20, 0.25, 10), "2 rows/s, 30 s left");
  EXPECT_EQ(speed_text("rows", 1000, 0.01, 30), "33.3 rows/s, 50 min left");  // 2970 s
  EXPECT_EQ(speed_text("rows", 1, 0.001, 100), "0.01 rows/s, 27.8 h left");   // 99900 s
}

TEST(SpeedText, says_nothing_before_there_is_a_rate) {
  EXPECT_EQ(speed_text("rows", 0, 0, 5), "");
  EXPECT_EQ(speed_text("rows", 3, 0.5, 0), "");
}

}  // namespace
}  // namespace weft
