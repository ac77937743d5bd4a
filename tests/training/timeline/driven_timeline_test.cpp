// Timelines whose messages are on a network of links of 1 GB/s and 1 us, so that 1,000 bytes
// arrive after 2 us; worked out by hand, in microseconds.
#include "weft/training/timeline/driven_timeline.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string_view>
#include <vector>

#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft::training {
namespace {

using simulation::Model;
using simulation::Release;
using workload::kNoStream;
using workload::Ran;
using workload::Timeline;

constexpr std::int64_t kUs = 1'000'000;  // picoseconds

Network linked(std::string_view topology) {
  LinkOptions links;
  topology::parse_link_option("1GBps,1us", links);
  const Fabric fabric(build_topology(topology), links);
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric)};
}

double total(const std::vector<double>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), 0.0);
}

// Rank 0 computes, sends to both others and goes on once the longer message is there.
//   stream 0   first 0..3   beside 3..4   behind 6..8
//   stream 1                send 3..6, to 1 until 5 and to 2 until 6
TEST(DrivenTimeline, ends_a_task_once_all_that_it_sends_has_arrived) {
  Timeline timeline;
  const auto first = timeline.add({.stream = 0, .duration_ps = 3 * kUs}, {});
  const auto send = timeline.add({.stream = 1}, {first});
  timeline.add({.stream = 0, .duration_ps = kUs}, {first});
  timeline.add({.stream = 0, .duration_ps = 2 * kUs}, {send});
  const std::vector<TimelineMessage> messages = {{{0, 1, 1000}, send}, {{0, 2, 2000}, send}};
  for (const Model model : {Model::fluid, Model::alpha_beta}) {
    const DrivenTimes times = run_on(linked("complete:3"), timeline, messages, {.model = model});
    EXPECT_EQ(times.ran,
              (std::vector<Ran>{
                  {0, 3 * kUs}, {3 * kUs, 6 * kUs}, {3 * kUs, 4 * kUs}, {6 * kUs, 8 * kUs}}));
    EXPECT_EQ(times.arrived_ps, (std::vector<std::int64_t>{5 * kUs, 6 * kUs}));
    EXPECT_DOUBLE_EQ(total(times.link_bytes), 3000);
  }
}

// 2,000 bytes have the link for a microsecond, then share it with 1,000 that leave then: both are
// there after 3 us of sending and one of latency. By the formula each has it alone.
TEST(DrivenTimeline, has_messages_under_way_share_links) {
  Timeline timeline;
  const auto early = timeline.add({.stream = 0}, {});
  const auto wait = timeline.add({.stream = 1, .duration_ps = kUs}, {});
  const auto late = timeline.add({.stream = 1}, {wait});
  const std::vector<TimelineMessage> messages = {{{0, 1, 2000}, early}, {{0, 1, 1000}, late}};
  const Network pair = linked("mesh:2");
  EXPECT_EQ(run_on(pair, timeline, messages, {}).ran,
            (std::vector<Ran>{{0, 4 * kUs}, {0, kUs}, {kUs, 4 * kUs}}));
  EXPECT_EQ(run_on(pair, timeline, messages, {.model = Model::alpha_beta}).ran,
            (std::vector<Ran>{{0, 3 * kUs}, {0, kUs}, {kUs, 3 * kUs}}));
}

