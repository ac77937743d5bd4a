// weft compare COLLECTIVE: all algorithms that apply, at all sizes, side by side.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "cli/answers/parts.hpp"
#include "cli/answers/routing_text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/compare/comparison_answer.hpp"
#include "cli/foreign/schedule_files.hpp"
#include "cli/machine/sum_note.hpp"
#include "cli/optimum/curve.hpp"
#include "cli/options/algorithm_list.hpp"
#include "cli/options/job_options.hpp"
#include "cli/options/packet_options.hpp"
#include "cli/options/release_note.hpp"
#include "cli/options/startup_check.hpp"
#include "weft/advise/library_lesson.hpp"
#include "weft/advise/schedule/counts.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/units.hpp"
#include "weft/base/work/stopwatch.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/design/step_curve.hpp"
#include "weft/evaluate/forwarding_hosts.hpp"
#include "weft/evaluate/optimum.hpp"
#include "weft/libraries/baseline.hpp"

namespace weft::cli {

namespace {

// The charts and the rows; said only when all are there.
void write_files(const ComparisonQuestion& options, const Network& network,
                 const Collective& collective, const advise::Comparison& comparison,
                 const std::vector<design::StepPoint>& curve, Streams& streams) {
  std::string wrote;
  if (!options.chart.empty() && !comparison.contenders.empty()) {
    const report::Chart chart = chart_of(options, network, collective, comparison);
    report::draw_chart(chart, options.chart);
    const std::string crowding = report::crowding_of(chart);
    wrote += fmt::format("wrote {}{}{}\n", options.chart, crowding,
                         crowding.empty() ? "" : "; choose fewer with --algorithms");
  }
  if (!options.steps_chart.empty()) {
    draw_curves(std::string(name_of(collective.kind)), {{network.topology().name(), curve}},
                options.steps_chart);
    wrote += "wrote " + options.steps_chart + '\n';
  }
  if (!options.csv.empty() && options.csv != "-") {
    write_file(options.csv, csv_of(comparison));
    wrote += "wrote " + options.csv + '\n';
  }
  if (!options.common.quiet) streams.err << wrote;
}

// Of all algorithms, the winners first.
std::string note_of_forwarding(const advise::Comparison& comparison, const Network& network) {
  std::vector<evaluate::Forwarded> all;
  for (const std::size_t index : comparison.ranking()) {
    const evaluate::Contender& contender = comparison.contenders[index];
    all.push_back({contender.algorithm, contender.forwarding_hosts});
  }
  return evaluate::note_of_forwarding(all, network);
}

void add_notes(const ComparisonQuestion& options, const Network& network,
               const Collective& collective, const simulation::SimulationOptions& simulation,
               const advise::Comparison& comparison, Notes& notes) {
  using enum NoteWeight;
  notes.add(incomplete, completeness_note(comparison));
  notes.add(incomplete, notes_of(comparison.dropped));
  notes.add(doubt, note_of_forwarding(comparison, network));
  notes.add(assumption, release_note(options.said, network));
  notes.add(assumption, sum_note(comparison, collective, network));
  if (const auto& advised = comparison.advised)
    notes.add(detail, fmt::format("{}: {}", comparison.contenders[advised->contender].algorithm,
                                  text_of(advised->advice)));
  const std::string drawn = draw_note(simulation.packet, network.topology());
  if (simulation::by_packets(simulation.model) && !drawn.empty())
    notes.add(detail, fmt::format("routing {}: {}", simulation.packet.routing, drawn));
}

// Of the algorithms that are compared, by then; nothing where it is not asked for.
design::StepCurve curve_of(const ComparisonQuestion& options, const Collective& collective,
                           const Network& network, const TimeLimit::End& end) {
  if (options.steps.empty()) return {};
  constexpr double kMostSeconds = 60;  // of bounds
  const evaluate::Optimum best = evaluate::optimum(collective, network);
  const TimeLimit limit(end);
  return design::step_curve(collective, network, best, design::parse_steps(options.steps),
                            options.algorithms, kMostSeconds);
}

// Before any work: a network that the library has no rules for.
void require_rules_for_network(const ComparisonQuestion& options, const Collective& collective,
                               const Network& network, std::int64_t size_B) {
  if (options.library.empty()) return;
  const libraries::LibraryRules& rules = libraries::find_library_rules(options.library);
  libraries::LibraryCall call = libraries::library_call(collective, network, rules);
  call.size_B = size_B;
  (void)libraries::choose(rules.name, call);
}

// What the library would run, if the time limit leaves it the time.
void add_library(const ComparisonQuestion& options, const Collective& collective,
                 const Network& network, const advise::CompareOptions& compare,
                 const TimeLimit::End& end, advise::Comparison& comparison) {
  if (options.library.empty()) return;
  try {
    const TimeLimit limit(end);
    comparison.library = advise::library_beside(libraries::find_library_rules(options.library),
                                                collective, network, compare);
  } catch (const OutOfTime&) {
    if (!compare.time_limit_s) throw;
    comparison.out_of_time = true;
  }
}

// The blocks and, where they are a file's and no sizes were given, the size that it has.
void take_counts(const Collective& collective, ComparisonQuestion& options,
                 advise::CompareOptions& compare) {
  options.counts.read = counts_of(options.counts, collective, options.common.seed);
  compare.blocks = blocks_of(options.counts.read);
  const auto own_B = own_size_B(options.counts, options.counts.read, collective);
  if (!own_B) return;
  options.sizes = fmt::format("{}", *own_B);
  compare.sizes_B = {*own_B};
}

void check(const Given& given, const ComparisonQuestion& options) {
  const GivenFields said = with_model_of_router(options.said);
  refuse_unused(given, said);
  refuse_unused_packets(given, said);
  check_job(given, options.said);
  if (!options.counts.text.empty())
    given.refuse({"--library", "--steps"},
                 "with --counts (it needs blocks of one size); leave it out");
  if (options.common.json && options.csv == "-")
    reject(
        "--json and --csv both write to standard output; leave one out, or name a file: "
        "--csv rows.csv");
  if (options.csv == "-")
    given.refuse({"--winners", "--all", "--timings"},
                 "on the rows of --csv; leave it out, or name a file: --csv rows.csv");
  if (options.steps.empty()) {
    given.refuse({"--steps-chart"}, "without --steps; write --steps 3..");
  } else {
    design::require_step_curve(advise::kind_scheduled_for(options.said.text("collective")));
    design::parse_steps(options.steps);  // refused before any work
  }
  if (!options.steps.empty() && options.csv == "-")
    given.refuse({"--steps"}, "on the rows of --csv; leave it out, or name a file: --csv rows.csv");
  if (!options.schedule_files.empty())
    given.refuse({"--steps"}, "on the schedules of --schedule-files; leave it out");
  names_in(options,
           advise::kind_scheduled_for(options.said.text("collective")));  // refused before any work
  advise::parse_effort(options.effort);
  if (!options.library.empty()) {
    const auto kind = advise::kind_scheduled_for(options.said.text("collective"));
    libraries::require_rules(libraries::find_library_rules(options.library), kind);
  }
  if (options.winners) given.refuse({"--all"}, "with --winners; leave one of them out");
}

int run(const ComparisonQuestion& asked, Streams& streams) {
  ComparisonQuestion options = asked;
  options.said = with_model_of_router(asked.said);
  for (const std::string& chart : {options.chart, options.steps_chart})
    if (!chart.empty()) report::require_chart_path(chart);
  advise::CompareOptions compare{
      .algorithms = names_in(options, advise::kind_scheduled_for(options.said.text("collective"))),
      .variants = options.variants,
      .sizes_B = sizes_above_0(options.sizes),
      .algorithm = fields::algorithm_options_in(options.said.values),
      .simulation = make_simulation(options.said, options.common.seed),
      .check_startup_ps = startup_to_check(options.said),
      .effort = advise::parse_effort(options.effort),
      .time_limit_s = time_limit_in(options.time_limit)};
  const Stopwatch watch;
  const TimeLimit::End end =
      TimeLimit::end_after(compare.time_limit_s.value_or(std::numeric_limits<double>::infinity()));
  const Network network = [&] {
    const TimeLimit limit(time_for_network_s(compare.time_limit_s));
    return make_network(options.said, options.common.seed);
  }();
  fit_routing(compare.simulation.packet, options.said, network);
  const Collective collective = make_collective(options.said, network);
  require_used(options.said, collective);
  take_counts(collective, options, compare);
  streams.notes->add(NoteWeight::assumption, idle_seed_note(options.counts, options.counts.read));
  compare.schedules = schedules_in(options.schedule_files, collective, network,
                                   std::ranges::max(compare.sizes_B), streams);
  if (compare.time_limit_s)
    compare.time_limit_s = std::max(0.0, *compare.time_limit_s - watch.seconds());
  if (options.csv == "-") Progress::enable_tables(false);
  require_rules_for_network(options, collective, network, compare.sizes_B.front());
  advise::Comparison comparison = advise::compare(collective, network, compare);
  add_library(options, collective, network, compare, end, comparison);
  if (!options.library.empty() && !comparison.library)
    streams.notes->add(
        NoteWeight::incomplete,
        fmt::format("the time limit ended before the algorithms of {} were timed; give a longer "
                    "--time-limit or fewer --sizes",
                    options.library));
  const design::StepCurve curve = curve_of(options, collective, network, end);
  add_machine_notes(options.said, network.topology(), sent_by_shown(options, comparison, streams),
                    *streams.notes);
  add_notes(options, network, collective, compare.simulation, comparison, *streams.notes);
  streams.notes->add(NoteWeight::incomplete, notes_of(curve.left_out));
  write_files(options, network, collective, comparison, curve.points, streams);
  const ComparisonReport report{options, network, collective, comparison, curve.points};
  if (options.common.json)
    print_json("compare", report, comparison_parts(), options.common, streams);
  else if (options.csv == "-")
    streams.out << csv_of(comparison);
  else if (options.winners)
    print_winners(options, comparison, collective, network, streams);
  else
    print_tables(options, comparison, collective, network, streams);
  const bool in_time = !comparison.out_of_time && evaluate::all_in_time(curve.left_out);
  const int code = in_time ? kFine : kNo;
  if (options.common.json || options.csv == "-") return code;
  streams.out << library_note(comparison);
  streams.out << startup_advice(comparison, network.host().startup_per);
  if (!curve.points.empty()) streams.out << '\n' << table_of(curve.points).text(screen_of(streams));
  if (options.timings) streams.out << '\n' << timings_of(report).text(screen_of(streams));
  return code;
}

}  // namespace

void add_compare_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<ComparisonQuestion>();
  const Command command = program.add_command(
      "compare", "Compare the times of all algorithms of a collective on a network");
  const OptionAdder add(command);
  add_collective_options(command, options->said, "collective");
  add("-a,--algorithms,--algorithm", options->algorithms,
      "Algorithms, comma-separated, or all,packing to add one to all [all]");
  add_schedule_files(add, options->schedule_files);
  add("--sizes,--size", options->sizes, "Sizes: a list, 1KiB:64MiB (doubling) or 1KiB:8KiB:1KiB");
  add_counts_option(command, options->said, options->counts, "--sizes");
  add_job_options(add, options->said);
  add.output("--chart", options->chart, "Chart of time over size: FILE.svg or FILE.png [none]");
  mark_output(command.add_list_call(
                  "--csv",
                  [options](const std::vector<std::string>& file) {
                    options->csv = file.empty() || file[0].empty() ? "-" : file[0];
                  },
                  "CSV file for the rows; without a file, standard output [none]"))
      .optional_value();
  add("--steps", options->steps,
      "Numbers of steps, such as 3..8 or 3.. (and three more); prints the bound on T_B and the "
      "best known schedule for each [none]");
  add.output("--steps-chart", options->steps_chart,
             "Chart of --steps: FILE.svg or FILE.png [none]");
  add.flag("--winners", options->winners, "Print only the fastest algorithm of each size range");
  add.flag("--all", options->all, "Print all algorithms, not only the best that fit the screen");
  add.flag("--timings", options->timings,
           "Print the seconds that building, proving, pricing and simulating each algorithm took");
  add("--time-limit", options->time_limit, "Time limit, such as 10s [none]");
  add("--effort", options->effort,
      "Simulation effort: auto (algorithms that may win, within a budget; half of --time-limit for "
      "building) or full (all algorithms) [auto]");
  add("--library", options->library,
      fmt::format("Library whose default choices are timed on this network, too: {} [none]",
                  libraries::library_names()));
  add_simulation_options(command, options->said);
  add_packet_options(command, options->said);
  options->said.once_read.push_back([asked = options.get()] {
    take_parameters(asked->algorithms, asked->said, asked->variants);
  });
  add_algorithm_parameters(command, options->said);
  options->said.has_default_machine = true;
  add_network_options(command, options->said);
  add_output_options(command, options->common);
  command.most_used({"--algorithms", "--sizes", "--link", "--machine", "--chart"});
  command.advanced({"--root", "--from", "--to", "--schedule-files", "--counts", "--steps",
                    "--steps-chart", "--timings", "--effort"});
  command.footer(
      "Signs: * fastest; ? fastest of the simulated ones; >4.1ms lower bound; <4.1ms upper bound "
      "(10 %); ~ estimate for --library.\n"
      "Exit code 1: the time limit came before all winners were known.\n"
      "Examples:\n"
      "  # Which allreduce is fastest on 64 hosts, for each size?\n"
      "  weft compare allreduce --topology 2dfc:8x8 --chart allreduce.svg\n"
      "  # Which of two all-to-alls should I use?\n"
      "  weft compare alltoall -t torus:4x4 -a spread,bruck --sizes 4KiB,1MiB --csv rows.csv\n"
      "  # How much faster is the best algorithm than Open MPI's choice?\n"
      "  weft compare allreduce -t \"xgft:2;16,8;1,8\" --library openmpi-4.1\n"
      "  # How does a schedule of another system do?\n"
      "  weft compare allgather -t ring:3 --schedule-files examples/msccl/allgather.xml");
  on_chosen(command, options, run, action, check);
}

}  // namespace weft::cli
