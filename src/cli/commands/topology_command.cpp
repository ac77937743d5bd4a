// weft topology EXPRESSION: what a network is like, and its file forms.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/machine/link_origins.hpp"
#include "cli/machine/machine_option.hpp"
#include "cli/options/options.hpp"
#include "cli/topology/forwarding_answer.hpp"
#include "cli/topology/topology_answer.hpp"
#include "weft/analysis/against.hpp"
#include "weft/analysis/cable_list.hpp"
#include "weft/analysis/forwarding_report.hpp"
#include "weft/analysis/report.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/suggest.hpp"
#include "weft/design/bisection_parts.hpp"
#include "weft/rows/kind.hpp"
#include "weft/topology/fabric_speeds.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/files/files.hpp"
#include "weft/topology/machines/machines.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

namespace {

using analysis::Deviation;
using analysis::TopologyReport;
using answer::PartOf;
using answer::Parts;
using answer::Unit;

struct TopologyCommand {
  std::string expression;
  GivenFields said;    // speeds to write with it
  std::string output;  // a file to write the topology to
  std::string measure = "auto";
  std::string against;                                     // the expression of a plan
  std::optional<std::int64_t> switches_per_rack, columns;  // of the racks that cables join
  std::int32_t radix = 0;                                  // ports of a switch; 0: no limit
  OutputOptions common;
};

analysis::ReportOptions report_options(const std::string& measure) {
  using analysis::Measure;
  if (measure == "all") return analysis::ReportOptions::all(Measure::always);
  if (measure == "auto") return {};
  analysis::ReportOptions cheap = analysis::ReportOptions::all(Measure::never);
  if (measure == "cheap") cheap.distances = Measure::never;
  return cheap;
}

/// What --against finds.
struct Compared {
  const Topology& topology;
  const std::string& against;
  std::vector<Deviation> found;
};

Parts<Deviation> deviation_parts() {
  constexpr PartOf<Deviation> part;
  return {part("kind", "", Unit::none, "kind of the deviation",
               [](const Deviation& each) { return analysis::name_of(each.kind); }),
          part("planned", "planned", Unit::none, "node or cable of the plan, or empty",
               &Deviation::planned),
          part("found", "found", Unit::none, "node or cable of the network, or empty",
               &Deviation::found)};
}

Parts<Compared> compared_parts() {
  constexpr PartOf<Compared> part;
  return {
      part(keys::kNetworkName, [](const Compared& compared) { return compared.topology.name(); }),
      part("against", "", Unit::none, "topology expression of the plan",
           [](const Compared& compared) { return compared.against; }),
      part.list("deviations", "differences from the plan", &Compared::found, deviation_parts())};
}

std::string yes_or_no(const std::optional<bool>& value) {
  return value ? (*value ? "yes" : "no") : "not looked at (--measure all)";
}

std::string number(const std::optional<std::int32_t>& value) {
  return value ? fmt::format("{}", *value) : "not looked at (--measure all)";
}

void print_report(const MeasuredNetwork& network, Streams& streams) {
  const auto& [topology, report, tables] = network;
  Facts facts;
  facts.add("topology", topology.name());
  facts.add("nodes",
            fmt::format("{} ({} hosts, {} switches)", report.nodes, report.hosts, report.switches));
  facts.add("links", fmt::format("{} in {} cables{}", report.links, report.cables,
                                 report.bidirectional ? ", all bidirectional" : ""));
  // Where switches are cabled to hosts alone, a family's degree is that of the hosts.
  const bool of_hosts = topology.has_switches() && report.degrees.max_out == 0 && report.degree > 0;
  facts.add(of_hosts                  ? "degree of hosts"
            : topology.has_switches() ? "degree of switches"
                                      : "degree",
            report.degrees.regular()
                ? fmt::format("{}", report.degree)
                : fmt::format("{} (nodes have {} to {} links)", report.degree,
                              std::min(report.degrees.min_out, report.degrees.min_in),
                              std::max(report.degrees.max_out, report.degrees.max_in)));
  const bool hosts_alone = report.planes > 1;  // what is said of distances is so between hosts
  const std::string what = hosts_alone ? " of hosts" : report.switches > 0 ? " of switches" : "";
  if (hosts_alone)
    facts.add("planes", fmt::format("{}: the switches form separate ones, joined by hosts alone",
                                    report.planes));
  if (report.connected && !*report.connected) {
    facts.add("connected",
              fmt::format("no: some {} do not reach others", hosts_alone ? "hosts" : "nodes"));
  } else if (report.diameter) {
    if (hosts_alone) facts.add("connected", "yes: every host reaches every other");
    const std::string bound = report.moore_diameter && !hosts_alone
                                  ? fmt::format("   (Moore bound {})", *report.moore_diameter)
                                  : "";
    facts.add("diameter" + what, fmt::format("{}{}", *report.diameter, bound));
    if (report.average_distance)
      facts.add("average distance" + what, show(*report.average_distance));
    if (!hosts_alone && report.host_diameter)
      facts.add("diameter of hosts", fmt::format("{}", *report.host_diameter));
    if (!hosts_alone && report.host_average_distance)
      facts.add("average distance of hosts", show(*report.host_average_distance));
    if (report.switches > 0 && !report.host_diameter)
      facts.add("diameter of hosts", "none: some hosts do not reach others");
    std::string pairs;
    for (std::size_t k = 1; k < report.pairs_at_distance.size() && k <= 24; ++k)
      pairs += fmt::format("{}{}: {}", k == 1 ? "" : "  ", k, report.pairs_at_distance[k]);
    if (report.pairs_at_distance.size() > 25) pairs += "  ...";
    facts.add("pairs at distance" + what, pairs);
  }
  facts.add("edge connectivity" + what, number(report.edge_connectivity));
  facts.add("girth", report.girth_taken && !report.girth ? "no cycle" : number(report.girth));
  facts.add("vertex-transitive", yes_or_no(report.vertex_transitive));
  facts.add("reverse-symmetric", yes_or_no(report.reverse_symmetric));
  facts.add("bisection", report.bisection ? design::bisection_text(*report.bisection)
                                          : "not looked at (--measure all)");
  if (tables) add_facts(*tables, topology, facts);
  streams.out << facts.text();
}

// The speeds that the user gives, for every link, so that a file holds them.
topology::FileSpeeds speeds_of(const BuiltTopology& built, const GivenFields& said) {
  if (said.machine) fields::require_classes(*said.machine, built.topology);
  return topology::speeds_for_file(built, fields::network_in(said.values).links);
}

// The profile that the user gives becomes the network's own, so that its file names it.
void take_profile(const fields::MachineModel& machine, BuiltTopology& built) {
  topology::Facets facets = built.topology.facets();
  facets.machine = machine.path;
  built.topology = with_facets(built.topology, std::move(facets), built.topology.expression());
}

bool is_cable_list(const std::string& path) {
  return lower(path).ends_with(".csv");
}

// Other formats than JSON and GraphML have no place for the network's machine.
std::string lost_machine_note(const TopologyCommand& options, const BuiltTopology& built) {
  const std::string& path = options.output;
  const bool has_note = options.said.machine && options.said.machine->is_file;
  if (path.empty() || has_note) return "";
  if (!is_cable_list(path)) {
    using enum topology::TopologyFormat;
    const topology::TopologyFormat format = topology::format_of(path);
    if (format == json || format == graphml) return "";
  }
  std::string machine = topology::machine_in(built.topology);
  if (machine.empty())
    if (const auto own = fields::default_machine(options.expression);
        own && own->origin == fields::MachineOrigin::network)
      machine = own->path;
  if (machine.empty()) return "";
  return fmt::format(
      "{} has no place for the network's machine, {}; write FILE.json or FILE.graphml, or give "
      "--machine {} with the file",
      path, machine, machine);
}

void write_output(const TopologyCommand& options, const BuiltTopology& built) {
  if (!is_cable_list(options.output)) return topology::write_topology(built, options.output);
  std::optional<analysis::RackLayout> racks;
  if (options.switches_per_rack || options.columns)
    racks = {.switches_per_rack = options.switches_per_rack.value_or(1),
             .columns = options.columns.value_or(0)};
  write_file(options.output, analysis::cable_list(built, racks));
}

// Whether it is wired as the plan has it; exit 1 where it is not.
int compare(const TopologyCommand& options, const BuiltTopology& network, Streams& streams) {
  const Compared compared{network.topology, options.against,
                          analysis::deviations(network, build_topology(options.against))};
  const auto& found = compared.found;
  if (options.common.json) {
    print_json("topology", compared, compared_parts(), options.common, streams);
  } else if (found.empty()) {
    streams.out << fmt::format("{} is wired as {}\n", network.topology.name(), options.against);
  } else {
    constexpr auto kColumns =
        std::to_array<answer::Column>({{"kind", "what"}, {"planned"}, {"found"}});
    const answer::Cells cells =
        answer::cells_of<Deviation>(found, deviation_parts(), kColumns, answer::Reader::person);
    streams.out << table_of(cells).text(screen_of(streams));
  }
  return found.empty() ? kFine : kNo;
}

void check(const Given& given, const TopologyCommand& options) {
  if (!options.against.empty())
    given.refuse(
        {"--measure", "--output", "--link", "--machine", "--switches-per-rack", "--columns"},
        "with --against, which compares cables by name; leave it out");
  require(options.columns.value_or(1) >= 1,
          "{} columns of racks are too few; give 1 or more, or leave --columns out for a square "
          "grid",
          options.columns.value_or(1));
  if (options.output.empty())
    given.refuse(
        {"--link", "--machine"},
        "on this report; add -o FILE.json to write the network with its speeds, or use weft "
        "throughput");
  if (lower(options.output).ends_with(".dot"))
    given.refuse({"--link", "--machine"},
                 "on a .dot file, which has no speeds; write FILE.json or FILE.graphml");
  if (options.output == "-")
    given.refuse({"--measure", "--json"},
                 "with -o - (the network is the answer); name a file, or leave one of them out");
}

// A network whose switches have as many ports; of one without switches its hosts.
void require_ports(const Topology& topology, std::int32_t radix) {
  if (radix == 0) return;
  for (const NodeId node : topology.nodes()) {
    if (topology.has_switches() && topology.is_host(node)) continue;
    const std::int32_t ports = std::max(topology.out_degree(node), topology.in_degree(node));
    require(ports <= radix,
            "{} {} of {} needs {} ports, but --radix is {}; plan fewer cables there",
            topology.is_host(node) ? "host" : "switch", topology::node_text(topology, node),
            topology.name(), ports, radix);
  }
}

int run(const TopologyCommand& options, Streams& streams) {
  require((!options.switches_per_rack && !options.columns) || is_cable_list(options.output),
          "--switches-per-rack and --columns need a list of cables; add -o cables.csv");
  BuiltTopology built = build_topology(options.expression);
  require_ports(built.topology, options.radix);
  if (!options.against.empty()) return compare(options, built, streams);
  *options.said.file_speeds = speeds_in_file(built);
  add_network_notes(options.said, built.topology, *streams.notes);
  if (options.said.of("link") || options.said.machine)
    built.speeds = speeds_of(built, options.said);
  if (options.said.machine && !options.said.machine->is_file)
    take_profile(*options.said.machine, built);
  else if (options.said.machine && !options.output.empty())
    streams.notes->add(NoteWeight::detail,
                       "the file has the speeds of the machine's links, but not the costs of its "
                       "hosts; give --machine with the file, too");
  if (options.output == "-") {  // the network is the answer
    streams.out << topology::format_topology(built, topology::TopologyFormat::json);
    return kFine;
  }
  streams.notes->add(NoteWeight::assumption, lost_machine_note(options, built));
  if (!options.output.empty()) {
    write_output(options, built);
    if (!options.common.quiet) streams.err << "wrote " << options.output << '\n';
  }
  const auto report = analysis::report(built.topology, report_options(options.measure));
  std::optional<analysis::ForwardingReport> tables;
  if (built.topology.facets().tables && options.measure != "cheap")
    tables = analysis::forwarding_report(built.topology, {.others = true});
  const MeasuredNetwork measured{built.topology, report, tables};
  if (options.common.json)
    print_json("topology", measured, topology_parts(), options.common, streams);
  else
    print_report(measured, streams);
  return kFine;
}

}  // namespace

