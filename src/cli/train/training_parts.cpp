// The table of parts of what weft train answers on a step.
#include <fmt/format.h>

#include <array>
#include <functional>
#include <optional>

#include "cli/answers/network_parts.hpp"
#include "cli/train/training_answer.hpp"
#include "weft/answer/columns.hpp"
#include "weft/answer/keys.hpp"
#include "weft/study/results.hpp"

namespace weft::cli {

using answer::Part;
using answer::PartOf;
using answer::Parts;
using answer::Unit;
using training::BucketTrial;
using training::ComputeSource;
using training::StepShares;
using training::TrainingCall;
using training::TrainingPlan;
using workload::DataParallel;
using workload::StepOptions;

namespace {

// A value of the question, of its step, or of the answer.
template <class Get>
auto of_plan(Get get) {
  return [get](const TrainAnswer& a) { return std::invoke(get, a.plan); };
}
template <class Get>
auto of_step(Get get) {
  return [get](const TrainAnswer& a) { return std::invoke(get, a.plan.asked.step); };
}
template <class Get>
auto of_found(Get get) {
  return [get](const TrainAnswer& a) { return std::invoke(get, a.found); };
}

Part<TrainingCall> collective_part() {
  constexpr PartOf<TrainingCall> part;
  return part(keys::kCollective, "collective",
              [](const TrainingCall& call) { return name_of(call.call.kind); });
}

Parts<TrainingCall> price_parts() {
  constexpr PartOf<TrainingCall> part;
  return {part(keys::kSize, "size", [](const TrainingCall& call) { return call.call.size_B; })
              .shown_as([](const TrainingCall& call) { return short_size(call.call.size_B); }),
          part("ranks", "", Unit::none, "ranks of a group", &TrainingCall::ranks),
          part("groups", "groups", Unit::none, "groups that call at once", &TrainingCall::groups)
              .shown_as([](const TrainingCall& call) {
                return call.together > 1
                           ? fmt::format("{}, {} share links", call.groups, call.together)
                           : fmt::format("{}", call.groups);
              }),
          part("together", "", Unit::none, "most groups that share links", &TrainingCall::together),
          part("uses", "calls", Unit::none, "calls of the busiest rank", &TrainingCall::uses),
          part("schedule", "schedule", Unit::none,
               "algorithm with the options that it chose, or flow", &TrainingCall::schedule),
          part("time", "time", Unit::seconds, "time of a call", &TrainingCall::time_s),
          part("bound", "lower bound", Unit::seconds, "lower bound on the time of one group alone",
               &TrainingCall::least_s),
          part(keys::kClassBytes,
               [](const TrainingCall& call) { return named_bytes(call.class_bytes); }),
          part("not_tried", "", Unit::none, "algorithms that were not simulated",
               &TrainingCall::not_tried)};
}

std::string_view replicas_of(const StepOptions& step) {
  return step.parallel.replicas == DataParallel::sharded   ? "sharded"
         : step.parallel.replicas == DataParallel::experts ? "expert"
                                                           : "replicated";
}

Parts<TrainAnswer> parallel_parts() {
  constexpr PartOf<TrainAnswer> part;
  const auto of_parallel = [](auto member) {
    return of_step([member](const StepOptions& step) { return step.parallel.*member; });
  };
  using workload::Parallelism;
  return {
      part("data", "", Unit::none, "ranks of a data group", of_parallel(&Parallelism::data)),
      part("tensor", "", Unit::none, "ranks of a tensor group", of_parallel(&Parallelism::tensor)),
      part("pipeline", "", Unit::none, "stages of a pipeline", of_parallel(&Parallelism::pipeline)),
      part("replicas", "", Unit::none, "replicated, sharded or expert", of_step(replicas_of)),
      part("sequence", "", Unit::none, "whether tensor groups split all layers by tokens",
           of_parallel(&Parallelism::sequence)),
      part("order", "", Unit::none, "order in which ranks are numbered, the fastest first",
           [](const TrainAnswer& a) { return a.plan.asked.order.text(); })};
}

Parts<StepOptions> number_parts() {
  constexpr PartOf<StepOptions> part;
  return {part("gradient", "", Unit::bytes, "bytes of a gradient", &StepOptions::gradient_B),
          part("parameter", "", Unit::bytes, "a parameter", &StepOptions::parameter_B),
          part("activation", "", Unit::bytes, "an activation", &StepOptions::activation_B)};
}

Parts<ComputeSource> compute_parts() {
  constexpr PartOf<ComputeSource> part;
  return {part("from", "", Unit::none, "peak, throughput or layer-times", &ComputeSource::from),
          part("device", "", Unit::none, "name of the device",
               [](const ComputeSource& compute) { return compute.device.name; }),
          part("precision", "", Unit::none, "precision of the numbers", &ComputeSource::precision),
          part("efficiency", "", Unit::none, "mean share of the peak of the device, or null",
               &ComputeSource::efficiency)};
}

Parts<TrainAnswer> memory_parts() {
  constexpr PartOf<TrainAnswer> part;
  const auto of_memory = [](auto get) {
    return [get](const TrainAnswer& a) { return std::invoke(get, a.memory); };
  };
  using workload::StateMemory;
  return {part("parameters", "", Unit::bytes, "memory of the parameters",
               of_memory(&StateMemory::parameters_B)),
          part("gradients", "", Unit::bytes, "gradients", of_memory(&StateMemory::gradients_B)),
          part("optimizer", "", Unit::bytes, "state of the optimizer",
               of_memory(&StateMemory::optimizer_B)),
          part("total", "", Unit::bytes, "memory in total", of_memory(&StateMemory::total_B)),
          part("stage", "", Unit::none, "stage of the device", of_memory(&StateMemory::stage)),
          part("device", "", Unit::bytes, "memory of a device, or null if it is not known",
               [](const TrainAnswer& a) { return a.plan.compute.device.memory_B; })};
}

Parts<StepShares> share_parts() {
  constexpr PartOf<StepShares> part;
  return {part(keys::kCompute, &StepShares::compute_s),
          part("gradients", "", Unit::seconds, "waiting for gradients", &StepShares::gradients_s),
          part("alltoall", "", Unit::seconds, "waiting for all-to-alls", &StepShares::alltoall_s),
          part("other", "", Unit::seconds, "waiting for other communication", &StepShares::other_s),
          part(keys::kIdle, &StepShares::idle_s)};
}

Parts<BucketTrial> bucket_parts() {
  constexpr PartOf<BucketTrial> part;
  return {part("bucket", "bucket", Unit::bytes, "size of a bucket", &BucketTrial::bucket_B)
              .shown_as([](const BucketTrial& trial) {
                return study::show_value("bucket", trial.bucket_B);
              }),
          part("time", "step", Unit::seconds, "time of the step", &BucketTrial::time_s)};
}

// The trials of gradient buckets, if the step has a choice.
std::vector<BucketTrial> buckets_of(const TrainAnswer& a) {
  return a.found.buckets.size() > 1 || !a.plan.asked.buckets_B.empty() ? a.found.buckets
                                                                       : std::vector<BucketTrial>();
}

Parts<TrainAnswer> asked_parts() {
  constexpr PartOf<TrainAnswer> part;
  const auto itself = [](const TrainAnswer& a) -> const auto& {
    return a;
  };
  return join(
      join({part("workload", "", Unit::none, "name of the model",
                 of_plan([](const TrainingPlan& plan) { return plan.model.name; })),
            part("parameters", "", Unit::none, "parameters of the model",
                 of_plan([](const TrainingPlan& plan) { return plan.model.parameters(); }))},
           part.within(
               [](const TrainAnswer& a) {
                 return UsedNetwork{a.network, a.options.said};
               },
               network_parts())),
      {part(keys::kModel, [](const TrainAnswer& a) { return a.options.said.text("model"); }),
       part.object("parallel", "groups of ranks", itself, parallel_parts()),
       part("replica_samples", "", Unit::none, "samples of a replica",
            of_step(&StepOptions::samples)),
       part("samples", "", Unit::none, "samples of all replicas", of_plan(&TrainingPlan::samples)),
       part("tokens", "", Unit::none, "tokens of all replicas",
            of_plan([](const TrainingPlan& plan) {
              return plan.samples() * static_cast<double>(plan.model.sample_tokens);
            })),
       part("micro_batches", "", Unit::none, "micro-batches of a replica",
            of_step(&StepOptions::micro_batches)),
       part("pipeline_order", "", Unit::none, "1f1b or gpipe",
            of_step([](const StepOptions& step) { return name_of(step.order); })),
       part("virtual_stages", "", Unit::none, "virtual stages of a stage",
            of_step(&StepOptions::virtual_stages)),
       part.object("number_bytes", "bytes of a number", of_step(std::identity()), number_parts()),
       part.object("compute", "where the times of computing are from",
                   of_plan(&TrainingPlan::compute), compute_parts()),
       part.object("memory", "state on the fullest device, without activations", itself,
                   memory_parts()),
       part("isolated", "", Unit::none, "whether groups share no links",
            of_plan([](const TrainingPlan& plan) { return plan.asked.isolated; })),
       part("skew", "", Unit::none, "distribution of tokens over experts, or null if it is even",
            of_step([](const StepOptions& step) {
              return step.skew ? std::optional(text_of(*step.skew)) : std::nullopt;
            }))});
}

// Of a step that takes some time.
auto per_second(double (*rate)(const TrainAnswer& a)) {
  return [rate](const TrainAnswer& a) {
    return a.found.time_s > 0 ? std::optional(rate(a)) : std::nullopt;
  };
}

double samples_per_second(const TrainAnswer& a) {
  return a.plan.samples() / a.found.time_s;
}

Parts<TrainAnswer> rate_parts() {
  constexpr PartOf<TrainAnswer> part;
  return {
      part("samples_per_second", "", Unit::none, "samples per second of all devices, or null",
           per_second(samples_per_second)),
      part("tokens_per_second", "", Unit::none, "tokens per second of all devices, or null",
           per_second([](const TrainAnswer& a) {
             return samples_per_second(a) * static_cast<double>(a.plan.model.sample_tokens);
           })),
      part("samples_per_second_device", "", Unit::none, "samples per second of a device, or null",
           per_second(
               [](const TrainAnswer& a) { return samples_per_second(a) / a.network.ranks(); })),
      part("utilisation", "", Unit::none,
           "operations of the model, relative to the peak of the devices, or null",
           per_second([](const TrainAnswer& a) { return a.plan.utilisation(a.found.time_s); }))};
}

}  // namespace

std::optional<NamedBytes> named_bytes(const std::optional<training::ClassBytes>& bytes) {
  if (!bytes) return std::nullopt;
  NamedBytes named;
  for (const auto& [name, of_class] : *bytes)
    named.emplace_back(name.empty() ? "default" : name, of_class);
  return named;
}

std::optional<double> over_bound(double time_s, double bound_s) {
  return bound_s > 0 ? std::optional(time_s / bound_s) : std::nullopt;
}

answer::Cells bucket_cells(const TrainAnswer& a) {
  constexpr auto kColumns = std::to_array<answer::Column>({{"bucket"}, {"time"}});
  return answer::cells_of<BucketTrial>(a.found.buckets, bucket_parts(), kColumns,
                                       answer::Reader::person);
}

Parts<TrainingCall> training_call_parts() {
  constexpr PartOf<TrainingCall> part;
  return join({collective_part(),
               part("among", "", Unit::none, "kind of group",
                    [](const TrainingCall& call) { return name_of(call.call.groups); }),
               part("stage", "", Unit::none, "stage that sends or calls, or null for all",
                    [](const TrainingCall& call) {
                      return call.call.stage >= 0 ? std::optional(call.call.stage) : std::nullopt;
                    })},
              price_parts());
}

Parts<TrainingCall> trace_call_parts() {
  return join({collective_part()}, price_parts());
}

Parts<TrainAnswer> training_parts() {
  constexpr PartOf<TrainAnswer> part;
  return join(
      join(join(asked_parts(),
                {part("dropped", "", Unit::none, "share of tokens that experts have no room for",
                      of_found([](const Training& found) { return found.step.dropped; })),
                 part("time", "", Unit::seconds, "time of a step", of_found(&Training::time_s)),
                 part.object("shares", "where the time goes", of_found(&Training::shares),
                             share_parts()),
                 part(keys::kBoundOfSchedules, of_found(&Training::least_s)),
                 part(keys::kOverBound, of_found([](const Training& found) {
                        return over_bound(found.time_s, found.least_s);
                      })),
                 part("ideal_time", "", Unit::seconds,
                      "time if each collective took the lower bound of any network of this size "
                      "and degree, or null",
                      of_found(&Training::ideal_s))}),
           rate_parts()),
      {part("bucket", "", Unit::bytes, "best size of gradient buckets, or null without a choice",
            [](const TrainAnswer& a) {
              return buckets_of(a).empty() ? std::nullopt : std::optional(a.found.bucket_B);
            }),
       part.list("buckets", "sizes of gradient buckets that were tried", buckets_of,
                 bucket_parts()),
       part.list(
           "collectives", "communication of the step",
           [](const TrainAnswer& a) -> const auto& { return a.found.calls; },
           training_call_parts()),
       part("class_bytes", "", Unit::bytes, "bytes of a step over links of each class, or null",
            [](const TrainAnswer& a) { return named_bytes(a.found.class_bytes); })});
}

}  // namespace weft::cli
