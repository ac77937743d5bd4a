// weft optimum COLLECTIVE: the least T_B of any schedule, the cut that proves it, and how near
// schedules come.
#include "weft/advise/bounds/optimum_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "cli/answers/bounds.hpp"
#include "cli/answers/network_parts.hpp"
#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/machine/machine_option.hpp"
#include "cli/optimum/certificate.hpp"
#include "cli/optimum/curve.hpp"
#include "cli/options/algorithm_list.hpp"
#include "cli/options/options.hpp"
#include "weft/advise/find/find_answer.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/memory.hpp"
#include "weft/base/units.hpp"
#include "weft/base/work/stopwatch.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/forwarding_hosts.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/report/chart.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

struct OptimumCommand {
  GivenFields said;
  fields::Values parameters;  // of -a "hierarchical(group=4)"
  std::string chart;          // empty: none
  OutputOptions common;
};

advise::OptimumQuestion asked_in(const OptimumCommand& options) {
  const GivenFields& said = options.said;
  if (said.of("size")) one_size(said.text("size"));
  advise::OptimumQuestion asked{.parameters = fields::algorithm_options_in(options.parameters)};
  set_members(asked, advise::optimum_members(), said.values);
  return asked;
}

void check(const Given& given, const OptimumCommand& options) {
  const CollectiveKind kind = schedule::parse_collective(options.said.text("collective"));
  evaluate::require_known_optimum(kind);
  const advise::OptimumQuestion asked = asked_in(options);
  if (!evaluate::is_solved_in_time(kind) && !asked.steps && asked.wants_no_schedules())
    given.refuse(
        {"--time-limit"},
        fmt::format("with {} without schedules, which always runs to its end; leave it out",
                    schedule::name_of(kind)));
  if (asked.wants_no_schedules()) given.refuse({"--segments"}, "without schedules; leave it out");
  if (!asked.steps) return given.refuse({"--chart"}, "without --steps; write --steps 3..");
  given.refuse({"--segments"}, "with --steps, which chooses the segments; leave it out");
  require(options.parameters.empty(),
          "--steps chooses the parameters of algorithms; name {} without parentheses",
          options.said.text("algorithms"));
  advise::require_step_curve(kind);
  if (!options.chart.empty()) report::require_chart_path(options.chart);
}

std::string range_of(const evaluate::Optimum& best) {
  const std::string least = fmt::format("{:.6g}", best.least);
  if (!best.reached) return least + " or more";
  const std::string reached = fmt::format("{:.6g}", *best.reached);
  return least == reached ? least : fmt::format("{} to {}", least, reached);
}

/// What weft optimum answers.
struct OptimumReport {
  const advise::OptimumQuestion& asked;
  const advise::OptimumAnswer& found;
  OptimumProof proof;
  UsedNetwork network;
  std::vector<NodeId> relays;  // hosts without a rank that pass nothing on

  bool is_solved_in_time() const { return evaluate::is_solved_in_time(proof.collective.kind); }
  bool also_copies() const { return found.best.among == evaluate::Among::also_copying_switches; }
};

std::string least_text(const OptimumReport& report) {
  const evaluate::Optimum& best = report.found.best;
  return fmt::format("{}{}", best.bandwidth_factor ? show(*best.bandwidth_factor) : range_of(best),
                     caveat_of(best.among));
}

std::string without_copies_text(const OptimumReport& report) {
  const auto& without = report.found.best.without_copies;
  return fmt::format(
      "{}: some switches have unequal links in and out, so no cut proves that they forward each "
      "block once",
      without ? show(*without) : "not known");
}

/// A schedule next to the optimum.
struct ComparedSchedule {
  const evaluate::PricedSchedule& priced;
  const OptimumProof& proof;

  bool in_network() const { return priced.combining == evaluate::Combining::in_network; }
};

// Its T_B over the optimum, or over what is proven of it; of one that combines in switches over
// what holds for these.
std::string times_text(const ComparedSchedule& compared) {
  const auto& [row, proof] = compared;
  const evaluate::Optimum& best = proof.best;
  const double times =
      compared.in_network()
          ? (row.bandwidth_factor /
             lower_bounds(proof.collective, proof.network, evaluate::Cuts::taken, row.combining)
                 .greatest())
                .to_double()
      : best.bandwidth_factor ? (row.bandwidth_factor / *best.bandwidth_factor).to_double()
                              : row.bandwidth_factor.to_double() / best.least;
  return fmt::format("{:.3f}{}", times, compared.in_network() ? " in the network" : "");
}

