// The tasks of a step, stage by stage as far as what comes from neighbours is there.
#include "weft/workload/step/step_builder.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/workload/step/layer_shares.hpp"
#include "weft/workload/step/passes.hpp"

namespace weft::workload {

namespace {

using schedule::CollectiveKind;

// Of collectives that wait for their stream: those which the next layer waits for go first.
constexpr std::int32_t kFirst = 0, kInTurn = 1;

class StepBuilder {
 public:
  StepBuilder(const TrainingModel& model, const LayerTimes& times, const StepOptions& options)
      : model_(model),
        options_(options),
        parallel_(options.parallel),
        shares_(model, options),
        stages_(static_cast<std::size_t>(parallel_.pipeline)) {
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
      const Layer& layer = model.layers[i];
      const double part = shares_.busy(layer) *
                          (times.whole_layers ? shares_.part(layer) : 1.0 / options.micro_batches);
      const auto what = [&] { return "layer " + layer.name; };
      forward_ps_.push_back(picoseconds(times.layers[i].forward_s * part, what));
      backward_ps_.push_back(picoseconds(times.layers[i].backward_s * part, what));
    }
    step_.stages = parallel_.pipeline;
    step_.dropped = shares_.mean_dropped();
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
    sum_tied();
    tell_stages();
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
    std::vector<std::int32_t> gradients;  // after these its gradients are whole
  };

  std::size_t micro_batches() const { return static_cast<std::size_t>(options_.micro_batches); }
  std::int32_t stage_of(std::int32_t layer) const {
    const auto next = std::ranges::upper_bound(step_.runs, layer);
    return static_cast<std::int32_t>(next - step_.runs.begin() - 1) % parallel_.pipeline;
  }
  std::int64_t activation_bytes(double numbers) const {
    return whole_bytes(numbers, options_.activation_B);
  }

  // Parameters that come and whose gradients go with a layer, of a rank that holds all: those that
  // it shares with another are its stage's own where that one is elsewhere, and gathered for each
  // use where they are sharded.
  double moved(std::int32_t number) const {
    const Layer& layer = model_.layers[number];
    const bool again = layer.tied && (parallel_.replicas == DataParallel::sharded ||
                                      stage_of(*layer.tied) != stage_of(number));
    return shares_.held(layer) + (again ? shares_.held(model_.layers[*layer.tied]) : 0);
  }

