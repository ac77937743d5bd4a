// weft cost FILE: the exact price of a schedule on its network or another.
#include <fmt/format.h>

#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/foreign/source_file.hpp"
#include "cli/machine/machine_option.hpp"
#include "cli/options/options.hpp"
#include "weft/schedule/crossings.hpp"
#include "weft/schedule/phase_loads.hpp"

namespace weft::cli {

namespace {

struct CostCommand {
  std::string file;
  Said said;
  bool crossings = false, phases = false;
  OutputOptions common;
};

// The links that messages cross, by class.
void add(Record& record, const schedule::Crossings& crossings, const Screen& screen) {
  Json messages = Json::object(), data = Json::object();
  Table table({"links", "messages", "data in M"});
  for (const auto& one : crossings.classes) {
    messages[one.link_class] = one.messages;
    data[one.link_class] = one.data;
    table.add({one.link_class, std::to_string(one.messages), show(one.data)});
  }
  record.json["link_crossings"] = std::move(messages);
  record.json["link_data"] = std::move(data);
  record.json["makespan_links"] = crossings.makespan;
  record.below += fmt::format("{}makespan in links  {}\n", table.text(screen), crossings.makespan);
}

// The load of each step on the links.
void add(Record& record, const std::vector<schedule::PhaseLoad>& phases, const Topology& topology,
         const Screen& screen) {
  std::vector<std::string> head{"step", "messages", "busiest link"};
  const bool tree = !phases.empty() && phases.front().least.has_value();
  if (tree) head.insert(head.end(), {"lower bound", "over the top level"});
  for (const std::string& name : topology.class_names()) head.push_back("over " + name);
  Table table(head);
  Json& all = record.json["phases"] = Json::array();
  for (const auto& phase : phases) {
    std::vector<std::string> row{std::to_string(all.size()), std::to_string(phase.messages),
                                 std::to_string(phase.busiest_link)};
    if (tree)
      row.insert(row.end(), {std::to_string(*phase.least), std::to_string(*phase.top_level)});
    Json crossings = Json::object();
    for (std::size_t c = 0; c < phase.by_class.size(); ++c) {
      crossings[topology.class_names()[ClassId(c)]] = phase.by_class[c];
      row.push_back(std::to_string(phase.by_class[c]));
    }
    table.add(row);
    all.push_back({{"messages", phase.messages},
                   {"link_crossings", std::move(crossings)},
                   {"busiest_link", phase.busiest_link},
                   {"least_busiest_link", phase.least},
                   {"top_level", phase.top_level}});
  }
  record.below += table.text(screen);
}

int run(const CostCommand& options, Streams& streams) {
  const Verified verified = load_verified(options.file);
  const Network network = make_network(options.said, options.common.seed, &verified.schedule(),
                                       name_of_file(options.file));
  add_network_notes(options.said, network.topology(), *streams.notes);
  const Screen screen = screen_of(streams);
  Record record =
      record_of({verified, network}, answer("cost", options.common), screen, *streams.notes);
  if (options.crossings) add(record, schedule::crossings(verified, network), screen);
  if (options.phases)
    add(record, schedule::phase_loads(verified, network), network.topology(), screen);
  print(record, options.common, streams, screen);
  return kFine;
}

}  // namespace

void add_cost_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<CostCommand>();
  const Command command = program.add_command(
      "cost", "Compute the exact price of a schedule file: steps and multiples of M/B");
  const OptionAdder add(command);
  add("file", options->file, "Schedule file (.weft or MSCCL XML); - is standard input").required();
  add.flag("--crossings", options->crossings,
           "Print the number of links that messages cross, by class");
  add.flag("--phases", options->phases,
           "Print for each step the number of messages on its busiest link");
  add_network_options(command, options->said, Need::optional);
  leave_out(command, {"--alpha", "--alpha-receive", "--alpha-per", "--ports", "--copy-bandwidth",
                      "--layout", "--reduce-bandwidth"});
  add_output_options(command, options->common);
  command.footer(
      "Examples:\n"
      "  # What does a schedule cost on another network?\n"
      "  weft schedule alltoall -t kautz:4,2 -a bruck -o bruck.weft\n"
      "  weft cost bruck.weft --topology torus:5x4\n"
      "  # How often do the messages of a broadcast cross the global links of a Dragonfly?\n"
      "  weft cost forest.weft --routing minimal --crossings\n"
      "  # Which step of an all-to-all loads a link most?\n"
      "  weft schedule alltoall -t \"xgft:3;4,4,2;1,4,2\" -a lin -o - | weft cost - --phases");
  on_chosen(command, options, run, action);
}

}  // namespace weft::cli
