// weft degrade COLLECTIVE: what if a cable dies?

#include <memory>

#include "cli/answers/parts.hpp"
#include "cli/commands/commands.hpp"
#include "cli/degrade/degrade_answer.hpp"
#include "cli/foreign/schedule_files.hpp"
#include "cli/options/algorithm_list.hpp"
#include "cli/options/options.hpp"
#include "cli/options/packet_options.hpp"
#include "weft/base/error.hpp"

namespace weft::cli {

namespace {

void check(const Given& given, const DegradeQuestion& options) {
  refuse_unused(given, options.said);
}

advise::DegradeOptions asked_by(const DegradeQuestion& options) {
  advise::DegradeOptions asked{
      .algorithms = algorithms_beside(options.schedule_files, options.algorithms,
                                      schedule::parse_collective(options.said.text("collective"))),
      .size_B = one_size(options.size),
      .seed = options.common.seed,
      .algorithm = fields::algorithm_options_in(options.said.values),
      .simulation = make_simulation(options.said, options.common.seed)};
  set_members(asked.failures, advise::failure_members(), options.failing.values);
  return asked;
}

int run(const DegradeQuestion& options, Streams& streams) {
  if (!options.chart.empty()) report::require_chart_path(options.chart);
  advise::DegradeOptions asked = asked_by(options);
  require(
      options.schedule_files.empty() || asked.failures.schedules == advise::ScheduleRepair::kept,
      "--schedules rebuilt cannot build the schedules of --schedule-files again; leave one "
      "of the two out");
  const Network network = make_network(options.said, options.common.seed);
  const Collective collective = make_collective(options.said, network);
  require_used(options.said, collective);
  asked.schedules =
      schedules_in(options.schedule_files, collective, network, asked.size_B, streams);
  const DegradeAnswer answer{options, asked, network, collective,
                             advise::degrade(collective, network, asked)};
  std::vector<fields::SentAt> sent;
  for (const advise::Endurance& each : answer.found.algorithms)
    sent.push_back({asked.size_B, each.messages});
  add_machine_notes(options.said, network.topology(), sent, *streams.notes);
  streams.notes->add(NoteWeight::incomplete, notes_of(answer.found.dropped));
  if (!options.chart.empty()) {
    const report::Chart chart = chart_of(answer);
    report::draw_chart(chart, options.chart);
    if (!options.common.quiet)
      streams.err << "wrote " << options.chart << report::crowding_of(chart) << '\n';
  }
  if (options.common.json)
    print_json("degrade", answer, degrade_parts(), options.common, streams);
  else
    print_table(answer, streams);
  return kFine;
}

}  // namespace

void add_degrade_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<DegradeQuestion>();
  const Command command = program.add_command(
      "degrade", "Predict how much slower collectives become when cables or switches fail");
  const OptionAdder add(command);
  add_collective_options(command, options->said, "collective");
  add("-a,--algorithms,--algorithm", options->algorithms,
      "Algorithms, comma-separated, or all,packing to add one to all [all]");
  add_schedule_files(add, options->schedule_files);
  add("--size,--sizes", options->size,
      "Size of one call, such as 64MiB; see weft list collectives");
  add.members(options->failing, advise::failure_members());
  add.output("--chart,--plot", options->chart,
             "Chart of the slowdowns: FILE.svg or FILE.png [none]");
  add_simulation_options(command, options->said);
  add_algorithm_parameters(command, options->said, &options->algorithms);
  options->said.has_default_machine = true;
  add_network_options(command, options->said);
  add_output_options(command, options->common);
  command.most_used({"--algorithms", "--size", "--cables", "--nodes", "--failures"});
  command.advanced({"--root", "--from", "--to", "--schedule-files"});
  command.footer(
      "Examples:\n"
      "  # How much slower does an allreduce become if any one cable fails?\n"
      "  weft degrade allreduce -t torus:4x4x4 --algorithms all --size 16MiB\n"
      "  # What if a switch fails?\n"
      "  weft degrade alltoall -t leaf-spine:leaves=8,spines=4,hosts=16 --nodes all\n"
      "  # What if two cables fail at once?\n"
      "  weft degrade allgather -t dragonfly:a=4,p=2,h=2 --cables 20 --failures 2 --chart "
      "worst.svg");
  on_chosen(command, options, run, action, check);
}

}  // namespace weft::cli
