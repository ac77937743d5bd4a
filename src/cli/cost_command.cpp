// weft cost FILE: the exact price of a schedule on its network or another.
#include <memory>

#include "cli/commands.hpp"
#include "cli/options.hpp"

namespace weft::cli {

namespace {

struct Options {
  std::string file;
  NetworkOptions network;
  OutputOptions common;
};

int run(const Options& options, Streams& streams) {
  const Verified verified = load_verified(options.file);
  const Network network = make_network(options.network, options.common.seed, &verified.schedule());
  if (options.common.json) {
    Json json = answer("cost", options.common);
    json.update(json_of(Pricing{verified, network}));
    print(json, streams);
  } else {
    print_facts({verified, network}, streams);
  }
  return kFine;
}

}  // namespace

void add_cost_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      "cost", "Price a schedule file exactly, in steps and multiples of M/B");
  command->add_option("file", options->file, "Schedule file (.weft); - is standard input")
      ->required();
  add_network_options(*command, options->network, Need::optional);
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft cost bruck.weft --json\n"
      "  weft cost bruck.weft --topology torus:5x4");
  on_chosen(*command, options, run, action);
}

}  // namespace weft::cli
