#include "weft/training/callers.hpp"

#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::training {

using workload::GroupCall;
using workload::GroupKind;
using workload::TrainingStep;

CallersOf::CallersOf(std::span<const TrainingStep> steps, const workload::StepOptions& options,
                     const RankOrder& order)
    : parallel_(options.parallel),
      two_ways_(options.order != workload::PipelineOrder::gpipe),
      order_(order) {
  for (const TrainingStep& step : steps)
    for (std::int32_t number = 0; number < step.timeline.count(); ++number) {
      const std::int32_t made = step.tasks[static_cast<std::size_t>(number)].call;
      if (made < 0) continue;
      const GroupCall& call = step.calls[static_cast<std::size_t>(made)];
      stages_[{call.groups, call.kind}].insert(step.timeline.task(number).stream /
                                               TrainingStep::kStreams);
    }
}

void CallersOf::add_stage(GroupCall call, std::int32_t stage, std::vector<RankGroup>& to) const {
  call.stage = stage;
  const auto groups = groups_of(call, parallel_, order_);
  to.insert(to.end(), groups.begin(), groups.end());
}

Callers CallersOf::of(const GroupCall& call) const {
  WEFT_ASSERT(call.stage == GroupCall::kAllStages ||
              (call.stage >= 0 && call.stage < parallel_.pipeline));
  Callers callers;
  if (call.groups == GroupKind::tied) return {groups_of(call, parallel_, order_), {}};
  const std::int32_t first = call.stage == GroupCall::kAllStages ? 0 : call.stage;
  for (const auto& [kind, stages] : stages_) {
    if (kind.second != call.kind) continue;
    const bool is_same = kind.first == call.groups;
    if (!is_same && (!schedule::traits_of(call.kind).between_two() || !two_ways_)) continue;
    for (std::int32_t i = 0; i < parallel_.pipeline; ++i) {
      const std::int32_t stage = (first + i) % parallel_.pipeline;
      if (!stages.contains(stage)) continue;
      const bool calls = is_same && (call.stage == GroupCall::kAllStages || stage == call.stage);
      GroupCall of_stage = call;
      of_stage.groups = kind.first;
      add_stage(of_stage, stage, calls ? callers.groups : callers.beside);
    }
  }
  return callers;
}

std::int32_t CallersOf::stages(const GroupCall& call) const {
  return static_cast<std::int32_t>(stages_.at({call.groups, call.kind}).size());
}

}  // namespace weft::training
