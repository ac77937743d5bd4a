// weft schedule COLLECTIVE: builds a schedule, proves it, prices it, and writes it to a file.
#include <memory>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "weft/schedule/file.hpp"

namespace weft::cli {

namespace {

struct Options {
  CollectiveOptions collective;
  NetworkOptions network;
  AlgorithmChoice algorithm;
  std::string output;
  OutputOptions common;
};

int run(const Options& options, Streams& streams) {
  const Network network = make_network(options.network, options.common.seed);
  const Collective collective = make_collective(options.collective, network);
  const Schedule schedule = algorithm::build_schedule(options.algorithm.name, collective, &network,
                                                      options.algorithm.options());
  const Verified verified = schedule::verify_own(schedule, &network.topology());
  if (!options.output.empty()) schedule::save(verified.schedule(), options.output);
  if (options.output == "-") return kFine;  // the schedule is the answer
  if (options.common.json) {
    Json json = answer("schedule", options.common);
    json.update(json_of(Pricing{verified, network}));
    if (!options.output.empty()) json["output"] = options.output;
    print(json, streams);
  } else {
    print_facts({verified, network}, streams);
    if (!options.output.empty() && !options.common.quiet)
      streams.err << "wrote " << options.output << '\n';
  }
  return kFine;
}

}  // namespace

void add_schedule_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("schedule", "Build, prove and price a schedule");
  add_collective_options(*command, options->collective, "collective");
  command
      ->add_option("-a,--algorithm", options->algorithm.name, "Algorithm; see weft list algorithms")
      ->required();
  command->add_option("-o,--output", options->output,
                      "File to write the schedule to (.weft); - is standard output");
  add_algorithm_parameters(*command, options->algorithm);
  add_network_options(*command, options->network);
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft schedule allgather --topology ring:16 --algorithm bidirectional-ring\n"
      "  weft schedule alltoall -t kautz:4,2 -a bruck --radix 3 -o bruck.weft");
  on_chosen(*command, options, run, action);
}

}  // namespace weft::cli
