// weft optimum COLLECTIVE: the least T_B of any schedule, the cut that proves it, and how near
// schedules come.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "cli/answers/network_parts.hpp"
#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/machine/machine_option.hpp"
#include "cli/optimum/curve.hpp"
#include "cli/options/algorithm_list.hpp"
#include "cli/options/options.hpp"
#include "weft/base/memory.hpp"
#include "weft/base/units.hpp"
#include "weft/base/work/stopwatch.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/design/bounds/optimum_parts.hpp"
#include "weft/design/find/find_answer.hpp"
#include "weft/evaluate/forwarding_hosts.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/report/chart.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;

namespace {

struct OptimumCommand {
  GivenFields said;
  fields::Values parameters;  // of -a "hierarchical(group=4)"
  std::string chart;          // empty: none
  OutputOptions common;
};

design::OptimumQuestion asked_in(const OptimumCommand& options) {
  const GivenFields& said = options.said;
  if (said.of("size")) one_size(said.text("size"));
  design::OptimumQuestion asked{.parameters = fields::algorithm_options_in(options.parameters)};
  set_members(asked, design::optimum_members(), said.values);
  return asked;
}

void check(const Given& given, const OptimumCommand& options) {
  const CollectiveKind kind = schedule::parse_collective(options.said.text("collective"));
  evaluate::require_known_optimum(kind);
  const design::OptimumQuestion asked = asked_in(options);
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
  design::require_step_curve(kind);
  if (!options.chart.empty()) report::require_chart_path(options.chart);
}

/// What weft optimum answers.
struct OptimumReport {
  design::AnsweredOptimum answered;
  UsedNetwork network;
};

Parts<OptimumReport> report_parts() {
  constexpr PartOf<OptimumReport> part;
  return join(part.within(&OptimumReport::network, network_parts()),
              part.within(&OptimumReport::answered, design::optimum_parts()));
}

void print_text(const OptimumReport& report, Streams& streams) {
  constexpr auto kColumns = std::to_array<answer::Column>(
      {{"algorithm"}, {"steps"}, {"bandwidth_factor"}, {"over_optimum"}});
  const Screen screen = screen_of(streams);
  const design::AnsweredOptimum& answered = report.answered;
  streams.out << facts_from(report, report_parts()).text(screen);
  if (answered.asked.steps)
    streams.out << table_of(answered.found.curve.points).text(screen);
  else if (!answered.found.schedules.rows.empty())
    streams.out << table_of(answer::cells_of<design::ComparedSchedule>(
                                schedules_of(answered), design::compared_schedule_parts(), kColumns,
                                answer::Reader::person))
                       .text(screen);
}

int run(const OptimumCommand& options, Streams& streams) {
  design::OptimumQuestion asked = asked_in(options);
  const Stopwatch watch;
  const Network network = [&] {
    const TimeLimit limit(time_for_network_s(asked.time_limit_s));
    return make_network(options.said, options.common.seed);
  }();
  if (asked.time_limit_s) asked.time_limit_s = std::max(0.0, *asked.time_limit_s - watch.seconds());
  const Collective collective = make_collective(options.said, network);
  require_used(options.said, collective);
  add_network_notes(options.said, network.topology(), *streams.notes);
  const design::OptimumAnswer found = design::answer(asked, collective, network);
  const evaluate::Optimum& best = found.best;
  const OptimumReport report{.answered = {.asked = asked,
                                          .found = found,
                                          .proof = {best, collective, network},
                                          .relays = evaluate::idle_relays(network)},
                             .network = {network, options.said}};
  streams.notes->add(NoteWeight::doubt,
                     evaluate::note_of_forwarding("the optimum", report.answered.relays, network));
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
    print_json("optimum", report, report_parts(), options.common, streams);
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
  return {{"", texts_of(report_parts())}};
}

void add_optimum_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<OptimumCommand>();
  const Command command = program.add_command(
      "optimum",
      "Compute the lowest T_B of any schedule on a network, with the cut that proves it");
  const OptionAdder add(command);
  add_collective_options(command, options->said, "collective");
  for (const auto& [field, set] : design::optimum_members())
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
  leave_out(command, all_of({host_options(), {"--from", "--to"}}));
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
