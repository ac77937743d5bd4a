// The tasks of a step, stage by stage as far as what comes from neighbours is there.
#include "weft/workload/step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/workload/step/passes.hpp"

namespace weft::workload {

namespace {

using schedule::CollectiveKind;

enum Stream : std::int32_t { kComputing, kCollectives, kForward, kBackwardTo };

std::int64_t picoseconds(double seconds) {
  return std::llround(seconds / kSecondsPerPicosecond);
}

// Whole bytes of a share of some numbers; none of none.
std::int64_t bytes_of(double numbers, std::int32_t each_B) {
  return static_cast<std::int64_t>(std::ceil(numbers * each_B));
}

class StepBuilder {
 public:
  StepBuilder(const TrainingModel& model, const LayerTimes& times, const StepOptions& options)
      : model_(model),
        options_(options),
        parallel_(options.parallel),
        micro_samples_(options.samples / options.micro_batches),
        stages_(static_cast<std::size_t>(parallel_.pipeline)) {
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
      const Layer& layer = model.layers[i];
      // A device holds what it computes of each micro-batch.
      double part = 1.0 / options.micro_batches;
      if (times.whole_layers) part /= parallel_.sequence ? parallel_.tensor : split(layer);
      if (layer.experts) part *= layer.experts->capacity;
      forward_ps_.push_back(picoseconds(times.layers[i].forward_s * part));
      backward_ps_.push_back(picoseconds(times.layers[i].backward_s * part));
    }
    step_.stages = parallel_.pipeline;
    split_into_runs();
    const std::size_t runs = step_.runs.size() - 1;
    forward_arrived_.assign(runs, std::vector<std::vector<std::int32_t>>(micro_batches()));
    backward_arrived_ = forward_arrived_;
    came_forward_.assign(runs, std::vector<bool>(micro_batches(), false));
    came_backward_ = came_forward_;
    std::fill(came_forward_.front().begin(), came_forward_.front().end(), true);
    for (std::size_t stage = 0; stage < stages_.size(); ++stage)
      stages_[stage].passes = passes_of(static_cast<std::int32_t>(stage), options);
  }

  TrainingStep build() && {
    bool goes_on = true;
    while (goes_on) {
      goes_on = false;
      for (std::size_t stage = 0; stage < stages_.size(); ++stage)
        while (stages_[stage].next < stages_[stage].passes.size() && can_go(stage)) {
          pass(static_cast<std::int32_t>(stage), stages_[stage].passes[stages_[stage].next++]);
          goes_on = true;
        }
    }
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
      WEFT_ASSERT(stages_[stage].next == stages_[stage].passes.size());
      sum_bucket(static_cast<std::int32_t>(stage));
    }
    return std::move(step_);
  }

 private:
  struct Stage {
    std::vector<Pass> passes;
    std::size_t next = 0;
    std::vector<std::int32_t> after;     // what the next layer waits for
    std::vector<std::int32_t> computed;  // layers, in the order in which they are computed
    std::int32_t bucket_from = -1;       // the last task whose gradients are in the bucket
    std::int64_t bucket_B = 0;
  };

  std::size_t micro_batches() const { return static_cast<std::size_t>(options_.micro_batches); }
  std::int32_t split(const Layer& layer) const {
    return is_split(layer.kind) && !layer.experts ? parallel_.tensor : 1;
  }
  bool deals(const Layer& layer) const {
    return layer.experts && parallel_.replicas == DataParallel::experts;
  }

  // Numbers that a rank of a stage holds of a layer, where replicas hold all.
  double held(const Layer& layer) const {
    const double copies = layer.experts ? layer.experts->count : 1;
    return static_cast<double>(layer.parameters) * copies / split(layer);
  }

  void split_into_runs() {
    std::vector<double> costs;
    for (std::size_t i = 0; i < forward_ps_.size(); ++i)
      costs.push_back(static_cast<double>(forward_ps_[i] + backward_ps_[i]));
    step_.runs = even_runs(costs, parallel_.pipeline * options_.virtual_stages);
  }

  bool can_go(std::size_t stage) const {
    const Pass& pass = stages_[stage].passes[stages_[stage].next];
    const auto run = static_cast<std::size_t>(pass.run);
    const auto micro_batch = static_cast<std::size_t>(pass.micro_batch);
    return pass.backward ? came_backward_[run][micro_batch] : came_forward_[run][micro_batch];
  }

  std::int32_t add(std::int32_t stage, Stream stream, const TimedTask& timed, StepTask task,
                   std::span<const std::int32_t> after) {
    TimedTask placed = timed;
    placed.stream = stage * TrainingStep::kStreams + stream;
    step_.tasks.push_back(task);
    return step_.timeline.add(placed, after);
  }

  std::int32_t call_of(const GroupCall& call) {
    const auto [found, is_new] =
        numbers_.try_emplace(call, static_cast<std::int32_t>(step_.calls.size()));
    if (is_new) step_.calls.push_back(call);
    return found->second;
  }

