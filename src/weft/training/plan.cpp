// From what was said of a training step to what answering takes.

#include <algorithm>
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/base/invalid_field.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/training/training_spec.hpp"

namespace weft::training {

namespace {

using workload::DataParallel;
using workload::Parallelism;

constexpr double kUsualBatch = 32, kMostSamples = 1e12;
constexpr const char* kUsualBuckets = "1MB,10MB,100MB,1GB";
constexpr std::int64_t kUsualPrefetch = 1, kUsualPerStage = 4;

// Bytes of a number of this precision.
std::int64_t bytes_of(std::string_view precision) {
  if (precision == "fp8") return 1;
  return precision == "fp16" || precision == "bf16" ? 2 : 4;
}

bool is_measured(const TrainingSpec& spec) {
  return !spec.layer_times.empty() || spec.samples_per_second.has_value();
}

workload::TrainingModel model_of(const TrainingSpec& spec) {
  workload::TrainingModel model =
      blame("workload", [&] { return workload::read_training_model(spec.workload); });
  if (spec.capacity)
    for (workload::Layer& layer : model.layers)
      if (layer.experts) layer.experts->capacity = *spec.capacity;
  return model;
}

double samples_of(const TrainingSpec& spec, const workload::TrainingModel& model,
                  const Parallelism& parallel) {
  const int said = static_cast<int>(spec.batch.has_value()) +
                   static_cast<int>(spec.global_batch.has_value()) +
                   static_cast<int>(spec.tokens.has_value());
  require(said <= 1, "batch, global-batch and tokens set the same value; give one of them");
  double samples = spec.batch.value_or(kUsualBatch);
  if (spec.global_batch) samples = *spec.global_batch / parallel.data;
  if (spec.tokens)
    samples = static_cast<double>(*spec.tokens) / static_cast<double>(model.sample_tokens) /
              parallel.data;
  require(samples > 0 && samples <= kMostSamples,
          "invalid batch {:g} ({}s per replica); write a batch such as 32", samples, model.sample);
  return samples;
}

workload::LayerTimes times_of(const TrainingSpec& spec, const TrainingPlan& plan, double samples) {
  if (!spec.layer_times.empty())
    return blame("layer-times",
                 [&] { return workload::read_layer_times(spec.layer_times, plan.model); });
  if (spec.samples_per_second)
    return workload::times_by_throughput(plan.model, *spec.samples_per_second, samples);
  return workload::times_by_peak(plan.model, plan.compute.device, plan.compute.precision,
                                 spec.efficiency, samples);
}

// Without those of tokens that experts have no room for.
double operations_of(const workload::TrainingModel& model,
                     const std::optional<workload::Skew>& skew, double samples) {
  double operations = 0;
  for (const workload::Layer& layer : model.layers)
    operations +=
        layer.operations * (layer.experts ? 1 - workload::dropped_share(*layer.experts, skew) : 1);
  return (1 + workload::kBackward) * operations * samples;
}

double peak_of(const ComputeSource& compute) {
  return compute.device.peak(compute.precision).operations_per_second;
}

// Several a stage, as many as the samples divide into whole ones; where they do not, as many as
// give one sample each, or one micro-batch a stage. Interleaved pipelines take the same for each.
std::int64_t usual_micro_batches(const Parallelism& parallel, std::int64_t virtual_stages,
                                 double samples) {
  const std::int64_t stages = parallel.pipeline;
  WEFT_ASSERT(stages >= 1 && virtual_stages >= 1 && samples > 0);
  if (stages == 1) return 1;
  const std::int64_t apart = virtual_stages > 1 ? stages : 1;
  for (std::int64_t batches = kUsualPerStage * stages; batches >= stages; batches -= apart)
    if (const double each = samples / static_cast<double>(batches);
        each >= 1 && each == std::floor(each))
      return batches;
  const auto whole = static_cast<std::int64_t>(samples / static_cast<double>(stages));
  return stages * std::clamp(whole, std::int64_t{1}, kUsualPerStage);
}

TrainingQuestion asked_by(const TrainingSpec& spec, const TrainingPlan& plan, std::int32_t ranks) {
  const Parallelism parallel =
      blame("parallel", [&] { return parse_parallelism(spec.parallel, ranks); });
  // With numbers of 8 bits devices multiply; they keep and send them in 16.
  const std::int64_t usual_B = std::max(std::int64_t{2}, bytes_of(plan.compute.precision));
  const auto narrow = [](std::int64_t value) { return static_cast<std::int32_t>(value); };
  TrainingQuestion asked = asked_prices(spec);
  asked.step = {
      .parallel = parallel,
      .samples = samples_of(spec, plan.model, parallel),
      .micro_batches = narrow(spec.micro_batches.value_or(usual_micro_batches(
          parallel, spec.virtual_stages.value_or(1), samples_of(spec, plan.model, parallel)))),
      .order = spec.pipeline_order.value_or(workload::PipelineOrder::one_f_one_b),
      .virtual_stages = narrow(spec.virtual_stages.value_or(1)),
      .prefetch = narrow(spec.prefetch.value_or(kUsualPrefetch)),
      .gradient_B = narrow(spec.gradient_B.value_or(usual_B)),
      .parameter_B = narrow(spec.parameter_B.value_or(usual_B)),
      .activation_B = narrow(spec.activation_B.value_or(usual_B)),
      .first_come = spec.first_come,
      .scatter_gather = spec.scatter_gather,
      .skew = spec.skew};
  asked.order = spec.order.value_or(RankOrder());
  if (parallel.replicas != DataParallel::sharded && parallel.data > 1)
    asked.buckets_B = spec.buckets_B.empty() ? parse_sizes(kUsualBuckets) : spec.buckets_B;
  return asked;
}

// Which parts of a question have an influence.
struct Counts {
  explicit Counts(const TrainingPlan& plan) {
    const Parallelism& parallel = plan.asked.step.parallel;
    pipeline = parallel.pipeline > 1;
    tensor = parallel.tensor > 1;
    sharded = parallel.replicas == DataParallel::sharded;
    experts = parallel.replicas == DataParallel::experts;
    replicas = parallel.data > 1;
    capacity = plan.model.sparse();
    in_parts = tensor && pipeline && !parallel.sequence;
    const bool copies = pipeline && std::ranges::any_of(plan.model.layers, [](const auto& layer) {
                          return layer.tied.has_value();
                        });
    gradients = replicas || copies;
  }
  bool pipeline, tensor, sharded, experts, replicas, capacity;
  bool in_parts;   // what a stage sends the next is alike on all ranks of a tensor group
  bool gradients;  // are summed

