// SimAI's workload file (read from aliyun/SimAI, astra-sim-alibabacloud/astra-sim/workload):
//
//   HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 vpp: 1 ga: 1
//       all_gpus: 64 checkpoints: 0 checkpoint_initiates: 0              (in one line)
//   LINES
//   NAME -1 TIME TYPE SIZE   TIME TYPE SIZE   TIME TYPE SIZE   UPDATE    (in one line)
//
// The three triples are the forward pass, gradients of inputs, and gradients of weights. The groups
// of the first two are the tensor groups, of the third the replicas; _EP names those of experts.
#include "weft/training/trace/simai_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "weft/base/error.hpp"

namespace weft::training {

namespace {

using workload::GroupCall;
using workload::GroupKind;
using workload::StepTask;

struct Comm {
  std::string type = "NONE";
  std::int64_t size_B = 0;
};

struct SimaiLayer {
  std::int64_t forward_ps = 0, backward_ps = 0;
  std::vector<Comm> forward = {}, inputs = {}, weights = {};
};

// Sizes of SimAI are of all that a rank has: weft's size of an allgather or all-to-all is a block.
Comm comm_of(const GroupCall& call, const workload::Parallelism& parallel) {
  const std::int64_t group = call.groups == GroupKind::tensor ? parallel.tensor : parallel.data;
  const std::int64_t size_B = call.kind == schedule::CollectiveKind::allgather ||
                                      call.kind == schedule::CollectiveKind::alltoall
                                  ? call.size_B * group
                                  : call.size_B;
  switch (call.kind) {
    case schedule::CollectiveKind::allreduce:
      return {"ALLREDUCE", size_B};
    case schedule::CollectiveKind::allgather:
      return {"ALLGATHER", size_B};
    case schedule::CollectiveKind::reduce_scatter:
      return {"REDUCESCATTER", size_B};
    case schedule::CollectiveKind::alltoall:
      return {call.groups == GroupKind::replicas ? "ALLTOALL_EP" : "ALLTOALL", size_B};
    default:
      reject("a workload of SimAI does not support {}; choose another --parallel",
             schedule::name_of(call.kind));
  }
}

class LayerLines {
 public:
  LayerLines(const workload::TrainingStep& step, const workload::TrainingModel& model,
             const workload::Parallelism& parallel)
      : step_(step), model_(model), parallel_(parallel), layers_(model.layers.size()) {
    WEFT_ASSERT(!layers_.empty());
    for (std::int32_t task = 0; task < step.timeline.count(); ++task) add(task);
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < layers_.size(); ++i) add_lines(i, lines);
    return lines;
  }

 private:
  // That of a task, else the first of those that it waits for: a bucket of gradients is sent once
  // the layers that are in it are done, the first one last.
  std::size_t layer_of(std::int32_t task) const {
    const StepTask& what = step_.tasks[static_cast<std::size_t>(task)];
    if (what.layer >= 0) return static_cast<std::size_t>(what.layer);
    std::size_t layer = layers_.size() - 1;
    for (const std::int32_t before : step_.timeline.after(task))
      if (const std::int32_t its = step_.tasks[static_cast<std::size_t>(before)].layer; its >= 0)
        layer = std::min(layer, static_cast<std::size_t>(its));
    return layer;
  }

  void add(std::int32_t task) {
    const StepTask& what = step_.tasks[static_cast<std::size_t>(task)];
    const workload::TimedTask& timed = step_.timeline.task(task);
    SimaiLayer& layer = layers_[layer_of(task)];
    if (what.call < 0) {
      (what.backward ? layer.backward_ps : layer.forward_ps) += timed.duration_ps;
      return;
    }
    const Comm comm = comm_of(step_.calls[static_cast<std::size_t>(what.call)], parallel_);
    if (timed.work == workload::Work::gradients)
      layer.weights.push_back(comm);
    else
      (what.backward ? layer.inputs : layer.forward).push_back(comm);
  }

  // SimAI takes at least 1 ns.
  static std::int64_t nanoseconds(std::int64_t ps) { return std::max<std::int64_t>(1, ps / 1000); }

  void add_lines(std::size_t number, std::vector<std::string>& lines) const {
    const SimaiLayer& layer = layers_[number];
    std::string name = model_.layers[number].name;
    std::ranges::replace(name, ' ', '_');
    const std::size_t count =
        std::max({std::size_t{1}, layer.forward.size(), layer.inputs.size(), layer.weights.size()});
    for (std::size_t i = 0; i < count; ++i) {
      const auto pass = [&](std::int64_t ps, const std::vector<Comm>& comms) {
        const Comm comm = i < comms.size() ? comms[i] : Comm{};
        return fmt::format("{}\t{}\t{}", i == 0 ? nanoseconds(ps) : 1, comm.type, comm.size_B);
      };
      const std::int64_t inputs_ps = layer.backward_ps / 2;
      lines.push_back(fmt::format(
          "{}\t-1\t{}\t{}\t{}\t1\n", name, pass(layer.forward_ps, layer.forward),
          pass(inputs_ps, layer.inputs), pass(layer.backward_ps - inputs_ps, layer.weights)));
    }
  }

  const workload::TrainingStep& step_;
  const workload::TrainingModel& model_;
  const workload::Parallelism& parallel_;
  std::vector<SimaiLayer> layers_;
};

}  // namespace

void require_simai(const workload::StepOptions& options) {
  require(options.parallel.pipeline == 1,
          "a workload of SimAI has one stage, but the step has {}; remove pipeline from "
          "--parallel",
          options.parallel.pipeline);
  require(options.micro_batches == 1,
          "a workload of SimAI has one micro-batch; remove --micro-batches");
  require(options.parallel.replicas != workload::DataParallel::sharded,
          "a workload of SimAI does not support gathered parameters; use data or expert in "
          "--parallel");
  require(!options.skew, "all-to-alls of SimAI are even; remove --skew");
}

std::string simai_workload(const workload::TrainingStep& step, const workload::TrainingModel& model,
                           const workload::Parallelism& parallel) {
  WEFT_ASSERT(parallel.pipeline == 1);
  const std::vector<std::string> lines = LayerLines(step, model, parallel).lines();
  WEFT_ASSERT(lines.size() >= model.layers.size());
  std::string text = fmt::format(
      "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: {} ep: {} pp: 1 vpp: 1 ga: 1 "
      "all_gpus: {} checkpoints: 0 checkpoint_initiates: 0\n{}\n",
      parallel.tensor, parallel.replicas == workload::DataParallel::experts ? parallel.data : 1,
      parallel.ranks(), lines.size());
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace weft::training
