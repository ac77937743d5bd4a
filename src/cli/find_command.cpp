// weft find: the Pareto-efficient networks of N nodes and d ports.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>

#include "cli/catalogue_files.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/throughput_cache.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/units.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/search/catalogue_builder.hpp"
#include "weft/search/catalogue_folder.hpp"
#include "weft/search/finder.hpp"
#include "weft/topology/fabric.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

namespace {

using search::Direction;
using search::FoundFront;
using search::FoundTopology;

struct Options {
  std::string nodes;
  int degree = 4;
  bool bidirectional = false;
  bool throughput = false;
  bool distances = false;
  double gap = 0.01;               // of the throughput
  std::string time_limit = "60s";  // likewise
  std::string search;              // a time; empty: none
  std::string found_file = cache_file("found.csv");
  std::string size, link = "100Gbps,1us";
  std::string csv;
  std::string build_folder;
  std::vector<int> build_degrees = search::BuildOptions().degrees;
  OutputOptions common;

  Direction direction() const {
    return bidirectional ? Direction::bidirectional : Direction::one_way;
  }
};

struct Sizes {
  int first = 0, last = 0;
  bool single() const { return first == last; }
};

int parse_count(std::string_view text, std::string_view whole) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  require(error == std::errc() && end == text.data() + text.size() && value >= 2,
          "\"{}\" is no number of nodes (needs 2 or more); write --nodes 1024 or --nodes 2..2000",
          whole);
  return value;
}

Sizes parse_sizes_of_networks(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) {
    const int only = parse_count(text, text);
    return {only, only};
  }
  const Sizes sizes{parse_count(std::string_view(text).substr(0, dots), text),
                    parse_count(std::string_view(text).substr(dots + 2), text)};
  require(sizes.first <= sizes.last, "the range {} runs downwards; write {}..{}", text, sizes.last,
          sizes.first);
  return sizes;
}

// What a line says beyond the finder's own facts.
struct Measures {
  std::optional<int> diameter;
  std::optional<double> distance_bound;
  std::optional<KnownThroughput> throughput;
  std::optional<double> time_s;  // of an allgather
};

// The model's time of an allgather: every step costs the latency, all data T_B M / B.
struct Pricing {
  std::int64_t size_B = 0, egress_Bps = 0, latency_ps = 0;

  double time_s(const FoundTopology& line) const {
    return static_cast<double>(line.facts.steps) * static_cast<double>(latency_ps) *
               kSecondsPerPicosecond +
           line.facts.bandwidth_factor.to_double() * static_cast<double>(size_B) /
               static_cast<double>(egress_Bps);
  }
};

std::optional<Pricing> make_pricing(const Options& options) {
  if (options.size.empty()) return std::nullopt;
  const std::size_t comma = options.link.find(',');
  require(comma != std::string::npos, "--link {} has no latency; write --link 25Gbps,10us",
          options.link);
  return Pricing{parse_size(options.size),
                 parse_bandwidth(std::string_view(options.link).substr(0, comma)) * options.degree,
                 parse_time(std::string_view(options.link).substr(comma + 1))};
}

std::int64_t useful_links(const Topology& topology) {
  std::int64_t count = 0;
  for (const LinkId link : topology.links())
    if (topology.tail(link) != topology.head(link)) ++count;
  return count;
}

KnownThroughput throughput_of(const std::string& expression, const Topology& topology,
                              const Options& options, ThroughputCache& cache) {
  if (const auto known = cache.find(expression, options.gap)) return *known;
  const auto result = flow::all_to_all_throughput(
      topology, {}, {.gap = options.gap, .time_limit_s = parse_seconds(options.time_limit)});
  const KnownThroughput value{result.throughput, result.upper_bound};
  cache.add(expression, value);
  return value;
}

Measures measure(const FoundTopology& line, const Options& options, bool distances,
                 ThroughputCache& cache) {
  Measures result;
  if (!distances && !options.throughput) return result;
  const Topology topology = make_topology(line.expression);
  const auto summary = analysis::summarize_distances(topology);
  result.diameter = summary.diameter();
  result.distance_bound =
      static_cast<double>(useful_links(topology)) / static_cast<double>(summary.sum());
  if (options.throughput)
    result.throughput = throughput_of(line.expression, topology, options, cache);
  return result;
}

