// weft optimum COLLECTIVE: the least T_B of any schedule, the cut that proves it, and how near
// schedules come.
#include "weft/question/optimum.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "cli/answers/bounds.hpp"
#include "cli/commands/commands.hpp"
#include "cli/optimum/certificate.hpp"
#include "cli/optimum/curve.hpp"
#include "cli/options/algorithm_list.hpp"
#include "cli/options/machine_option.hpp"
#include "cli/options/options.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/report/chart.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::cli {

namespace {

struct Options {
  Said said;
  std::string size;        // empty: no time
  std::string algorithms;  // empty: the usual ones, where that is quick
  std::int64_t segments = 64;
  std::string steps, chart;  // empty: no curve
  std::string time_limit = "60s";
  OutputOptions common;
};

bool are_left_out(const Options& options, const Network& network) {
  return options.algorithms.empty() && network.ranks() > question::kMostMadeUnasked;
}

// What is near the optimum on many networks, and quick to price. The usual algorithms of an
// all-to-all begin with those of a message at once, which are neither.
std::vector<std::string> worth_naming(const Collective& collective, const Network& network) {
  std::vector<std::string> names;
  if (collective.kind == CollectiveKind::alltoall)
    for (const char* name : {"spread", "hierarchical"})
      if (!algorithm::misfit(algorithm::find_algorithm(name), {collective, &network, {}}))
        names.emplace_back(name);
  if (names.empty()) names.push_back(question::usual_algorithms(collective, network).front());
  return names;
}

std::vector<std::string> algorithms_of(const Options& options, const Collective& collective,
                                       const Network& network) {
  if (lower(options.algorithms) == "none" || are_left_out(options, network)) return {};
  return options.algorithms.empty() ? question::usual_algorithms(collective, network)
                                    : algorithms_named(options.algorithms, collective, network);
}

// Where nobody names any, the best of all others, too, if it is better than those.
question::PricedSchedules priced(const Options& options, const Collective& collective,
                                 const Network& network) {
  auto found = question::priced_schedules(algorithms_of(options, collective, network), collective,
                                          network, options.segments);
  return options.algorithms.empty()
             ? question::with_better(std::move(found), collective, network, options.segments)
             : found;
}

void check(const Given& given, const Options& options) {
  const CollectiveKind kind = schedule::parse_collective(options.said.text("collective"));
  question::require_known_optimum(kind);
  const bool none = lower(options.algorithms) == "none";
  if (!none) algorithms_in(options.algorithms);  // refused before any work
  if (!question::is_solved_in_time(kind) && options.steps.empty())
    given.refuse({"--time-limit"}, fmt::format("in {}, which is solved to its end; leave it out",
                                               schedule::name_of(kind)));
  if (none) given.refuse({"--segments"}, "without schedules; leave it out");
  if (options.steps.empty()) return given.refuse({"--chart"}, "without --steps; write --steps 3..");
  given.refuse({"--segments"}, "with --steps, which choose the segments; leave it out");
  check_steps(options.steps, kind);
  if (!options.chart.empty()) report::require_chart_path(options.chart);
  if (!options.size.empty()) one_size(options.size);
}

std::string range_of(const question::Optimum& best) {
  const std::string least = fmt::format("{:.6g}", best.least);
  if (!best.reached) return least + " or more";
  const std::string reached = fmt::format("{:.6g}", *best.reached);
  return least == reached ? least : fmt::format("{} to {}", least, reached);
}

void add_factor(Record& record, const question::Optimum& best, CollectiveKind kind) {
  const std::string value = best.bandwidth_factor ? show(*best.bandwidth_factor) : range_of(best);
  record.add("bandwidth_factor", best.bandwidth_factor, "least T_B",
             fmt::format("{}{}", value, caveat_of(best.among)));
  record.json["among"] = name_of(best.among);
  if (!question::is_solved_in_time(kind)) return;
  record.json["bandwidth_factor_bound"] = best.least;
  record.json["bandwidth_factor_reached"] = best.reached;
}

// Each beside the optimum, or what is proven of it; those that combine in switches beside what
// holds for them.
Table table_of(const std::vector<question::PricedSchedule>& rows, const question::Optimum& best,
               const Collective& collective, const Network& network) {
  Table table({"schedule", "T_L", "T_B", "x least"});
  for (const auto& row : rows) {
    const bool in_network = row.combining == question::Combining::in_network;
    const double times =
        in_network
            ? (row.bandwidth_factor /
               lower_bounds(collective, network, question::Cuts::taken, row.combining).greatest())
                  .to_double()
        : best.bandwidth_factor ? (row.bandwidth_factor / *best.bandwidth_factor).to_double()
                                : row.bandwidth_factor.to_double() / best.least;
    table.add({row.schedule, fmt::format("{}", row.steps), show(row.bandwidth_factor),
               fmt::format("{:.3f}{}", times, in_network ? " in the network" : "")});
  }
  return table;
}

// What a schedule has reached is reached.
void take_reached(question::Optimum& best, const std::vector<question::PricedSchedule>& rows) {
  if (best.bandwidth_factor) return;
  for (const auto& row : rows)
    if (row.combining == question::Combining::at_ranks)
      best.reached = std::min(best.reached.value_or(row.bandwidth_factor.to_double()),
                              row.bandwidth_factor.to_double());
}

void add_schedules(Record& record, const std::vector<question::PricedSchedule>& rows,
                   const question::Optimum& best, const Collective& collective,
                   const Network& network, Streams& streams) {
  Json& schedules = record.json["schedules"] = Json::array();
  for (const auto& row : rows)
    schedules.push_back({{"algorithm", row.schedule},
                         {"steps", row.steps},
                         {"bandwidth_factor", row.bandwidth_factor},
                         {"in_network", row.combining == question::Combining::in_network}});
  if (!rows.empty())
    record.below += table_of(rows, best, collective, network).text(screen_of(streams));
}

std::vector<question::StepPoint> curve_of(const Options& options, const question::Optimum& best,
                                          const Collective& collective, const Network& network) {
  const bool all = lower(options.algorithms) == "none";
  return curve_in(steps_in(options.steps), all ? "" : options.algorithms, collective, network, best,
                  parse_seconds(options.time_limit));
}

int run(const Options& options, Streams& streams) {
  const Network network = make_network(options.said, options.common.seed);
  const Collective collective = make_collective(options.said, network);
  require_used(options.said, collective);
  if (!options.common.quiet) streams.err << overridden_note(options.said);
  question::Optimum best =
      question::optimum(collective, network, {.time_limit_s = parse_seconds(options.time_limit)});
  question::PricedSchedules found;
  if (options.steps.empty()) found = priced(options, collective, network);
  const auto& rows = found.rows;
  take_reached(best, rows);
  Record record{answer("optimum", options.common)};
  record.json.update(json_of(network, options.said));
  record.add("collective", std::string(name_of(collective.kind)), "collective");
  if (collective.rooted()) record.json["root"] = collective.root.value();
  record.facts.add("topology",
                   fmt::format("{}, {} ranks", network.topology().name(), network.ranks()));
  add_factor(record, best, collective.kind);
  if (!options.size.empty()) {
    const std::int64_t size_B = one_size(options.size);
    const double time_s = best.time_s(collective, network, size_B);
    record.json["size"] = size_B;
    record.add("time", time_s, "time", fmt::format("{} at least", format_seconds(time_s)));
  }
  add_reason(record, best, collective, network);
  if (options.common.json) add_certificate(record.json, best, network);
  if (options.steps.empty()) {
    add_schedules(record, rows, best, collective, network, streams);
  } else {
    const NetworkCurve curve{network.topology().name(),
                             curve_of(options, best, collective, network)};
    record.json["curve"] = json_of(curve.points);
    record.below += cli::table_of(curve.points).text(screen_of(streams));
    if (!options.chart.empty())
      draw_curves(std::string(name_of(collective.kind)), {curve}, options.chart);
  }
  print(record, options.common, streams, screen_of(streams));
  for (const question::Dropped& each : found.left_out) streams.err << note_of(each);
  if (!options.chart.empty() && !options.common.quiet)
    streams.err << "wrote " << options.chart << '\n';
  if (options.steps.empty() && are_left_out(options, network) && !options.common.quiet)
    streams.err << fmt::format(
        "weft: no schedule is held against it above {} ranks; name some: --algorithms {}\n",
        question::kMostMadeUnasked, fmt::join(worth_naming(collective, network), ","));
  if (best.in_time) return kFine;
  streams.err << fmt::format(
      "the time limit was reached; proven so far: T_B{} is never below {:.6g}\n",
      best.among == question::Among::reduce_then_broadcast ? " of reducing, then broadcasting" : "",
      best.least);
  return kNo;
}

}  // namespace