  // A collective of the stage's ranks; -1 where there is nothing to do.
  std::int32_t collective(std::int32_t stage, const GroupCall& call, Work work, StepTask task,
                          std::span<const std::int32_t> after) {
    const std::int32_t ranks = call.groups == GroupKind::tensor ? parallel_.tensor : parallel_.data;
    if (ranks < 2 || call.size_B == 0) return -1;
    task.call = call_of(call);
    const bool goes_first = work == Work::alltoall && !options_.first_come;
    return add(stage, kCollectives, {.work = work, .priority = goes_first ? 0 : 1}, task, after);
  }

  // One that the stage's next layer waits for.
  void blocking(std::int32_t stage, const GroupCall& call, Work work, const StepTask& task) {
    const std::int32_t number = collective(stage, call, work, task, stages_[stage].after);
    if (number >= 0) stages_[stage].after = {number};
  }

  // What a tensor group does before and after a layer that it splits. Each of its ranks takes the
  // whole input and makes a summand of the whole output; backward the other way round. A
  // vocabulary's rows are split: words go in and logits come out in parts, on their own.
  void join_activations(std::int32_t stage, std::int32_t number, const StepTask& task,
                        bool before) {
    const Layer& layer = model_.layers[number];
    if (split(layer) < 2) return;
    const bool at_input = before != task.backward;
    if (layer.kind == (at_input ? LayerKind::embedding : LayerKind::head)) return;
    if (at_input && number == 0) return;  // data, which no one sums up the gradients of
    const double numbers =
        micro_samples_ * model_.layers[at_input ? number - 1 : number].activations;
    using enum CollectiveKind;
    GroupCall call{GroupKind::tensor, allreduce, bytes_of(numbers, options_.activation_B)};
    if (parallel_.sequence) {
      call.kind = before ? allgather : reduce_scatter;
      if (before) call.size_B = bytes_of(numbers / parallel_.tensor, options_.activation_B);
    } else if (before) {
      return;
    }
    blocking(stage, call, Work::other, task);
  }

  void all_to_all(std::int32_t stage, const Layer& layer, const StepTask& task) {
    if (!deals(layer)) return;
    const double numbers = layer.activations * micro_samples_ * layer.experts->capacity;
    blocking(stage,
             {GroupKind::replicas, CollectiveKind::alltoall,
              bytes_of(numbers / parallel_.data, options_.activation_B)},
             Work::alltoall, task);
  }

  // Parameters come as soon as the layer that is `prefetch` ahead of this one begins.
  void gather_parameters(std::int32_t stage, const Layer& layer, const StepTask& task) {
    if (parallel_.replicas != DataParallel::sharded) return;
    Stage& at = stages_[stage];
    const auto ahead = static_cast<std::size_t>(options_.prefetch) + 1;
    std::vector<std::int32_t> after;
    if (at.computed.size() >= ahead) after.push_back(at.computed[at.computed.size() - ahead]);
    const double numbers = held(layer) / parallel_.data;
    const std::int32_t gathered = collective(
        stage,
        {GroupKind::replicas, CollectiveKind::allgather, bytes_of(numbers, options_.parameter_B)},
        Work::other, task, after);
    if (gathered >= 0) at.after.push_back(gathered);
  }

  void give_gradients(std::int32_t stage, const Layer& layer, std::int32_t computed,
                      const StepTask& task) {
    const std::int64_t size_B = bytes_of(held(layer), options_.gradient_B);
    Stage& at = stages_[stage];
    if (size_B == 0 || deals(layer)) return;
    if (parallel_.replicas == DataParallel::sharded) {
      collective(stage, {GroupKind::replicas, CollectiveKind::reduce_scatter, size_B},
                 Work::gradients, task, std::array{computed});
      return;
    }
    if (task.micro_batch != last_backward(stage)) return;
    at.bucket_B += size_B;
    at.bucket_from = computed;
    if (at.bucket_B >= options_.bucket_B) sum_bucket(stage);
  }

  // Gradients are whole once the last micro-batch has been through.
  std::int32_t last_backward(std::int32_t stage) const {
    return stages_[stage].passes.back().micro_batch;
  }

  void sum_bucket(std::int32_t stage) {
    Stage& at = stages_[stage];
    if (at.bucket_B == 0) return;
    collective(stage, {GroupKind::replicas, CollectiveKind::allreduce, at.bucket_B},
               Work::gradients, {.backward = true}, std::array{at.bucket_from});
    at.bucket_B = 0;
  }

  void compute(std::int32_t stage, std::int32_t number, const Pass& pass) {
    const Layer& layer = model_.layers[number];
    const StepTask task{
        .layer = number, .micro_batch = pass.micro_batch, .backward = pass.backward};
    Stage& at = stages_[stage];
    join_activations(stage, number, task, true);
    all_to_all(stage, layer, task);
    gather_parameters(stage, layer, task);
    const std::int64_t time_ps = (pass.backward ? backward_ps_ : forward_ps_)[number];
    const std::int32_t computed = add(stage, kComputing, {.duration_ps = time_ps}, task, at.after);
    at.after = {computed};
    at.computed.push_back(computed);
    if (pass.backward) give_gradients(stage, layer, computed, task);
    all_to_all(stage, layer, task);
    join_activations(stage, number, task, false);
  }

