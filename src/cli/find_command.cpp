// weft find: the Pareto-efficient networks of N nodes and d ports.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/find_measures.hpp"
#include "cli/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/range.hpp"
#include "weft/base/units.hpp"
#include "weft/search/catalogue_folder.hpp"

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

template <class Value>
Json optional_json(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

const char* name_of(search::ReachedBy algorithm) {
  return algorithm == search::ReachedBy::expand ? "expand" : "bfb";
}

const char* wiring_of(const FoundMeasures& measures) {
  return measures.two_way ? "two-way" : "one-way";
}

Json json_of(const FoundTopology& line, const FoundMeasures& measures) {
  Json json;
  json["topology"] = line.expression;
  json["wiring"] = wiring_of(measures);
  json["ports"] = measures.ports;
  json["steps"] = line.facts.steps;
  json["bandwidth_factor"] = to_string(line.facts.bandwidth_factor);
  json["diameter"] = optional_json(measures.diameter);
  json["distance_bound"] = optional_json(measures.distance_bound);
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

// Whether a network of this size can be wired at all.
bool exists(int nodes, const FindOptions& options) {
  return search::nearest_feasible_nodes(nodes, options.degree, options.direction()) == nodes;
}

Json json_of(const FoundFront& size, const std::vector<FoundMeasures>& measures,
             const FindOptions& options) {
  Json json;
  json["nodes"] = size.nodes;
  json["pareto"] = Json::array();
  for (std::size_t i = 0; i < size.front.size(); ++i)
    json["pareto"].push_back(json_of(size.front[i], measures[i]));
  Json& bounds = json["bounds"];
  if (!exists(size.nodes, options)) return json;  // null: there is nothing to bound
  bounds["steps"] = search::moore_steps(size.nodes, options.degree, options.direction());
  bounds["bandwidth_factor"] = to_string(Rational(size.nodes - 1, size.nodes));
  bounds["throughput"] =
      search::throughput_bound(size.nodes, options.degree, options.direction()).to_double();
  return json;
}

Json json_of(const FoundFronts& found, const MeasuredFronts& measured, const FindOptions& options,
             std::uint32_t catalogue_hash) {
  Json json = answer("find", options.common);
  json["degree"] = options.degree;
  json["direction"] = options.one_way ? "one-way" : "bidirectional";
  json["catalogue"] = fmt::format("{:08x}", catalogue_hash);
  if (found.size() == 1) {
    json.update(json_of(found[0], measured[0], options));
    return json;
  }
  json["sizes"] = Json::array();
  for (std::size_t i = 0; i < found.size(); ++i)
    json["sizes"].push_back(json_of(found[i], measured[i], options));
  return json;
}

template <class Value>
std::string cell(const std::optional<Value>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "";
}

// The rows of a table, of which columns without any value are left out.
class Columns {
 public:
  explicit Columns(std::vector<std::string> heading) : heading_(std::move(heading)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  Table table() const {
    std::vector<std::size_t> used;
    for (std::size_t column = 0; column < heading_.size(); ++column)
      if (std::any_of(rows_.begin(), rows_.end(),
                      [&](const auto& row) { return !row[column].empty(); }))
        used.push_back(column);
    const auto pick = [&](const std::vector<std::string>& row) {
      std::vector<std::string> picked;
      for (const std::size_t column : used) picked.push_back(row[column]);
      return picked;
    };
    Table result(pick(heading_));
    for (const auto& row : rows_) result.add(pick(row));
    return result;
  }

 private:
  std::vector<std::string> heading_;
  std::vector<std::vector<std::string>> rows_;
};

template <class Add>
void for_lines(const FoundFronts& found, const MeasuredFronts& measured, Add add) {
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t k = 0; k < found[i].front.size(); ++k)
      add(fmt::format("{}", found[i].nodes), found[i].front[k], measured[i][k]);
}

std::string throughput_cell(const FoundMeasures& measures, double KnownThroughput::*end) {
  return measures.throughput ? fmt::format("{:.6g}", *measures.throughput.*end) : "";
}

// For programs: exact fractions, seconds.
Table exact_lines(const FoundFronts& found, const MeasuredFronts& measured) {
  Columns columns({"nodes", "topology", "steps", "bandwidth_factor", "diameter", "distance_bound",
                   "throughput", "upper_bound", "time", "algorithm", "source", "wiring", "ports"});
  for_lines(
      found, measured,
      [&](const std::string& nodes, const FoundTopology& line, const FoundMeasures& measures) {
        columns.add({nodes, line.expression, fmt::format("{}", line.facts.steps),
                     to_string(line.facts.bandwidth_factor), cell(measures.diameter, "{}"),
                     cell(measures.distance_bound, "{:.6g}"),
                     throughput_cell(measures, &KnownThroughput::throughput),
                     throughput_cell(measures, &KnownThroughput::upper_bound),
                     cell(measures.time_s, "{:.6g}"), name_of(line.algorithm), line.source,
                     wiring_of(measures), fmt::format("{}", measures.ports)});
      });
  return columns.table();
}

// For people: what is long comes last.
Table shown_lines(const FoundFronts& found, const MeasuredFronts& measured) {
  Columns columns({"nodes", "wiring", "ports", "T_L", "T_B", "diameter", "distance bound",
                   "throughput", "upper bound", "time", "by", "source", "topology"});
  for_lines(
      found, measured,
      [&](const std::string& nodes, const FoundTopology& line, const FoundMeasures& measures) {
        columns.add({nodes, wiring_of(measures), fmt::format("{}", measures.ports),
                     fmt::format("{}", line.facts.steps), show(line.facts.bandwidth_factor),
                     cell(measures.diameter, "{}"), cell(measures.distance_bound, "{:.6g}"),
                     throughput_cell(measures, &KnownThroughput::throughput),
                     throughput_cell(measures, &KnownThroughput::upper_bound),
                     measures.time_s ? format_seconds(*measures.time_s) : "",
                     name_of(line.algorithm), line.source, line.expression});
      });
  return columns.table();
}

void print_tables(const FoundFronts& found, const MeasuredFronts& measured,
                  const FindOptions& options, Streams& streams) {
  streams.out << shown_lines(found, measured).text(screen_of(streams));
  streams.out << (options.one_way
                      ? "links are one-way: a node of degree d sends by d ports and receives by d "
                        "more; without --one-way: two-way cables\n"
                      : "cables are two-way, one a port; --one-way: networks of one-way links, "
                        "which take twice the ports\n");
  if (found.size() != 1) return;
  const int n = found[0].nodes;
  const auto bound = search::moore_steps(n, options.degree, options.direction());
  if (const auto& front = found[0].front; !front.empty() && front.front().facts.steps > 2 * bound)
    streams.out << fmt::format(
        "{} steps are far above the bound of {}: few networks of this size and degree are known; "
        "--search 60 looks for better ones{}\n",
        front.front().facts.steps, bound,
        options.one_way ? "" : ", and random-regular:N,d by bfb may take fewer");
  streams.out << fmt::format(
      "no such network of {} nodes and degree {}: fewer than {} steps, T_B below {}, throughput "
      "above "
      "{:.6g}\n",
      n, options.degree, bound, show(Rational(n - 1, n)),
      search::throughput_bound(n, options.degree, options.direction()).to_double());
}

// What there is in place of a network of this size.
std::string instead(int nodes, const FindOptions& options) {
  if (exists(nodes, options)) return "";
  const auto nearest = search::nearest_feasible_nodes(nodes, options.degree, options.direction());
  const char* why = options.degree == 1 ? "cables of one port a node connect two nodes only"
                                        : "nodes times degree is odd, and a cable has two ends";
  std::string text = fmt::format(" (none exists: {})", why);
  if (nearest) text += fmt::format("; the nearest size that has one is {} nodes", *nearest);
  return text + ", or take one-way links with --one-way";
}

void say_none(const Sizes& sizes, const FindOptions& options, Streams& streams) {
  const char* wiring = options.one_way ? "one-way" : "two-way";
  if (sizes.single())
    streams.err << fmt::format("weft: no {} network of {} nodes with degree {} is known{}\n",
                               wiring, sizes.first, options.degree, instead(sizes.first, options));
  else
    streams.err << fmt::format("weft: no {} network of {} to {} nodes with degree {} is known\n",
                               wiring, sizes.first, sizes.last, options.degree);
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
                                                     .degree = options.degree,
                                                     .direction = options.direction(),
                                                     .seed = options.common.seed,
                                                     .seconds = parse_seconds(options.search)});
  if (!options.common.quiet)
    streams.err << fmt::format("{} graphs found; {} has them\n", added, options.found_file);
}