  // Calls that not all stages make which have such calls are each stage's own, of its groups.
  void tell_stages() {
    if (step_.stages == 1) return;
    const auto is_of_stages = [&](const GroupCall& call) {
      return call.groups == GroupKind::tensor || call.groups == GroupKind::replicas;
    };
    using Kind = std::pair<GroupKind, CollectiveKind>;
    std::map<Kind, std::set<std::int32_t>> of_kind;
    std::vector<std::set<std::int32_t>> of_call(step_.calls.size());
    for (std::int32_t number = 0; number < step_.timeline.count(); ++number) {
      const std::int32_t call = step_.tasks[number].call;
      if (call < 0 || !is_of_stages(step_.calls[call])) continue;
      of_call[call].insert(stage_of_task(number));
      of_kind[{step_.calls[call].groups, step_.calls[call].kind}].insert(stage_of_task(number));
    }
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> own;  // by call and stage
    for (std::int32_t call = 0; call < std::ssize(of_call); ++call) {
      const GroupCall asked = step_.calls[call];
      const auto& stages = of_call[call];
      if (stages.empty() || (stages.size() > 1 && stages == of_kind.at({asked.groups, asked.kind})))
        continue;
      for (const std::int32_t stage : stages) {
        const bool is_first = stage == *stages.begin();
        own[{call, stage}] = is_first ? call : static_cast<std::int32_t>(step_.calls.size());
        if (!is_first) step_.calls.push_back(asked);
        step_.calls[own[{call, stage}]].stage = stage;
      }
    }
    for (std::int32_t number = 0; number < step_.timeline.count(); ++number)
      if (const auto found = own.find({step_.tasks[number].call, stage_of_task(number)});
          found != own.end())
        step_.tasks[number].call = found->second;
  }
  std::int32_t stage_of_task(std::int32_t number) const {
    return step_.timeline.task(number).stream / TrainingStep::kStreams;
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

  std::int32_t add(std::int32_t stage, std::int32_t stream, const TimedTask& timed, StepTask task,
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
                          std::span<const std::int32_t> after, std::int32_t priority = kInTurn) {
    const std::int32_t ranks = call.groups == GroupKind::tensor ? parallel_.tensor : parallel_.data;
    if (ranks < 2 || call.size_B == 0) return -1;
    task.call = call_of(call);
    return add(stage, StepStream::kCollectives, {.work = work, .priority = priority}, task, after);
  }

  // One that the stage's next layer waits for.
  void blocking(std::int32_t stage, const GroupCall& call, Work work, const StepTask& task) {
    const std::int32_t number = collective(stage, call, work, task, stages_[stage].after,
                                           options_.first_come ? kInTurn : kFirst);
    if (number >= 0) stages_[stage].after = {number};
  }

  // What a tensor group does before and after a layer that it splits. Each of its ranks takes the
  // whole input and makes a summand of the whole output; backward the other way round. A
  // vocabulary's rows are split: words go in and logits come out in parts, on their own.
  void join_activations(std::int32_t stage, std::int32_t number, const StepTask& task,
                        bool before) {
    const Layer& layer = model_.layers[number];
    if (shares_.split(layer) < 2) return;
    const bool at_input = before != task.backward;
    if (layer.kind == (at_input ? LayerKind::embedding : LayerKind::head)) return;
    if (at_input && number == 0) return;  // data, which no one sums up the gradients of
    const double numbers = at_input ? shares_.taken(number) : shares_.made(number);
    using enum CollectiveKind;
    GroupCall call{GroupKind::tensor, allreduce, activation_bytes(numbers)};
    if (parallel_.sequence) {
      call.kind = before ? allgather : reduce_scatter;
      if (before) call.size_B = activation_bytes(numbers / parallel_.tensor);
    } else if (before) {
      return;
    }
    blocking(stage, call, Work::other, task);
  }

  // Ranks of a tensor group have a part of each expert: each sends the tokens that it has.
  void all_to_all(std::int32_t stage, std::int32_t number, const StepTask& task, bool back) {
    if (!shares_.deals(model_.layers[number])) return;
    GroupCall call{GroupKind::replicas, CollectiveKind::alltoall,
                   activation_bytes(shares_.sent_to_experts(number) / parallel_.data)};
    if (shares_.is_skewed()) {
      std::vector<std::int64_t> parts_B = shares_.sent_to_each(number);
      const auto [least, most] = std::ranges::minmax(parts_B);
      call.size_B = most;
      if (least < most) {
        call.parts_B = std::move(parts_B);
        call.back = back;
      }
    }
    blocking(stage, call, Work::alltoall, task);
  }

  // Parameters come as soon as the layer `prefetch` + 1 before this one has ended.
  void gather_parameters(std::int32_t stage, std::int32_t layer, const StepTask& task) {
    if (parallel_.replicas != DataParallel::sharded) return;
    Stage& at = stages_[stage];
    const auto ahead = static_cast<std::size_t>(options_.prefetch) + 1;
    std::vector<std::int32_t> after;
    if (at.computed.size() >= ahead) after.push_back(at.computed[at.computed.size() - ahead]);
    const double numbers = moved(layer) / parallel_.data;
    const std::int32_t gathered = collective(stage,
                                             {GroupKind::replicas, CollectiveKind::allgather,
                                              whole_bytes(numbers, options_.parameter_B)},
                                             Work::other, task, after);
    if (gathered >= 0) at.after.push_back(gathered);
  }

  void give_gradients(std::int32_t stage, std::int32_t layer, std::int32_t computed,
                      const StepTask& task) {
    const std::int64_t size_B = whole_bytes(moved(layer), options_.gradient_B);
    Stage& at = stages_[stage];
    if (size_B == 0 || shares_.deals(model_.layers[layer])) return;
    const bool is_last = task.micro_batch == last_backward(stage);
    if (parallel_.replicas == DataParallel::sharded) {
      const std::int32_t scattered =
          collective(stage, {GroupKind::replicas, CollectiveKind::reduce_scatter, size_B},
                     Work::gradients, task, std::array{computed});
      if (is_last) at.gradients.push_back(scattered >= 0 ? scattered : computed);
      return;
    }
    if (!is_last) return;
    whole_bytes(static_cast<double>(at.bucket_B) + static_cast<double>(size_B), 1);  // or refuses
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
    const std::int32_t summed =
        collective(stage, {GroupKind::replicas, CollectiveKind::allreduce, at.bucket_B},
                   Work::gradients, {.backward = true}, std::array{at.bucket_from});
    at.gradients.push_back(summed >= 0 ? summed : at.bucket_from);
    at.bucket_B = 0;
  }

  // Stages that have the same parameters sum up their gradients once both have theirs, as Megatron
  // does with an embedding that the head uses, too.
  void sum_tied() {
    for (std::size_t i = 0; i < model_.layers.size(); ++i) {
      const auto& tied = model_.layers[i].tied;
      if (!tied) continue;
      const std::int32_t owner = stage_of(*tied), user = stage_of(static_cast<std::int32_t>(i));
      if (owner == user) continue;
      std::vector<std::int32_t> after = stages_[owner].gradients;
      after.insert(after.end(), stages_[user].gradients.begin(), stages_[user].gradients.end());
      double numbers = shares_.held(model_.layers[*tied]);
      if (parallel_.replicas == DataParallel::sharded) numbers /= parallel_.data;
      const GroupCall call{GroupKind::tied, CollectiveKind::allreduce,
                           whole_bytes(numbers, options_.gradient_B), owner, user};
      if (call.size_B == 0) continue;
      const StepTask task{.layer = *tied, .backward = true, .call = call_of(call)};
      for (const std::int32_t stage : {owner, user})
        add(stage, StepStream::kCollectives, {.work = Work::gradients, .priority = kInTurn}, task,
            after);
    }
  }

  void compute(std::int32_t stage, std::int32_t number, const Pass& pass) {
    const StepTask task{
        .layer = number, .micro_batch = pass.micro_batch, .backward = pass.backward};
    Stage& at = stages_[stage];
    all_to_all(stage, number, task, false);
    join_activations(stage, number, task, true);
    gather_parameters(stage, number, task);
    const std::int64_t time_ps = (pass.backward ? backward_ps_ : forward_ps_)[number];
    const std::int32_t computed =
        add(stage, StepStream::kComputing, {.duration_ps = time_ps}, task, at.after);
    at.after = {computed};
    at.computed.push_back(computed);
    if (pass.backward) give_gradients(stage, number, computed, task);
    join_activations(stage, number, task, false);
    all_to_all(stage, number, task, true);
  }

  void pass(std::int32_t stage, const Pass& pass) {
    Stage& at = stages_[stage];
    auto& arrived = (pass.backward ? backward_arrived_ : forward_arrived_)[pass.run];
    for (const std::int32_t message : arrived[pass.micro_batch]) at.after.push_back(message);
    const std::int32_t first = step_.runs[pass.run], last = step_.runs[pass.run + 1];
    gather_parts(stage, pass);
    for (std::int32_t i = 0; i < last - first; ++i)
      compute(stage, pass.backward ? last - 1 - i : first + i, pass);
    hand_on(stage, pass);
  }

  bool sends_parts() const {
    return options_.scatter_gather && parallel_.tensor > 1 && parallel_.pipeline > 1 &&
           !parallel_.sequence;
  }

  // Of activations that came from another stage, of a tensor group that had them sent in parts.
  void gather_parts(std::int32_t stage, const Pass& pass) {
    const auto runs = static_cast<std::int32_t>(step_.runs.size()) - 1;
    if (!sends_parts() || (pass.backward ? pass.run + 1 == runs : pass.run == 0)) return;
    const std::int32_t border = step_.runs[pass.backward ? pass.run + 1 : pass.run];
    blocking(stage,
             {GroupKind::tensor, CollectiveKind::allgather,
              activation_bytes(shares_.handed_on(border - 1) / parallel_.tensor)},
             Work::other, {.micro_batch = pass.micro_batch, .backward = pass.backward});
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
    const double numbers = shares_.handed_on(border - 1) /
                           (parallel_.sequence || sends_parts() ? parallel_.tensor : 1);
    const GroupCall call{pass.backward ? GroupKind::previous : GroupKind::next,
                         CollectiveKind::point_to_point, activation_bytes(numbers), stage};
    if (call.size_B == 0) {
      arrived = stages_[stage].after;
      return;
    }
    arrived = {
        add(stage, pass.backward ? StepStream::kBackwardTo : StepStream::kForward,
            {.work = Work::other},
            {.micro_batch = pass.micro_batch, .backward = pass.backward, .call = call_of(call)},
            stages_[stage].after)};
  }

  const TrainingModel& model_;
  const StepOptions& options_;
  const Parallelism& parallel_;
  LayerShares shares_;
  std::vector<std::int64_t> forward_ps_, backward_ps_;
  std::vector<Stage> stages_;
  // By run and micro-batch: the messages that bring it, and whether it was sent.
  std::vector<std::vector<std::vector<std::int32_t>>> forward_arrived_, backward_arrived_;
  std::vector<std::vector<bool>> came_forward_, came_backward_;
  std::map<GroupCall, std::int32_t> numbers_;
  TrainingStep step_;
};

}  // namespace

TrainingStep build_step(const TrainingModel& model, const LayerTimes& times,
                        const StepOptions& options) {
  return StepBuilder(model, times, options).build();
}

}  // namespace weft::workload
