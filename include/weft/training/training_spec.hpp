// What is asked of a step of training, as options of weft train and rows of kind train say it, and
// what follows from it once the model, the device and the ranks are known.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/fields/members.hpp"
#include "weft/training/training.hpp"
#include "weft/workload/device.hpp"
#include "weft/workload/layer_times.hpp"
#include "weft/workload/state_memory.hpp"
#include "weft/workload/training_model.hpp"

namespace weft::training {

/// What all-to-alls take: the time of the fastest schedule, or of the throughput.
enum class AlltoallPrice : std::uint8_t { schedules, flow };
/// "schedules", "flow".
std::string_view name_of(AlltoallPrice price);
/// Throws InvalidInput.
AlltoallPrice parse_alltoall_price(std::string_view name);

/// What is not there was not said.
struct TrainingSpec {
  std::string workload = {};       // a model's file, or the name of a shipped one
  std::string parallel = "data";   // see parse_parallelism()
  std::optional<RankOrder> order;  // tensor, data, pipeline
  /// Samples of a replica, 32; or of all; or tokens of all.
  std::optional<double> batch = {}, global_batch = {};
  std::optional<std::int64_t> tokens = {};
  std::optional<double> capacity = {};             // of experts, in even shares; the model's
  std::string device = "a100";                     // a file, or the name of a shipped one
  std::string precision = {};                      // empty: the device's first
  std::optional<double> efficiency = {};           // of the peak, in (0, 1]; the device's
  std::string layer_times = {};                    // a CSV file
  std::optional<double> samples_per_second = {};   // of a replica
  std::optional<std::int64_t> micro_batches = {};  // four a stage of a pipeline, else one
  std::optional<workload::PipelineOrder> pipeline_order = {};  // 1F1B
  std::optional<std::int64_t> virtual_stages = {};             // 1
  std::vector<std::int64_t> buckets_B = {};                    // 1 MB to 1 GB
  std::optional<std::int64_t> prefetch = {};                   // 1
  /// Bytes of a number; as the precision has.
  std::optional<std::int64_t> gradient_B = {}, activation_B = {}, parameter_B = {};
  bool first_come = false, scatter_gather = false;
  std::vector<std::string> algorithms = {};  // by name; none: the best of all
  AlltoallPrice alltoall = AlltoallPrice::schedules;
  std::optional<workload::Skew> skew = {};  // even
  bool isolated = false;
  bool no_memory_check = false;
};

std::span<const Member<TrainingSpec>> training_members();
/// The field of bucket sizes in canonical form. Throws InvalidInput.
Value canonical_buckets(std::string_view text);

/// Throws InvalidInput.
TrainingSpec training_in(const Values& said);

/// Where the times of computing are from.
struct ComputeSource {
  std::string from;  // "peak", "throughput", "layer-times"
  workload::Device device = {};
  std::string precision;
  /// Of the device's peak that computing reaches: operations over peak and time.
  std::optional<double> efficiency = {};
};

/// Throws InvalidInput.
ComputeSource compute_source(const TrainingSpec& spec);

/// What prices of collectives are asked by; algorithms' options and the simulation are the
/// caller's.
TrainingQuestion asked_prices(const TrainingSpec& spec);

/// A question of training with all that it takes from files.
struct TrainingPlan {
  workload::TrainingModel model;
  ComputeSource compute;
  workload::LayerTimes times;
  TrainingQuestion asked;  // options of algorithms and the simulation are the caller's

  double samples() const;  // of all replicas
  /// Floating-point operations that the model needs over what devices could do meanwhile.
  double utilisation(double time_s) const;
};

/// Reads the files that are named. Throws InvalidInput for what makes no sense together;
/// InvalidField where a field is to blame. O(layers), and the files.
TrainingPlan plan_training(const TrainingSpec& spec, std::int32_t ranks);

/// Returns what parameters, gradients and optimizer state take on the device that needs most
/// memory. Throws InvalidInput as workload::training_step() does. O(layers * micro-batches).
workload::StateMemory state_memory(const TrainingPlan& plan);
/// Throws InvalidInput if that exceeds the memory of the device, with a layout of as many devices
/// that fits, or with how many are needed. A device without a known memory passes.
void require_fits(const TrainingSpec& spec, const TrainingPlan& plan,
                  const workload::StateMemory& memory);

/// Throws InvalidInput for what was said and would change nothing, with its option.
void refuse_idle(const TrainingSpec& spec, const TrainingPlan& plan);
/// Takes it out of a row's parameters, and writes out what stands for what was not said.
void complete(Values& parameters, const TrainingPlan& plan);

}  // namespace weft::training
