// weft train MODEL: how long a step of training takes on a network, and where its time goes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "cli/answers/parts.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/algorithm_list.hpp"
#include "cli/options/options.hpp"
#include "cli/options/packet_options.hpp"
#include "cli/train/named_device.hpp"
#include "cli/train/trace_answer.hpp"
#include "cli/train/training_answer.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/format/format.hpp"
#include "weft/report/chart.hpp"
#include "weft/training/trace/expanded_step.hpp"
#include "weft/training/trace/simai_workload.hpp"
#include "weft/training/trace/step_trace.hpp"

namespace weft::cli {

namespace {

void write_goal(const TrainAnswer& answer, Streams& streams) {
  const training::ExpandedStep step =
      training::expand_step(answer.found, answer.network, answer.plan.asked);
  const std::string& path = answer.options.write_goal;
  const auto files = format::find_format("goal").write_program(
      step.program, {.path = path, .host = answer.network.host()});
  write_file(path, files.front().content);
  if (!step.without_paths.empty())
    streams.notes->add(
        NoteWeight::assumption,
        fmt::format("GOAL files have no paths, so the network routes the messages of {}",
                    fmt::join(step.without_paths, ", ")));
  if (answer.options.common.quiet) return;
  streams.err << fmt::format("wrote {}: {}, {}\n", path, counted(step.program.ranks(), "rank"),
                             counted(step.program.message_count(), "message"));
}

void check(const Given& given, const TrainQuestion& options) {
  refuse_unused(given, options.said);
  if (!options.timeline.empty()) {
    report::require_chart_path(options.timeline);
    report::require_gnuplot();
  }
  if (given("--trace")) return check_trace(given, options);
  require(options.said.of("workload"),
          "no workload is named; give the file of a model, one of weft list workloads, or "
          "--trace");
}

int run(const TrainQuestion& given, Streams& streams) {
  const TrainQuestion options = with_sums_on_gpu(given);
  if (!options.trace.empty()) return run_trace(options, streams);
  const training::TrainingSpec spec = training_of(options);
  const Network network = make_network(options.said, options.common.seed);
  training::TrainingPlan plan = training::plan_training(spec, network.ranks());
  plan.asked.algorithm = fields::algorithm_options_in(options.said.values);
  plan.asked.simulation = make_simulation(options.said, options.common.seed);
  fit_routing(plan.asked.simulation.packet, options.said, network);
  training::refuse_idle(spec, plan);
  const workload::StateMemory memory = training::state_memory(plan);
  if (!spec.no_memory_check) training::require_fits(spec, plan, memory);
  if (!options.write_trace.empty())  // before anything is written
    training::require_even_in_trace(!plan.asked.step.skew);
  if (!options.write_simai.empty()) training::require_simai(plan.asked.step);
  if (!options.write_goal.empty()) training::require_expandable(plan.asked);
  const training::Training found = training::train(plan.model, plan.times, network, plan.asked);
  const TrainAnswer answer{options, spec, plan, network, found, memory};
  add_machine_notes(options.said, network.topology(), {}, *streams.notes);
  add_device_note(options, spec, *streams.notes);
  add_sums_note(options, spec, *streams.notes);
  add_notes(answer, *streams.notes);
  write_pictures(
      options, [&] { return chrome_trace(answer); }, [&] { return timeline_chart(answer); },
      streams);
  if (!options.write_trace.empty()) write_trace(answer, streams);
  if (!options.write_simai.empty()) {
    write_file(options.write_simai,
               training::simai_workload(found.step, plan.model, plan.asked.step.parallel));
    if (!options.common.quiet) streams.err << "wrote " << options.write_simai << '\n';
  }
  if (!options.write_goal.empty()) write_goal(answer, streams);
  if (options.common.json)
    print_json("train", answer, training_parts(), options.common, streams);
  else
    print_tables(answer, streams);
  return kFine;
}

// The heading of a field in the help.
const char* heading_of(std::string_view field) {
  for (const char* name : {"device", "precision", "efficiency", "layer-times", "samples-per-second",
                           "no-memory-check"})
    if (field == name) return "Computing";
  for (const char* name : {"pipeline-order", "virtual-stages", "prefetch", "gradient-bytes",
                           "activation-bytes", "parameter-bytes", "first-come", "scatter-gather"})
    if (field == name) return "Training step";
  return nullptr;
}

void add_step_options(Command command, GivenFields& said) {
  for (const auto& [field, set] : training::training_members()) {
    OptionAdder(command, heading_of(field->name))
        .field(said, *field,
               field->name == "workload"     ? "workload"
               : field->name == "algorithms" ? "-a,--algorithm,--algorithms"
                                             : "");
  }
}

}  // namespace

void add_train_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<TrainQuestion>();
  const Command command = program.add_command(
      "train", "Predict the time of a training step on a network, and show where it goes");
  const OptionAdder add(command);
  add_step_options(command, options->said);
  add("--trace", options->trace,
      "Trace to run instead: Chakra FILE.0.et, ... or a SimAI workload [none]");
  add.output("--timeline", options->timeline,
             "Chart of the streams over time: FILE.svg or FILE.png [none]");
  add.output("--chrome-trace", options->chrome_trace,
             "File of the step for Perfetto or chrome://tracing: FILE.json [none]");
  mark_output_prefix(add("--write-trace", options->write_trace,
                         "Prefix of Chakra trace files of the step: FILE.RANK.et [none]"));
  add.output("--write-simai", options->write_simai,
             "File of the step as a SimAI workload: layers, their times and collectives [none]");
  add.output(
      "--write-goal", options->write_goal,
      "File of the step as GOAL text, with the sends and receives of each collective [none]");
  add_simulation_options(command, options->said);
  options->said.once_read.push_back([&values = options->said.values] {
    std::string algorithms = fields::text_in(values, "algorithms");
    take_parameters(algorithms, values);
    if (!algorithms.empty()) values["algorithms"] = algorithms;
  });
  add_algorithm_parameters(command, options->said);
  options->said.has_default_machine = true;
  add_network_options(command, options->said);
  add_output_options(command, options->common);
  command.most_used({"--parallel", "--batch", "--device", "--precision", "--link", "--machine"});
  command.advanced({"--pipeline-order",
                    "--order",
                    "--global-batch",
                    "--tokens",
                    "--capacity",
                    "--alltoall",
                    "--skew",
                    "--isolated",
                    "--chrome-trace",
                    "--write-simai",
                    "--write-goal",
                    "--efficiency",
                    "--layer-times",
                    "--samples-per-second",
                    "--no-memory-check",
                    "--virtual-stages",
                    "--prefetch",
                    "--gradient-bytes",
                    "--activation-bytes",
                    "--parameter-bytes",
                    "--first-come",
                    "--scatter-gather"});
  command.footer(
      "Examples:\n"
      "  # How long does a step of data-parallel training take?\n"
      "  weft train vgg-16 -t kautz:16,2 --batch 32 --device v100 --link 12.5GBps,1us\n"
      "  # How long with tensor and pipeline parallelism?\n"
      "  weft train dense-8b -t \"hosts(8, hamming:4x4)\" --parallel tensor=8,pipeline=2,data=8 "
      "--micro-batches 8\n"
      "  # Which bucket size is best, and what happens when?\n"
      "  weft train gpt-2-large -t torus:3x4 --batch 1 --buckets 1MB,10MB,100MB --timeline "
      "gpt2.svg --write-trace step\n"
      "  # How long does a recorded trace take on another network?\n"
      "  weft train --trace step -t ring:12");
  on_chosen(command, options, run, action, check);
}

}  // namespace weft::cli
