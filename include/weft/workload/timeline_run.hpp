// A timeline under way: who tells when tasks end may be anyone, such as a simulation of what they
// send. Timeline::run() is the one that ends each after its duration.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "weft/workload/timeline.hpp"

namespace weft::workload {

class TimelineRun {
 public:
  /// The timeline has to outlive it.
  explicit TimelineRun(const Timeline& timeline);

  /// A task has ended, and `ran` says so; its streams are free, and those that follow upon it may
  /// start, but `told`, to which tell() said so before. -1: none.
  void end(std::int32_t task, std::int64_t now_ps, std::int32_t told = -1);
  /// What `waiting` waits for has come before the task that brings it has ended; once for each.
  void tell(std::int32_t waiting, std::int64_t now_ps);
  /// Starts what can start; calls started(task) of each, which may not call back. A task that
  /// starts is taken to end after its duration.
  template <class Started>
  void start(std::int64_t now_ps, Started&& started) {
    for (const std::int32_t task : free_) begin(task, now_ps, started);
    free_.clear();
    for (const std::int32_t stream : touched_)
      if (const std::int32_t task = next_of(stream); task >= 0) begin(task, now_ps, started);
    touched_.clear();
  }

  bool finished() const { return ended_ == timeline_.count(); }
  const Ran& ran(std::int32_t task) const { return ran_[task]; }
  std::vector<Ran> take() { return std::move(ran_); }

 private:
  // priority, since when, place, task
  using Waiting = std::tuple<std::int32_t, std::int64_t, std::int32_t, std::int32_t>;

  template <class Visit>
  void each_stream(std::int32_t task, Visit&& visit) const {
    if (timeline_.task(task).stream == kNoStream) return;
    visit(timeline_.task(task).stream);
    for (const std::int32_t stream : timeline_.also(task)) visit(stream);
  }
  template <class Started>
  void begin(std::int32_t task, std::int64_t now_ps, Started&& started) {
    ran_[task] = {now_ps, now_ps + timeline_.task(task).duration_ps};
    started(task);
  }

  std::span<const std::int32_t> followers(std::int32_t task) const {
    return std::span(followers_)
        .subspan(static_cast<std::size_t>(first_follower_[task]),
                 static_cast<std::size_t>(first_follower_[task + 1] - first_follower_[task]));
  }
  void find_followers();
  void ready(std::int32_t task, std::int64_t now_ps);
  /// Takes the stream's next task and all its streams, where these are free; else -1.
  std::int32_t next_of(std::int32_t stream);

  const Timeline& timeline_;
  std::vector<std::int64_t> first_follower_;  // by task
  std::vector<std::int32_t> followers_;
  std::vector<std::int32_t> left_;          // by task: what it waits for
  std::vector<std::set<Waiting>> waiting_;  // by stream
  std::vector<std::uint8_t> busy_;
  std::vector<Ran> ran_;
  std::vector<std::int32_t> touched_, free_;  // streams to look at, tasks of none
  std::int32_t ended_ = 0;
};

}  // namespace weft::workload
