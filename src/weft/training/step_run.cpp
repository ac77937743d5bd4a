// Replicas of the model meet in the collectives that they run together and go on apart otherwise,
// each at the pace of its own messages. What a replica's ranks of one stage do they do at once.
#include "weft/training/step_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/training/groups.hpp"
#include "weft/training/timeline/message_bounds.hpp"

namespace weft::training {

namespace {

using workload::GroupCall;
using workload::TrainingStep;

const GroupCall* call_of(const TrainingStep& step, std::int32_t task) {
  const std::int32_t call = step.tasks[static_cast<std::size_t>(task)].call;
  return call < 0 ? nullptr : &step.calls[static_cast<std::size_t>(call)];
}

// A mean by call.
class Means {
 public:
  explicit Means(const TrainingStep& step) : step_(step), sums_(step.calls.size()) {}

  void count(std::int32_t task, std::int64_t duration_ps) {
    WEFT_ASSERT(step_.tasks[static_cast<std::size_t>(task)].call >= 0 && duration_ps >= 0);
    auto& [sum_s, count] =
        sums_[static_cast<std::size_t>(step_.tasks[static_cast<std::size_t>(task)].call)];
    sum_s += static_cast<double>(duration_ps) * kSecondsPerPicosecond;
    ++count;
  }
  std::vector<std::optional<double>> take() const {
    std::vector<std::optional<double>> means(sums_.size());
    for (std::size_t i = 0; i < sums_.size(); ++i)
      if (const auto& [sum_s, count] = sums_[i]; count > 0)
        means[i] = sum_s / static_cast<double>(count);
    return means;
  }

 private:
  const TrainingStep& step_;
  std::vector<std::pair<double, std::int64_t>> sums_;  // and how many
};

}  // namespace

// The step of several replicas: tasks that each has for itself, and those that all have together.
class ReplicaTimeline {
 public:
  ReplicaTimeline(const TrainingStep& step, std::int32_t replicas)
      : step_(step), replicas_(replicas) {
    WEFT_ASSERT(replicas >= 1);
    for (std::int32_t task = 0; task < step.timeline.count(); ++task) add(task);
  }

  workload::Timeline& timeline() { return timeline_; }
  std::int32_t replicas() const { return replicas_; }
  std::int32_t of(std::int32_t task, std::int32_t replica) const {
    WEFT_ASSERT(replica >= 0 && replica < replicas_);
    return first_[static_cast<std::size_t>(task)] + (is_shared(task) ? 0 : replica);
  }

 private:
  bool is_shared(std::int32_t task) const {
    const GroupCall* call = call_of(step_, task);
    return call != nullptr && call->groups == workload::GroupKind::replicas;
  }
  std::int32_t stream(std::int32_t task, std::int32_t replica) const {
    return step_.timeline.task(task).stream + replica * step_.stages * TrainingStep::kStreams;
  }

  void add(std::int32_t task) {
    first_.push_back(timeline_.count());
    const bool shared = is_shared(task);
    workload::TimedTask timed = step_.timeline.task(task);
    std::vector<std::int32_t> after, also;
    for (std::int32_t replica = 0; replica < replicas_; ++replica) {
      for (const std::int32_t before : step_.timeline.after(task))
        after.push_back(of(before, replica));
      if (shared && replica > 0) also.push_back(stream(task, replica));
      if (shared && replica + 1 < replicas_) continue;
      timed.stream = stream(task, shared ? 0 : replica);
      std::ranges::sort(after);
      after.erase(std::unique(after.begin(), after.end()), after.end());
      timeline_.add(timed, after, also);
      after.clear();
    }
  }

