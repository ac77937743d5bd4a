// weft cost FILE: the exact price of a schedule on its network or another.
#include <memory>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "weft/schedule/crossings.hpp"

namespace weft::cli {

namespace {

struct Options {
  std::string file;
  NetworkOptions network;
  bool crossings = false;
  OutputOptions common;
};

// Which links the messages cross, beside the price.
void add_crossings(Json& json, const schedule::Crossings& crossings) {
  Json messages = Json::object(), data = Json::object();
  for (const auto& one : crossings.classes) {
    messages[one.link_class] = one.messages;
    data[one.link_class] = to_string(one.data);
  }
  json["link_crossings"] = std::move(messages);
  json["link_data"] = std::move(data);
  json["makespan_links"] = crossings.makespan;
}

void print_crossings(const schedule::Crossings& crossings, Streams& streams) {
  Table table({"links", "messages that cross", "data in M"});
  for (const auto& one : crossings.classes)
    table.add({one.link_class, std::to_string(one.messages), show(one.data)});
  streams.out << table.text() << "makespan in links  " << crossings.makespan << '\n';
}

int run(const Options& options, Streams& streams) {
  const Verified verified = load_verified(options.file);
  const Network network = make_network(options.network, options.common.seed, &verified.schedule());
  if (options.common.json) {
    Json json = answer("cost", options.common);
    json.update(json_of(Pricing{verified, network}));
    if (options.crossings) add_crossings(json, schedule::crossings(verified, network));
    print(json, streams);
  } else {
    print_facts({verified, network}, streams);
    if (options.crossings) print_crossings(schedule::crossings(verified, network), streams);
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
  command->add_flag("--crossings", options->crossings,
                    "Also count the links that messages cross, by class");
  add_network_options(*command, options->network, Need::optional);
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft cost bruck.weft --json\n"
      "  weft cost bruck.weft --topology torus:5x4\n"
      "  weft cost forest.weft --routing minimal --crossings");
  on_chosen(*command, options, run, action);
}

}  // namespace weft::cli
