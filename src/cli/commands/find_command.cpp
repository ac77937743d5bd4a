// weft find: the Pareto-efficient networks of N nodes and d ports.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "cli/commands/commands.hpp"
#include "cli/find/find_curves.hpp"
#include "cli/find/find_measures.hpp"
#include "cli/find/find_tables.hpp"
#include "cli/options/machine_option.hpp"
#include "cli/options/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/range.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/report/chart.hpp"
#include "weft/search/catalogue_folder.hpp"
#include "weft/search/samples.hpp"

namespace weft::cli {

namespace {

using search::FoundFront;
using search::FoundTopology;

struct Sizes {
  int first = 0, last = 0;
  std::vector<std::int64_t> all = {};  // ascending
  bool single() const { return first == last; }
};

Sizes parse_sizes_of_networks(const std::string& text) {
  std::vector<std::int64_t> all = parse_counts(text, "nodes", 2, std::numeric_limits<int>::max());
  std::ranges::sort(all);
  return {static_cast<int>(all.front()), static_cast<int>(all.back()), std::move(all)};
}

// The sizes between that a list or a doubling range leaves out.
void keep_only(const Sizes& sizes, FoundFronts& found) {
  std::erase_if(found, [&](const FoundFront& front) {
    return !std::ranges::binary_search(sizes.all, std::int64_t{front.nodes});
  });
}

Json json_of(const FoundTopology& line, const FoundMeasures& measures) {
  Json json;
  json["topology"] = line.expression;
  json["wiring"] = wiring_of(measures);
  json["ports"] = measures.ports;
  json["idle_ports"] = line.idle_ports;
  json["steps"] = line.facts.steps;
  json["bandwidth_factor"] = line.facts.bandwidth_factor;
  json["diameter"] = measures.diameter;
  json["distance_bound"] = measures.distance_bound;
  if (measures.throughput) {
    json["throughput"] = measures.throughput->throughput;
    json["upper_bound"] = measures.throughput->upper_bound;
  }
  if (measures.time_s) json["time"] = *measures.time_s;
  json["algorithm"] = name_of(line.algorithm);
  json["reversible"] = line.facts.reversible;
  json["source"] = line.source;
  return json;
}

// Whether a network of this size can be wired with a cable in every port.
bool exists_without_idle_ports(int nodes, const FindOptions& options) {
  return search::nearest_feasible_nodes(nodes, options.degree(), options.direction()) == nodes;
}

// Whether a network of this size can be wired at all: rings take two ports of every node.
bool exists(int nodes, const FindOptions& options) {
  return options.degree() >= 2 || exists_without_idle_ports(nodes, options);
}

Json json_of(const FoundFront& size, const std::vector<FoundMeasures>& measures,
             const std::vector<NetworkCurve>& curves, const FindOptions& options) {
  Json json;
  json["nodes"] = size.nodes;
  json["pareto"] = Json::array();
  for (std::size_t i = 0; i < size.front.size(); ++i)
    json["pareto"].push_back(json_of(size.front[i], measures[i]));
  for (std::size_t i = 0; i < curves.size(); ++i)
    json["pareto"][i]["curve"] = cli::json_of(curves[i].points);
  Json& bounds = json["bounds"];
  if (!exists(size.nodes, options)) return json;  // null: there is nothing to bound
  bounds["steps"] = search::moore_steps(size.nodes, options.degree(), options.direction());
  bounds["bandwidth_factor"] = Rational(size.nodes - 1, size.nodes);
  bounds["throughput"] =
      search::throughput_bound(size.nodes, options.degree(), options.direction()).to_double();
  return json;
}

Json json_of(const FoundFronts& found, const MeasuredFronts& measured,
             const std::vector<NetworkCurve>& curves, const FindOptions& options,
             std::uint32_t catalogue_hash) {
  Json json = answer("find", options.common);
  json["degree"] = options.degree();
  json["direction"] = options.one_way ? "one-way" : "bidirectional";
  json["catalogue"] = fmt::format("{:08x}", catalogue_hash);
  if (found.size() == 1) {
    json.update(json_of(found[0], measured[0], curves, options));
    return json;
  }
  json["sizes"] = Json::array();
  for (std::size_t i = 0; i < found.size(); ++i)
    json["sizes"].push_back(json_of(found[i], measured[i], {}, options));
  return json;
}

bool has_idle_ports(const FoundFront& size) {
  return std::ranges::any_of(size.front,
                             [](const FoundTopology& line) { return line.idle_ports > 0; });
}

// What to try where few networks are known; an odd number of cables' ends has no regular network.
std::string hint_of(std::int64_t nodes, const FindOptions& options) {
  if (options.one_way) return "--search 60 looks for better ones";
  if (nodes * options.degree() % 2 == 0)
    return "--search 60 looks for better ones, and random-regular:N,d by bfb may take fewer";
  return fmt::format(
      "no network gives all {} nodes {} cables, but one of {} nodes with one more spliced into a "
      "cable may take fewer: \"splice(cable=0, random-regular:{},{},seed=1)\" by bfb",
      nodes, options.degree(), nodes - 1, nodes - 1, options.degree());
}

void print_tables(const FoundFronts& found, const MeasuredFronts& measured,
                  const FindOptions& options, Streams& streams) {
  streams.out << shown_lines(found, measured).text(screen_of(streams));
  streams.out << (options.one_way
                      ? "links are one-way: a node of degree d sends by d ports and receives by d "
                        "more; without --one-way: two-way cables\n"
                      : "cables are two-way, one a port; --one-way: networks of one-way links, "
                        "which take twice the ports\n");
  if (std::ranges::any_of(found, has_idle_ports))
    streams.out << "idle: ports of every node without a cable; T_B counts the bandwidth of all "
                   "ports, also of these\n";
  if (found.size() != 1) return;
  const int n = found[0].nodes;
  const auto bound = search::moore_steps(n, options.degree(), options.direction());
  if (const auto& front = found[0].front;
      !front.empty() && front.front().facts.steps > 2 * std::int64_t{bound})
    streams.out << fmt::format(
        "{} steps are far above the bound of {}: few networks of this size and degree are known; "
        "{}\n",
        front.front().facts.steps, bound, hint_of(n, options));
  streams.out << fmt::format(
      "no such network of {} nodes and degree {}: fewer than {}, T_B below {}, throughput "
      "above "
      "{:.6g}\n",
      n, options.degree(), counted(bound, "step"), show(Rational(n - 1, n)),
      search::throughput_bound(n, options.degree(), options.direction()).to_double());
}

void print_curves(const std::vector<NetworkCurve>& curves, Streams& streams) {
  for (const NetworkCurve& curve : curves) {
    streams.out << '\n' << curve.topology;
    if (curve.points.empty())
      streams.out << ": no allgather of so few steps\n";
    else
      streams.out << ":\n" << table_of(curve.points).text(screen_of(streams));
  }
}

// Whether curves are asked for, and every one begins above the last number of steps.
bool are_empty(const std::vector<NetworkCurve>& curves) {
  return !curves.empty() && std::ranges::all_of(curves, [](const NetworkCurve& curve) {
    return curve.points.empty();
  });
}

void say_too_few_steps(const FindOptions& options, const std::vector<FoundMeasures>& measured,
                       Streams& streams) {
  const int least = std::ranges::min(measured, {}, &FoundMeasures::diameter).diameter.value();
  streams.err << fmt::format(
      "weft: no allgather of so few steps (--steps {}) is on any of these networks; the least "
      "diameter of them is {}: --steps {}..\n",
      options.steps, least, least);
}

// What there is in place of a network of this size.
std::string instead(int nodes, const FindOptions& options) {
  if (exists_without_idle_ports(nodes, options)) return "";
  const auto nearest = search::nearest_feasible_nodes(nodes, options.degree(), options.direction());
  const char* why = options.degree() == 1 ? "cables of one port a node connect two nodes only"
                                          : "nodes times degree is odd, and a cable has two ends";
  std::string text = fmt::format(" (none exists: {})", why);
  if (nearest) text += fmt::format("; the nearest size that has one is {} nodes", *nearest);
  return text + ", or take one-way links with --one-way";
}

void say_none(const Sizes& sizes, const FindOptions& options, Streams& streams) {
  const char* wiring = options.one_way ? "one-way" : "two-way";
  if (sizes.single())
    streams.err << fmt::format("weft: no {} network of {} with degree {} is known{}\n", wiring,
                               counted(sizes.first, "node"), options.degree(),
                               instead(sizes.first, options));
  else
    streams.err << fmt::format("weft: no {} network of {} to {} nodes with degree {} is known\n",
                               wiring, sizes.first, sizes.last, options.degree());
}

// Cables cannot fill an odd number of ports.
void say_idle(const Sizes& sizes, const FindOptions& options, Streams& streams) {
  if (!sizes.single() || options.common.quiet || exists_without_idle_ports(sizes.first, options))
    return;
  streams.err << fmt::format("weft: no two-way network of {} nodes has cables in all {} ports{}\n",
                             sizes.first, options.degree(), instead(sizes.first, options));
}

int build(const FindOptions& options, Streams& streams) {
  const search::BuildOptions build{.nodes = options.nodes.empty()
                                                ? search::BuildOptions().nodes
                                                : parse_sizes_of_networks(options.nodes).last,
                                   .degrees = options.build_degrees,
                                   .seed = options.common.seed};
  search::build_catalogue(options.build_folder, build, [&](const std::string& piece) {
    if (!options.common.quiet) streams.err << piece << '\n';
  });
  return kFine;
}

void search_first(const Sizes& sizes, const FindOptions& options, Streams& streams) {
  require(sizes.single(), "--search serves one size at a time, not {}; name one with --nodes",
          options.nodes);
  const int added = search_into(options.found_file, {.nodes = sizes.first,
                                                     .degree = options.degree(),
                                                     .direction = options.direction(),
                                                     .seed = options.common.seed,
                                                     .seconds = parse_seconds(options.search)});
  if (!options.common.quiet)
    streams.err << fmt::format("{} found; {} has them\n", counted(added, "graph"),
                               options.found_file);
}

// Of one size or a few; those of a long range would take minutes.
void take_samples(const Sizes& sizes, const FindOptions& options, search::Catalogue& catalogue,
                  Streams& streams) {
  constexpr std::ptrdiff_t kFewSizes = 8;
  if (sizes.last <= search::kMostSearchedNodes) return;
  if (std::ssize(sizes.all) <= kFewSizes)
    add_samples(catalogue, sizes.all, options.degree());
  else if (!options.common.quiet)
    streams.err << fmt::format(
        "weft: of {} sizes those above {} nodes come from families and expansions alone; name up "
        "to {} of them to search each\n",
        sizes.all.size(), search::kMostSearchedNodes, kFewSizes);
}

int run(const FindOptions& options, Streams& streams) {
  static_cast<void>(options.degree());  // refused before any work
  if (!options.build_folder.empty()) return build(options, streams);
  require(!options.nodes.empty(), "--nodes is missing; write --nodes 1024 or --nodes 2..2000");
  const Sizes sizes = parse_sizes_of_networks(options.nodes);
  require(options.search.empty() || parse_seconds(options.search) > 0,
          "--search {} leaves no time to search; give more than 0, such as 60, or leave it out",
          options.search);
  require(!(options.common.json && options.csv == "-"),
          "--json and --csv - both write standard output; name a file for one of them");
  check_measures(options);
  check_curves(options, sizes.first, sizes.last);
  if (!options.steps_chart.empty()) report::require_chart_path(options.steps_chart);
  if (!options.csv.empty()) require_writable(options.csv);
  if (!options.search.empty()) search_first(sizes, options, streams);
  search::Catalogue catalogue = load_catalogue(options.found_file, sizes.first, sizes.last);
  take_samples(sizes, options, catalogue, streams);
  if (search::catalogue_folder().empty() && !options.common.quiet)
    streams.err << "weft: no catalogue is there (neither ./share/catalogue nor an installed one); "
                   "networks by rule alone; set WEFT_CATALOGUE\n";
  FoundFronts found = search::find_topologies(catalogue, {.first_nodes = sizes.first,
                                                          .last_nodes = sizes.last,
                                                          .degree = options.degree(),
                                                          .direction = options.direction()});
  keep_only(sizes, found);
  const bool none = std::all_of(found.begin(), found.end(),
                                [](const FoundFront& size) { return size.front.empty(); });
  if (none)
    say_none(sizes, options, streams);
  else
    say_idle(sizes, options, streams);
  const MeasuredFronts measured = measure_all(found, options, sizes.single() || options.distances);
  const std::vector<NetworkCurve> curves =
      none ? std::vector<NetworkCurve>() : curves_of(found.front(), options);
  const bool too_few_steps = are_empty(curves);
  if (too_few_steps) say_too_few_steps(options, measured.front(), streams);
  if (!options.steps_chart.empty() && !none && !too_few_steps) {
    draw_curves("allgather", curves, options.steps_chart);
    if (!options.common.quiet) streams.err << "wrote " << options.steps_chart << '\n';
  }
  if (!options.csv.empty()) {
    write_file(options.csv, exact_lines(found, measured).csv());
    if (!options.common.quiet && options.csv != "-") streams.err << "wrote " << options.csv << '\n';
  }
  if (options.common.json)
    print(json_of(found, measured, curves, options, catalogue.hash()), streams);
  else if (options.csv.empty() && !none)
    print_tables(found, measured, options, streams);
  if (!options.common.json) print_curves(curves, streams);
  return none || too_few_steps ? kNo : kFine;
}

}  // namespace

void add_find_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<FindOptions>();
  CLI::App* command =
      program.add_subcommand("find", "The networks of N nodes and d ports with the best allgather");
  const OptionAdder add(*command);
  add("--nodes,-n", options->nodes,
      "How many nodes: 1024, a list, or a range: 16:1024 (doubling), 2..2000");
  add.field(options->said, *question::find_field("degree"), "--degree,-d")
      ->description("Links that leave a node: its ports, where cables are two-way");
  auto* one_way = add.flag(
      "--one-way", options->one_way,
      "Networks of one-way links too: fewer steps, for twice the ports (d to send, d to receive)");
  command->add_flag("--bidirectional")
      ->description("Networks of two-way cables alone, as without it")
      ->excludes(one_way);
  auto* throughput =
      add.flag("--throughput", options->throughput, "All-to-all throughput of every line");
  for (const auto& member : question::throughput_members())
    if (member.field->name != "method")
      add.field(options->said, *member.field)
          ->description(member.field->name == "gap"
                            ? "of --throughput: stop at this gap"
                            : "of --throughput: stop after this time a line")
          ->needs(throughput);
  add("--search", options->search,
      "Searches graphs of this size for so many seconds first, and keeps them");
  add("--catalogue", options->found_file,
      "File of the graphs that were found so [weft/found.csv in the cache folder]");
  add.flag("--distances", options->distances,
           "Diameter and distance bound for a range of sizes too");
  auto* size = add("--size,--sizes", options->size,
                   "Adds the time of an allgather of so many bytes in all: 1MiB");
  static const question::Field every_link =
      field_of_every_link("of --size: BW,LAT of every link [100Gbps,1us]");
  auto* link = add.field(options->said, every_link)->needs(size);
  const auto machine = add_machine_option(*command);
  command->get_option("--machine")
      ->description(
          "of --size: file of a machine, whose links and start-ups stand in the place of --link "
          "[none]")
      ->needs(size)
      ->excludes(link);
  command->parse_complete_callback([options, machine] { take_machine(*machine, options->said); });
  add("--steps", options->steps,
      "Of one size: for each number of steps, 3..8 or 3.. (and three more), the bound on T_B and "
      "the "
      "best schedule known on each network");
  add.output("--steps-chart", options->steps_chart, "Draw these: FILE.svg or FILE.png");
  add.output("--csv", options->csv, "Writes the lines to a file instead, - for standard output");
  auto* build_folder =
      add("--build-catalogue", options->build_folder,
          "Computes what this folder's catalogue lacks, up to the last of --nodes [2000]");
  add("--build-degrees", options->build_degrees, "of --build-catalogue: which degrees, in order")
      ->delimiter(',')
      ->needs(build_folder);
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft find --nodes 1024 --degree 4\n"
      "  weft find --nodes 64 --degree 4 --throughput --json\n"
      "  weft find --nodes 1024 --degree 4 --one-way\n"
      "  weft find --nodes 2..2000 --degree 4 --csv all.csv\n"
      "  weft find --nodes 256 --degree 8 --size 1MiB --link 25Gbps,10us\n"
      "  weft find --nodes 16 --degree 4 --one-way --steps 2.. --steps-chart curves.svg");
  on_chosen(*command, options, run, action);
}

}  // namespace weft::cli
