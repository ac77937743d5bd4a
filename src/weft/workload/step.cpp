#include "weft/workload/step.hpp"

#include <algorithm>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/workload/step/step_builder.hpp"

namespace weft::workload {

namespace {

void check_layers(const TrainingModel& model, const Parallelism& parallel) {
  for (const Layer& layer : model.layers) {
    if (parallel.tensor > 1 && layer.kind == LayerKind::convolution)
      reject("layer {} is a convolution, which tensor groups cannot split; remove tensor={}",
             layer.name, parallel.tensor);
    if (parallel.replicas != DataParallel::experts || !layer.experts) continue;
    const std::int32_t experts = layer.experts->count;
    require(experts >= parallel.data, "layer {} has {} experts for {} ranks; use at most {} ranks",
            layer.name, experts, parallel.data, experts);
    require(experts % parallel.data == 0,
            "{} experts of layer {} cannot be divided evenly among {} ranks; use a divisor of {}",
            experts, layer.name, parallel.data, experts);
  }
  require(parallel.replicas != DataParallel::experts || model.sparse(),
          "{} has no layer with experts; write --parallel data", model.name);
}

void check(const TrainingModel& model, const StepOptions& options) {
  const Parallelism& parallel = options.parallel;
  check_layers(model, parallel);
  const std::int64_t runs = std::int64_t{parallel.pipeline} * options.virtual_stages;
  require(runs <= static_cast<std::int64_t>(model.layers.size()),
          "{} stages are more than the {} layers of {}; use at most {}", runs, model.layers.size(),
          model.name, model.layers.size());
  require(options.micro_batches >= parallel.pipeline,
          "{} cannot fill a pipeline of {} stages; use {} or more",
          counted(options.micro_batches, "micro-batch", "micro-batches"), parallel.pipeline,
          parallel.pipeline);
  if (options.virtual_stages == 1) return;
  require(options.order == PipelineOrder::one_f_one_b,
          "gpipe cannot use virtual stages; remove --virtual-stages, or use --pipeline-order "
          "1f1b");
  require(options.micro_batches % parallel.pipeline == 0,
          "{} micro-batches are not a multiple of the {} stages, which virtual stages need; "
          "use {}",
          options.micro_batches, parallel.pipeline,
          (options.micro_batches / parallel.pipeline + 1) * parallel.pipeline);
}

}  // namespace

std::string_view name_of(PipelineOrder order) {
  return order == PipelineOrder::gpipe ? "gpipe" : "1f1b";
}

PipelineOrder parse_pipeline_order(std::string_view name) {
  const std::string text = lower(name);
  if (text == "gpipe") return PipelineOrder::gpipe;
  if (text != "1f1b")
    reject_unknown({"pipeline order", name}, std::vector<std::string>{"1f1b", "gpipe"});
  return PipelineOrder::one_f_one_b;
}

std::string_view name_of(GroupKind kind) {
  switch (kind) {
    case GroupKind::tensor:
      return "tensor";
    case GroupKind::replicas:
      return "data";
    case GroupKind::next:
      return "next";
    case GroupKind::previous:
      return "previous";
    case GroupKind::tied:
      return "embedding";
  }
  return {};
}

bool is_split(LayerKind kind) {
  return kind != LayerKind::normalization && kind != LayerKind::convolution &&
         kind != LayerKind::router;
}

std::vector<std::int32_t> TrainingStep::streams_beside(std::int32_t stage) const {
  WEFT_ASSERT(stage >= 0 && stage < stages);
  std::vector<std::int32_t> beside;
  for (std::int32_t stream = StepStream::kCollectives; stream < kStreams; ++stream)
    beside.push_back(stage * kStreams + stream);
  if (stages == 1) return beside;
  beside.push_back((stage + stages - 1) % stages * kStreams + StepStream::kForward);
  beside.push_back((stage + 1) % stages * kStreams + StepStream::kBackwardTo);
  return beside;
}

std::vector<std::int64_t> TrainingStep::uses() const {
  WEFT_ASSERT(stages >= 1 && std::ssize(tasks) == timeline.count());
  // By stage: every rank of it makes each of its calls.
  std::vector<std::vector<std::int64_t>> by_stage(
      calls.size(), std::vector<std::int64_t>(static_cast<std::size_t>(stages), 0));
  for (std::int32_t number = 0; number < timeline.count(); ++number)
    if (tasks[number].call >= 0)
      ++by_stage[tasks[number].call][timeline.task(number).stream / kStreams];
  std::vector<std::int64_t> most;
  for (const auto& stage : by_stage) most.push_back(*std::ranges::max_element(stage));
  return most;
}

void TrainingStep::set_times(std::span<const std::int64_t> of_calls_ps) {
  WEFT_ASSERT(of_calls_ps.size() == calls.size());
  for (std::int32_t number = 0; number < timeline.count(); ++number)
    if (tasks[number].call >= 0)
      timeline.set_duration(number, of_calls_ps[static_cast<std::size_t>(tasks[number].call)]);
}

TrainingStep training_step(const TrainingModel& model, const LayerTimes& times,
                           const StepOptions& options) {
  check(model, options);
  WEFT_ASSERT(times.layers.size() == model.layers.size());
  return build_step(model, times, options);
}

}  // namespace weft::workload
