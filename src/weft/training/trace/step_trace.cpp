#include "weft/training/trace/step_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/training/groups.hpp"

namespace weft::training {

namespace {

using format::RankTrace;
using format::TraceKind;
using format::TraceNode;
using workload::GroupCall;
using workload::GroupKind;
using workload::StepTask;
using workload::TrainingStep;

bool is_message(const GroupCall& call) {
  return schedule::traits_of(call.kind).between_two();
}

std::int32_t stage_after(const GroupCall& call, std::int32_t stage, std::int32_t stages) {
  return (stage + (call.groups == GroupKind::next ? 1 : stages - 1)) % stages;
}

// What a rank brings.
std::int64_t brought_B(const GroupCall& call, std::size_t ranks) {
  return schedule::traits_of(call.kind).by_pair() ? call.size_B * static_cast<std::int64_t>(ranks)
                                                  : call.size_B;
}

}  // namespace

void require_even_in_trace(bool is_even) {
  require(is_even,
          "a trace does not support all-to-alls with unequal parts, which --skew makes; remove "
          "one of them");
}

StepTrace::StepTrace(const TrainingStep& step, const workload::TrainingModel& model,
                     const workload::Parallelism& parallel, const RankOrder& order)
    : step_(step), model_(model), parallel_(parallel), order_(order) {
  WEFT_ASSERT(step.stages == parallel.pipeline);
  places_.resize(static_cast<std::size_t>(parallel.ranks()));
  for (std::int32_t stage = 0; stage < parallel.pipeline; ++stage)
    for (std::int32_t data = 0; data < parallel.data; ++data)
      for (std::int32_t tensor = 0; tensor < parallel.tensor; ++tensor)
        places_[static_cast<std::size_t>(order.rank(tensor, data, stage, parallel))] = {
            tensor, data, stage};
  for (std::int32_t task = 0; task < step.timeline.count(); ++task)
    last_priority_ = std::max(last_priority_, step.timeline.task(task).priority);
  find_groups();
}

// Their names are numbers, as PyTorch's are, which ASTRA-sim takes for such. Messages have groups
// of their own, without ranks: those of one name are sent at once.
void StepTrace::find_groups() {
  std::map<RankGroup, std::int32_t> known;
  std::map<std::pair<GroupKind, std::int32_t>, std::int32_t> of_messages;
  const auto add = [&](std::vector<std::int32_t> ranks) {
    groups_.push_back({std::to_string(groups_.size()), std::move(ranks)});
    return static_cast<std::int32_t>(groups_.size()) - 1;
  };
  for (const GroupCall& call : step_.calls) {
    require_even_in_trace(call.parts_B.empty());
    if (is_message(call)) {
      const auto [found, is_new] = of_messages.try_emplace({call.groups, call.stage}, 0);
      if (is_new) found->second = add({});
      group_of_.push_back({found->second});
      continue;
    }
    std::vector<std::int32_t>& of_rank = group_of_.emplace_back(places_.size(), -1);
    for (const RankGroup& group : groups_of(call, parallel_, order_)) {
      const auto [found, is_new] = known.try_emplace(group, 0);
      if (is_new) found->second = add(group);
      for (const std::int32_t rank : group) of_rank[static_cast<std::size_t>(rank)] = found->second;
    }
  }
}

std::int32_t StepTrace::other_end(const GroupCall& call, const Place& place, bool sends) const {
  const std::int32_t stage = sends ? stage_after(call, call.stage, parallel_.pipeline) : call.stage;
  return order_.rank(place.tensor, place.data, stage, parallel_);
}

bool StepTrace::arrives(const GroupCall& call, std::int32_t stage) const {
  return is_message(call) && stage_after(call, call.stage, parallel_.pipeline) == stage;
}

TraceNode StepTrace::node_of(std::int32_t task, std::int32_t rank, bool receives) const {
  const workload::TimedTask& timed = step_.timeline.task(task);
  const StepTask& what = step_.tasks[static_cast<std::size_t>(task)];
  if (what.call < 0) return {.duration_ps = timed.duration_ps};
  const auto number = static_cast<std::size_t>(what.call);
  const GroupCall& call = step_.calls[number];
  const auto at = static_cast<std::size_t>(rank);
  TraceNode node;
  node.priority = last_priority_ - timed.priority;
  if (is_message(call)) {
    node.kind = receives ? TraceKind::receive : TraceKind::send;
    node.priority = 0;
    node.group = group_of_[number].front();
    node.peer = other_end(call, places_[at], !receives);
    node.tag = task;
    node.bytes = call.size_B;
    return node;
  }
  node.kind = TraceKind::collective;
  node.collective = call.kind;
  node.group = group_of_[number][at];
  WEFT_ASSERT(*node.group >= 0);
  node.bytes = brought_B(call, groups_[static_cast<std::size_t>(*node.group)].ranks.size());
  return node;
}

std::string StepTrace::name_of(std::int32_t task, bool receives) const {
  const StepTask& what = step_.tasks[static_cast<std::size_t>(task)];
  std::string name = what.backward ? "backward" : "forward";
  if (what.layer >= 0) name += " " + model_.layers[static_cast<std::size_t>(what.layer)].name;
  if (what.micro_batch >= 0) name += fmt::format(" of micro-batch {}", what.micro_batch);
  if (what.call < 0) return name;
  const GroupCall& call = step_.calls[static_cast<std::size_t>(what.call)];
  if (is_message(call)) return (receives ? "receive " : "send ") + name;
  return fmt::format("{} {}", schedule::name_of(call.kind), name);
}

RankTrace StepTrace::of(std::int32_t rank) const {
  WEFT_ASSERT(rank >= 0 && rank < ranks());
  const std::int32_t stage = places_[static_cast<std::size_t>(rank)].stage;
  RankTrace trace;
  const auto add = [&](TraceNode node, const std::string& name,
                       std::span<const std::int32_t> after) {
    node.id = trace.nodes.size();
    return trace.add(node, name, after);
  };
  add({.kind = TraceKind::metadata}, std::string(format::kGroupsNode), {});
  std::vector<std::int32_t> node_of_task(static_cast<std::size_t>(step_.timeline.count()), -1);
  std::vector<std::int32_t> after;
  for (std::int32_t task = 0; task < step_.timeline.count(); ++task) {
    const StepTask& what = step_.tasks[static_cast<std::size_t>(task)];
    const bool is_own = step_.timeline.task(task).stream / TrainingStep::kStreams == stage;
    const bool receives = !is_own && what.call >= 0 &&
                          arrives(step_.calls[static_cast<std::size_t>(what.call)], stage);
    if (!is_own && !receives) continue;
    after.clear();
    if (is_own)
      for (const std::int32_t before : step_.timeline.after(task)) {
        // Of another stage that is no message to this one: what that stage's part of the same
        // collective waits for.
        const std::int32_t node = node_of_task[static_cast<std::size_t>(before)];
        if (node >= 0) after.push_back(node);
      }
    std::ranges::sort(after);
    after.erase(std::unique(after.begin(), after.end()), after.end());
    node_of_task[static_cast<std::size_t>(task)] =
        add(node_of(task, rank, receives), name_of(task, receives), after);
  }
  return trace;
}

}  // namespace weft::training
