// weft schedule COLLECTIVE: builds a schedule, proves it, prices it, and writes it to a file.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "cli/answers/shares.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/machine_option.hpp"
#include "cli/options/options.hpp"
#include "weft/algorithm/packing.hpp"
#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/flow/rank_trees.hpp"
#include "weft/flow/shallow_trees.hpp"
#include "weft/question/evaluation.hpp"
#include "weft/question/sized_schedule.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/file.hpp"

namespace weft::cli {

namespace {

struct Options {
  Said said;
  std::string algorithm;
  std::string output;
  std::string size;        // empty: large
  std::string time_limit;  // empty: none
  bool cost_only = false;
  OutputOptions common;
};

// The price that the algorithm foretells, without building the schedule.
int run_cost_only(const Options& options, const Collective& collective, const Network& network,
                  Streams& streams) {
  require(options.output.empty(), "--cost-only builds no schedule to write to {}; leave one out",
          options.output);
  const auto forecast = algorithm::forecast(options.algorithm, collective, network,
                                            question::algorithm_options_in(options.said.values));
  require(forecast.has_value(),
          "{} has no price without its schedule for {} (bfb has one for allgather, reduce-scatter "
          "and allreduce in one segment); leave --cost-only out",
          options.algorithm, name_of(collective.kind));
  const ForecastPricing pricing{algorithm::find_algorithm(options.algorithm).name, collective,
                                network, *forecast};
  print(record_of(pricing, answer("schedule", options.common)), options.common, streams,
        screen_of(streams));
  return kFine;
}

// With the size, where the algorithm makes a schedule, or its pipeline has segments, for each.
algorithm::AlgorithmOptions algorithm_options(const Options& options) {
  algorithm::AlgorithmOptions chosen = question::algorithm_options_in(options.said.values);
  if (options.size.empty()) return chosen;
  chosen.size_B = one_size(options.size);
  const auto& algorithm = algorithm::find_algorithm(options.algorithm);
  const CollectiveKind kind = schedule::parse_collective(options.said.text("collective"));
  require(algorithm.sized || algorithm.build_variants != nullptr ||
              algorithm.segments_by_size(kind, chosen),
          "the schedule of {} is the same for every size; leave out --size", algorithm.name);
  return chosen;
}

void check(const Given& given, const Options& options) {
  require_one_algorithm(options.algorithm);
  if (options.cost_only)
    given.refuse({"--size"}, "beside --cost-only (its price holds for any size); leave it out");
  if (options.cost_only)
    given.refuse({"--time-limit"}, "beside --cost-only, which is quick; leave it out");
  if (options.output == "-")
    given.refuse({"--json"},
                 "beside -o - (the schedule is the answer); name a file, or leave one of them out");
  if (!algorithm::find_algorithm(options.algorithm).by_ports)
    given.refuse(
        {"--ports"},
        fmt::format("on the schedule of {} (only multipath makes one for a number of ports); "
                    "leave it out, or give it to weft simulate",
                    options.algorithm));
}

// As it is made where somebody asks for so many segments: among few ranks trees may be others then.
Verified in_segments(std::int64_t segments, const Options& options, const Verified& verified,
                     const Network& network) {
  constexpr std::int32_t kMostOthers = 256;  // above, allreduces have no shares of their own
  const schedule::Collective& collective = verified.schedule().collective();
  if (collective.ranks > kMostOthers) return verified.with_segments(segments);
  algorithm::AlgorithmOptions asked = algorithm_options(options);
  asked.values[std::string(algorithm::kSegments.name)] = segments;
  return schedule::verify_own(
      algorithm::build_schedule(options.algorithm, collective, &network, asked),
      &network.topology());
}

bool takes_segments(std::int64_t segments, const Options& options,
                    const schedule::Collective& collective, const Network& network) {
  const auto& known = algorithm::find_algorithm(options.algorithm);
  algorithm::AlgorithmOptions asked = algorithm_options(options);
  if (!known.segments_by_size(collective.kind, asked)) return false;
  asked.values[std::string(algorithm::kSegments.name)] = segments;
  return !algorithm::misfit(known, {collective, &network, asked});
}

// What has trees that a search finds for one segment, where such are better as a rule: of all
// ranks, without switches, as many as help.
std::string note_of_depth(const Options& options, const algorithm::Algorithm& known,
                          const schedule::Collective& collective, const Network& network) {
  if (known.option("depth") == nullptr || options.said.of("trees") || collective.rooted() ||
      network.topology().has_switches())
    return "";
  const schedule::Collective part = collective.kind == CollectiveKind::allreduce
                                        ? schedule::allgather(collective.ranks)
                                        : collective;
  const auto least = flow::least_depth(network.fabric(), algorithm::trees_of(part, network)).links;
  return fmt::format("--depth {} searches for trees that are good in one, ", least + 1);
}

// A pipeline that runs in one segment, where nobody said in how many. Trees of a depth that was
// asked for are others in many segments.
std::string note_of_segments(const Options& options, const Verified& verified,
                             const Network& network) {
  constexpr std::int64_t kMany = 64;
  if (!options.size.empty() || options.said.of("depth") || !options.time_limit.empty()) return "";
  const schedule::Collective& collective = verified.schedule().collective();
  const auto& known = algorithm::find_algorithm(options.algorithm);
  if (!takes_segments(kMany, options, collective, network)) return "";
  const Rational now = schedule::cost(verified, network).bandwidth_factor;
  const Cost cost = schedule::cost(in_segments(kMany, options, verified, network), network);
  if (cost.bandwidth_factor >= now) return "";
  return fmt::format(
      "weft: {} is a pipeline, in one segment here; --segments {} brings T_B to {:.5g} (T_L {}), "
      "{}weft compare chooses their number by the size\n",
      known.name, kMany, cost.bandwidth_factor.to_double(), cost.steps,
      note_of_depth(options, known, collective, network));
}

// Of trees that are no deeper than was asked for: how deep they are, and what that costs.
void add_depth(Record& record, const Verified& verified, const Network& network) {
  const Schedule& schedule = verified.schedule();
  const std::int64_t depth = schedule.stored_steps();
  const auto bounds =
      question::lower_bounds(schedule.collective(), network, question::Cuts::and_optimum);
  const double factor = schedule::cost(verified, network).bandwidth_factor.to_double();
  const std::string_view whose =
      schedule.collective().kind == CollectiveKind::allreduce ? ", of both halves" : "";
  record.add("depth", depth, "depth of trees",
             bounds.optimum
                 ? fmt::format("{}{}; T_B {:.2f}% above the optimum", depth, whose,
                               100 * (factor / bounds.optimum->bandwidth_factor.to_double() - 1))
                 : fmt::format("{}{}", depth, whose));
}

bool all_have_ranks(const Network& network) {
  const std::vector<NodeId>& nodes = network.placement().nodes;
  return std::set(nodes.begin(), nodes.end()).size() ==
         static_cast<std::size_t>(network.topology().node_count());
}

bool is_as_fast_both_ways(const Fabric& fabric) {
  for (const LinkId link : fabric.topology().links()) {
    const auto back = fabric.topology().reverse(link);
    if (!back || fabric.bandwidth_Bps(*back) != fabric.bandwidth_Bps(link)) return false;
  }
  return true;
}

// Whether no so few trees of each rank have a lower T_B: by cuts, which trees meet where nothing
// is lost at nodes that pass on as much as enters them. Of more than 64 not all numbers are tried.
bool is_least_of(std::int64_t most_trees, const Rational& limit, const Collective& collective,
                 const Network& network) {
  constexpr std::int64_t kMostTried = 64;
  if (!algorithm::packs(collective.kind) || most_trees > kMostTried ||
      !(all_have_ranks(network) || is_as_fast_both_ways(network.fabric())))
    return false;
  flow::RankTreesQuestion question = algorithm::trees_of(collective, network);
  question.most_trees = most_trees;
  const Rational each_Bps = flow::rank_trees(network.fabric(), question).reached_Bps();
  const std::int64_t parts = collective.rooted() ? 1 : collective.ranks;
  return limit * each_Bps * Rational(parts) == Rational(network.fabric().node_egress_Bps());
}

// Trees that bring less than the network could carry, in however many segments: where few were
// asked for, and where switches, which copy nothing, get more over some links than others take.
void add_limit(Record& record, const Options& options, const Verified& built,
               const Network& network) {
  constexpr std::int64_t kMany = 4'096;
  const Collective& collective = built.schedule().collective();
  const auto most_trees = algorithm::kTrees.given(algorithm_options(options));
  const auto bounds = question::lower_bounds(collective, network, question::Cuts::and_optimum);
  const bool is_open = options.size.empty() && !options.said.of("segments");
  if (!bounds.optimum || (is_open && !options.time_limit.empty())) return;  // it was for one
  const Verified verified = is_open ? in_segments(kMany, options, built, network) : built;
  const std::int64_t full = verified.schedule().stored_steps() + 1;  // segments, each alike
  const auto all = [&](std::int64_t segments) {
    return schedule::cost(verified.with_segments(segments), network).bandwidth_factor *
           Rational(segments);
  };
  const Rational limit = all(full + 1) - all(full), optimum = bounds.optimum->bandwidth_factor;
  if (limit <= optimum) return;
  record.add("bandwidth_factor_limit", limit, "T_B of the trees",
             fmt::format("{}, {:.2f}% above the optimum in any number of segments{}", show(limit),
                         100 * (limit / optimum - Rational(1)).to_double(),
                         most_trees && is_least_of(*most_trees, limit, collective, network)
                             ? fmt::format("; the least of {} a rank, or fewer", *most_trees)
                             : ""));
}

// An allreduce by trees: which of its two ways it goes.
void add_halves(Record& record, const Schedule& schedule) {
  const bool joined = algorithm::joins_halves(schedule);
  record.add("halves", joined ? "together" : "apart", "trees",
             joined ? "in and out at once, with shares of their own for each rank"
                    : "in, then out: a reduce-scatter and an allgather");
}

struct Proved {
  Verified verified;
  std::optional<Rational> exact_bandwidth_factor;
};

// The one that compare and simulate would run, where a size is named.
Proved build(const Options& options, const Collective& collective, const Network& network) {
  const algorithm::AlgorithmOptions chosen = algorithm_options(options);
  if (chosen.size_B && !algorithm::find_algorithm(options.algorithm).sized)
    return {
        question::schedule_for_size(options.algorithm, collective, network, chosen, *chosen.size_B),
        std::nullopt};
  const algorithm::Built built =
      algorithm::build_and_tell(options.algorithm, collective, &network, chosen);
  return {schedule::verify_own(built.schedule, &network.topology()), built.exact_bandwidth_factor};
}

// Nothing where the time limit came first.
std::optional<Proved> build_in_time(const Options& options, const Collective& collective,
                                    const Network& network) {
  const auto limit_s = time_limit_in(options.time_limit);
  if (!limit_s) return build(options, collective, network);
  const TimeLimit limit(*limit_s);
  try {
    return build(options, collective, network);
  } catch (const OutOfTime&) {
    return std::nullopt;
  }
}

// Of a schedule that did not come in time: what no schedule would be faster than.
int say_too_late(const Options& options, const Collective& collective, const Network& network,
                 Streams& streams) {
  const auto bounds = question::lower_bounds(collective, network, question::Cuts::taken);
  streams.err << fmt::format(
      "weft: the time limit came before {} had its schedule; proven so far: T_B of none is below "
      "{}; give it more: --time-limit\n",
      algorithm::find_algorithm(options.algorithm).name, show(bounds.greatest()));
  return kNo;
}

int run(const Options& options, Streams& streams) {
  const Network network = make_network(options.said, options.common.seed);
  if (!options.common.quiet) streams.err << overridden_note(options.said);
  const Collective collective = make_collective(options.said, network);
  if (options.cost_only) return run_cost_only(options, collective, network, streams);
  const auto proved = build_in_time(options, collective, network);
  if (!proved) return say_too_late(options, collective, network, streams);
  const auto& [verified, exact_bandwidth_factor] = *proved;
  if (!options.output.empty()) schedule::save(verified.schedule(), options.output);
  if (options.output == "-") return kFine;  // the schedule is the answer
  const Pricing pricing{verified, network, exact_bandwidth_factor};
  const bool shares = algorithm::find_algorithm(options.algorithm).shows_shares;
  const auto report = shares ? report_shares(collective, network) : std::nullopt;
  const Screen screen = screen_of(streams);
  Record record = record_of(pricing, answer("schedule", options.common), screen);
  if (report) add(record, *report, screen);
  const bool packs = algorithm::find_algorithm(options.algorithm).name == "packing";
  if (packs && collective.kind == CollectiveKind::allreduce)
    add_halves(record, verified.schedule());
  if (algorithm_options(options).values.contains("depth"))
    add_depth(record, verified, network);
  else if (packs)
    add_limit(record, options, verified, network);
  if (!options.output.empty()) record.json["output"] = options.output;
  print(record, options.common, streams, screen);
  if (!options.common.json && !options.output.empty() && !options.common.quiet)
    streams.err << "wrote " << options.output << '\n';
  if (!options.common.json && !options.common.quiet)
    streams.err << note_of_segments(options, verified, network);
  return kFine;
}

}  // namespace

void add_schedule_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("schedule", "Build, prove and price a schedule");
  const OptionAdder add(*command);
  add_collective_options(*command, options->said, "collective");
  add("-a,--algorithm,--algorithms", options->algorithm, "Algorithm; see weft list algorithms")
      ->required();
  add.output("-o,--output", options->output,
             "File to write the schedule to (.weft); - is standard output");
  add("--size,--sizes", options->size,
      "Size that the schedule is for: its segments, shares or trees [large, in one segment]");
  add("--time-limit", options->time_limit,
      "Time to spend on the schedule and its proof; if they take longer, exit code 1 [none]");
  add.flag("--cost-only", options->cost_only,
           "The exact price without building the schedule (bfb), for any size");
  add_algorithm_parameters(*command, options->said);
  add_network_options(*command, options->said);
  leave_out(*command, {"--alpha", "--alpha-receive", "--alpha-per", "--copy-bandwidth", "--layout",
                       "--reduce-bandwidth"});
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft schedule allgather --topology ring:16 --algorithm bidirectional-ring\n"
      "  weft schedule alltoall -t kautz:4,2 -a bruck --radix 3 -o bruck.weft\n"
      "  weft schedule allgather -t torus:3x3x2 -a bfb --chunks 4 -o t.weft\n"
      "  weft schedule allgather -t genkautz:4,10000 -a bfb --cost-only --json");
  on_chosen(*command, options, run, action, check);
}

}  // namespace weft::cli
