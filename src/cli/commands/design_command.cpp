// weft design: which network to build, and what it runs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/answers/parts.hpp"
#include "cli/commands/commands.hpp"
#include "cli/design/design_answer.hpp"
#include "cli/design/design_folder.hpp"
#include "cli/machine/machine_option.hpp"
#include "cli/machine/speeds.hpp"
#include "cli/machine/sum_note.hpp"
#include "cli/options/options.hpp"
#include "cli/options/packet_options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/shipped.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/design/network_design.hpp"
#include "weft/report/chart.hpp"
#include "weft/rows/kind.hpp"
#include "weft/search/finder.hpp"
#include "weft/search/found_graphs.hpp"
#include "weft/search/samples.hpp"

namespace weft::cli {

namespace {

struct DesignCommand {
  GivenFields said;  // link, alpha and others of the machine, prices, placement
  int nodes = 0;
  std::optional<std::int64_t> ports;  // of a node
  std::vector<std::string> calls;
  bool one_way = false;
  std::string build = "direct";
  std::optional<std::int64_t> radix;
  bool only_radix = false;
  int finalists = 3;
  std::optional<std::int64_t> per_rack, hosts_per_rack;
  std::string time_limit;
  std::string folder;
  OutputOptions common;
};

void check(const Given& given, const DesignCommand& options) {
  const design::Build build = design::parse_build(options.build);
  if (build != design::Build::switches)
    given.refuse({"--radix", "--only-radix", "--placement"},
                 "without switches; leave it out, or add --build switches");
  else
    given.refuse({"--one-way"}, "on switches, whose cables are two-way; leave it out");
}

void require_one_class(const GivenFields& said, const LinkOptions& links) {
  if (links.by_class.empty()) return;
  const std::string& name = links.by_class.begin()->first;
  if (!said.by_user("link"))
    reject(
        "{}: [links.{}] has a speed, but candidate networks have their own link classes; write "
        "[links.all] alone, or add --link 25Gbps,1us",
        said.machine->path, name);
  reject(
      "--link {}=...: candidate networks have their own link classes; give one speed for "
      "every link, such as 25Gbps,1us",
      name);
}

design::DesignQuestion asked_by(const DesignCommand& options) {
  const design::Build build = design::parse_build(options.build);
  design::DesignQuestion asked{
      .nodes = options.nodes,
      .ports = static_cast<int>(options.ports.value_or(design::default_ports(build))),
      .direction = options.one_way ? search::Direction::one_way : search::Direction::bidirectional,
      .build = build,
      .radix = static_cast<int>(options.radix.value_or(0)),
      .larger = options.only_radix ? design::LargerSwitches::left_out
                                   : design::LargerSwitches::considered,
      .network = fields::network_in(options.said.values),
      .simulation = make_simulation(options.said, options.common.seed),
      .prices = analysis::load_price_list(options.said.text("prices")),
      .per_rack = options.per_rack.value_or(0),
      .hosts_per_rack = options.hosts_per_rack.value_or(design::kHostsPerRack),
      .finalists = options.finalists,
      .time_limit_s = time_limit_in(options.time_limit).value_or(0)};
  asked.network.placing = {};  // of ranks on the hosts that are there
  if (options.said.of("placement")) asked.placement = options.said.text("placement");
  require(options.time_limit.empty() || asked.time_limit_s > 0,
          "invalid --time-limit 0 (expected 1s or more)");
  require_one_class(options.said, asked.network.links);
  require(asked.simulation.factors == nullptr,
          "weft design does not support factors by message size, because its bounds do not count "
          "them; remove [[links.CLASS.sizes]] from {}",
          options.said.machine ? options.said.machine->path : "the machine");
  if (options.said.machine) fields::require_classes(*options.said.machine);
  asked.network.seed = options.common.seed;
  for (const std::string& text : options.calls)
    for (order::MixEntry& call : order::parse_mix(text)) asked.calls.push_back(std::move(call));
  return asked;
}

// Whatever the catalogue, which takes two seconds to read.
bool has_no_network(const design::DesignQuestion& asked) {
  const bool in_range = asked.nodes >= 2 && asked.nodes <= search::kMostFinderNodes &&
                        asked.ports >= 1 && asked.ports <= search::kMostFinderDegree;
  const bool only_pairs = asked.ports == 1 && asked.direction == search::Direction::bidirectional;
  return !in_range || (only_pairs && asked.nodes > 2);
}

search::Catalogue catalogue_for(const design::DesignQuestion& asked) {
  if (asked.build == design::Build::switches || has_no_network(asked))
    return search::Catalogue::by_rule();
  search::Catalogue catalogue =
      search::load_catalogue(cache_file("found.csv"), asked.nodes, asked.nodes);
  if (asked.nodes > search::kMostSearchedNodes)
    search::add_samples(catalogue, {asked.nodes}, asked.ports);
  return catalogue;
}

// As compare takes them.
std::string speed_options(const GivenFields& said) {
  std::vector<std::string> options;
  for (const char* field : {"link", "alpha"})
    if (said.by_user(field)) options.push_back(fmt::format("--{} {}", field, said.own_text(field)));
  if (!said.machine)
    options.push_back(fmt::format("--machine {}", fields::kIdeal));
  else if (said.machine->origin != fields::MachineOrigin::by_default)
    options.push_back(fmt::format("--machine \"{}\"", said.machine->path));
  return fmt::format("{}", fmt::join(options, " "));
}

// Returns the note on sums of the call that takes longest, or nothing.
std::string sum_note_of(const design::DesignQuestion& asked, const design::DesignRow& row,
                        const Network& network) {
  const auto seconds = [&](std::size_t i) {
    return static_cast<double>(asked.calls[i].calls) *
           row.calls[i].fluid_s.value_or(row.calls[i].time_s);
  };
  std::size_t longest = 0;
  for (std::size_t i = 1; i < row.calls.size(); ++i)
    if (seconds(i) > seconds(longest)) longest = i;
  const order::MixEntry& call = asked.calls[longest];
  const design::DesignedCall& found = row.calls[longest];
  return sum_note({.kind = call.collective, .ranks = network.ranks()}, network, call.size_B,
                  found.fluid_s.value_or(found.time_s), found.least_s, "--machine NAME");
}

int run(const DesignCommand& options, Streams& streams) {
  const auto start = TimeLimit::Clock::now();
  design::DesignQuestion asked = asked_by(options);
  if (!options.folder.empty()) {
    require_new_folder(options.folder);
    report::require_gnuplot();
  }
  design::require_designable(asked);  // before the catalogue, which takes seconds to read
  const search::Catalogue catalogue = catalogue_for(asked);
  if (asked.time_limit_s > 0) {  // what reading took is part of it
    const std::chrono::duration<double> read = TimeLimit::Clock::now() - start;
    asked.time_limit_s = std::max(asked.time_limit_s - read.count(), 1e-3);
  }
  const design::NetworkDesign found = design_network(asked, catalogue);
  const Network network = design::designed_network(asked, found.rows[found.chosen]);
  const report::DesignSpeeds speeds{speeds_text(network, options.said),
                                    speed_options(options.said)};
  add_network_notes(options.said, network.topology(), *streams.notes);
  streams.notes->add(NoteWeight::assumption, sum_note_of(asked, found.rows[found.chosen], network));
  DesignAnswer answer{asked, found, speeds, network, options.said, {}};
  report::DesignFiles files;
  if (!options.folder.empty()) {
    write_design(asked, found, speeds, options.folder);
    files = files_of(asked);
    answer.schedules = files.schedules;
  }
  if (options.common.json)
    print_json("design", answer, design_parts(), options.common, streams);
  else
    streams.out << text_of(answer, screen_of(streams));
  if (!options.folder.empty() && !options.common.quiet)
    streams.err << fmt::format("wrote {}/report.html, {}{}{}, {} and {}\n", options.folder,
                               files.cabling, files.circuits.empty() ? "" : ", ", files.circuits,
                               files.topology, counted(std::ssize(files.schedules), "schedule"));
  if (found.in_time()) return kFine;
  streams.err << late_note(found);
  return kNo;
}

}  // namespace

void add_design_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<DesignCommand>();
  const Command command = program.add_command(
      "design", "Choose a network for N nodes and their collectives, with cabling and price");
  const OptionAdder add(command);
  add("--nodes,-n", options->nodes, "Number of nodes").required();
  add("--degree,-d", options->ports, "Number of ports of a node [4; 1 with --build switches]")
      .range(1, search::kMostFinderDegree);
  add.repeated("--collective,-c", options->calls,
               "Collectives that the nodes run, with size and number of calls: "
               "COLLECTIVE:SIZE[:CALLS], comma-separated; repeatable")
      .required();
  static const fields::Field every_link = field_of_every_link("Bandwidth,latency of every link");
  add.field(options->said, every_link);
  options->said.has_default_machine = true;
  const auto machine = add_machine_option(command, nullptr, "generic");
  command.after_reading([options, machine] { take_machine(*machine, options->said); });
  add.field(options->said, *rows::find_field("alpha"));
  add("--build", options->build,
      "Equipment between the nodes: direct (cables), patch-panel, optical-switch or switches");
  const Option radix =
      add("--radix", options->radix,
          "Number of ports of a switch, with --build switches; larger switches are bought if the "
          "network then costs less [the switches of the price list]")
          .range(2, 4096);
  add.flag("--only-radix", options->only_radix, "Buy no switches with more ports than --radix")
      .needs(radix);
  static const fields::Field placement = [] {
    fields::Field field = *rows::find_field("placement");
    field.help =
        "Distribution of hosts over switches with spare ports: round-robin-router (evenly), linear "
        "(first switches first), random or others [round-robin-router]";
    return field;
  }();
  add.field(options->said, placement);
  add.flag(
      "--one-way", options->one_way,
      "Include networks of one-way links; a node then has as many ports to send as to receive");
  add.field(options->said, *rows::find_field("prices"));
  const Option by_hosts = add("--hosts-per-rack", options->hosts_per_rack,
                              "Number of hosts in a rack, or of nodes if there are no switches; "
                              "cables within a rack are electrical and 1 m long [32]")
                              .range(1, 1'000'000);
  add("--switches-per-rack", options->per_rack,
      "Number of consecutive switches in a rack, with all their hosts, or of nodes without "
      "switches [as many as --hosts-per-rack allows]")
      .range(1, 1'000'000)
      .excludes(by_hosts);
  add("--finalists", options->finalists,
      "Number of top candidates to simulate and to test against every single cable and node "
      "failure, 1 to 100")
      .range(1, 100);
  add("--time-limit", options->time_limit,
      "Time limit; the answer is the best that is known by then [none]");
  add("-o,--output", options->folder,
      "Folder for report.html, cabling.csv, circuits.csv (with a panel), topology.json and one "
      "schedule for each collective [none]");
  add_output_options(command, options->common);
  command.most_used({"--nodes", "--degree", "--collective", "--build", "--output"});
  command.advanced({"--alpha", "--only-radix", "--placement", "--one-way", "--hosts-per-rack",
                    "--switches-per-rack"});
  command.footer(
      "Exit code 1: the time limit came before all candidates were timed and simulated.\n"
      "Examples:\n"
      "  # Which cables should join 64 nodes with four ports each?\n"
      "  weft design --nodes 64 --degree 4 --link 25Gbps,10us --collective allreduce:100MiB \\\n"
      "    --collective alltoall:1MiB -o plan64\n"
      "  # Which network suits eight nodes that run ten allreduces?\n"
      "  weft design -n 8 -d 4 -c allreduce:64MiB:10\n"
      "  # Which switches should join 100 nodes?\n"
      "  weft design -n 100 --build switches --radix 16 -c allreduce:16MiB,alltoall:64KiB");
  on_chosen(command, options, run, action, check);
}

}  // namespace weft::cli