  bool turns() const { return experts || (tensor && replicas); }
  bool order() const { return tensor || pipeline; }
  bool activations() const { return tensor || pipeline || (experts && replicas); }
};

}  // namespace

ComputeSource compute_source(const TrainingSpec& spec) {
  require(spec.layer_times.empty() || !spec.samples_per_second,
          "layer-times and samples-per-second both set the time of layers; remove one");
  ComputeSource source;
  source.from = !spec.layer_times.empty() ? "layer-times"
                : spec.samples_per_second ? "throughput"
                                          : "peak";
  source.device = blame("device", [&] { return workload::read_device(spec.device); });
  source.precision =
      spec.precision.empty() ? source.device.peaks.front().precision : lower(spec.precision);
  blame("precision", [&] { return source.device.peak(source.precision); });
  return source;
}

TrainingQuestion asked_prices(const TrainingSpec& spec) {
  return {.algorithms = spec.algorithms,
          .flow_alltoall = spec.alltoall == AlltoallPrice::flow,
          .isolated = spec.isolated};
}

double TrainingPlan::samples() const {
  return asked.step.samples * asked.step.parallel.data;
}

double TrainingPlan::utilisation(double time_s) const {
  return operations_of(model, asked.step.skew, samples()) /
         (time_s * peak_of(compute) * static_cast<double>(asked.step.parallel.ranks()));
}

TrainingPlan plan_training(const TrainingSpec& spec, std::int32_t ranks) {
  TrainingPlan plan{
      .model = model_of(spec), .compute = compute_source(spec), .times = {}, .asked = {}};
  plan.asked = asked_by(spec, plan, ranks);
  const double samples = plan.asked.step.samples;
  plan.times = times_of(spec, plan, samples);
  if (plan.times.total_s() > 0)
    plan.compute.efficiency =
        operations_of(plan.model, {}, samples) / (plan.times.total_s() * peak_of(plan.compute));
  return plan;
}

void refuse_idle(const TrainingSpec& spec, const TrainingPlan& plan) {
  const Counts counts(plan);
  require(!spec.efficiency || !is_measured(spec),
          "--efficiency has no effect with measured times; leave it out");
  require(spec.virtual_stages.value_or(1) == 1 || counts.pipeline,
          "--virtual-stages has no effect without a pipeline; add pipeline=4 to --parallel");
  require(!spec.prefetch || counts.sharded,
          "--prefetch works only with --parallel sharded; leave it out");
  require(spec.buckets_B.empty() || !plan.asked.buckets_B.empty(),
          "--buckets has no effect {}; leave it out",
          counts.sharded && counts.replicas
              ? "on sharded parameters, whose gradients are scattered layer by layer"
              : "where no replicas sum gradients");
  require(!spec.order || counts.order(),
          "--order has no effect without tensor groups or a pipeline; leave it out");
  require(!spec.isolated || counts.order(),
          "--isolated has no effect on a single group; add tensor=8 or pipeline=2 to --parallel");
  require(!spec.isolated || plan.asked.simulation.model != simulation::Model::alpha_beta,
          "--isolated has no effect with alpha-beta, where messages share no links; leave it "
          "out");
  require(!spec.first_come || counts.turns(),
          "--first-come needs --parallel expert, or tensor groups together with data; leave it "
          "out");
  require(!spec.scatter_gather || counts.in_parts,
          "--scatter-gather needs tensor groups in a pipeline without sequence; leave it out");
  require(!spec.pipeline_order || counts.pipeline,
          "--pipeline-order needs a pipeline; add pipeline=2 to --parallel");
  require(!spec.skew || counts.experts, "--skew needs --parallel expert; leave it out");
  require(spec.alltoall == AlltoallPrice::schedules || counts.experts,
          "--alltoall flow needs --parallel expert; leave it out");
  require(!spec.capacity || counts.capacity,
          "--capacity has no effect on {}, which has no experts; leave it out", plan.model.name);
  require(!spec.gradient_B || counts.gradients,
          "--gradient-bytes has no effect where no gradients are summed; leave it out");
  require(!spec.parameter_B || counts.sharded,
          "--parameter-bytes needs --parallel sharded; leave it out");
  require(!spec.activation_B || counts.activations(),
          "--activation-bytes needs experts, tensor groups or a pipeline; leave it out");
}

void complete(Values& parameters, const TrainingPlan& plan) {
  const Counts counts(plan);
  const workload::StepOptions& step = plan.asked.step;
  const auto fill = [&](bool counted, const char* name, const Value& usual) {
    if (counted)
      parameters.try_emplace(name, usual);
    else
      parameters.erase(name);
  };
  const auto bytes = [](std::int32_t count) { return Value(std::int64_t{count}); };
  parameters["parallel"] = canonical_parallelism(step.parallel);
  fill(counts.order(), "order", plan.asked.order.text());
  fill(!parameters.contains("global-batch") && !parameters.contains("tokens"), "batch",
       kUsualBatch);
  if (!counts.capacity) parameters.erase("capacity");
  fill(true, "precision", plan.compute.precision);
  if (plan.compute.from != "peak") parameters.erase("efficiency");
  fill(true, "micro-batches", bytes(step.micro_batches));
  fill(counts.pipeline, "pipeline-order", std::string(name_of(step.order)));
  fill(counts.pipeline, "virtual-stages", bytes(step.virtual_stages));
  fill(counts.sharded, "prefetch", bytes(step.prefetch));
  fill(!plan.asked.buckets_B.empty(), "buckets", canonical_buckets(kUsualBuckets));
  fill(counts.gradients, "gradient-bytes", bytes(step.gradient_B));
  fill(counts.sharded && counts.replicas, "parameter-bytes", bytes(step.parameter_B));
  fill(counts.activations(), "activation-bytes", bytes(step.activation_B));
  fill(counts.turns(), "first-come", step.first_come);
  fill(counts.in_parts, "scatter-gather", step.scatter_gather);
  if (!counts.experts) parameters.erase("skew");
  fill(counts.experts, "alltoall", std::string(name_of(AlltoallPrice::schedules)));
  const bool alone = plan.asked.simulation.model == simulation::Model::alpha_beta;
  if (alone || !counts.order()) parameters.erase("isolated");
}

}  // namespace weft::training
