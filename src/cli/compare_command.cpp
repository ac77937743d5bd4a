// weft compare COLLECTIVE: all algorithms that apply, at all sizes, side by side.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "cli/bounds.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/packet_options.hpp"
#include "cli/routing_text.hpp"
#include "cli/startup_check.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/units.hpp"
#include "weft/experiment/chart.hpp"
#include "weft/experiment/comparison.hpp"
#include "weft/experiment/comparison_chart.hpp"

namespace weft::cli {

namespace {

using experiment::Comparison;
using experiment::ComparisonRow;
using experiment::Reign;

struct Options {
  CollectiveOptions collective;
  NetworkOptions network;
  AlgorithmChoice algorithm;  // its name holds a list
  SimulationChoice simulation;
  std::string sizes = "1KiB:64MiB";
  std::string chart;
  std::string csv;
  bool winners = false, all = false;
  bool timings = false;
  OutputOptions common;
};

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> items;
  std::istringstream in(list);
  for (std::string item; std::getline(in, item, ',');) {
    const std::size_t first = item.find_first_not_of(' ');
    require(first != std::string::npos, "'{}' has an empty name; write ring,bruck", list);
    items.push_back(item.substr(first, item.find_last_not_of(' ') + 1 - first));
  }
  return items;
}

// Times differ from run to run, and so stand there only where they are asked for.
Json json_of(const experiment::Spent& spent, bool timings) {
  Json json{{"simulations", spent.simulations}};
  if (!timings) return json;
  json["build"] = spent.build_s;
  json["verify"] = spent.verify_s;
  json["cost"] = spent.cost_s;
  json["simulate"] = spent.simulate_s;
  return json;
}

Json json_of(const Options& options, const Network& network, const Collective& collective,
             const Comparison& comparison) {
  Json json = answer("compare", options.common);
  json.update(json_of(network, options.network));
  json["collective"] = std::string(name_of(collective.kind));
  json.update(json_of(options.simulation));
  add_bounds(comparison.bounds, json);
  json["steps_bound"] = comparison.bounds.steps;
  json["algorithms"] = Json::array();
  for (const auto& contender : comparison.contenders) {
    json["algorithms"].push_back({{"algorithm", contender.algorithm},
                                  {"verified", true},
                                  {"steps", contender.cost.steps},
                                  {"least_steps", contender.step_bound.steps},
                                  {"messages", contender.cost.messages},
                                  {"bandwidth_factor", to_string(contender.cost.bandwidth_factor)},
                                  {"max_link_load", to_string(contender.cost.max_link_load)},
                                  {"layout", std::string(name_of(contender.layout))},
                                  {"routing_note", cli::json_of(contender.routing_note)},
                                  {"routing_judged", contender.routing_judged}});
    if (const auto& largest = contender.at_largest)
      json["algorithms"].back()["at_largest"] = {
          {"segments", largest->segments},
          {"steps", largest->cost.steps},
          {"messages", largest->cost.messages},
          {"bandwidth_factor", to_string(largest->cost.bandwidth_factor)}};
    json["algorithms"].back()["spent"] = json_of(contender.spent, options.timings);
  }
  json["routing_note"] = nullptr;
  if (const auto& advised = comparison.advised) {
    json["routing_note"] = cli::json_of(advised->advice);
    json["routing_note"]["algorithm"] = comparison.contenders[advised->contender].algorithm;
  }
  json["dropped"] = Json::array();
  for (const auto& dropped : comparison.dropped)
    json["dropped"].push_back({{"algorithm", dropped.algorithm}, {"reason", dropped.reason}});
  json["rows"] = Json::array();
  for (const ComparisonRow& row : comparison.rows)
    json["rows"].push_back({{"algorithm", comparison.contenders[row.contender].algorithm},
                            {"size", row.size_B},
                            {"time", row.result.time_s},
                            {"bus_bandwidth", row.result.bus_bandwidth_Bps},
                            {"algorithm_bandwidth", row.result.algorithm_bandwidth_Bps},
                            {"segments", row.segments},
                            {"steps", row.steps},
                            {"messages", row.result.messages},
                            {"best", row.best}});
  json["winners"] = Json::array();
  for (const Reign& reign : comparison.reigns()) {
    Json algorithms = Json::array();
    for (const std::size_t contender : reign.contenders)
      algorithms.push_back(comparison.contenders[contender].algorithm);
    json["winners"].push_back(
        {{"from", reign.first_B}, {"to", reign.last_B}, {"algorithms", std::move(algorithms)}});
  }
  if (comparison.startup_check) json["startup_check"] = json_of_startups(comparison);
  return json;
}

std::string csv_of(const Comparison& comparison) {
  Table table({"algorithm", "size", "time", "bus_bandwidth", "algorithm_bandwidth", "segments",
               "steps", "messages", "best"});
  for (const ComparisonRow& row : comparison.rows)
    table.add({comparison.contenders[row.contender].algorithm, fmt::format("{}", row.size_B),
               fmt::format("{}", row.result.time_s),
               fmt::format("{}", row.result.bus_bandwidth_Bps),
               fmt::format("{}", row.result.algorithm_bandwidth_Bps),
               fmt::format("{}", row.segments), fmt::format("{}", row.steps),
               fmt::format("{}", row.result.messages), row.best ? "1" : "0"});
  return table.csv();
}

experiment::Chart chart_of(const Options& options, const Network& network,
                           const Collective& collective, const Comparison& comparison) {
  experiment::Chart chart{
      .title = fmt::format("{} on {}, {} ranks ({}, {})", name_of(collective.kind),
                           network.topology().name(), collective.ranks, options.simulation.model,
                           options.simulation.sync),
      .x_label = collective.size_is_block() ? "block size" : "buffer size",
      .y_label = "time",
      .x_is_bytes = true,
      .y_is_seconds = true};
  for (const auto& contender : comparison.contenders)
    chart.series.push_back({contender.algorithm, {}, {}});
  for (const ComparisonRow& row : comparison.rows) {
    if (row.size_B == 0 || row.result.time_s <= 0) continue;  // a log scale has no zero
    chart.series[row.contender].x.push_back(static_cast<double>(row.size_B));
    chart.series[row.contender].y.push_back(row.result.time_s);
  }
  for (experiment::Series& marks : marks_of(comparison, collective, network))
    chart.series.push_back(std::move(marks));
  std::erase_if(chart.series, [](const experiment::Series& series) { return series.x.empty(); });
  return chart;
}

// Long fractions do not fit beside other columns; the JSON has them whole.
std::string short_factor(const Rational& value) {
  constexpr std::size_t kLongest = 24;
  const std::string text = show(value);
  return text.size() <= kLongest ? text : fmt::format("{:.6g}", value.to_double());
}

// Of what is pipelined as suits each size, and priced as at the largest.
std::string segments_text(const experiment::Contender& contender) {
  if (!contender.at_largest) return "";
  const std::int64_t segments = contender.at_largest->segments;
  return fmt::format(" ({} segment{})", segments, segments == 1 ? "" : "s");
}

// The exact price of each of these contenders, at the largest size where that matters.
Table prices_of(const Comparison& comparison, const Network& network,
                const std::vector<std::size_t>& shown) {
  std::vector<std::string> columns{"algorithm", "proved", "T_L", "T_B", "x bound", "messages"};
  const bool copies = network.host().copy_bandwidth_Bps > 0;
  if (copies) columns.emplace_back("layout");
  Table prices(columns);
  const Rational bound = comparison.bounds.greatest();
  for (const std::size_t index : shown) {
    const auto& contender = comparison.contenders[index];
    const Cost& cost = contender.at_largest ? contender.at_largest->cost : contender.cost;
    std::vector<std::string> line{
        contender.algorithm + segments_text(contender),
        "yes",
        fmt::format("{}", cost.steps),
        short_factor(cost.bandwidth_factor),
        bound == 0 ? ""
                   : fmt::format("{:.3f}", cost.bandwidth_factor.to_double() / bound.to_double()),
        fmt::format("{}", cost.messages)};
    if (copies) line.emplace_back(name_of(contender.layout));
    prices.add(std::move(line));
  }
  return prices;
}

// A line a size with the time of each of these contenders; the fastest are starred.
Table times_of(const Comparison& comparison, const std::vector<std::size_t>& shown) {
  std::vector<std::string> heading{"size"};
  for (const std::size_t index : shown) heading.push_back(comparison.contenders[index].algorithm);
  Table times(heading);
  const std::size_t sizes = comparison.rows.size() / comparison.contenders.size();
  for (std::size_t s = 0; s < sizes; ++s) {
    std::vector<std::string> line{format_size(comparison.rows[s].size_B)};
    std::vector<std::size_t> best;
    for (const std::size_t index : shown) {
      const ComparisonRow& row = comparison.rows[index * sizes + s];
      if (row.best) best.push_back(line.size());
      line.push_back(format_seconds(row.result.time_s) + (row.best ? "*" : " "));
    }
    times.add(std::move(line));
    for (const std::size_t column : best) times.emphasise(column);
  }
  return times;
}

// Of the best, as many as the screen has room for side by side: six on 80 columns.
std::vector<std::size_t> shown_of(const Comparison& comparison, int columns) {
  std::vector<std::size_t> shown = comparison.ranking();
  shown.resize(std::min(shown.size(), static_cast<std::size_t>(std::max(1, columns * 6 / 80))));
  while (shown.size() > 1 &&
         times_of(comparison, shown).least_width() > static_cast<std::size_t>(columns))
    shown.pop_back();
  return shown;
}

void print_text(const Options& options, const Comparison& comparison, const Collective& collective,
                const Network& network, Streams& streams) {
  streams.out << fmt::format("{} on {}, {} ranks, routing {}; bounds: T_L {}, T_B {}\n\n",
                             name_of(collective.kind), network.topology().name(), collective.ranks,
                             routing_text(network),
                             steps_text(comparison.bounds, link_steps(comparison.contenders)),
                             bound_text(comparison.bounds));
  const Screen screen = screen_of(streams);
  const std::vector<std::size_t> shown =
      options.all ? comparison.ranking() : shown_of(comparison, screen.columns);
  streams.out << prices_of(comparison, network, shown).text(screen) << '\n'
              << times_of(comparison, shown).text(screen) << "* fastest at this size, within 0.1 %";
  const std::size_t more = comparison.contenders.size() - shown.size();
  streams.out << (more > 0 ? fmt::format("; {} more: --all\n", more) : "\n");
}

// Where the program's own time went: threads added up, other seconds in each run.
Table timings_of(const Comparison& comparison) {
  Table table({"algorithm", "build", "prove", "price", "simulate", "simulations"});
  for (const std::size_t index : comparison.ranking()) {
    const experiment::Contender& contender = comparison.contenders[index];
    const experiment::Spent& spent = contender.spent;
    table.add({contender.algorithm, format_seconds(spent.build_s), format_seconds(spent.verify_s),
               format_seconds(spent.cost_s), format_seconds(spent.simulate_s),
               fmt::format("{}", spent.simulations)});
  }
  return table;
}

// "expand = bfb = md": those that tie.
std::string names_of(const Comparison& comparison, const Reign& reign) {
  std::string names;
  for (const std::size_t contender : reign.contenders)
    names += (names.empty() ? "" : " = ") + comparison.contenders[contender].algorithm;
  return names;
}

// What one learns, in a sentence: who wins where, what a wrong choice costs, how far the best is
// from the limit.
std::string lesson_of(const Comparison& comparison, const Collective& collective,
                      const Network& network) {
  const auto reigns = comparison.reigns();
  std::string winners;
  for (const Reign& reign : reigns) {
    const bool only = reigns.size() == 1, last = &reign == &reigns.back();
    const bool several = reign.contenders.size() > 1;
    winners += fmt::format("{}{}{}", winners.empty() ? "" : ", ", names_of(comparison, reign),
                           only   ? several ? " win at every size" : " wins at every size"
                           : last ? " from " + format_size(reign.first_B) + " on"
                                  : " up to " + format_size(reign.last_B));
  }
  double worst = 1;
  const ComparisonRow* slowest = nullptr;
  const auto rows = comparison.winners();
  for (const ComparisonRow* best : rows)
    for (const ComparisonRow& row : comparison.rows)
      if (row.size_B == best->size_B && row.result.time_s > worst * best->result.time_s) {
        worst = row.result.time_s / best->result.time_s;
        slowest = &row;
      }
  const ComparisonRow* largest = rows.back();
  const double limit_s =
      experiment::least_time_s(comparison.bounds, collective, network, largest->size_B);
  return fmt::format(
      "{} on {}, routing {}: {}{}{}.", name_of(collective.kind), network.topology().name(),
      routing_text(network), winners,
      slowest == nullptr ? ""
                         : fmt::format("; the wrong choice ({} at {}) takes {:.1f} times as long",
                                       comparison.contenders[slowest->contender].algorithm,
                                       format_size(slowest->size_B), worst),
      limit_s <= 0
          ? ""
          : fmt::format("; at {} the best takes {:.2f} times what the bandwidth allows at least{}",
                        format_size(largest->size_B), largest->result.time_s / limit_s,
                        cut_text(comparison.bounds)));
}

void print_winners(const Comparison& comparison, const Collective& collective,
                   const Network& network, Streams& streams) {
  Table table({"sizes", "fastest", "time at the largest", "bus bandwidth"});
  const auto rows = comparison.winners();
  for (const Reign& reign : comparison.reigns()) {
    const std::string from = format_size(reign.first_B), to = format_size(reign.last_B);
    const auto last = std::ranges::find(rows, reign.last_B, &ComparisonRow::size_B);
    table.add({from == to ? from : fmt::format("{} - {}", from, to), names_of(comparison, reign),
               format_seconds((*last)->result.time_s),
               format_rate((*last)->result.bus_bandwidth_Bps)});
  }
  streams.out << table.text(screen_of(streams))
              << fmt::format("{} schedules proved right. ", comparison.contenders.size())
              << lesson_of(comparison, collective, network) << '\n';
}

// The chart and the rows; said only when all are there.
void write_files(const Options& options, const Network& network, const Collective& collective,
                 const Comparison& comparison, Streams& streams) {
  std::string wrote;
  if (!options.chart.empty()) {
    experiment::draw_chart(chart_of(options, network, collective, comparison), options.chart);
    wrote += "wrote " + options.chart + '\n';
  }
  if (!options.csv.empty() && options.csv != "-") {
    write_file(options.csv, csv_of(comparison));
    wrote += "wrote " + options.csv + '\n';
  }
  if (!options.common.quiet) streams.err << wrote;
}

void check(const Given& given, const Options& options) {
  refuse_unused(given, options.simulation, options.network);
  if (options.common.json && options.csv == "-")
    reject(
        "--json and --csv answer on standard output both; leave one out, or name a file: --csv "
        "rows.csv");
  if (options.csv == "-")
    given.refuse({"--winners", "--all", "--timings"},
                 "on the rows of --csv; leave it out, or name a file: --csv rows.csv");
  if (options.winners && !options.common.json)
    given.refuse({"--all"}, "beside --winners; leave one of them out");
}

void require_each_once(const std::vector<std::string>& names) {
  std::vector<std::string_view> known;
  for (const std::string& name : names) {
    known.push_back(algorithm::find_algorithm(name).name);
    require(std::ranges::count(known, known.back()) == 1,
            "--algorithms names {} twice; name each once", known.back());
  }
}

int run(const Options& options, Streams& streams) {
  if (!options.chart.empty()) experiment::require_chart_path(options.chart);
  experiment::CompareOptions compare{.algorithms = split(options.algorithm.name),
                                     .sizes_B = parse_sizes(options.sizes),
                                     .algorithm = options.algorithm.options(),
                                     .simulation = make_simulation(options.simulation),
                                     .check_startup_ps = startup_to_check(options.network)};
  require_each_once(compare.algorithms);
  const Network network =
      make_network(for_model(options.simulation, options.network), options.common.seed);
  fit_packets(compare.simulation, options.network.routing, options.common.seed, network);
  const Collective collective = make_collective(options.collective, network);
  require_used(options.network, collective);
  const Comparison comparison = experiment::compare(collective, network, compare);
  for (const auto& dropped : comparison.dropped)
    streams.err << fmt::format("weft: {} is left out ({}); round bandwidths, e.g. to whole Gbps\n",
                               dropped.algorithm, dropped.reason);

  if (const auto& advised = comparison.advised; advised && !options.common.quiet)
    streams.err << fmt::format("weft: {}: {}\n",
                               comparison.contenders[advised->contender].algorithm,
                               text_of(advised->advice));
  const std::string drawn = draw_note(compare.simulation.packet, network.topology());
  if (simulation::by_packets(compare.simulation.model) && !drawn.empty() && !options.common.quiet)
    streams.err << fmt::format("weft: routing {}: {}\n", compare.simulation.packet.routing, drawn);
  write_files(options, network, collective, comparison, streams);
  if (options.common.json)
    print(json_of(options, network, collective, comparison), streams);
  else if (options.csv == "-")
    streams.out << csv_of(comparison);
  else if (options.winners)
    print_winners(comparison, collective, network, streams);
  else
    print_text(options, comparison, collective, network, streams);
  if (options.common.json || options.csv == "-") return kFine;
  streams.out << startup_advice(comparison, network.host().startup_per);
  if (options.timings) streams.out << '\n' << timings_of(comparison).text(screen_of(streams));
  return kFine;
}

}  // namespace