  const TrainingStep& step_;
  std::int32_t replicas_;
  workload::Timeline timeline_;
  std::vector<std::int32_t> first_;  // by task of the step
};

std::int64_t picoseconds(double seconds, const GroupCall& call) {
  return workload::picoseconds(seconds, [&] {
    return fmt::format("{} of {}", name_of(call.kind), format_size(call.size_B));
  });
}

std::vector<std::int64_t> times_of(const TrainingStep& step, const CallPrices& prices,
                                   double GroupPrice::*time) {
  std::vector<std::int64_t> times_ps;
  for (const GroupCall& call : step.calls)
    times_ps.push_back(picoseconds(prices.at(call).*time, call));
  return times_ps;
}

// Of algorithms for a message those by ports cut it.
bool is_one_message(const std::string& schedule) {
  return std::ranges::any_of(algorithm::algorithms(), [&](const algorithm::Algorithm& each) {
    return each.name == schedule && each.supports(CollectiveKind::point_to_point) && !each.by_ports;
  });
}

bool StepRunner::is_sent(const GroupCall& call, const CallPrices& prices) const {
  return schedule::traits_of(call.kind).between_two() && !prices_.priced_apart() &&
         is_one_message(prices.at(call).schedule);
}

std::vector<std::int32_t> StepRunner::senders_of(const TrainingStep& step,
                                                 const CallPrices& prices) const {
  std::vector<std::int32_t> senders;
  for (std::int32_t task = 0; task < step.timeline.count(); ++task)
    if (const GroupCall* call = call_of(step, task); call != nullptr && is_sent(*call, prices))
      senders.push_back(task);
  return senders;
}

// Those of a task one after the other.
std::vector<TimelineMessage> StepRunner::messages_of(const TrainingStep& step,
                                                     std::span<const std::int32_t> senders,
                                                     const ReplicaTimeline& all) const {
  std::vector<TimelineMessage> messages;
  std::map<const GroupCall*, std::vector<RankGroup>> pairs_of;
  for (const std::int32_t task : senders) {
    const GroupCall* call = call_of(step, task);
    auto& pairs = pairs_of[call];
    if (pairs.empty()) pairs = groups_of(*call, parallel_, order_);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto replica = static_cast<std::int32_t>(i) / parallel_.tensor;
      WEFT_ASSERT(replica < parallel_.data);
      messages.push_back({{pairs[i][0], pairs[i][1], call->size_B}, all.of(task, replica)});
    }
  }
  return messages;
}

StepRun StepRunner::run(TrainingStep& step, const CallPrices& prices) const {
  step.set_times(times_of(step, prices, &GroupPrice::time_s));
  StepRun run;
  run.messages_s.resize(step.calls.size());
  const auto senders = senders_of(step, prices);
  if (senders.empty())
    run.replicas.push_back(step.timeline.run());
  else
    run_replicas(step, senders, run);
  WEFT_ASSERT(!run.replicas.empty() && run.messages_s.size() == step.calls.size());
  for (const auto& ran : run.replicas) run.end_ps = std::max(run.end_ps, workload::end_of(ran));
  return run;
}

void StepRunner::run_replicas(const TrainingStep& step, std::span<const std::int32_t> senders,
                              StepRun& run) const {
  ReplicaTimeline all(step, parallel_.data);
  const auto messages = messages_of(step, senders, all);
  const auto ran = run_on(prices_.network(), all.timeline(), messages, prices_.simulation()).ran;
  WEFT_ASSERT(std::ssize(ran) == all.timeline().count());
  Means means(step);
  for (std::int32_t replica = 0; replica < all.replicas(); ++replica) {
    auto& of_replica = run.replicas.emplace_back();
    for (std::int32_t task = 0; task < step.timeline.count(); ++task)
      of_replica.push_back(ran[static_cast<std::size_t>(all.of(task, replica))]);
    for (const std::int32_t task : senders) {
      const workload::Ran& when = of_replica[static_cast<std::size_t>(task)];
      means.count(task, when.end_ps - when.start_ps);
    }
  }
  run.messages_s = means.take();
}

StepLeast StepRunner::least(TrainingStep step, const CallPrices& prices) const {
  step.set_times(times_of(step, prices, &GroupPrice::least_s));
  const auto senders = senders_of(step, prices);
  if (senders.empty())
    return {.messages_s = std::vector<std::optional<double>>(step.calls.size()),
            .least_ps = step.timeline.least_ps()};
  ReplicaTimeline all(step, parallel_.data);
  MessageBounds bounds(prices_.network(), prices_.simulation());
  std::map<std::int32_t, double> longest_s;  // by task of all
  for (const TimelineMessage& message : messages_of(step, senders, all)) {
    double& least_s = longest_s[message.send];
    least_s = std::max(least_s, bounds.of(message.sent));
  }
  Means means(step);
  for (const std::int32_t task : senders)
    for (std::int32_t replica = 0; replica < all.replicas(); ++replica) {
      const std::int32_t own = all.of(task, replica);
      const std::int64_t least_ps = picoseconds(longest_s.at(own), *call_of(step, task));
      all.timeline().set_duration(own, least_ps);
      means.count(task, least_ps);
    }
  return {.messages_s = means.take(), .least_ps = all.timeline().least_ps()};
}

}  // namespace weft::training
