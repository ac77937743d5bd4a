// weft train MODEL: how long a step of training takes on a network, and where its time goes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/options/algorithm_list.hpp"
#include "cli/options/options.hpp"
#include "cli/options/packet_options.hpp"
#include "cli/train/trace_answer.hpp"
#include "cli/train/training_answer.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/report/chart.hpp"

namespace weft::cli {

namespace {

constexpr double kMostSamples = 1e12;
constexpr const char* kUsualBuckets = "1MB,10MB,100MB,1GB";
constexpr std::int32_t kUsualPrefetch = 1;

// Bytes of a number of this precision.
std::int32_t bytes_of(std::string_view precision) {
  if (precision == "fp8") return 1;
  return precision == "fp16" || precision == "bf16" ? 2 : 4;
}

void check(const Given& given, const TrainAsked& options) {
  refuse_unused(given, options.said);
  if (given("--trace")) return check_trace(given, options);
  require(!options.model.empty(),
          "no workload is named; give a model's file, one of weft list workloads, or --trace");
  if (!options.write_trace.empty()) require_writable(options.write_trace + ".0.et");
  const int batches = static_cast<int>(given("--batch")) +
                      static_cast<int>(given("--global-batch")) +
                      static_cast<int>(given("--tokens"));
  require(batches <= 1, "--batch, --global-batch and --tokens say the same; leave one of them");
  const bool measured = given("--layer-times"), rated = given("--samples-per-second");
  require(!measured || !rated,
          "--layer-times and --samples-per-second both say how long layers take; leave one out");
  if (measured || rated)
    given.refuse({"--efficiency"}, "beside measured times (they have their own); leave it out");
  require(!given("--efficiency") || (options.efficiency > 0 && options.efficiency <= 1),
          "--efficiency {:g} is no share of the peak; write 0.4 for 40 %", options.efficiency);
  require(!rated || (options.samples_per_second > 0 && std::isfinite(options.samples_per_second)),
          "--samples-per-second has to be above 0; write 360");
  if (!options.timeline.empty()) {
    report::require_chart_path(options.timeline);
    report::require_gnuplot();
  }
  require(options.alltoall == "schedules" || options.alltoall == "flow",
          "--alltoall \"{}\" is neither schedules nor flow", options.alltoall);
}

double samples_of(const TrainAsked& options, const workload::TrainingModel& model,
                  const workload::Parallelism& parallel) {
  double samples = options.batch;
  if (options.all > 0) samples = options.all / parallel.data;
  if (options.tokens > 0)
    samples = static_cast<double>(options.tokens) / static_cast<double>(model.sample_tokens) /
              parallel.data;
  require(samples > 0 && samples <= kMostSamples,
          "a batch of {:g} {}s a replica cannot be; write --batch 32", samples, model.sample);
  return samples;
}

ComputeSource source_of(const TrainAsked& options) {
  ComputeSource source;
  source.from = !options.layer_times.empty()     ? "layer-times"
                : options.samples_per_second > 0 ? "throughput"
                                                 : "peak";
  source.device = workload::read_device(options.device);
  source.precision =
      options.precision.empty() ? source.device->peaks.front().precision : lower(options.precision);
  source.device->peak(source.precision);  // throws where there is none
  return source;
}

workload::LayerTimes times_of(const TrainAsked& options, const workload::TrainingModel& model,
                              const ComputeSource& source, double samples) {
  if (source.from == "layer-times") return workload::read_layer_times(options.layer_times, model);
  if (source.from == "throughput")
    return workload::times_by_throughput(model, options.samples_per_second, samples);
  return workload::times_by_peak(
      model, *source.device, source.precision,
      options.efficiency > 0 ? std::optional(options.efficiency) : std::nullopt, samples);
}

// What the times come to, of the peak.
double efficiency_of(const workload::TrainingModel& model, const workload::LayerTimes& times,
                     const ComputeSource& source, double samples) {
  const double operations = (1 + workload::kBackward) * model.operations() * samples;
  return operations /
         (times.total_s() * source.device->peak(source.precision).operations_per_second);
}

// Which schedules collectives may have, and how they are simulated.
question::TrainingAsked prices_by(const TrainAsked& options) {
  return {.algorithms = lower(options.algorithms) == "best" ? std::vector<std::string>{}
                                                            : algorithms_in(options.algorithms),
          .algorithm = question::algorithm_options_in(options.said.values),
          .simulation = make_simulation(options.said, options.common.seed),
          .flow_alltoall = options.alltoall == "flow",
          .isolated = options.isolated};
}

question::TrainingAsked asked_by(const TrainAsked& options, const workload::TrainingModel& model,
                                 const Network& network, std::string_view precision) {
  const auto parallel = question::parse_parallelism(options.parallel, network.ranks());
  const std::int32_t usual_B = bytes_of(precision);
  const auto or_usual = [&](std::int32_t bytes) { return bytes > 0 ? bytes : usual_B; };
  constexpr std::int32_t kUsualPerStage = 4;
  question::TrainingAsked asked = prices_by(options);
  asked.step = {
      .parallel = parallel,
      .samples = samples_of(options, model, parallel),
      .micro_batches = options.micro_batches > 0 ? options.micro_batches
                       : parallel.pipeline > 1   ? kUsualPerStage * parallel.pipeline
                                                 : 1,
      .order = workload::parse_pipeline_order(options.pipeline_order),
      .virtual_stages = options.virtual_stages,
      .prefetch = options.prefetch < 0 ? kUsualPrefetch : options.prefetch,
      .gradient_B = or_usual(options.gradient_bytes),
      .parameter_B = or_usual(options.parameter_bytes),
      .activation_B = or_usual(options.activation_bytes),
      .first_come = options.first_come,
      .scatter_gather = options.scatter_gather,
      .skew = options.skew.empty() ? workload::Skew{} : workload::parse_skew(options.skew)};
  asked.order = options.order.empty() ? question::RankOrder() : question::RankOrder(options.order);
  if (parallel.replicas != workload::DataParallel::sharded && parallel.data > 1)
    asked.buckets_B = parse_sizes(options.buckets.empty() ? kUsualBuckets : options.buckets);
  return asked;
}

void refuse_what_counts_for_nothing(const TrainAsked& options,
                                    const question::TrainingAsked& asked) {
  const auto& parallel = asked.step.parallel;
  require(options.virtual_stages == 1 || parallel.pipeline > 1,
          "--virtual-stages has no effect without a pipeline; add pipeline=4 to --parallel");
  const bool sharded = parallel.replicas == workload::DataParallel::sharded;
  require(options.prefetch < 0 || sharded,
          "--prefetch has no effect but with --parallel sharded; leave it out");
  require(options.buckets.empty() || !asked.buckets_B.empty(),
          "--buckets has no effect {}; leave it out",
          sharded ? "on sharded parameters, whose gradients are scattered layer by layer"
                  : "where no replicas sum gradients");
  require(options.order.empty() || parallel.tensor > 1 || parallel.pipeline > 1,
          "--order has no effect without tensor groups or a pipeline; leave it out");
  require(!options.first_come || parallel.replicas == workload::DataParallel::experts ||
              (parallel.tensor > 1 && parallel.data > 1),
          "--first-come has no effect but with --parallel expert, or tensor groups beside data; "
          "leave it out");
  require(!options.scatter_gather ||
              (parallel.tensor > 1 && parallel.pipeline > 1 && !parallel.sequence),
          "--scatter-gather has no effect but on tensor groups in a pipeline without sequence; "
          "leave it out");
  require(options.skew.empty() || parallel.replicas == workload::DataParallel::experts,
          "--skew has no effect but with --parallel expert; leave it out");
  require(!asked.flow_alltoall || parallel.replicas == workload::DataParallel::experts,
          "--alltoall flow has no effect but with --parallel expert; leave it out");
}

int run(const TrainAsked& options, Streams& streams) {
  if (!options.trace.empty())
    return run_trace(options, source_of(options), prices_by(options), streams);
  const workload::TrainingModel model = workload::read_training_model(options.model);
  ComputeSource source = source_of(options);
  const Network network = make_network(options.said, options.common.seed);
  const question::TrainingAsked asked = asked_by(options, model, network, source.precision);
  refuse_what_counts_for_nothing(options, asked);
  const workload::LayerTimes times = times_of(options, model, source, asked.step.samples);
  if (times.total_s() > 0)
    source.efficiency = efficiency_of(model, times, source, asked.step.samples);
  const question::Training found = question::train(model, times, network, asked);
  const TrainAnswer answer{options, model, network, asked, source, found};
  if (!options.common.quiet) streams.err << machine_note(options.said, {});
  if (!options.chrome_trace.empty()) {
    write_file(options.chrome_trace, chrome_trace(answer).dump());
    if (!options.common.quiet) streams.err << "wrote " << options.chrome_trace << '\n';
  }
  if (!options.timeline.empty()) {
    report::draw_timeline(timeline_chart(answer), options.timeline);
    if (!options.common.quiet) streams.err << "wrote " << options.timeline << '\n';
  }
  if (!options.write_trace.empty()) write_trace(answer, streams);
  if (options.common.json)
    print(json_of(answer), streams);
  else
    print_tables(answer, streams);
  return kFine;
}

void add_compute_options(const OptionAdder& add, TrainAsked& options) {
  add("--device", options.device, "What computes: a file, or one of weft list devices");
  add("--precision", options.precision, "fp32, tf32, bf16, ... of the device [its first]");
  add("--efficiency", options.efficiency,
      "Of the peak that layers reach, from 0 to 1 [the device's, by kind of layer]");
  add("--layer-times", options.layer_times,
      "Measured times in place of the peak: a CSV file with layer,forward_s,backward_s []");
  add("--samples-per-second", options.samples_per_second,
      "One measured throughput of a device, spread over layers by their operations []");
}

void add_step_options(const OptionAdder& add, TrainAsked& options) {
  add("--micro-batches", options.micro_batches,
      "Of a replica's batch [4 a stage of a pipeline, else 1]")
      ->check(CLI::Range(1, 1'000'000));
  add("--pipeline-order", options.pipeline_order, "1f1b or gpipe");
  add("--virtual-stages", options.virtual_stages, "Runs of layers a stage has (interleaved 1F1B)")
      ->check(CLI::Range(1, 1'000));
  add("--buckets,--bucket", options.buckets,
      "Sizes of gradient buckets; each is tried [1MB,10MB,100MB,1GB]");
  add("--prefetch", options.prefetch, "Layers whose parameters are gathered ahead (sharded) [1]")
      ->check(CLI::Range(0, 1'000'000));
  add("--gradient-bytes", options.gradient_bytes, "Of a number of gradients [as the precision]")
      ->check(CLI::Range(1, 16));
  add("--activation-bytes", options.activation_bytes, "Of activations [as the precision]")
      ->check(CLI::Range(1, 16));
  add("--parameter-bytes", options.parameter_bytes, "Of parameters [as the precision]")
      ->check(CLI::Range(1, 16));
  add.flag("--first-come", options.first_come,
           "What the next layer waits for does not overtake sums of gradients that wait");
  add.flag("--scatter-gather", options.scatter_gather,
           "Tensor groups send activations to the next stage in parts and gather them there");
}

}  // namespace

void add_train_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<TrainAsked>();
  CLI::App* command = program.add_subcommand(
      "train", "How long a step of training takes on a network, and where its time goes");
  const OptionAdder add(*command);
  add("workload", options->model, "A model's file, or one of weft list workloads []");
  add("--trace", options->trace,
      "Run what a trace says in place of it: Chakra's files FILE.0.et, FILE.1.et, ... []");
  add("--parallel", options->parallel,
      "data, sharded or expert, with tensor=8,pipeline=2,data=8 and sequence");
  add("--order", options->order, "Of ranks: what grows fastest, then next [tensor,data,pipeline]");
  add("--batch", options->batch, "Samples of a replica in a step")
      ->check(CLI::Range(1e-9, kMostSamples));
  add("--global-batch", options->all, "Samples of all replicas, in place of it []")
      ->check(CLI::Range(1e-9, kMostSamples));
  add("--tokens", options->tokens, "Tokens of all replicas, in place of it []")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 50));
  add_compute_options(OptionAdder(*command, "Computing"), *options);
  add_step_options(OptionAdder(*command, "The step"), *options);
  add("-a,--algorithm,--algorithms", options->algorithms,
      "Of collectives, separated by commas; the fastest at each size is taken [all]");
  add("--alltoall", options->alltoall,
      "schedules, or flow: all-to-alls take the time of the throughput");
  add("--skew", options->skew,
      "Of tokens over experts: zipf:S, the k-th most popular in proportion to 1/k^S [even]");
  add.flag("--isolated", options->isolated, "Groups that send at once do not share links");
  add.output("--timeline", options->timeline,
             "Draw what each stream does when: FILE.svg or FILE.png []");
  add.output("--chrome-trace", options->chrome_trace,
             "Write the step for Perfetto or chrome://tracing: FILE.json []");
  add.output("--write-trace", options->write_trace,
             "Write the step as Chakra's traces: FILE.RANK.et []");
  add_simulation_options(*command, options->said);
  add_algorithm_parameters(*command, options->said);
  add_network_options(*command, options->said);
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft train vgg-16 -t kautz:16,2 --batch 32 --device v100 --link 12.5GBps,1us\n"
      "  weft train gpt-2-large -t torus:3x4 --batch 1 --device a100 --buckets 1MB,10MB,100MB "
      "--timeline gpt2.svg\n"
      "  weft train dense-8b -t \"hosts(8, hamming:4x4)\" --parallel tensor=8,pipeline=2,data=8 "
      "--micro-batches 8\n"
      "  weft train --trace step -t torus:8x8");
  on_chosen(*command, options, run, action, check);
}

}  // namespace weft::cli
