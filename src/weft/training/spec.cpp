// The fields of a training step: options of weft train, and parameters of rows of kind train.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/algorithm_names.hpp"
#include "weft/evaluate/contender.hpp"
#include "weft/fields/read_number.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/training/training_spec.hpp"

namespace weft::training {

namespace {

using Spec = TrainingSpec;

constexpr Names<AlltoallPrice, 2> kAlltoallPrices{"value of --alltoall", {"schedules", "flow"}};

// More than 0, and at most this.
double positive(std::string_view name, std::string_view text, double most, std::string_view such) {
  const auto number = fields::read_number(text);
  require(number && *number > 0 && *number <= most,
          "invalid {1} '{0}' (expected above 0, at most {2:g}); write {3}", text, name, most, such);
  return *number;
}

constexpr double kMostSamples = 1e12, kMostRate = 1e15, kMostShares = 1e6;

double read_samples(std::string_view name, std::string_view text) {
  return positive(name, text, kMostSamples, "32");
}
double read_throughput(std::string_view name, std::string_view text) {
  return positive(name, text, kMostRate, "360");
}
double read_capacity(std::string_view name, std::string_view text) {
  return positive(name, text, kMostShares, "1.25 for a quarter above an even share");
}
double read_efficiency(std::string_view, std::string_view text) {
  const auto share = number_in<double>(text);
  require(share && *share > 0 && *share <= 1,
          "efficiency {} is not a share of the peak; write 0.4 for 40 %", text);
  return *share;
}

std::string lower_text(std::string_view, std::string_view text) {
  return lower(text);
}

std::string parallelism_text(std::string_view, std::string_view text) {
  return canonical_parallelism(text);
}

RankOrder read_order(std::string_view, std::string_view text) {
  return RankOrder(text);
}
Value show_order(const RankOrder& order) {
  return order.text();
}

workload::Skew read_skew(std::string_view, std::string_view text) {
  return workload::parse_skew(text);
}
Value show_skew(const workload::Skew& skew) {
  return text_of(skew);
}

std::vector<std::int64_t> read_buckets(std::string_view, std::string_view text) {
  return parse_sizes(text);
}
Value show_buckets(const std::vector<std::int64_t>& sizes_B) {
  std::vector<std::string> texts;
  for (const std::int64_t size_B : sizes_B) texts.push_back(format_size(size_B));
  return fmt::format("{}", fmt::join(texts, ","));
}

// None for the best of all.
std::vector<std::string> read_algorithms(std::string_view, std::string_view text) {
  if (lower(text) == "best") return {};
  std::vector<std::string> names = evaluate::algorithms_in(std::string(text));
  for (std::string& name : names)
    if (name != kAll) name = algorithm::find_algorithm(name).name;
  return names;
}
Value show_algorithms(const std::vector<std::string>& names) {
  if (names.empty()) return std::string("best");
  return fmt::format("{}", fmt::join(names, ","));
}

// What decides which messages are sent is a part of the schedule.
constexpr auto kWorkload = fields::text<fields::any_text>("workload", "")
                               .helped("Model: a file, or a name from weft list workloads");
constexpr auto kParallel =
    fields::text<parallelism_text>("parallel", "data", fields::Part::schedule)
        .helped(
            "Parallelism: data, sharded or expert, and tensor=8, "
            "pipeline=2, data=8 or sequence, comma-separated");
constexpr auto kOrder =
    fields::field<read_order, show_order>("order", "", fields::Part::schedule)
        .helped("Order of the dimensions of ranks, fastest-growing first [tensor,data,pipeline]");
constexpr auto kBatch = fields::field<read_samples, fields::as_is<double>>("batch", "")
                            .helped("Samples of a replica in a step [32]");
constexpr auto kGlobalBatch =
    fields::field<read_samples, fields::as_is<double>>("global-batch", "")
        .helped("Samples of all replicas in a step, instead of --batch [none]");
constexpr auto kTokens = fields::count<1, std::int64_t{1} << 50>("tokens", "")
                             .helped("Tokens of all replicas in a step, instead of --batch [none]");
constexpr auto kCapacity =
    fields::field<read_capacity, fields::as_is<double>>("capacity", "")
        .helped("Capacity of an expert, as a multiple of its even share of tokens [the model's]");
constexpr auto kDevice =
    fields::text<fields::any_text>("device", "a100")
        .helped(
            "Device that computes: a file, or a name from weft list devices [the GPU that the "
            "network or machine names, else a100]");
constexpr auto kPrecision =
    fields::text<lower_text>("precision", "")
        .helped("Precision, such as fp32, tf32 or bf16 [the device's first]");
constexpr auto kEfficiency = fields::field<read_efficiency, fields::as_is<double>>("efficiency", "")
                                 .helped(
                                     "Fraction of the device's peak that layers reach, 0 to 1 [the "
                                     "device's, by kind of layer]");
constexpr auto kLayerTimes = fields::text<fields::any_text>("layer-times", "")
                                 .helped(
                                     "CSV file of measured times, instead of the device's peak: "
                                     "layer,forward_s,backward_s [none]");
constexpr auto kSamplesPerSecond =
    fields::field<read_throughput, fields::as_is<double>>("samples-per-second", "")
        .helped(
            "Measured samples per second of a device, instead of its peak; layers share the time "
            "by their operations [none]");
constexpr auto kMicroBatches = fields::count<1, 65'536>("micro-batches", "")
                                   .helped(
                                       "Number of micro-batches of a replica [up to 4 per pipeline "
                                       "stage, of whole samples; else 1]");
constexpr auto kPipelineOrder =
    fields::choice<workload::parse_pipeline_order>("pipeline-order", "1f1b")
        .helped("Pipeline schedule: 1f1b or gpipe");
constexpr auto kVirtualStages =
    fields::count<1, 1'000>("virtual-stages", "1")
        .helped("Number of runs of layers in a stage, for interleaved 1F1B");
constexpr auto kBuckets =
    fields::field<read_buckets, show_buckets>("buckets", "")
        .helped("Sizes of gradient buckets to try, comma-separated [1MB,10MB,100MB,1GB]");
constexpr auto kPrefetch =
    fields::count<0, 1'000'000>("prefetch", "")
        .helped(
            "Number of layers whose parameters are gathered ahead, with --parallel sharded [1]");
constexpr auto kGradientBytes =
    fields::count<1, 16>("gradient-bytes", "")
        .helped("Bytes per gradient element [size of --precision; 2 for fp8]");
constexpr auto kActivationBytes =
    fields::count<1, 16>("activation-bytes", "")
        .helped("Bytes per activation element [size of --precision; 2 for fp8]");
constexpr auto kParameterBytes =
    fields::count<1, 16>("parameter-bytes", "")
        .helped("Bytes per parameter [size of --precision; 2 for fp8]");
constexpr auto kFirstCome = fields::truth("first-come")
                                .helped(
                                    "Handle messages in order of arrival, so that urgent ones do "
                                    "not overtake waiting gradient sums");
constexpr auto kAlgorithms =
    fields::field<read_algorithms, show_algorithms>("algorithms", "best", fields::Part::schedule)
        .helped("Candidate algorithms, comma-separated; the fastest is used [all]");
constexpr auto kAlltoall =
    fields::choice<parse_alltoall_price>("alltoall", "schedules", fields::Part::schedule)
        .helped(
            "Time of all-to-alls: schedules (the fastest algorithm) or flow "
            "(from the throughput of the network)");
constexpr auto kScatterGather = fields::truth("scatter-gather")
                                    .helped(
                                        "Send activations to the next stage in parts, one for each "
                                        "rank of the tensor group, and gather them there");
constexpr auto kSkew = fields::field<read_skew, show_skew>("skew", "")
                           .helped(
                               "Distribution of tokens over experts: zipf:S gives the k-th most "
                               "popular expert a share in proportion to 1/k^S [even]");
constexpr auto kIsolated =
    fields::truth("isolated", fields::Part::schedule)
        .helped("Ignore that groups which communicate at the same time share links");

constexpr auto kNoMemoryCheck = fields::truth("no-memory-check")
                                    .helped(
                                        "Run models whose parameters, gradients and optimizer "
                                        "state exceed the device's memory");

}  // namespace

std::string_view name_of(AlltoallPrice price) {
  return kAlltoallPrices[price];
}

AlltoallPrice parse_alltoall_price(std::string_view name) {
  return kAlltoallPrices.value(name);
}

std::span<const Member<TrainingSpec>> training_members() {
  static constexpr std::array kMembers = {
      fields::kMember<kWorkload, &Spec::workload>,
      fields::kAsSaid<kParallel, &Spec::parallel>,
      fields::kMember<kOrder, &Spec::order>,
      fields::kMember<kBatch, &Spec::batch>,
      fields::kMember<kGlobalBatch, &Spec::global_batch>,
      fields::kMember<kTokens, &Spec::tokens>,
      fields::kMember<kCapacity, &Spec::capacity>,
      fields::kMember<kDevice, &Spec::device>,
      fields::kMember<kPrecision, &Spec::precision>,
      fields::kMember<kEfficiency, &Spec::efficiency>,
      fields::kMember<kLayerTimes, &Spec::layer_times>,
      fields::kMember<kSamplesPerSecond, &Spec::samples_per_second>,
      fields::kMember<kMicroBatches, &Spec::micro_batches>,
      fields::kMember<kPipelineOrder, &Spec::pipeline_order>,
      fields::kMember<kVirtualStages, &Spec::virtual_stages>,
      fields::kMember<kBuckets, &Spec::buckets_B>,
      fields::kMember<kPrefetch, &Spec::prefetch>,
      fields::kMember<kGradientBytes, &Spec::gradient_B>,
      fields::kMember<kActivationBytes, &Spec::activation_B>,
      fields::kMember<kParameterBytes, &Spec::parameter_B>,
      fields::kMember<kFirstCome, &Spec::first_come>,
      fields::kMember<kScatterGather, &Spec::scatter_gather>,
      fields::kMember<kAlgorithms, &Spec::algorithms>,
      fields::kMember<kAlltoall, &Spec::alltoall>,
      fields::kMember<kSkew, &Spec::skew>,
      fields::kMember<kIsolated, &Spec::isolated>,
      fields::kMember<kNoMemoryCheck, &Spec::no_memory_check>};
  return kMembers;
}

TrainingSpec training_in(const Values& said) {
  TrainingSpec spec;
  fields::set_members(spec, training_members(), said);
  return spec;
}

Value canonical_buckets(std::string_view text) {
  return kBuckets.canonical(kBuckets.name, text);
}

}  // namespace weft::training
