// weft synthesize COLLECTIVE: the Pareto-optimal schedules of a small network, with proofs.
#include <algorithm>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/options/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/range.hpp"
#include "weft/base/units.hpp"
#include "weft/schedule/file.hpp"
#include "weft/search/synthesis.hpp"

namespace weft::cli {

namespace {

struct SynthesizeCommand {
  Said said;
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

Json json_of(const SynthesisPoint& point) {
  return {{"steps", point.steps},
          {"rounds", point.rounds},
          {"chunks", point.chunks},
          {"bandwidth_factor", to_string(point.bandwidth_factor)},
          {"bandwidth_factor_bound", to_string(point.bound)},
          {"proven", point.proof != search::Proof::none},
          {"proven_for", name_of(point.proof)}};
}

Json json_of(const Synthesis& synthesis, const SynthesizeCommand& options, const Network& network) {
  Json json = answer("synthesize", options.common);
  json["collective"] = name_of(schedule::parse_collective(options.said.text("collective")));
  json["topology"] = network.topology().name();
  json["chunks"] = options.chunks;
  json["complete"] = synthesis.complete;
  json["bounds"] = {{"steps", synthesis.least_steps},
                    {"bandwidth_factor", to_string(synthesis.bandwidth_factor_bound)}};
  json["pareto"] = Json::array();
  for (const SynthesisPoint& point : synthesis.pareto) json["pareto"].push_back(json_of(point));
  return json;
}

void print_table(const Synthesis& synthesis, Streams& streams) {
  Table table({"steps", "rounds", "chunks", "T_B", "T_B bound", "proven for"});
  for (const SynthesisPoint& point : synthesis.pareto)
    table.add({std::to_string(point.steps), std::to_string(point.rounds),
               std::to_string(point.chunks), show(point.bandwidth_factor), show(point.bound),
               name_of(point.proof)});
  streams.out << table.text(screen_of(streams));
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
      print(json_of(synthesis, options, network), streams);
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
  leave_out(command, {"--root", "--from", "--to", "--alpha", "--alpha-receive", "--alpha-per",
                      "--ports", "--copy-bandwidth", "--layout", "--reduce-bandwidth", "--routing",
                      "--ranks", "--hosts"});
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
