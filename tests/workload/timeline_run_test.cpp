// Timelines whose tasks end when somebody else says so.
#include "weft/workload/timeline_run.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace weft::workload {
namespace {

// A task of one stream that ends late, one behind it, and one that is told early.
//   send      0......7   told at 5
//   behind               7..9
//   receive           5..6
TEST(TimelineRun, ends_tasks_when_it_is_told) {
  Timeline timeline;
  const auto send = timeline.add({.stream = 0}, {});
  const auto behind = timeline.add({.stream = 0, .duration_ps = 2}, {send});
  const auto receive = timeline.add({.stream = 1, .duration_ps = 1}, {send});
  TimelineRun run(timeline);
  std::vector<std::int32_t> started;
  const auto note = [&](std::int32_t task) { started.push_back(task); };
  run.start(0, note);
  EXPECT_EQ(started, std::vector{send});
  run.tell(receive, 5);
  run.start(5, note);
  EXPECT_EQ(started, (std::vector{send, receive}));
  run.end(receive, run.ran(receive).end_ps);
  run.end(send, 7, receive);
  run.start(7, note);
  EXPECT_EQ(started, (std::vector{send, receive, behind}));
  EXPECT_FALSE(run.finished());
  run.end(behind, run.ran(behind).end_ps);
  EXPECT_TRUE(run.finished());
  EXPECT_EQ(run.take(), (std::vector<Ran>{{0, 7}, {7, 9}, {5, 6}}));
}

}  // namespace
}  // namespace weft::workload
