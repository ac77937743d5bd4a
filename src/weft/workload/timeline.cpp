#include "weft/workload/timeline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/workload/timeline_run.hpp"

namespace weft::workload {

namespace {

constexpr double kLongest_ps = 9e18;

}  // namespace

std::int32_t Timeline::add(const TimedTask& task, std::span<const std::int32_t> after,
                           std::span<const std::int32_t> also) {
  WEFT_ASSERT(task.stream >= 0 || (task.stream == kNoStream && also.empty()));
  WEFT_ASSERT(task.duration_ps >= 0);
  const std::int32_t number = count();
  for (const std::int32_t before : after) {
    WEFT_ASSERT(before >= 0 && before < number);
    after_.push_back(before);
  }
  first_.push_back(static_cast<std::int64_t>(after_.size()));
  tasks_.push_back(task);
  streams_ = std::max(streams_, task.stream + 1);
  for (const std::int32_t stream : also) {
    WEFT_ASSERT(stream >= 0 && stream != task.stream);
    also_.push_back(stream);
    streams_ = std::max(streams_, stream + 1);
  }
  first_also_.push_back(static_cast<std::int64_t>(also_.size()));
  return number;
}

std::span<const std::int32_t> Timeline::also(std::int32_t number) const {
  WEFT_ASSERT(number >= 0 && number < count());
  const auto i = static_cast<std::size_t>(number);
  return std::span(also_).subspan(static_cast<std::size_t>(first_also_[i]),
                                  static_cast<std::size_t>(first_also_[i + 1] - first_also_[i]));
}

std::span<const std::int32_t> Timeline::after(std::int32_t number) const {
  WEFT_ASSERT(number >= 0 && number < count());
  const auto i = static_cast<std::size_t>(number);
  return std::span(after_).subspan(static_cast<std::size_t>(first_[i]),
                                   static_cast<std::size_t>(first_[i + 1] - first_[i]));
}

std::int64_t picoseconds(double seconds, const std::function<std::string()>& what) {
  constexpr double kLongest_s = kLongest_ps * kSecondsPerPicosecond;
  if (!(seconds <= kLongest_s))
    reject("{} takes {:.3g} s, which is too long (at most {:.3g} s)", what(), seconds, kLongest_s);
  return std::llround(seconds / kSecondsPerPicosecond);
}

std::vector<Ran> Timeline::run() const {
  double all_ps = 0;
  for (const TimedTask& task : tasks_) all_ps += static_cast<double>(task.duration_ps);
  require(all_ps <= kLongest_ps,
          "{} tasks take {:.3g} s in total, which is too long (at most {:.3g} s)", tasks_.size(),
          all_ps * kSecondsPerPicosecond, kLongest_ps * kSecondsPerPicosecond);
  TimelineRun run(*this);
  using End = std::pair<std::int64_t, std::int32_t>;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  const auto started = [&](std::int32_t task) { ends.push({run.ran(task).end_ps, task}); };
  run.start(0, started);
  while (!ends.empty()) {
    const std::int64_t now_ps = ends.top().first;
    while (!ends.empty() && ends.top().first == now_ps) {
      run.end(ends.top().second, now_ps);
      ends.pop();
    }
    run.start(now_ps, started);
  }
  return run.take();
}

std::int64_t Timeline::least_ps() const {
  const auto n = static_cast<std::size_t>(count());
  std::vector<std::int64_t> head(n, 0), tail(n, 0);  // before each task starts, after it ends
  std::int64_t least = 0;
  for (std::int32_t task = 0; task < count(); ++task)
    for (const std::int32_t before : after(task))
      head[task] = std::max(head[task], head[before] + tasks_[before].duration_ps);
  for (std::int32_t task = count() - 1; task >= 0; --task) {
    least = std::max(least, head[task] + tasks_[task].duration_ps + tail[task]);
    for (const std::int32_t before : after(task))
      tail[before] = std::max(tail[before], tail[task] + tasks_[task].duration_ps);
  }
  struct Load {
    std::int64_t head = std::numeric_limits<std::int64_t>::max();
    std::int64_t sum = 0;
    std::int64_t tail = std::numeric_limits<std::int64_t>::max();
  };
  std::vector<Load> loads(static_cast<std::size_t>(streams_));
  for (std::int32_t task = 0; task < count(); ++task) {
    const auto put = [&](Load& load) {
      load.head = std::min(load.head, head[task]);
      load.sum += tasks_[task].duration_ps;
      load.tail = std::min(load.tail, tail[task]);
    };
    if (tasks_[task].stream == kNoStream) continue;
    put(loads[tasks_[task].stream]);
    for (const std::int32_t stream : also(task)) put(loads[stream]);
  }
  for (const Load& load : loads)
    if (load.sum > 0) least = std::max(least, load.head + load.sum + load.tail);
  return least;
}

std::int64_t end_of(std::span<const Ran> ran) {
  std::int64_t end_ps = 0;
  for (const Ran& each : ran) end_ps = std::max(end_ps, each.end_ps);
  return end_ps;
}

TimeShares shares_of(const Timeline& timeline, std::span<const Ran> ran, std::int32_t computing,
                     std::span<const std::int32_t> beside, std::int64_t end_ps) {
  WEFT_ASSERT(std::ssize(ran) == timeline.count() && computing >= 0);
  std::vector<bool> counts(static_cast<std::size_t>(timeline.streams()), false);
  const auto listen = [&](std::int32_t stream) {
    if (stream < timeline.streams()) counts[static_cast<std::size_t>(stream)] = true;
  };
  listen(computing);
  std::ranges::for_each(beside, listen);
  struct Edge {
    std::int64_t at_ps;
    std::size_t work;
    int change;
  };
  std::vector<Edge> edges;
  for (std::int32_t task = 0; task < timeline.count(); ++task) {
    const TimedTask& what = timeline.task(task);
    if (!counts[static_cast<std::size_t>(what.stream)]) continue;
    if (ran[task].start_ps == ran[task].end_ps) continue;
    edges.push_back({ran[task].start_ps, static_cast<std::size_t>(what.work), 1});
    edges.push_back({ran[task].end_ps, static_cast<std::size_t>(what.work), -1});
  }
  std::ranges::sort(edges, {}, &Edge::at_ps);
  TimeShares shares;
  const std::array<std::int64_t*, 4> of_work = {&shares.compute_ps, &shares.gradients_ps,
                                                &shares.alltoall_ps, &shares.other_ps};
  std::array<int, 4> running{};
  std::int64_t since_ps = 0;
  const auto account = [&](std::int64_t until_ps) {
    const auto first_running = std::ranges::find_if(running, [](int count) { return count > 0; });
    std::int64_t& share = first_running == running.end()
                              ? shares.idle_ps
                              : *of_work[static_cast<std::size_t>(first_running - running.begin())];
    share += until_ps - since_ps;
    since_ps = until_ps;
  };
  for (const Edge& edge : edges) {
    account(edge.at_ps);
    running[edge.work] += edge.change;
  }
  account(end_ps);
  return shares;
}

}  // namespace weft::workload