Parts<ComparedSchedule> schedule_parts() {
  using evaluate::PricedSchedule;
  constexpr PartOf<ComparedSchedule> part;
  const auto of_priced = [](auto member) {
    return [member](const ComparedSchedule& compared) { return compared.priced.*member; };
  };
  return {part("algorithm", "schedule", Unit::none, "algorithm with the options that it chose",
               of_priced(&PricedSchedule::schedule)),
          part(keys::kLatencySteps, "T_L", of_priced(&PricedSchedule::steps)),
          part(keys::kBandwidthFactor, "T_B", of_priced(&PricedSchedule::bandwidth_factor)),
          part.line("x least", times_text), part(keys::kInNetwork, &ComparedSchedule::in_network)};
}

std::vector<ComparedSchedule> schedules_of(const OptimumReport& report) {
  std::vector<ComparedSchedule> schedules;
  for (const auto& row : report.found.schedules.rows) schedules.push_back({row, report.proof});
  return schedules;
}

template <class T>
auto of_best(T evaluate::Optimum::*member) {
  return [member](const OptimumReport& report) { return report.found.best.*member; };
}

Parts<OptimumReport> factor_parts() {
  using evaluate::Optimum;
  constexpr PartOf<OptimumReport> part;
  return {
      part(keys::kCollective, "collective",
           [](const OptimumReport& report) { return name_of(report.proof.collective.kind); }),
      part(keys::kRoot, [](const OptimumReport& report) { return report.proof.collective.root; })
          .when([](const OptimumReport& report) { return report.proof.collective.rooted(); }),
      part.line("topology",
                [](const OptimumReport& report) {
                  const Network& network = report.proof.network;
                  return fmt::format("{}, {} ranks", network.topology().name(), network.ranks());
                }),
      part("bandwidth_factor", "least T_B", Unit::none,
           "lowest T_B of the schedules of among, in units of M/B; null if only bounds are known",
           of_best(&Optimum::bandwidth_factor))
          .shown_as(least_text),
      part("among", "", Unit::none, "schedules that this is the lowest of",
           [](const OptimumReport& report) { return name_of(report.found.best.among); }),
      part("bandwidth_factor_without_copies", "without copies", Unit::none,
           "T_B of the best trees if switches copy nothing, or null if it is not known",
           of_best(&Optimum::without_copies))
          .shown_as(without_copies_text)
          .when(&OptimumReport::also_copies),
      part("bandwidth_factor_bound", "", Unit::none, "lower bound on T_B, in units of M/B",
           of_best(&Optimum::least))
          .when(&OptimumReport::is_solved_in_time),
      part("bandwidth_factor_reached", "", Unit::none,
           "T_B that some schedule is proven to reach, or null", of_best(&Optimum::reached))
          .when(&OptimumReport::is_solved_in_time),
      part(keys::kForwardingHosts, &OptimumReport::relays),
      part(keys::kSize, [](const OptimumReport& report) { return *report.asked.size_B; })
          .when([](const OptimumReport& report) { return report.found.time_s.has_value(); }),
      part("time", "time", Unit::seconds, "lower bound on the time of a call",
           [](const OptimumReport& report) { return *report.found.time_s; })
          .shown_as([](const OptimumReport& report) {
            return fmt::format("{} at least", format_seconds(*report.found.time_s));
          })
          .when([](const OptimumReport& report) { return report.found.time_s.has_value(); })};
}

Parts<OptimumReport> optimum_parts() {
  constexpr PartOf<OptimumReport> part;
  const auto has_curve = [](const OptimumReport& report) { return report.asked.steps.has_value(); };
  return join(
      join(part.within(&OptimumReport::network, network_parts()), factor_parts()),
      join(part.within(&OptimumReport::proof, join(reason_parts(), certificate_parts())),
           {part.list(
                    keys::kCurve, [](const OptimumReport& report) -> const auto& {
                      return report.found.curve.points;
                    },
                    advise::step_point_parts())
                .when(has_curve),
            part.list("schedules", "schedules next to the optimum", schedules_of, schedule_parts())
                .when(std::not_fn(has_curve))}));
}

void print_text(const OptimumReport& report, Streams& streams) {
  constexpr auto kColumns =
      std::to_array<answer::Column>({{"algorithm"}, {"steps"}, {"bandwidth_factor"}, {"x least"}});
  const Screen screen = screen_of(streams);
  streams.out << facts_from(report, optimum_parts()).text(screen);
  if (report.asked.steps)
    streams.out << table_of(report.found.curve.points).text(screen);
  else if (!report.found.schedules.rows.empty())
    streams.out << table_of(answer::cells_of<ComparedSchedule>(schedules_of(report),
                                                               schedule_parts(), kColumns,
                                                               answer::Reader::person))
                       .text(screen);
}

