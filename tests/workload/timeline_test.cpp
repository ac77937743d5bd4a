// Timelines worked out by hand.
#include "weft/workload/timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "weft/base/error.hpp"

namespace weft::workload {
namespace {

constexpr std::int32_t kCompute = 0, kSend = 1;

std::int64_t total_ps(const TimeShares& shares) {
  return shares.compute_ps + shares.gradients_ps + shares.alltoall_ps + shares.other_ps +
         shares.idle_ps;
}

TEST(Timeline, runs_a_chain_over_two_streams) {
  Timeline timeline;
  const auto first = timeline.add({.stream = kCompute, .duration_ps = 3}, {});
  const auto sent = timeline.add({.stream = kSend, .work = Work::other, .duration_ps = 2}, {first});
  const auto last = timeline.add({.stream = kCompute, .duration_ps = 4}, {sent});
  const auto ran = timeline.run();
  EXPECT_EQ(ran[first], (Ran{0, 3}));
  EXPECT_EQ(ran[sent], (Ran{3, 5}));
  EXPECT_EQ(ran[last], (Ran{5, 9}));
  EXPECT_EQ(timeline.least_ps(), 9);
}

// Backward of three layers of 2, gradients of 3 each behind them:
//   compute  0..2 2..4 4..6
//   send          2..5      5..8 8..11
TEST(Timeline, sends_behind_what_computes) {
  Timeline timeline;
  std::vector<std::int32_t> computed, sent;
  for (int layer = 0; layer < 3; ++layer) {
    computed.push_back(timeline.add({.stream = kCompute, .duration_ps = 2}, {}));
    sent.push_back(timeline.add({.stream = kSend, .work = Work::gradients, .duration_ps = 3},
                                {computed.back()}));
  }
  const auto ran = timeline.run();
  EXPECT_EQ(ran[sent[0]], (Ran{2, 5}));
  EXPECT_EQ(ran[sent[1]], (Ran{5, 8}));
  EXPECT_EQ(ran[sent[2]], (Ran{8, 11}));
  EXPECT_EQ(timeline.least_ps(), 11);  // 2, then 3 sends
  const TimeShares shares = shares_of(timeline, ran, kCompute, std::vector{kSend}, end_of(ran));
  EXPECT_EQ(shares.compute_ps, 6);
  EXPECT_EQ(shares.gradients_ps, 5);
  EXPECT_EQ(shares.idle_ps, 0);
}

// A sum under way is ended, one that waits is overtaken.
TEST(Timeline, lets_the_urgent_go_before_what_waits) {
  Timeline timeline;
  const auto begin = timeline.add({.stream = kCompute, .duration_ps = 1}, {});
  const auto more = timeline.add({.stream = kCompute, .duration_ps = 2}, {begin});
  const auto running = timeline.add({.stream = kSend, .priority = 1, .duration_ps = 5}, {begin});
  const auto waiting = timeline.add({.stream = kSend, .priority = 1, .duration_ps = 5}, {begin});
  const auto urgent = timeline.add({.stream = kSend, .priority = 0, .duration_ps = 1}, {more});
  const auto ran = timeline.run();
  EXPECT_EQ(ran[running], (Ran{1, 6}));
  EXPECT_EQ(ran[urgent], (Ran{6, 7}));
  EXPECT_EQ(ran[waiting], (Ran{7, 12}));
}

TEST(Timeline, takes_what_was_ready_first_then_what_was_added_first) {
  Timeline timeline;
  const auto slow = timeline.add({.stream = 0, .duration_ps = 4}, {});
  const auto fast = timeline.add({.stream = 1, .duration_ps = 2}, {});
  const auto blocker = timeline.add({.stream = 2, .duration_ps = 9}, {});
  const auto of_slow = timeline.add({.stream = 2, .duration_ps = 1}, {slow});
  const auto of_fast = timeline.add({.stream = 2, .duration_ps = 1}, {fast});
  const auto of_fast_too = timeline.add({.stream = 2, .duration_ps = 1}, {fast});
  const auto ran = timeline.run();
  EXPECT_EQ(ran[blocker].end_ps, 9);
  EXPECT_EQ(ran[of_fast].start_ps, 9);
  EXPECT_EQ(ran[of_fast_too].start_ps, 10);
  EXPECT_EQ(ran[of_slow].start_ps, 11);
}

TEST(Timeline, passes_through_tasks_that_take_no_time) {
  Timeline timeline;
  const auto nothing = timeline.add({.stream = 0, .duration_ps = 0}, {});
  const auto nor_this = timeline.add({.stream = 1, .duration_ps = 0}, {nothing});
  const auto last = timeline.add({.stream = 0, .duration_ps = 7}, {nor_this});
  EXPECT_EQ(timeline.run()[last], (Ran{0, 7}));
  EXPECT_EQ(end_of(Timeline{}.run()), 0);
}

// Of two streams: it waits for both, and holds up what would come after it on either.
//   0  first 0..2         both 5..8
//   1  second 0..5        both 5..8  last 8..9
TEST(Timeline, starts_what_takes_several_streams_once_all_are_free) {
  Timeline timeline;
  const auto first = timeline.add({.stream = 0, .duration_ps = 2}, {});
  timeline.add({.stream = 1, .duration_ps = 5}, {});
  const std::vector<std::int32_t> none, also{1};
  const auto both = timeline.add({.stream = 0, .duration_ps = 3}, none, also);
  const auto last = timeline.add({.stream = 1, .duration_ps = 1}, {});
  const auto behind = timeline.add({.stream = 0, .duration_ps = 1}, {first});
  const auto ran = timeline.run();
  EXPECT_EQ(ran[both], (Ran{5, 8}));
  EXPECT_EQ(ran[last], (Ran{8, 9}));
  EXPECT_EQ(ran[behind], (Ran{8, 9}));  // it became ready later
  EXPECT_EQ(timeline.least_ps(), 9);    // stream 1: 5 + 3 + 1
}

// It stands on no stream, so that none holds it up.
TEST(Timeline, starts_what_has_no_stream_at_once) {
  Timeline timeline;
  const auto work = timeline.add({.stream = 0, .duration_ps = 4}, {});
  const auto more = timeline.add({.stream = 0, .duration_ps = 4}, {});
  const auto free = timeline.add({.stream = kNoStream, .duration_ps = 1}, {work});
  const auto next = timeline.add({.stream = 1, .duration_ps = 1}, {free});
  const auto ran = timeline.run();
  EXPECT_EQ(ran[more], (Ran{4, 8}));
  EXPECT_EQ(ran[free], (Ran{4, 5}));
  EXPECT_EQ(ran[next], (Ran{5, 6}));
}

TEST(TimeShares, count_each_moment_once) {
  Timeline timeline;
  timeline.add({.stream = 0, .duration_ps = 2}, {});                           // 0..2
  timeline.add({.stream = 1, .work = Work::gradients, .duration_ps = 5}, {});  // 0..5
  timeline.add({.stream = 2, .work = Work::alltoall, .duration_ps = 8}, {});   // 0..8
  timeline.add({.stream = 3, .work = Work::other, .duration_ps = 9}, {});      // 0..9
  const TimeShares shares = shares_of(timeline, timeline.run(), 0, std::vector{1, 2, 3}, 12);
  EXPECT_EQ(shares.compute_ps, 2);
  EXPECT_EQ(shares.gradients_ps, 3);
  EXPECT_EQ(shares.alltoall_ps, 3);
  EXPECT_EQ(shares.other_ps, 1);
  EXPECT_EQ(shares.idle_ps, 3);
  EXPECT_EQ(total_ps(shares), 12);
}

bool share_a_stream(const Timeline& timeline, std::int32_t a, std::int32_t b) {
  const auto has = [&](std::int32_t task, std::int32_t stream) {
    return timeline.task(task).stream == stream ||
           std::ranges::count(timeline.also(task), stream) > 0;
  };
  for (std::int32_t stream = 0; stream < timeline.streams(); ++stream)
    if (has(a, stream) && has(b, stream)) return true;
  return false;
}

// Whatever the graph: tasks wait for those before, streams run one at a time, shares add up, and
// nothing ends before the bound.
TEST(TimelineProperty, holds_its_rules_on_random_graphs) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 draw(seed);
    Timeline timeline;
    const int tasks = 1 + static_cast<int>(draw() % 40), streams = 1 + static_cast<int>(draw() % 4);
    for (int i = 0; i < tasks; ++i) {
      std::vector<std::int32_t> after;
      for (std::int32_t j = 0; j < i; ++j)
        if (draw() % 6 == 0) after.push_back(j);
      const auto stream = static_cast<std::int32_t>(draw() % static_cast<unsigned>(streams));
      std::vector<std::int32_t> also;
      for (std::int32_t other = 0; other < streams; ++other)
        if (seed % 2 == 1 && other != stream && draw() % 3 == 0) also.push_back(other);
      timeline.add({.stream = stream,
                    .work = static_cast<Work>(draw() % 4),
                    .priority = static_cast<std::int32_t>(draw() % 3),
                    .duration_ps = static_cast<std::int64_t>(draw() % 10)},
                   after, also);
    }
    const auto ran = timeline.run();
    for (std::int32_t a = 0; a < tasks; ++a) {
      EXPECT_EQ(ran[a].end_ps - ran[a].start_ps, timeline.task(a).duration_ps);
      for (const std::int32_t before : timeline.after(a))
        EXPECT_LE(ran[before].end_ps, ran[a].start_ps);
      for (std::int32_t b = 0; b < a; ++b) {
        if (!share_a_stream(timeline, a, b)) continue;
        EXPECT_TRUE(ran[a].end_ps <= ran[b].start_ps || ran[b].end_ps <= ran[a].start_ps);
      }
    }
    const std::int64_t end_ps = end_of(ran);
    EXPECT_GE(end_ps, timeline.least_ps());
    std::vector<std::int32_t> beside(static_cast<std::size_t>(streams) - 1);
    std::iota(beside.begin(), beside.end(), 1);
    EXPECT_EQ(total_ps(shares_of(timeline, ran, 0, beside, end_ps)), end_ps);
  }
}

// 64 bits hold 9.22e18 picoseconds.
TEST(Timeline, refuses_what_it_cannot_count) {
  const auto what = [] { return std::string("a layer"); };
  EXPECT_EQ(picoseconds(1.5e-12, what), 2);
  EXPECT_EQ(picoseconds(9e6, what), 9'000'000'000'000'000'000);
  for (const double s : {9.1e6, 1e30, std::numeric_limits<double>::infinity(), std::nan("")}) {
    try {
      picoseconds(s, what);
      ADD_FAILURE() << s;
    } catch (const InvalidInput& error) {
      EXPECT_EQ(std::string(error.what()).find("a layer takes "), 0) << error.what();
    }
  }
  Timeline timeline;
  for (int i = 0; i < 3; ++i) timeline.add({.duration_ps = std::int64_t{1} << 62}, {});
  EXPECT_THROW(timeline.run(), InvalidInput);
}

}  // namespace
}  // namespace weft::workload
