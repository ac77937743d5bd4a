// A step of training as tasks: what each stage of a pipeline computes, which collectives it waits
// for, and in which order.
//
// All ranks of a stage do the same at the same time, so that one of them stands for all. A stage
// has four streams: computing, collectives (one at a time), and messages to the next and to the
// stage before.
//
// Sources: Li et al., "PyTorch Distributed", VLDB 2020 (buckets); Rajbhandari et al., "ZeRO", SC
// 2020; Shoeybi et al., "Megatron-LM", 2019; Narayanan et al., "Efficient Large-Scale Language
// Model Training on GPU Clusters Using Megatron-LM", SC 2021 (orders of pipelines); Korthikanti et
// al., "Reducing Activation Recomputation in Large Transformer Models", MLSys 2023 (sequence
// parallelism); Huang et al., "GPipe", NeurIPS 2019; Fedus, Zoph, Shazeer, "Switch Transformers",
// JMLR 2022.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/schedule/collective.hpp"
#include "weft/workload/layer_times.hpp"
#include "weft/workload/skew.hpp"
#include "weft/workload/timeline.hpp"
#include "weft/workload/training_model.hpp"

namespace weft::workload {

/// What replicas do with what they share.
enum class DataParallel : std::uint8_t {
  replicated,  // each has all parameters; buckets of gradients are summed
  sharded,     // each has a part: parameters are gathered, gradients scattered (ZeRO-3, FSDP)
  experts,     // experts are dealt out, all else is replicated
};

enum class PipelineOrder : std::uint8_t { one_f_one_b, gpipe };
/// "1f1b", "gpipe".
std::string_view name_of(PipelineOrder order);
/// Throws InvalidInput.
PipelineOrder parse_pipeline_order(std::string_view name);

struct Parallelism {
  DataParallel replicas = DataParallel::replicated;
  std::int32_t tensor = 1, pipeline = 1, data = 1;  // ranks of a group of each kind
  bool sequence = false;  // what tensor groups do not split is split by tokens

  std::int64_t ranks() const { return std::int64_t{tensor} * pipeline * data; }
};

struct StepOptions {
  Parallelism parallel = {};
  double samples = 1;  // of a replica, all micro-batches
  std::int32_t micro_batches = 1;
  PipelineOrder order = PipelineOrder::one_f_one_b;
  std::int32_t virtual_stages = 1;  // of a rank, each a run of layers; interleaved 1F1B
  std::int64_t bucket_B = std::int64_t{1} << 40;  // of gradients, replicated
  std::int32_t prefetch = 1;  // layers whose parameters are gathered ahead; sharded
  std::int32_t gradient_B = 4, parameter_B = 4, activation_B = 4;  // bytes of a number
  /// What the next layer waits for takes its turn behind sums of gradients that were ready before.
  bool first_come = false;
  /// Each rank of a tensor group sends its part of the activations to the next stage, where they
  /// are gathered (Narayanan et al., section 4.1); with `sequence` each has its part alone anyway.
  bool scatter_gather = false;
  /// Of tokens over experts that are dealt out. Unless it is even, experts send and compute what
  /// they take, without padding to their capacity, and the slowest rank counts.
  std::optional<Skew> skew = {};  // nothing: tokens are spread evenly, buffers padded to capacity
};

/// Which ranks talk to each other.
enum class GroupKind : std::uint8_t {
  tensor,    // those that split layers
  replicas,  // those that have the same part of the model
  next,      // each rank and that of the next stage, by the first of both
  previous,  // each rank and that of the stage before, by the first of both
  tied,      // each rank of a stage and that of another that shares parameters with it
};
std::string_view name_of(GroupKind kind);

/// A collective that all groups of a kind run.
struct GroupCall {
  static constexpr std::int32_t kAllStages = -1;

  GroupKind groups = GroupKind::replicas;
  schedule::CollectiveKind kind = schedule::CollectiveKind::allreduce;
  std::int64_t size_B = 0;  // --size of the collective
  /// Of next and previous that which sends; of tensor and replicas that whose groups run it, or all
  /// where several stages do.
  std::int32_t stage = kAllStages;
  std::int32_t partner = kAllStages;  // of tied: the other stage
  /// Of unequal all-to-alls: what each rank sends to each of a group, by receiver, the most of
  /// which is the size; on the way back what each of the group sends to each rank, by sender.
  std::vector<std::int64_t> parts_B = {};
  bool back = false;

  friend auto operator<=>(const GroupCall&, const GroupCall&) = default;
};

/// What a task of the timeline is.
struct StepTask {
  std::int32_t layer = -1;  // -1: messages, and buckets of several
  std::int32_t micro_batch = -1;
  bool backward = false;
  std::int32_t call = -1;  // index into TrainingStep::calls; -1: computes
};

/// The streams of a stage.
struct StepStream {
  enum : std::int32_t { kComputing, kCollectives, kForward, kBackwardTo };
};

struct TrainingStep {
  static constexpr std::int32_t kStreams = 4;  // of a stage

  Timeline timeline;            // with the times of computing; those of calls are 0
  std::vector<StepTask> tasks;  // by number
  std::vector<GroupCall> calls;
  std::int32_t stages = 1;
  /// First layers of the runs that stages have, in forward order, and the number of layers last:
  /// run r is of stage r % stages.
  std::vector<std::int32_t> runs;
  double dropped = 0;  // share of tokens that experts are full for, a mean of layers

  /// Those that a stage sends on, and those of its neighbours that bring it messages.
  std::vector<std::int32_t> streams_beside(std::int32_t stage) const;
  /// How often each call is made, by a rank that makes it.
  std::vector<std::int64_t> uses() const;
  /// Gives each call its time.
  void set_times(std::span<const std::int64_t> of_calls_ps);
};

/// Throws InvalidInput where layers cannot be split so, there are more runs than layers, experts
/// cannot be dealt out evenly, or micro-batches do not fit the order. Runs are split such that the
/// longest takes the least time. O(layers * micro-batches).
TrainingStep training_step(const TrainingModel& model, const LayerTimes& times,
                           const StepOptions& options);

/// Whether tensor groups split layers of this kind.
bool is_split(LayerKind kind);

}  // namespace weft::workload
