// weft synthesize COLLECTIVE: the Pareto-optimal schedules of a small network, with proofs.
#include <array>
#include <memory>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/options.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/range.hpp"
#include "weft/base/units.hpp"
#include "weft/schedule/file.hpp"
#include "weft/search/synthesis.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

struct SynthesizeCommand {
  GivenFields said;
  std::string chunks = "1..4";
  std::string steps;
  std::string time_limit = "60s";
  std::string output;
  OutputOptions common;
};

SynthesisOptions synthesis_options(const SynthesizeCommand& options) {
  const CountRange chunks = parse_count_range(options.chunks, "chunks");
  SynthesisOptions result{.min_chunks = chunks.first,
                          .max_chunks = chunks.last,
                          .time_limit_s = parse_seconds(options.time_limit),
                          .seed = options.common.seed};
  if (!options.steps.empty()) {
    const CountRange steps = parse_count_range(options.steps, "steps");
    result.min_steps = steps.first;
    result.max_steps = steps.last;
  }
  return result;
}

const char* name_of(search::Proof proof) {
  switch (proof) {
    case search::Proof::any_chunks:
      return "any number of chunks";
    case search::Proof::tried_chunks:
      return "the chunks tried";
    case search::Proof::none:
      break;
  }
  return "nothing";
}

Parts<SynthesisPoint> point_parts() {
  constexpr PartOf<SynthesisPoint> part;
  return {
      part("steps", "steps", Unit::none, "steps (T_L)", &SynthesisPoint::steps),
      part("rounds", "rounds", Unit::none, "rounds of all steps together", &SynthesisPoint::rounds),
      part("chunks", "chunks", Unit::none, "chunks of a shard", &SynthesisPoint::chunks),
      part(keys::kBandwidthFactor, "T_B", &SynthesisPoint::bandwidth_factor),
      part("bandwidth_factor_bound", "T_B bound", Unit::none,
           "lower bound on T_B in at most as many steps", &SynthesisPoint::bound),
      part("proven", "", Unit::none, "whether no such schedule has a lower T_B",
           [](const SynthesisPoint& point) { return point.proof != search::Proof::none; }),
      part("proven_for", "proven for", Unit::none, "numbers of chunks that this is proven for",
           [](const SynthesisPoint& point) { return name_of(point.proof); })};
}

/// What weft synthesize answers.
struct SynthesisAnswer {
  const SynthesizeCommand& options;
  const Network& network;
  const Synthesis& synthesis;
};

Parts<Synthesis> bound_parts() {
  constexpr PartOf<Synthesis> part;
  return {part("steps", "", Unit::none, "minimum steps", &Synthesis::least_steps),
          part("bandwidth_factor", "", Unit::none, "minimum T_B, in units of M/B",
               &Synthesis::bandwidth_factor_bound)};
}

Parts<SynthesisAnswer> synthesis_parts() {
  constexpr PartOf<SynthesisAnswer> part;
  return {
      part(keys::kCollective,
           [](const SynthesisAnswer& a) {
             return name_of(schedule::parse_collective(a.options.said.text("collective")));
           }),
      part(keys::kTopology, [](const SynthesisAnswer& a) { return a.network.topology().name(); }),
      part("chunks", "", Unit::none, "numbers of chunks that were tried",
           [](const SynthesisAnswer& a) { return a.options.chunks; }),
      part("complete", "", Unit::none,
           "whether each point is proved for the chunks that were tried; false at the time limit",
           [](const SynthesisAnswer& a) { return a.synthesis.complete; }),
      part.object(
          "bounds", "lower bounds for any schedule",
          [](const SynthesisAnswer& a) -> const Synthesis& { return a.synthesis; }, bound_parts()),
      part.list(
          keys::kPareto, [](const SynthesisAnswer& a) -> const auto& { return a.synthesis.pareto; },
          point_parts())};
}