// 2,000 bytes: the sender goes on when they have left it (2), arrived (3) or been answered (4);
// who waits for them goes on when they are there, and its own stream is free.
TEST(DrivenTimeline, tells_receivers_apart_from_senders) {
  Timeline timeline;
  const auto send = timeline.add({.stream = 0}, {});
  timeline.add({.stream = 0, .duration_ps = 2 * kUs}, {send});
  const auto busy = timeline.add({.stream = 1, .duration_ps = 7 * kUs}, {});
  const auto receive = timeline.add({.stream = kNoStream, .duration_ps = kUs}, {send});
  timeline.add({.stream = 1, .duration_ps = kUs}, {receive});
  ASSERT_EQ(busy, 2);
  const std::vector<TimelineMessage> messages = {
      {.sent = {0, 1, 2000}, .send = send, .receive = receive}};
  const auto of = [&](Release release) {
    const DrivenTimes times = run_on(linked("mesh:2"), timeline, messages, {.release = release});
    EXPECT_EQ(times.arrived_ps, std::vector{3 * kUs});
    EXPECT_EQ(times.ran[busy], (Ran{0, 7 * kUs}));
    EXPECT_EQ(times.ran[receive], (Ran{3 * kUs, 4 * kUs}));
    EXPECT_EQ(times.ran[4], (Ran{7 * kUs, 8 * kUs}));
    EXPECT_EQ(times.ran[1].start_ps, times.ran[send].end_ps);
    EXPECT_EQ(times.ran[1].end_ps, times.ran[send].end_ps + 2 * kUs);
    return times.ran[send].end_ps;
  };
  EXPECT_EQ(of(Release::injected), 2 * kUs);
  EXPECT_EQ(of(Release::delivered), 3 * kUs);
  EXPECT_EQ(of(Release::acknowledged), 4 * kUs);
}

// Ranks 0 and 1 send to 2 at once. Its stream takes what has the lower number, though the other
// message is the first that is told of.
TEST(DrivenTimeline, chooses_among_all_that_comes_at_once) {
  for (const std::int32_t urgent : {0, 1}) {
    Timeline timeline;
    std::vector<std::int32_t> sends, receives;
    for (const std::int32_t rank : {0, 1}) sends.push_back(timeline.add({.stream = rank}, {}));
    for (const std::int32_t rank : {0, 1})
      receives.push_back(timeline.add(
          {.stream = 2, .priority = rank == urgent ? 0 : 1, .duration_ps = kUs}, {sends[rank]}));
    std::vector<TimelineMessage> messages;
    for (const std::int32_t rank : {0, 1})
      messages.push_back({.sent = {rank, 2, 1000}, .send = sends[rank], .receive = receives[rank]});
    const auto ran = run_on(linked("complete:3"), timeline, messages, {}).ran;
    EXPECT_EQ(ran[receives[urgent]], (Ran{2 * kUs, 3 * kUs}));
    EXPECT_EQ(ran[receives[1 - urgent]], (Ran{3 * kUs, 4 * kUs}));
  }
}

// What a message has brought is computed and answered: 2 + 5 + 3 us.
TEST(DrivenTimeline, answers_what_has_come) {
  Timeline timeline;
  const auto ask = timeline.add({.stream = 0}, {});
  const auto work = timeline.add({.stream = 1, .duration_ps = 5 * kUs}, {ask});
  const auto answer = timeline.add({.stream = 1}, {work});
  timeline.add({.stream = 0, .duration_ps = kUs}, {answer});
  const std::vector<TimelineMessage> messages = {{{0, 1, 1000}, ask, work}, {{1, 0, 2000}, answer}};
  for (const Model model : {Model::fluid, Model::alpha_beta})
    EXPECT_EQ(run_on(linked("mesh:2"), timeline, messages, {.model = model}).ran,
              (std::vector<Ran>{
                  {0, 2 * kUs}, {2 * kUs, 7 * kUs}, {7 * kUs, 10 * kUs}, {10 * kUs, 11 * kUs}}));
}

TEST(DrivenTimeline, of_no_messages_is_the_timeline) {
  Timeline timeline;
  const auto first = timeline.add({.stream = 0, .duration_ps = 3}, {});
  timeline.add({.stream = 1, .duration_ps = 2}, {first});
  const DrivenTimes times = run_on(linked("mesh:2"), timeline, {}, {});
  EXPECT_EQ(times.ran, (std::vector<Ran>{{0, 3}, {3, 5}}));
  EXPECT_TRUE(times.arrived_ps.empty());
  EXPECT_TRUE(times.link_bytes.empty());
}

}  // namespace
}  // namespace weft::training
