// weft cost FILE: the exact price of a schedule on its network or another.
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/options/options.hpp"
#include "weft/schedule/crossings.hpp"
#include "weft/schedule/phase_loads.hpp"

namespace weft::cli {

namespace {

struct Options {
  std::string file;
  NetworkOptions network;
  bool crossings = false, phases = false;
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
  streams.out << table.text(screen_of(streams)) << "makespan in links  " << crossings.makespan
              << '\n';
}

Json or_null(const std::optional<std::int64_t>& value) {
  return value ? Json(*value) : Json();
}

// What each step asks of the links.
Json json_of(const std::vector<schedule::PhaseLoad>& phases, const Topology& topology) {
  Json all = Json::array();
  for (const auto& phase : phases) {
    Json crossings = Json::object();
    for (std::size_t c = 0; c < phase.by_class.size(); ++c)
      crossings[topology.class_names()[c]] = phase.by_class[c];
    all.push_back({{"messages", phase.messages},
                   {"link_crossings", std::move(crossings)},
                   {"busiest_link", phase.busiest_link},
                   {"least_busiest_link", or_null(phase.least)},
                   {"top_level", or_null(phase.top_level)}});
  }
  return all;
}

void print_phases(const std::vector<schedule::PhaseLoad>& phases, const Topology& topology,
                  Streams& streams) {
  std::vector<std::string> head{"step", "messages", "busiest link"};
  const bool tree = !phases.empty() && phases.front().least.has_value();
  if (tree) head.insert(head.end(), {"at least", "over the top"});
  for (const std::string& name : topology.class_names()) head.push_back("over " + name);
  Table table(head);
  for (std::size_t step = 0; step < phases.size(); ++step) {
    const auto& phase = phases[step];
    std::vector<std::string> row{std::to_string(step), std::to_string(phase.messages),
                                 std::to_string(phase.busiest_link)};
    if (tree)
      row.insert(row.end(), {std::to_string(*phase.least), std::to_string(*phase.top_level)});
    for (const std::int64_t crossings : phase.by_class) row.push_back(std::to_string(crossings));
    table.add(row);
  }
  streams.out << table.text(screen_of(streams));
}

int run(const Options& options, Streams& streams) {
  const Verified verified = load_verified(options.file);
  const Network network = make_network(options.network, options.common.seed, &verified.schedule());
  if (options.common.json) {
    Json json = answer("cost", options.common);
    json.update(json_of(Pricing{verified, network}));
    if (options.crossings) add_crossings(json, schedule::crossings(verified, network));
    if (options.phases)
      json["phases"] = json_of(schedule::phase_loads(verified, network), network.topology());
    print(json, streams);
  } else {
    print_facts({verified, network}, streams);
    if (options.crossings) print_crossings(schedule::crossings(verified, network), streams);
    if (options.phases)
      print_phases(schedule::phase_loads(verified, network), network.topology(), streams);
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
  command->add_flag("--phases", options->phases,
                    "Also say of each step how many messages its busiest link carries");
  add_network_options(*command, options->network, Need::optional);
  leave_out(*command, {"--alpha", "--alpha-receive", "--alpha-per", "--ports", "--copy-bandwidth",
                       "--layout", "--reduce-bandwidth"});
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft cost bruck.weft --json\n"
      "  weft cost bruck.weft --topology torus:5x4\n"
      "  weft cost forest.weft --routing minimal --crossings\n"
      "  weft schedule alltoall -t \"xgft:3;4,4,2;1,4,2\" -a lin -o - | weft cost - --phases");
  on_chosen(*command, options, run, action);
}

}  // namespace weft::cli