void print_table(const Synthesis& synthesis, Streams& streams) {
  constexpr auto kColumns = std::to_array<answer::Column>({{"steps"},
                                                           {"rounds"},
                                                           {"chunks"},
                                                           {"bandwidth_factor"},
                                                           {"bandwidth_factor_bound"},
                                                           {"proven_for"}});
  streams.out << table_of(answer::cells_of<SynthesisPoint>(synthesis.pareto, point_parts(),
                                                           kColumns, answer::Reader::person))
                     .text(screen_of(streams));
}

/// What stands when the time limit came first.
std::string proven_so_far(const Synthesis& synthesis) {
  std::string points;
  for (const SynthesisPoint& point : synthesis.pareto)
    if (point.proof != search::Proof::none)
      points +=
          fmt::format("{}{} T_B {}", points.empty() ? "" : ", ",
                      point.steps == 1 ? "1 step needs" : fmt::format("{} steps need", point.steps),
                      to_string(point.bandwidth_factor));
  return fmt::format("proven so far: {}{}T_B is never below {}", points, points.empty() ? "" : "; ",
                     to_string(synthesis.bandwidth_factor_bound));
}

void check(const Given& given, const SynthesizeCommand& options) {
  if (options.output == "-")
    given.refuse({"--json"},
                 "with -o - (the schedule is the answer); name a file, or leave one of them out");
}

int run(const SynthesizeCommand& options, Streams& streams) {
  const SynthesisOptions wanted = synthesis_options(options);
  const Network network = make_network(options.said, options.common.seed);
  const Collective collective = make_collective(options.said, network);
  const Synthesis synthesis = synthesize(collective, network, wanted);
  for (const SynthesisPoint& point : synthesis.pareto)
    static_cast<void>(schedule::verify_own(point.schedule, &network.topology()));
  if (!options.output.empty()) schedule::save(synthesis.pareto.back().schedule, options.output);
  if (options.output != "-") {  // else the schedule is the answer
    if (options.common.json)
      print_json("synthesize", SynthesisAnswer{options, network, synthesis}, synthesis_parts(),
                 options.common, streams);
    else
      print_table(synthesis, streams);
  }
  if (!options.common.quiet && !options.output.empty() && options.output != "-")
    streams.err << "wrote the schedule of the lowest T_B to " << options.output << '\n';
  if (synthesis.complete) return kFine;
  streams.err << "the time limit was reached; " << proven_so_far(synthesis) << '\n';
  return kNo;
}

}  // namespace

std::vector<answer::Shape> synthesize_shapes() {
  return {{"", texts_of(synthesis_parts())}};
}

void add_synthesize_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<SynthesizeCommand>();
  const Command command = program.add_command(
      "synthesize",
      "Search the best schedules of a small network, and prove that they are the best");
  const OptionAdder add(command);
  add_collective_options(command, options->said, "collective");
  command.option("collective").description("Collective: " + search::synthesized_names());
  add("--chunks", options->chunks, "Numbers of chunks of a shard to try: 3, 1..6 or 1:6:1");
  add("--steps", options->steps,
      "Numbers of steps to try: 3 (at most three), 2..5 or 2:5:1 [the diameter and three more]");
  add("--time-limit", options->time_limit, "Time limit of the search");
  add.output("-o,--output", options->output,
             "File for the schedule with the lowest T_B (.weft); - is standard output [none]");
  add_network_options(command, options->said);
  leave_out(command, all_of({{"--root", "--from", "--to", "--routing"},
                             host_options(),
                             but(placing_options(), {"--placement"})}));
  add_output_options(command, options->common);
  command.most_used({"--chunks", "--steps", "--time-limit", "--output"});
  command.footer(
      "Exit code 1: the time limit came before the proof was complete.\n"
      "Examples:\n"
      "  # Which all-gathers are the best on the eight GPUs of a DGX-1?\n"
      "  weft synthesize allgather --topology file:examples/dgx1.edges --chunks 1..6\n"
      "  # Save the best allreduce of two or three steps\n"
      "  weft synthesize allreduce --topology kautz:2,2 --chunks 2 --steps 2..3 -o ar.weft");
  on_chosen(command, options, run, action, check);
}

}  // namespace weft::cli