void add_compare_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      program.add_subcommand("compare", "Compare all algorithms of a collective on a network");
  add_collective_options(*command, options->collective, "collective");
  command->add_option("-a,--algorithms,--algorithm", options->algorithm.name,
                      "Algorithms, separated by commas [all that apply]");
  command
      ->add_option("--sizes,--size", options->sizes,
                   "Sizes: a list, 1KiB:64MiB (doubling) or 1KiB:8KiB:1KiB (by steps)")
      ->capture_default_str();
  command->add_option("--chart", options->chart, "Draw a chart: FILE.svg or FILE.png");
  command
      ->add_option_function<std::vector<std::string>>(
          "--csv",
          [options](const std::vector<std::string>& file) {
            options->csv = file.empty() || file[0].empty() ? "-" : file[0];
          },
          "Write the rows as CSV to a file; with none named, to standard output")
      ->expected(0, 1);
  command->add_flag("--winners", options->winners,
                    "Show only which algorithm is fastest at which sizes");
  command->add_flag("--all", options->all,
                    "Show all algorithms, not only the best that fit the screen");
  command->add_flag(
      "--timings", options->timings,
      "Also the seconds that each algorithm took to build, prove, price and simulate; "
      "not in every answer, since they differ from run to run");
  add_simulation_options(*command, options->simulation);
  add_algorithm_parameters(*command, options->algorithm);
  add_network_options(*command, options->network);
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft compare allreduce --topology 2dfc:8x8 --chart allreduce.svg\n"
      "  weft compare alltoall -t torus:4x4 -a spread,bruck --sizes 4KiB,1MiB --csv rows.csv\n"
      "  weft compare broadcast -t \"hosts(4, ring:8)\" --link 100Gbps,1us --link "
      "terminal=25Gbps,2us --winners");
  on_chosen(*command, options, run, action, check);
}

}  // namespace weft::cli