  void pass(std::int32_t stage, const Pass& pass) {
    Stage& at = stages_[stage];
    auto& arrived = (pass.backward ? backward_arrived_ : forward_arrived_)[pass.run];
    for (const std::int32_t message : arrived[pass.micro_batch]) at.after.push_back(message);
    const std::int32_t first = step_.runs[pass.run], last = step_.runs[pass.run + 1];
    for (std::int32_t i = 0; i < last - first; ++i)
      compute(stage, pass.backward ? last - 1 - i : first + i, pass);
    hand_on(stage, pass);
  }

  // To the stage of the next run, or of the one before.
  void hand_on(std::int32_t stage, const Pass& pass) {
    const auto runs = static_cast<std::int32_t>(step_.runs.size()) - 1;
    const std::int32_t to = pass.run + (pass.backward ? -1 : 1);
    const auto micro_batch = static_cast<std::size_t>(pass.micro_batch);
    if (to == runs) {  // the loss
      came_backward_[pass.run][micro_batch] = true;
      return;
    }
    if (to < 0) return;
    (pass.backward ? came_backward_ : came_forward_)[to][micro_batch] = true;
    auto& arrived = (pass.backward ? backward_arrived_ : forward_arrived_)[to][micro_batch];
    if (parallel_.pipeline == 1) {  // both runs are the stage's own
      arrived = stages_[stage].after;
      return;
    }
    // What the last layer before the border hands on.
    const std::int32_t border = step_.runs[pass.backward ? pass.run : pass.run + 1];
    const double numbers = model_.layers[border - 1].activations * micro_samples_ /
                           (parallel_.sequence ? parallel_.tensor : 1);
    const GroupCall call{pass.backward ? GroupKind::previous : GroupKind::next,
                         CollectiveKind::point_to_point, bytes_of(numbers, options_.activation_B),
                         stage};
    if (call.size_B == 0) {
      arrived = stages_[stage].after;
      return;
    }
    arrived = {
        add(stage, pass.backward ? kBackwardTo : kForward, {.work = Work::other},
            {.micro_batch = pass.micro_batch, .backward = pass.backward, .call = call_of(call)},
            stages_[stage].after)};
  }

  const TrainingModel& model_;
  const StepOptions& options_;
  const Parallelism& parallel_;
  double micro_samples_;
  std::vector<std::int64_t> forward_ps_, backward_ps_;
  std::vector<Stage> stages_;
  // By run and micro-batch: the messages that bring it, and whether it was sent.
  std::vector<std::vector<std::vector<std::int32_t>>> forward_arrived_, backward_arrived_;
  std::vector<std::vector<bool>> came_forward_, came_backward_;
  std::map<GroupCall, std::int32_t> numbers_;
  TrainingStep step_;
};

void check_layers(const TrainingModel& model, const Parallelism& parallel) {
  for (const Layer& layer : model.layers) {
    if (parallel.tensor > 1 && layer.kind == LayerKind::convolution)
      reject("layer {} is a convolution, which tensor groups do not split; leave out tensor={}",
             layer.name, parallel.tensor);
    if (parallel.replicas != DataParallel::experts || !layer.experts) continue;
    const std::int32_t experts = layer.experts->count;
    require(experts >= parallel.data, "layer {} has {} experts for {} ranks; take {} ranks at most",
            layer.name, experts, parallel.data, experts);
    require(experts % parallel.data == 0,
            "{} experts of layer {} cannot be dealt out evenly to {} ranks; take a divisor of {}",
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
          "{} stages for {} layers of {}; take {} at most", runs, model.layers.size(), model.name,
          model.layers.size());
  require(options.micro_batches >= parallel.pipeline,
          "{} cannot fill a pipeline of {} stages; take {} or more",
          counted(options.micro_batches, "micro-batch", "micro-batches"), parallel.pipeline,
          parallel.pipeline);
  if (options.virtual_stages == 1) return;
  require(options.order == PipelineOrder::one_f_one_b,
          "gpipe takes its micro-batches through one run of layers a stage; leave out the virtual "
          "stages, or order them as 1f1b");
  require(options.micro_batches % parallel.pipeline == 0,
          "{} micro-batches are no multiple of the {} stages that take turns with them; take {}",
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
  require(text == "1f1b", "\"{}\" is no order of a pipeline; write 1f1b or gpipe", name);
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
  }
  return {};
}

bool is_split(LayerKind kind) {
  return kind != LayerKind::normalization && kind != LayerKind::convolution;
}

std::vector<std::int64_t> TrainingStep::uses() const {
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
  for (std::int32_t number = 0; number < timeline.count(); ++number)
    if (tasks[number].call >= 0)
      timeline.set_duration(number, of_calls_ps[static_cast<std::size_t>(tasks[number].call)]);
}

TrainingStep training_step(const TrainingModel& model, const LayerTimes& times,
                           const StepOptions& options) {
  check(model, options);
  return StepBuilder(model, times, options).build();
}

}  // namespace weft::workload
