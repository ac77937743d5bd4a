// What weft train is asked, and what it answers.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "cli/options/options.hpp"
#include "weft/question/training.hpp"
#include "weft/report/timeline_chart.hpp"
#include "weft/workload/device.hpp"

namespace weft::cli {

struct TrainAsked {
  Said said;
  std::string model;
  std::string parallel = "data", order;  // empty: tensor, data, pipeline
  double batch = 32, all = 0;            // samples of a replica; of all, in place of it
  std::int64_t tokens = 0;               // of all, in place of both
  std::string device = "a100", precision;
  double efficiency = 0, samples_per_second = 0;  // 0: not said
  std::string layer_times;
  std::int32_t micro_batches = 0;  // 0: four a stage, one without a pipeline
  std::string pipeline_order = "1f1b";
  std::int32_t virtual_stages = 1;
  std::int32_t prefetch = -1;  // below 0: not said
  std::string buckets;         // empty: from 1 MB to 1 GB
  std::int32_t gradient_bytes = 0, activation_bytes = 0, parameter_bytes = 0;  // 0: by precision
  std::string algorithms, alltoall = "schedules";
  std::string skew;  // empty: even
  bool first_come = false, scatter_gather = false, isolated = false;
  std::string chrome_trace, timeline;
  std::string trace, write_trace;  // what their files' names begin with
  OutputOptions common;
};

/// Where the times of computing are from.
struct ComputeSource {
  std::string from;  // "peak", "throughput", "layer-times"
  std::optional<workload::Device> device = {};
  std::string precision;
  /// Of the device's peak that computing reaches: operations over peak and time.
  std::optional<double> efficiency = {};
};

struct TrainAnswer {
  const TrainAsked& options;
  const workload::TrainingModel& model;
  const Network& network;
  const question::TrainingAsked& asked;
  const ComputeSource& compute;
  const question::Training& found;

  double samples() const;  // of all replicas
  /// Floating-point operations that the model needs over what devices could do; nothing without
  /// a device.
  std::optional<double> utilisation() const;
};

/// Bytes by class of link; null where they are not known.
Json json_of_classes(const std::optional<std::map<std::string, double>>& bytes);
Json json_of(const question::TrainingCall& call);
/// "1.2 ms (34.0 %)".
std::string share_text(double part_s, double whole_s);

Json json_of(const TrainAnswer& answer);
void print_tables(const TrainAnswer& answer, Streams& streams);
/// In the trace event format, which Perfetto and chrome://tracing show: a process for each stage of
/// the pipeline, a thread for each stream.
Json chrome_trace(const TrainAnswer& answer);
/// What each stream of each stage does when.
report::TimelineChart timeline_chart(const TrainAnswer& answer);

}  // namespace weft::cli