int run(const OptimumCommand& options, Streams& streams) {
  advise::OptimumQuestion asked = asked_in(options);
  const Stopwatch watch;
  const Network network = [&] {
    const TimeLimit limit(time_for_network_s(asked.time_limit_s));
    return make_network(options.said, options.common.seed);
  }();
  if (asked.time_limit_s) asked.time_limit_s = std::max(0.0, *asked.time_limit_s - watch.seconds());
  const Collective collective = make_collective(options.said, network);
  require_used(options.said, collective);
  add_network_notes(options.said, network.topology(), *streams.notes);
  const advise::OptimumAnswer found = advise::answer(asked, collective, network);
  const evaluate::Optimum& best = found.best;
  const OptimumReport report{.asked = asked,
                             .found = found,
                             .proof = {best, collective, network},
                             .network = {network, options.said},
                             .relays = evaluate::idle_relays(network)};
  streams.notes->add(NoteWeight::doubt,
                     evaluate::note_of_forwarding("the optimum", report.relays, network));
  if (!options.chart.empty())
    draw_curves(std::string(name_of(collective.kind)),
                {NetworkCurve{network.topology().name(), found.curve.points}}, options.chart);
  streams.notes->add(NoteWeight::incomplete, notes_of(found.schedules.left_out));
  streams.notes->add(NoteWeight::incomplete, notes_of(found.curve.left_out));
  if (!found.worth_naming.empty())
    streams.notes->add(
        NoteWeight::detail,
        fmt::format("no schedule is compared with the optimum above {} ranks; name algorithms to "
                    "compare: --algorithms {}",
                    evaluate::kMostMadeUnasked, fmt::join(found.worth_naming, ",")));
  if (options.common.json)
    print_json("optimum", report, optimum_parts(), options.common, streams);
  else
    print_text(report, streams);
  if (!options.chart.empty() && !options.common.quiet)
    streams.err << "wrote " << options.chart << '\n';
  const bool has_all = evaluate::all_in_time(found.schedules.left_out) &&
                       evaluate::all_in_time(found.curve.left_out);
  if (best.proof_memory_B) {
    streams.err << fmt::format(
        "weft: T_B is at least {:.6g}, by a lower bound; the exact value needs {:.1f} GB of "
        "memory, "
        "more than half of the {:.1f} GB available; use fewer ranks\n",
        best.least, *best.proof_memory_B / 1e9, available_memory_B() / 1e9);
    return kNo;
  }
  if (best.in_time) return has_all ? kFine : kNo;
  streams.err << fmt::format(
      "the time limit was reached; proven so far: T_B{} is at least {:.6g}\n",
      best.among == evaluate::Among::reduce_then_broadcast ? " of reducing, then broadcasting" : "",
      best.least);
  return kNo;
}

}  // namespace

std::vector<answer::Shape> optimum_shapes() {
  return {{"", texts_of(optimum_parts())}};
}

void add_optimum_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<OptimumCommand>();
  const Command command = program.add_command(
      "optimum",
      "Compute the lowest T_B of any schedule on a network, with the cut that proves it");
  const OptionAdder add(command);
  add_collective_options(command, options->said, "collective");
  for (const auto& [field, set] : advise::optimum_members())
    add.field(options->said, *field,
              field->name == "algorithms" ? "-a,--algorithm,--algorithms" : "");
  options->said.once_read.push_back([asked = options.get()] {
    std::string algorithms = fields::text_in(asked->said.values, "algorithms");
    take_parameters(algorithms, asked->parameters);
    if (!algorithms.empty()) asked->said.values["algorithms"] = algorithms;
  });
  add.output("--chart,--plot", options->chart,
             "Chart of the curve of --steps: FILE.svg or FILE.png [none]");
  add_network_options(command, options->said);
  leave_out(command, {"--alpha", "--alpha-receive", "--alpha-per", "--ports", "--copy-bandwidth",
                      "--layout", "--reduce-bandwidth", "--from", "--to"});
  add_output_options(command, options->common);
  command.most_used({"--algorithm", "--size", "--steps", "--chart", "--time-limit"});
  command.advanced({"--segments"});
  command.footer(
      "Exit code 1: time or memory did not suffice to prove the bound or to build the schedules; "
      "alltoall counts as proven within 1 %.\n"
      "Examples:\n"
      "  # How fast can any all-gather be on this network, and which algorithm reaches it?\n"
      "  weft optimum allgather -t torus:4x4 -a packing,bfb,ring\n"
      "  # What is the fastest reduce-scatter of 64 MiB on two DGX A100?\n"
      "  weft optimum reduce-scatter -t \"boxes(2, network:dgx-a100)\" --size 64MiB\n"
      "  # How much does a failed cable cost an allreduce at best?\n"
      "  weft optimum allreduce -t \"without(cable=3, torus:4x4)\"\n"
      "  # How much bandwidth do schedules of few steps give up?\n"
      "  weft optimum allgather -t genkautz:2,8 --steps 3..");
  on_chosen(command, options, run, action, check);
}

}  // namespace weft::cli