void add_optimum_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      "optimum", "The least T_B of any schedule on a network, and the cut that proves it");
  const OptionAdder add(*command);
  add_collective_options(*command, options->said, "collective");
  add("--size", options->size, "Adds the time of a call of this size: 64MiB");
  add("-a,--algorithm,--algorithms", options->algorithms,
      "Algorithms whose schedules are held against it, or none [packing and the best of the "
      "others or, where it does not serve, all that apply and flow; up to 128 ranks]");
  add("--segments", options->segments, "Of schedules that are pipelined, beside one segment")
      ->check(CLI::Range(std::int64_t{1}, schedule::kMaxSegments));
  add("--steps", options->steps,
      "For each number of steps, 3..8 or 3.. (and three more), the bound on T_B and the best "
      "schedule known");
  add.output("--chart,--plot", options->chart, "Draw them: FILE.svg or FILE.png");
  add("--time-limit", options->time_limit,
      "Of allreduce and alltoall, and of the bounds of --steps: time to spend");
  add_network_options(*command, options->said);
  leave_out(*command, {"--alpha", "--alpha-receive", "--alpha-per", "--ports", "--copy-bandwidth",
                       "--layout", "--reduce-bandwidth", "--from", "--to"});
  add_output_options(*command, options->common);
  command->footer(
      "Exit code 1: the time limit came before an allreduce was proven, an alltoall within 1 %.\n"
      "Examples:\n"
      "  weft optimum allgather --topology genkautz:4,32 --json\n"
      "  weft optimum allgather -t torus:4x4 -a packing,bfb,ring\n"
      "  weft optimum reduce-scatter -t \"boxes(2, network:dgx-a100)\" --size 64MiB\n"
      "  weft optimum allreduce -t \"without(cable=3, torus:4x4)\"\n"
      "  weft optimum scatter -t mesh:4x4 --root 5 -a bfb\n"
      "  weft optimum alltoall -t genkautz:4,32 --size 1MiB\n"
      "  weft optimum allgather -t genkautz:2,8 --steps 3..");
  on_chosen(*command, options, run, action, check);
}

}  // namespace weft::cli