int run(const FindOptions& options, Streams& streams) {
  if (!options.build_folder.empty()) return build(options, streams);
  require(!options.nodes.empty(), "--nodes is missing; write --nodes 1024 or --nodes 2..2000");
  const Sizes sizes = parse_sizes_of_networks(options.nodes);
  if (!options.search.empty()) parse_seconds(options.search);
  require(std::isfinite(options.gap) && options.gap >= 0, "--gap {} is no gap; 0.01 is one percent",
          options.gap);
  require(!(options.common.json && options.csv == "-"),
          "--json and --csv - both write standard output; name a file for one of them");
  check_measures(options);
  if (!options.csv.empty()) require_writable(options.csv);
  if (!options.search.empty()) search_first(sizes, options, streams);
  const search::Catalogue catalogue = load_catalogue(options.found_file, sizes.first, sizes.last);
  if (search::catalogue_folder().empty() && !options.common.quiet)
    streams.err << "weft: no catalogue is there (neither ./share/catalogue nor an installed one); "
                   "networks by rule alone; set WEFT_CATALOGUE\n";
  FoundFronts found = search::find_topologies(catalogue, {.first_nodes = sizes.first,
                                                          .last_nodes = sizes.last,
                                                          .degree = options.degree,
                                                          .direction = options.direction()});
  keep_only(sizes, found);
  const bool none = std::all_of(found.begin(), found.end(),
                                [](const FoundFront& size) { return size.front.empty(); });
  if (none) say_none(sizes, options, streams);
  const MeasuredFronts measured = measure_all(found, options, sizes.single() || options.distances);
  if (!options.csv.empty()) {
    write_file(options.csv, exact_lines(found, measured).csv());
    if (!options.common.quiet && options.csv != "-") streams.err << "wrote " << options.csv << '\n';
  }
  if (options.common.json)
    print(json_of(found, measured, options, catalogue.hash()), streams);
  else if (options.csv.empty() && !none)
    print_tables(found, measured, options, streams);
  return none ? kNo : kFine;
}

}  // namespace