using Measured = std::vector<std::vector<Measures>>;  // by size and line

Measured measure_all(const std::vector<FoundFront>& found, const Options& options, bool distances) {
  const auto pricing = make_pricing(options);
  ThroughputCache cache(options.throughput ? cache_file("throughput.txt") : "");
  Progress progress("measuring", static_cast<std::int64_t>(found.size()));
  Measured result;
  for (const FoundFront& size : found) {
    auto& lines = result.emplace_back();
    for (const FoundTopology& line : size.front) {
      lines.push_back(measure(line, options, distances, cache));
      if (pricing) lines.back().time_s = pricing->time_s(line);
    }
    progress.advance();
  }
  return result;
}

template <class Value>
Json optional_json(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

const char* name_of(search::ReachedBy algorithm) {
  return algorithm == search::ReachedBy::expand ? "expand" : "bfb";
}

Json json_of(const FoundTopology& line, const Measures& measures) {
  Json json;
  json["topology"] = line.expression;
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

Json json_of(const FoundFront& size, const std::vector<Measures>& measures,
             const Options& options) {
  Json json;
  json["nodes"] = size.nodes;
  json["pareto"] = Json::array();
  for (std::size_t i = 0; i < size.front.size(); ++i)
    json["pareto"].push_back(json_of(size.front[i], measures[i]));
  Json& bounds = json["bounds"];
  bounds["steps"] = search::moore_steps(size.nodes, options.degree, options.direction());
  bounds["bandwidth_factor"] = to_string(Rational(size.nodes - 1, size.nodes));
  bounds["throughput"] =
      search::throughput_bound(size.nodes, options.degree, options.direction()).to_double();
  return json;
}

Json json_of(const std::vector<FoundFront>& found, const Measured& measured, const Options& options,
             std::uint32_t catalogue_hash) {
  Json json = answer("find", options.common);
  json["degree"] = options.degree;
  json["direction"] = options.bidirectional ? "bidirectional" : "one-way";
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
void for_lines(const std::vector<FoundFront>& found, const Measured& measured, Add add) {
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t k = 0; k < found[i].front.size(); ++k)
      add(fmt::format("{}", found[i].nodes), found[i].front[k], measured[i][k]);
}

std::string throughput_cell(const Measures& measures, double KnownThroughput::*end) {
  return measures.throughput ? fmt::format("{:.6g}", *measures.throughput.*end) : "";
}

// For programs: exact fractions, seconds.
Table exact_lines(const std::vector<FoundFront>& found, const Measured& measured) {
  Columns columns({"nodes", "topology", "steps", "bandwidth_factor", "diameter", "distance_bound",
                   "throughput", "upper_bound", "time", "algorithm", "source"});
  for_lines(found, measured,
            [&](const std::string& nodes, const FoundTopology& line, const Measures& measures) {
              columns.add({nodes, line.expression, fmt::format("{}", line.facts.steps),
                           to_string(line.facts.bandwidth_factor), cell(measures.diameter, "{}"),
                           cell(measures.distance_bound, "{:.6g}"),
                           throughput_cell(measures, &KnownThroughput::throughput),
                           throughput_cell(measures, &KnownThroughput::upper_bound),
                           cell(measures.time_s, "{:.6g}"), name_of(line.algorithm), line.source});
            });
  return columns.table();
}

// For people: what is long comes last.
Table shown_lines(const std::vector<FoundFront>& found, const Measured& measured) {
  Columns columns({"nodes", "T_L", "T_B", "diameter", "distance bound", "throughput", "upper bound",
                   "time", "by", "source", "topology"});
  for_lines(
      found, measured,
      [&](const std::string& nodes, const FoundTopology& line, const Measures& measures) {
        columns.add({nodes, fmt::format("{}", line.facts.steps), show(line.facts.bandwidth_factor),
                     cell(measures.diameter, "{}"), cell(measures.distance_bound, "{:.6g}"),
                     throughput_cell(measures, &KnownThroughput::throughput),
                     throughput_cell(measures, &KnownThroughput::upper_bound),
                     measures.time_s ? format_seconds(*measures.time_s) : "",
                     name_of(line.algorithm), line.source, line.expression});
      });
  return columns.table();
}

void print_tables(const std::vector<FoundFront>& found, const Measured& measured,
                  const Options& options, Streams& streams) {
  streams.out << shown_lines(found, measured).text();
  if (found.size() != 1) return;
  const int n = found[0].nodes;
  streams.out << fmt::format(
      "no network of {} nodes and degree {}: fewer than {} steps, T_B below {}, throughput above "
      "{:.6g}\n",
      n, options.degree, search::moore_steps(n, options.degree, options.direction()),
      show(Rational(n - 1, n)),
      search::throughput_bound(n, options.degree, options.direction()).to_double());
}

int say_none(const Sizes& sizes, const Options& options, Streams& streams) {
  const auto nearest =
      search::nearest_feasible_nodes(sizes.first, options.degree, options.direction());
  streams.err << fmt::format("weft: no {}network of {} nodes with degree {} is known",
                             options.bidirectional ? "bidirectional " : "", sizes.first,
                             options.degree);
  if (nearest && *nearest != sizes.first)
    streams.err << fmt::format(" (none exists: {}); the nearest size that has one is {} nodes",
                               options.degree == 1
                                   ? "cables of one port a node connect two nodes only"
                                   : "nodes times degree is odd, and a cable has two ends",
                               *nearest);
  streams.err << '\n';
  return kNo;
}

int build(const Options& options, Streams& streams) {
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

void search_first(const Sizes& sizes, const Options& options, Streams& streams) {
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

int run(const Options& options, Streams& streams) {
  if (!options.build_folder.empty()) return build(options, streams);
  require(!options.nodes.empty(), "--nodes is missing; write --nodes 1024 or --nodes 2..2000");
  const Sizes sizes = parse_sizes_of_networks(options.nodes);
  if (!options.search.empty()) parse_seconds(options.search);
  require(std::isfinite(options.gap) && options.gap >= 0, "--gap {} is no gap; 0.01 is one percent",
          options.gap);
  require(!(options.common.json && options.csv == "-"),
          "--json and --csv - both write standard output; name a file for one of them");
  make_pricing(options);  // their errors come before the work
  parse_seconds(options.time_limit);
  if (!options.csv.empty()) require_writable(options.csv);
  if (!options.search.empty()) search_first(sizes, options, streams);
  const search::Catalogue catalogue = load_catalogue(options.found_file, sizes.first, sizes.last);
  if (search::catalogue_folder().empty() && !options.common.quiet)
    streams.err << "weft: no catalogue is there (neither ./share/catalogue nor an installed one); "
                   "networks by rule alone; set WEFT_CATALOGUE\n";
  const std::vector<FoundFront> found =
      search::find_topologies(catalogue, {.first_nodes = sizes.first,
                                          .last_nodes = sizes.last,
                                          .degree = options.degree,
                                          .direction = options.direction()});
  if (std::all_of(found.begin(), found.end(),
                  [](const FoundFront& size) { return size.front.empty(); }))
    return say_none(sizes, options, streams);
  const Measured measured = measure_all(found, options, sizes.single() || options.distances);
  if (!options.csv.empty()) {
    write_file(options.csv, exact_lines(found, measured).csv());
    if (!options.common.quiet && options.csv != "-") streams.err << "wrote " << options.csv << '\n';
  }
  if (options.common.json)
    print(json_of(found, measured, options, catalogue.hash()), streams);
  else if (options.csv.empty())
    print_tables(found, measured, options, streams);
  return kFine;
}

}  // namespace

void add_find_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      program.add_subcommand("find", "The networks of N nodes and d ports with the best allgather");
  command->add_option("--nodes,-n", options->nodes, "How many nodes: 1024, or a range 2..2000");
  command->add_option("--degree,-d", options->degree, "Ports of a node")->capture_default_str();
  command->add_flag("--bidirectional", options->bidirectional,
                    "Every link needs a reverse (two-way cables)");
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
  command->add_option("--size", options->size,
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
      "  weft find --nodes 64 --degree 4 --bidirectional --throughput --json\n"
      "  weft find --nodes 2..2000 --degree 4 --csv all.csv\n"
      "  weft find --nodes 256 --degree 8 --size 1MiB --link 25Gbps,10us");
  on_chosen(*command, options, run, action);
}

}  // namespace weft::cli
