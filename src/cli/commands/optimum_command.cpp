// weft optimum COLLECTIVE: the least T_B of any schedule, the cut that proves it, and how near
// schedules come.
#include "weft/advise/bounds/optimum_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "cli/answers/bounds.hpp"
#include "cli/answers/network_parts.hpp"
#include "cli/answers/parts.hpp"
#include "cli/answers/routing_text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/machine/machine_option.hpp"
#include "cli/optimum/certificate.hpp"
#include "cli/optimum/curve.hpp"
#include "cli/options/algorithm_list.hpp"
#include "cli/options/options.hpp"
#include "weft/base/memory.hpp"
#include "weft/base/units.hpp"
#include "weft/base/work/stopwatch.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/forwarding_hosts.hpp"
#include "weft/report/chart.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::cli {

namespace {

struct OptimumCommand {
  Said said;
  std::string chart;  // empty: none
  OutputOptions common;
};

advise::OptimumAsked asked_in(const Said& said) {
  if (said.of("size")) one_size(said.text("size"));
  advise::OptimumAsked asked;
  set_members(asked, advise::optimum_members(), said.values);
  return asked;
}

void check(const Given& given, const OptimumCommand& options) {
  const CollectiveKind kind = schedule::parse_collective(options.said.text("collective"));
  evaluate::require_known_optimum(kind);
  const advise::OptimumAsked asked = asked_in(options.said);
  if (!evaluate::is_solved_in_time(kind) && !asked.steps && asked.wants_no_schedules())
    given.refuse(
        {"--time-limit"},
        fmt::format("with {} without schedules, which always runs to its end; leave it out",
                    schedule::name_of(kind)));
  if (asked.wants_no_schedules()) given.refuse({"--segments"}, "without schedules; leave it out");
  if (!asked.steps) return given.refuse({"--chart"}, "without --steps; write --steps 3..");
  given.refuse({"--segments"}, "with --steps, which chooses the segments; leave it out");
  advise::require_step_curve(kind);
  if (!options.chart.empty()) report::require_chart_path(options.chart);
}

std::string range_of(const evaluate::Optimum& best) {
  const std::string least = fmt::format("{:.6g}", best.least);
  if (!best.reached) return least + " or more";
  const std::string reached = fmt::format("{:.6g}", *best.reached);
  return least == reached ? least : fmt::format("{} to {}", least, reached);
}

void add_factor(Record& record, const evaluate::Optimum& best, CollectiveKind kind) {
  const std::string value = best.bandwidth_factor ? show(*best.bandwidth_factor) : range_of(best);
  record.add("bandwidth_factor", best.bandwidth_factor, "least T_B",
             fmt::format("{}{}", value, caveat_of(best.among)));
  record.json["among"] = name_of(best.among);
  if (best.among == evaluate::Among::also_copying_switches) {
    record.json["bandwidth_factor_without_copies"] = best.without_copies;
    record.facts.add(
        "without copies",
        fmt::format(
            "{}: some switches have unequal links in and out, so no cut proves that they forward "
            "each block once",
            best.without_copies ? show(*best.without_copies) : "not known"));
  }
  if (!evaluate::is_solved_in_time(kind)) return;
  record.json["bandwidth_factor_bound"] = best.least;
  record.json["bandwidth_factor_reached"] = best.reached;
}

// Each beside the optimum, or what is proven of it; those that combine in switches beside what
// holds for them.
Table table_of(const std::vector<evaluate::PricedSchedule>& rows, const evaluate::Optimum& best,
               const Collective& collective, const Network& network) {
  Table table({"schedule", "T_L", "T_B", "x least"});
  for (const auto& row : rows) {
    const bool in_network = row.combining == evaluate::Combining::in_network;
    const double times =
        in_network
            ? (row.bandwidth_factor /
               lower_bounds(collective, network, evaluate::Cuts::taken, row.combining).greatest())
                  .to_double()
        : best.bandwidth_factor ? (row.bandwidth_factor / *best.bandwidth_factor).to_double()
                                : row.bandwidth_factor.to_double() / best.least;
    table.add({row.schedule, fmt::format("{}", row.steps), show(row.bandwidth_factor),
               fmt::format("{:.3f}{}", times, in_network ? " in the network" : "")});
  }
  return table;
}

void add_schedules(Record& record, const std::vector<evaluate::PricedSchedule>& rows,
                   const evaluate::Optimum& best, const Collective& collective,
                   const Network& network, Streams& streams) {
  Json& schedules = record.json["schedules"] = Json::array();
  for (const auto& row : rows)
    schedules.push_back({{"algorithm", row.schedule},
                         {"steps", row.steps},
                         {"bandwidth_factor", row.bandwidth_factor},
                         {"in_network", row.combining == evaluate::Combining::in_network}});
  if (!rows.empty())
    record.below += table_of(rows, best, collective, network).text(screen_of(streams));
}

int run(const OptimumCommand& options, Streams& streams) {
  advise::OptimumAsked asked = asked_in(options.said);
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
  Record record{answer("optimum", options.common)};
  record.json.update(json_of(UsedNetwork{network, options.said}, network_parts()));
  record.add("collective", std::string(name_of(collective.kind)), "collective");
  if (collective.rooted()) record.json["root"] = collective.root.value();
  record.facts.add("topology",
                   fmt::format("{}, {} ranks", network.topology().name(), network.ranks()));
  add_factor(record, best, collective.kind);
  const std::vector<NodeId> relays = evaluate::idle_relays(network);
  record.json["forwarding_hosts"] = json_of(relays);
  streams.notes->add(NoteWeight::doubt,
                     evaluate::note_of_forwarding("the optimum", relays, network));
  if (found.time_s) {
    record.json["size"] = *asked.size_B;
    record.add("time", *found.time_s, "time",
               fmt::format("{} at least", format_seconds(*found.time_s)));
  }
  add_reason(record, best, collective, network);
  if (options.common.json) add_certificate(record.json, best, network);
  if (asked.steps) {
    record.json["curve"] = json_of(found.curve.points);
    record.below += cli::table_of(found.curve.points).text(screen_of(streams));
    if (!options.chart.empty())
      draw_curves(std::string(name_of(collective.kind)),
                  {NetworkCurve{network.topology().name(), found.curve.points}}, options.chart);
  } else {
    add_schedules(record, found.schedules.rows, best, collective, network, streams);
  }
  streams.notes->add(NoteWeight::incomplete, notes_of(found.schedules.left_out));
  streams.notes->add(NoteWeight::incomplete, notes_of(found.curve.left_out));
  if (!found.worth_naming.empty())
    streams.notes->add(
        NoteWeight::detail,
        fmt::format("no schedule is compared with the optimum above {} ranks; name algorithms to "
                    "compare: --algorithms {}",
                    evaluate::kMostMadeUnasked, fmt::join(found.worth_naming, ",")));
  print(record, options.common, streams, screen_of(streams));
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