void add_find_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<FindOptions>();
  CLI::App* command =
      program.add_subcommand("find", "The networks of N nodes and d ports with the best allgather");
  command->add_option("--nodes,-n", options->nodes,
                      "How many nodes: 1024, a list, or a range: 16:1024 (doubling), 2..2000");
  command
      ->add_option("--degree,-d", options->degree,
                   "Links that leave a node: its ports, where cables are two-way")
      ->capture_default_str();
  auto* one_way = command->add_flag(
      "--one-way", options->one_way,
      "Networks of one-way links too: fewer steps, for twice the ports (d to send, d to receive)");
  command->add_flag("--bidirectional")
      ->description("Networks of two-way cables alone, as without it")
      ->excludes(one_way);
  command->add_flag("--throughput", options->throughput, "All-to-all throughput of every line");
  command->add_option("--gap", options->gap, "of --throughput: stop at this gap")
      ->capture_default_str();
  command
      ->add_option("--time-limit", options->time_limit,
                   "of --throughput: stop after this time a line")
      ->capture_default_str();
  command->add_option("--search", options->search,
                      "Searches graphs of this size for so many seconds first, and keeps them");
  command->add_option("--catalogue", options->found_file,
                      "File of the graphs that were found so [weft/found.csv in the cache folder]");
  command->add_flag("--distances", options->distances,
                    "Diameter and distance bound for a range of sizes too");
  command->add_option("--size,--sizes", options->size,
                      "Adds the time of an allgather of so many bytes in all: 1MiB");
  command->add_option("--link", options->link, "of --size: BW,LAT of every link")
      ->capture_default_str();
  command->add_option("--csv", options->csv,
                      "Writes the lines to a file instead, - for standard output");
  command->add_option(
      "--build-catalogue", options->build_folder,
      "Computes what this folder's catalogue lacks, up to the last of --nodes [2000]");
  command
      ->add_option("--build-degrees", options->build_degrees,
                   "of --build-catalogue: which degrees, in order")
      ->delimiter(',');
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft find --nodes 1024 --degree 4\n"
      "  weft find --nodes 64 --degree 4 --throughput --json\n"
      "  weft find --nodes 1024 --degree 4 --one-way\n"
      "  weft find --nodes 2..2000 --degree 4 --csv all.csv\n"
      "  weft find --nodes 256 --degree 8 --size 1MiB --link 25Gbps,10us");
  on_chosen(*command, options, run, action);
}

}  // namespace weft::cli
