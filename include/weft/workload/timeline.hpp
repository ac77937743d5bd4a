// Timeline: tasks with dependencies on streams that run one at a time, and when each of them runs.
//
//   Timeline timeline;
//   const auto a = timeline.add({.stream = 0, .duration_ps = 3}, {});
//   const auto b = timeline.add({.stream = 1, .duration_ps = 2}, {a});
//   const auto ran = timeline.run();  // ran[b] is {3, 5}
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace weft::workload {

/// What a task does, as answers tell apart where time goes.
enum class Work : std::uint8_t {
  compute,
  gradients,  // sums of gradients over replicas
  alltoall,   // tokens on their way to experts and back
  other,      // activations, parameters
};

/// No stream: the task starts as soon as what it waits for has ended.
inline constexpr std::int32_t kNoStream = -1;

struct TimedTask {
  std::int32_t stream = 0;
  Work work = Work::compute;
  std::int32_t priority = 0;  // among tasks that wait for a stream the lowest goes first
  std::int32_t place = 0;     // likewise, among those of one priority that were ready at once
  std::int64_t duration_ps = 0;
};

/// To the nearest. Throws InvalidInput that what() takes too long where 64 bits cannot hold it.
std::int64_t picoseconds(double seconds, const std::function<std::string()>& what);

struct Ran {
  std::int64_t start_ps = 0, end_ps = 0;

  friend bool operator==(const Ran&, const Ran&) = default;
};

/// Where the time of a stream of computing goes, in picoseconds: they add up to the whole.
struct TimeShares {
  std::int64_t compute_ps = 0;
  /// The stream is idle, and another beside it is busy.
  std::int64_t gradients_ps = 0, alltoall_ps = 0, other_ps = 0;
  std::int64_t idle_ps = 0;  // no stream beside it works
};

class Timeline {
 public:
  /// The number of the task, in order from 0. It starts once those before it have ended and its
  /// stream is free, and those that it takes as well (`also`, other ones, once each).
  /// Precondition: these exist, the stream is one or kNoStream (then there are no others), and the
  /// duration is not negative.
  std::int32_t add(const TimedTask& task, std::span<const std::int32_t> after,
                   std::span<const std::int32_t> also = {});
  std::int32_t add(const TimedTask& task, std::initializer_list<std::int32_t> after) {
    return add(task, std::span(after.begin(), after.size()));
  }

  std::int32_t count() const { return static_cast<std::int32_t>(tasks_.size()); }
  std::int32_t streams() const { return streams_; }
  const TimedTask& task(std::int32_t number) const { return tasks_[number]; }
  std::span<const std::int32_t> after(std::int32_t number) const;
  /// The streams that it takes beside its own.
  std::span<const std::int32_t> also(std::int32_t number) const;
  /// The same order of work with another duration.
  void set_duration(std::int32_t number, std::int64_t duration_ps) {
    tasks_[number].duration_ps = duration_ps;
  }

  /// When each task runs: a free stream takes, of the tasks whose predecessors have ended, that of
  /// the lowest priority number, then the one that was ready first, then by place, then the one
  /// added first, and ends what it began. A task of several streams waits until it is that of each
  /// of them, and all are free; none of them takes a later one before it. Throws InvalidInput where
  /// 64 bits cannot hold the sum of all durations. O((tasks + dependencies) log tasks).
  std::vector<Ran> run() const;

  /// No order of the tasks on their streams ends before this: the longest chain of tasks, and for
  /// each stream its tasks' sum after the earliest start and before the least that follows one.
  /// O(tasks + dependencies + streams).
  std::int64_t least_ps() const;

 private:
  std::int32_t streams_ = 0;
  std::vector<TimedTask> tasks_;
  std::vector<std::int64_t> first_{0}, first_also_{0};
  std::vector<std::int32_t> after_, also_;
};

/// When the last ends; 0 of none.
std::int64_t end_of(std::span<const Ran> ran);

/// Where the time of `computing` goes until `end_ps`; the streams beside it are those that its
/// device sends on or that bring it something, each once. Where several of them work at once,
/// gradients stand before all-to-alls and these before others. O(tasks log tasks).
TimeShares shares_of(const Timeline& timeline, std::span<const Ran> ran, std::int32_t computing,
                     std::span<const std::int32_t> beside, std::int64_t end_ps);

}  // namespace weft::workload
