// weft cost FILE: the exact price of a schedule on its network or another.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/foreign/source_file.hpp"
#include "cli/machine/machine_option.hpp"
#include "cli/options/options.hpp"
#include "cli/schedule/pricing.hpp"
#include "weft/answer/keys.hpp"
#include "weft/schedule/crossings.hpp"
#include "weft/schedule/phase_loads.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

struct CostCommand {
  std::string file;
  GivenFields said;
  bool crossings = false, phases = false;
  OutputOptions common;
};

/// The load of a step on the links.
struct Phase {
  const schedule::PhaseLoad& load;
  const Topology& topology;
};

/// What weft cost answers.
struct CostAnswer {
  Pricing pricing;
  std::optional<schedule::Crossings> crossings = {};
  std::optional<std::vector<schedule::PhaseLoad>> phases = {};
};

// A value of each class of links that messages cross, by its name.
template <class T>
auto of_classes(T schedule::ClassCrossings::*member) {
  return [member](const CostAnswer& a) {
    std::vector<std::pair<std::string, T>> values;
    for (const auto& one : a.crossings->classes) values.emplace_back(one.link_class, one.*member);
    return values;
  };
}

template <class T>
auto of_load(T schedule::PhaseLoad::*member) {
  return [member](const Phase& phase) { return phase.load.*member; };
}

Parts<Phase> phase_parts() {
  using schedule::PhaseLoad;
  constexpr PartOf<Phase> part;
  return {part("messages", "", Unit::none, "messages between different nodes",
               of_load(&PhaseLoad::messages)),
          part("link_crossings", "", Unit::none, "links of each class that they cross",
               [](const Phase& phase) {
                 std::vector<std::pair<std::string, std::int64_t>> values;
                 for (std::size_t c = 0; c < phase.load.by_class.size(); ++c)
                   values.emplace_back(phase.topology.class_names()[ClassId(c)],
                                       phase.load.by_class[c]);
                 return values;
               }),
          part("busiest_link", "", Unit::none, "messages on the busiest link",
               of_load(&PhaseLoad::busiest_link)),
          part("least_busiest_link", "", Unit::none,
               "lower bound on that, of any up and down paths of a tree, or null",
               of_load(&PhaseLoad::least)),
          part("top_level", "", Unit::none, "messages that cross the top level of a tree, or null",
               of_load(&PhaseLoad::top_level))};
}

Parts<CostAnswer> cost_parts() {
  using schedule::ClassCrossings;
  constexpr PartOf<CostAnswer> part;
  const auto has_crossings = [](const CostAnswer& a) { return a.crossings.has_value(); };
  return join(
      part.within(&CostAnswer::pricing,
                  // known where the algorithm builds it, not in a file
                  without_keys(pricing_parts(), {"exact_bandwidth_factor"})),
      {part(keys::kLinkCrossings, of_classes(&ClassCrossings::messages)).when(has_crossings),
       part("link_data", "", Unit::none, "data over links of each class, in units of M",
            of_classes(&ClassCrossings::data))
           .when(has_crossings),
       part("makespan_links", "", Unit::none,
            "time until the last message arrives, if each takes one unit for each link",
            [](const CostAnswer& a) { return a.crossings->makespan; })
           .when(has_crossings),
       part.list(
               "phases", "load of each step on the links",
               [](const CostAnswer& a) {
                 std::vector<Phase> phases;
                 for (const auto& load : *a.phases)
                   phases.push_back({load, a.pricing.network.topology()});
                 return phases;
               },
               phase_parts())
           .when([](const CostAnswer& a) { return a.phases.has_value(); })});
}

// The links that messages cross, by class.
std::string text_of(const schedule::Crossings& crossings, const Screen& screen) {
  Table table({"links", "messages", "data in M"});
  for (const auto& one : crossings.classes)
    table.add({one.link_class, std::to_string(one.messages), show(one.data)});
  return fmt::format("{}makespan in links  {}\n", table.text(screen), crossings.makespan);
}

Table table_of(const std::vector<schedule::PhaseLoad>& phases, const Topology& topology) {
  std::vector<std::string> head{"step", "messages", "busiest link"};
  const bool tree = !phases.empty() && phases.front().least.has_value();
  if (tree) head.insert(head.end(), {"lower bound", "over the top level"});
  for (const std::string& name : topology.class_names()) head.push_back("over " + name);
  Table table(head);
  for (std::size_t step = 0; step < phases.size(); ++step) {
    const schedule::PhaseLoad& phase = phases[step];
    std::vector<std::string> row{std::to_string(step), std::to_string(phase.messages),
                                 std::to_string(phase.busiest_link)};
    if (tree)
      row.insert(row.end(), {std::to_string(*phase.least), std::to_string(*phase.top_level)});
    for (const std::int64_t crossings : phase.by_class) row.push_back(std::to_string(crossings));
    table.add(row);
  }
  return table;
}

int run(const CostCommand& options, Streams& streams) {
  const Verified verified = load_verified(options.file);
  const Network network = make_network(options.said, options.common.seed, &verified.schedule(),
                                       name_of_file(options.file));
  add_network_notes(options.said, network.topology(), *streams.notes);
  CostAnswer answer{price(verified, network, *streams.notes)};
  if (options.crossings) answer.crossings = schedule::crossings(verified, network);
  if (options.phases) answer.phases = schedule::phase_loads(verified, network);
  if (options.common.json) {
    print_json("cost", answer, cost_parts(), options.common, streams);
    return kFine;
  }
  const Screen screen = screen_of(streams);
  streams.out << facts_from(answer, cost_parts()).text(screen)
              << paths_text(answer.pricing, screen);
  if (answer.crossings) streams.out << text_of(*answer.crossings, screen);
  if (answer.phases) streams.out << table_of(*answer.phases, network.topology()).text(screen);
  return kFine;
}

}  // namespace

std::vector<answer::Shape> cost_shapes() {
  return {{"", texts_of(cost_parts())}};
}

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
  leave_out(command, host_options());
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
