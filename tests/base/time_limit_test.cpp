// Limits on the time of work under way.
#include "weft/base/work/time_limit.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "weft/base/parallel.hpp"

namespace {

using weft::OutOfTime;
using weft::TimeLimit;

TEST(TimeLimit, is_none_until_one_is_set) {
  EXPECT_NO_THROW(TimeLimit::check());
  EXPECT_FALSE(TimeLimit::current());
  const TimeLimit forever(1e8);
  EXPECT_FALSE(TimeLimit::current());
}

TEST(TimeLimit, ends_with_its_scope) {
  {
    const TimeLimit none_left(0.0);
    EXPECT_THROW(TimeLimit::check(), OutOfTime);
  }
  EXPECT_NO_THROW(TimeLimit::check());
}

TEST(TimeLimit, counts_where_it_ends_first) {
  const TimeLimit long_one(1e6);
  EXPECT_FALSE(TimeLimit::has_passed());
  {
    const TimeLimit none_left(0.0);
    const TimeLimit longer(1e6);
    EXPECT_TRUE(TimeLimit::has_passed());
  }
  EXPECT_FALSE(TimeLimit::has_passed());
}

TEST(TimeLimit, holds_for_parallel_work) {
  const TimeLimit none_left(0.0);
  std::atomic<int> passed = 0;
  weft::parallel_for(64, [&](std::int64_t) { passed += TimeLimit::has_passed() ? 1 : 0; });
  EXPECT_EQ(passed, 64);
  EXPECT_THROW(weft::parallel_for(64, [](std::int64_t) { TimeLimit::check(); }), OutOfTime);
}

// A thread that helps out keeps no limit of others.
TEST(TimeLimit, leaves_no_trace_in_other_threads) {
  {
    const TimeLimit none_left(0.0);
    weft::parallel_for(64, [](std::int64_t) {});
  }
  weft::parallel_for(64, [](std::int64_t) { EXPECT_FALSE(TimeLimit::current()); });
}

}  // namespace