std::vector<answer::Shape> topology_shapes() {
  return {{"a network", texts_of(topology_parts())},
          {"a comparison with a plan, of --against", texts_of(compared_parts())}};
}

void add_topology_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<TopologyCommand>();
  const Command command =
      program.add_command("topology", "Measure a network, or write it to a file");
  const OptionAdder add(command);
  add("-t,--topology,expression", options->expression,
      "Network, such as kautz:16,2, \"hosts(4, torus:4x4)\" or file:net.edges; see weft list "
      "topologies")
      .required();
  add.output("-o,--output", options->output,
             "File for the network: .json, .edges, .arcs, .graphml, .dot, or .csv (a list of "
             "cables); - is standard output, as JSON [none]");
  add("--switches-per-rack", options->switches_per_rack,
      "Number of consecutive switches that share a rack, which gives the cables in -o FILE.csv a "
      "length [none]");
  add("--columns", options->columns,
      "Number of racks in a row of the floor plan, for -o FILE.csv [as for a square]");
  add.field(options->said, *rows::find_field("link"))
      .description(
          "Bandwidth,latency to write for every link, or CLASS=BW,LAT for a class of links; "
          "repeatable [none]");
  command.after_reading(
      [options, machine = add_machine_option(command)] { take_machine(*machine, options->said); });
  command
      .add_option(
          "--radix", options->radix,
          "Number of ports of a switch; networks whose switches need more are refused [no limit]")
      .range(1, 1'000'000);
  add("--measure", options->measure,
      "Measurements: cheap (counts), distances (and the diameter), auto (all up to 4,000 nodes, or "
      "by symmetry) or all")
      .one_of({"cheap", "distances", "auto", "all"});
  add("--against", options->against,
      "Planned network; prints missing and wrong cables by name and port, with exit code 1 [none]");
  add_output_options(command, options->common);
  command.most_used({"--output", "--against", "--measure", "--link", "--machine"});
  command.footer(
      "Examples:\n"
      "  # How far apart are the nodes of a Kautz network?\n"
      "  weft topology kautz:16,2\n"
      "  # What changes if one cable of a torus fails?\n"
      "  weft topology \"without(cable=3, torus:4x4)\"\n"
      "  # Which cables does a fat tree need, and how long are they?\n"
      "  weft topology fat-tree:4,3 -o cables.csv --switches-per-rack 4\n"
      "  # Is the installed fabric wired as planned?\n"
      "  weft topology file:fabric.json --against file:plan.json");
  draws_nothing(command);
  on_chosen(command, options, run, action, check);
}

}  // namespace weft::cli
