// The sign of life of long runs.
#include "cli/screen/still_working.hpp"

#include <gtest/gtest.h>

#include <future>

#include "weft/base/progress.hpp"

namespace {

using namespace std::chrono_literals;
using weft::Progress;
using weft::cli::StillWorking;

TEST(StillWorking, says_how_far_the_work_is) {
  std::promise<std::string> said;
  Progress progress("simulate", 100);
  progress.advance(12);
  const StillWorking sign(0ms, [&](const std::string& line) { said.set_value(line); });
  const std::string line = said.get_future().get();
  EXPECT_EQ(line.rfind("weft: still working: simulate: 12 % done", 0), 0U) << line;
  EXPECT_EQ(line.back(), '\n') << line;
}

TEST(StillWorking, says_nothing_of_short_work_or_when_quiet) {
  int lines = 0;
  {
    const StillWorking sign(24h, [&](const std::string&) { ++lines; });
  }
  Progress::enable(false);
  {
    const StillWorking sign(0ms, [&](const std::string&) { ++lines; });
  }
  Progress::enable(true);
  EXPECT_EQ(lines, 0);
}

TEST(StillWorking, tells_of_the_outermost_bar) {
  EXPECT_EQ(Progress::status(), "");
  Progress outer("compare", 4);
  const Progress inner("distances", 10);
  EXPECT_EQ(Progress::status(), "compare");  // nothing is done yet
  outer.advance();
  EXPECT_EQ(Progress::status().rfind("compare: 25 % done", 0), 0U) << Progress::status();
}

}  // namespace
