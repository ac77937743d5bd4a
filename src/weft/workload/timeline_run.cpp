#include "weft/workload/timeline_run.hpp"

#include "weft/base/error.hpp"

namespace weft::workload {

TimelineRun::TimelineRun(const Timeline& timeline)
    : timeline_(timeline),
      left_(static_cast<std::size_t>(timeline.count())),
      waiting_(static_cast<std::size_t>(timeline.streams())),
      busy_(static_cast<std::size_t>(timeline.streams()), 0),
      ran_(static_cast<std::size_t>(timeline.count())) {
  find_followers();
  for (std::int32_t task = 0; task < timeline.count(); ++task) {
    left_[task] = static_cast<std::int32_t>(timeline.after(task).size());
    if (left_[task] == 0) ready(task, 0);
  }
}

void TimelineRun::find_followers() {
  first_follower_.assign(static_cast<std::size_t>(timeline_.count()) + 1, 0);
  for (std::int32_t task = 0; task < timeline_.count(); ++task)
    for (const std::int32_t before : timeline_.after(task)) ++first_follower_[before + 1];
  for (std::size_t i = 1; i < first_follower_.size(); ++i)
    first_follower_[i] += first_follower_[i - 1];
  followers_.resize(static_cast<std::size_t>(first_follower_.back()));
  std::vector<std::int64_t> next(first_follower_.begin(), first_follower_.end() - 1);
  for (std::int32_t task = 0; task < timeline_.count(); ++task)
    for (const std::int32_t before : timeline_.after(task)) followers_[next[before]++] = task;
  WEFT_ASSERT(std::equal(next.begin(), next.end(),
                         first_follower_.begin() + 1));  // each has all its followers
}

void TimelineRun::ready(std::int32_t task, std::int64_t now_ps) {
  const TimedTask& what = timeline_.task(task);
  const Waiting waits{what.priority, now_ps, what.place, task};
  if (what.stream == kNoStream) free_.push_back(task);
  each_stream(task, [&](std::int32_t stream) {
    waiting_[stream].insert(waits);
    touched_.push_back(stream);
  });
}

void TimelineRun::tell(std::int32_t waiting, std::int64_t now_ps) {
  if (--left_[waiting] == 0) ready(waiting, now_ps);
}

void TimelineRun::end(std::int32_t task, std::int64_t now_ps, std::int32_t told) {
  ++ended_;
  ran_[task].end_ps = now_ps;
  each_stream(task, [&](std::int32_t stream) {
    busy_[stream] = 0;
    touched_.push_back(stream);
  });
  for (const std::int32_t next : followers(task))
    if (next != told) tell(next, now_ps);
}

std::int32_t TimelineRun::next_of(std::int32_t stream) {
  if (busy_[stream] != 0 || waiting_[stream].empty()) return -1;
  const Waiting next = *waiting_[stream].begin();
  const std::int32_t task = std::get<3>(next);
  bool can_start = true;
  each_stream(task, [&](std::int32_t each) {
    can_start = can_start && busy_[each] == 0 && *waiting_[each].begin() == next;
  });
  if (!can_start) return -1;
  each_stream(task, [&](std::int32_t each) {
    waiting_[each].erase(waiting_[each].begin());
    busy_[each] = 1;
  });
  return task;
}

}  // namespace weft::workload
