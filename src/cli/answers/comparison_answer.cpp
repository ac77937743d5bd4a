// What weft compare answers to programs: JSON, CSV and a chart.
#include "cli/answers/comparison_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "cli/answers/bounds.hpp"
#include "cli/answers/routing_text.hpp"
#include "cli/foreign/schedule_files.hpp"
#include "cli/options/several_ranks.hpp"
#include "cli/options/startup_check.hpp"
#include "weft/advise/library_lesson.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/left_unnamed.hpp"
#include "weft/fields/members.hpp"
#include "weft/report/comparison_chart.hpp"

namespace weft::cli {

namespace {

// Times differ from run to run, and so stand there only where they are asked for.
Json json_of(const evaluate::Spent& spent, bool timings) {
  Json json{{"simulations", spent.simulations}, {"work", spent.work}};
  if (!timings) return json;
  json["build"] = spent.build_s;
  json["verify"] = spent.verify_s;
  json["cost"] = spent.cost_s;
  json["simulate"] = spent.simulate_s;
  return json;
}

// A row that is a bound alone has no time.
Json json_of(const evaluate::ComparisonRow& row, const advise::Comparison& comparison) {
  Json json{{"algorithm", comparison.contenders[row.contender].algorithm}, {"size", row.size_B}};
  if (row.is_bound) {
    json["time"] = nullptr;
    json["bound"] = row.result.time_s;
  } else {
    json["time"] = row.result.time_s;
    if (row.result.least_s > 0) json["bound"] = row.result.least_s;
    json["bus_bandwidth"] = row.result.bus_bandwidth_Bps;
    json["algorithm_bandwidth"] = row.result.algorithm_bandwidth_Bps;
  }
  json["schedule"] = row.schedule;
  json["segments"] = row.segments;
  json["steps"] = row.steps;
  if (!row.is_bound) json["messages"] = row.result.messages;
  json["best"] = row.best;
  return json;
}

Json json_of(const evaluate::LibraryBaseline& library) {
  Json json{{"name", library.name}, {"release", library.release}, {"rows", Json::array()}};
  for (const evaluate::LibraryRow& row : library.rows)
    json["rows"].push_back({{"size", row.size_B},
                            {"algorithm", row.algorithm.empty() ? Json() : Json(row.algorithm)},
                            {"native", row.native},
                            {"time", row.time_s ? Json(*row.time_s) : Json()},
                            {"stand_in", row.stand_in},
                            {"modelled", row.modelled}});
  return json;
}

// Of unequal blocks, by size.
Json json_of_least(const advise::Comparison& comparison) {
  Json json = Json::array();
  for (const auto& [size_B, bound] : comparison.unequal)
    json.push_back({{"size", size_B}, {"time", bound.time_s}, {"by", bound.text}});
  return json;
}

// At a size, as far as is known.
bool may_win(std::span<const evaluate::ComparisonRow> rows, const advise::Comparison& comparison) {
  return std::ranges::any_of(rows, [&](const evaluate::ComparisonRow& row) {
    return std::ranges::none_of(comparison.rows, [&](const evaluate::ComparisonRow& other) {
      return other.best && other.size_B == row.size_B &&
             row.result.time_s > other.result.time_s * (1 + evaluate::kTie);
    });
  });
}

// What was not built, and what was not simulated to the end at any size. `unnamed`: what fits and
// runs by its name alone.
Json left_out(const advise::Comparison& comparison, const std::vector<evaluate::Dropped>& unnamed) {
  Json json = Json::array();
  const auto add = [&](const evaluate::Dropped& dropped) {
    json.push_back(
        {{"algorithm", dropped.algorithm}, {"bound", nullptr}, {"reason", dropped.reason}});
  };
  std::ranges::for_each(comparison.dropped, add);
  for (const evaluate::Dropped& each : unnamed)
    if (std::ranges::find(comparison.dropped, each.algorithm, &evaluate::Dropped::algorithm) ==
        comparison.dropped.end())
      add(each);
  if (comparison.contenders.empty()) return json;
  const std::size_t sizes = comparison.rows.size() / comparison.contenders.size();
  for (std::size_t c = 0; c < comparison.contenders.size(); ++c) {
    const auto rows = std::span(comparison.rows).subspan(c * sizes, sizes);
    if (rows.empty() || !std::ranges::all_of(rows, &evaluate::ComparisonRow::is_bound)) continue;
    const auto& largest = *std::ranges::max_element(rows, {}, &evaluate::ComparisonRow::size_B);
    json.push_back({{"algorithm", comparison.contenders[c].algorithm},
                    {"bound", largest.result.time_s},
                    {"reason", !comparison.complete && may_win(rows, comparison)
                                   ? comparison.out_of_time ? "the time limit ended first"
                                                            : "the work budget ended first"
                                   : "it cannot win at any of these sizes"}});
  }
  return json;
}

}  // namespace

namespace {

// " at 3 of 17 sizes (1KiB, 1MiB to 2MiB)"; nothing where they are not known one by one.
std::string open_text(const advise::Comparison& comparison) {
  if (!all_in_time(comparison.dropped)) return "";
  std::vector<std::int64_t> sizes_B;
  for (const evaluate::ComparisonRow& row : comparison.rows)
    if (row.contender == 0) sizes_B.push_back(row.size_B);
  std::ranges::sort(sizes_B);
  sizes_B.erase(std::unique(sizes_B.begin(), sizes_B.end()), sizes_B.end());
  std::string ranges;
  for (std::size_t i = 0; i < sizes_B.size(); ++i) {
    if (!comparison.is_open(sizes_B[i])) continue;
    std::size_t last = i;
    while (last + 1 < sizes_B.size() && comparison.is_open(sizes_B[last + 1])) ++last;
    ranges += (ranges.empty() ? "" : ", ") + format_size(sizes_B[i]);
    if (last > i) ranges += " to " + format_size(sizes_B[last]);
    i = last;
  }
  if (ranges.empty()) return "";
  return fmt::format(" at {} of {} ({})", comparison.open_sizes_B.size(),
                     counted(std::ssize(sizes_B), "size"), ranges);
}

}  // namespace

std::string completeness_note(const advise::Comparison& comparison) {
  if (comparison.complete) return "";
  if (comparison.contenders.empty() && !comparison.out_of_time)
    return "nothing was simulated, because every algorithm has too many messages to check one by "
           "one; name one algorithm with -a to simulate it";
  std::int64_t open = 0;
  for (const evaluate::ComparisonRow& row : comparison.rows) open += row.is_bound ? 1 : 0;
  const bool none = open == std::ssize(comparison.rows);
  return fmt::format(
      "{}{}{}; {}",
      comparison.out_of_time   ? "the time limit ended before the winner was known"
      : comparison.out_of_work ? "the work budget ended before the winner was known"
                               : "the bounds of large schedules are too wide to decide the winner",
      open_text(comparison), none ? ", and nothing was simulated" : "",
      comparison.out_of_time
          ? "give a longer --time-limit, fewer --sizes, or fewer algorithms with -a"
          : "--effort full simulates all, which takes longer; fewer --sizes, fewer algorithms (-a) "
            "and --model alpha-beta take less time");
}

std::string library_note(const advise::Comparison& comparison) {
  if (!comparison.library) return "";
  std::vector<double> best_s;
  const auto winners = comparison.winners();
  for (const evaluate::LibraryRow& row : comparison.library->rows) {
    const auto best = std::ranges::find(winners, row.size_B, &evaluate::ComparisonRow::size_B);
    best_s.push_back(best == winners.end() ? 0 : (*best)->result.time_s);
  }
  const std::string text = advise::library_lesson(*comparison.library, best_s);
  return text.empty() ? "" : text + '\n';
}

Json json_of(const ComparisonAsked& options, const Network& network, const Collective& collective,
             const advise::Comparison& comparison) {
  Json json = answer("compare", options.common);
  json.update(json_of(network, options.said));
  add_per_host(options.per_host, json);
  json["collective"] = collective_name(collective, options.counts.read);
  if (options.counts.read) json["counts"] = json_of(*options.counts.read, collective);
  json.update(json_of_readings(options.said));
  if (simulation::by_packets(simulation::parse_model(options.said.text("model"))))
    json["router"] = lower_name(options.said.text("router"));
  if (comparison.unequal.empty())
    add_bounds(comparison.bounds, json);
  else
    json["least"] = json_of_least(comparison);
  if (comparison.in_network && comparison.unequal.empty())
    json["bandwidth_factor_bound_in_network"] = comparison.in_network->bandwidth_factor;
  json["steps_bound"] = comparison.bounds.steps;
  json["least_steps"] = least_steps(comparison.bounds, link_steps(comparison.contenders));
  json["algorithms"] = Json::array();
  for (const auto& contender : comparison.contenders) {
    json["algorithms"].push_back(
        {{"algorithm", contender.algorithm},
         {"schedule", contender.schedule},
         {"file", contender.file.empty() ? Json() : Json(contender.file)},
         {"verified", true},
         {"steps", contender.cost.steps},
         {"least_steps", contender.step_bound.steps},
         {"messages", contender.cost.messages},
         {"in_network", contender.combining == evaluate::Combining::in_network},
         {"layout", std::string(name_of(contender.layout))},
         {"routing_note", cli::json_of(contender.routing_note)},
         {"routing_judged", contender.routing_judged},
         {"forwarding_hosts", cli::json_of(contender.forwarding_hosts)}});
    if (comparison.unequal.empty()) {
      json["algorithms"].back()["bandwidth_factor"] = to_string(contender.cost.bandwidth_factor);
      json["algorithms"].back()["max_link_load"] = to_string(contender.cost.max_link_load);
    }
    if (const auto& largest = contender.at_largest)
      json["algorithms"].back()["at_largest"] = {{"schedule", largest->schedule},
                                                 {"segments", largest->segments},
                                                 {"steps", largest->cost.steps},
                                                 {"messages", largest->cost.messages}};
    if (contender.at_largest && comparison.unequal.empty())
      json["algorithms"].back()["at_largest"]["bandwidth_factor"] =
          to_string(contender.at_largest->cost.bandwidth_factor);
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
  for (const evaluate::ComparisonRow& row : comparison.rows)
    json["rows"].push_back(json_of(row, comparison));
  json["complete"] = comparison.complete;
  json["open_sizes"] = comparison.open_sizes_B;
  json["left_out"] = left_out(
      comparison, evaluate::left_unnamed(collective, network,
                                         algorithms_beside(options.schedule_files,
                                                           options.algorithms, collective.kind),
                                         fields::algorithm_options_in(options.said.values)));
  json["winners"] = Json::array();
  for (const advise::Reign& reign : comparison.reigns()) {
    Json algorithms = Json::array();
    for (const std::size_t contender : reign.contenders)
      algorithms.push_back(comparison.contenders[contender].algorithm);
    json["winners"].push_back(
        {{"from", reign.first_B}, {"to", reign.last_B}, {"algorithms", std::move(algorithms)}});
  }
  if (comparison.library) json["library"] = json_of(*comparison.library);
  if (comparison.startup_check) json["startup_check"] = json_of_startups(comparison);
  return json;
}

std::string csv_of(const advise::Comparison& comparison) {
  Table table({"algorithm", "size", "time", "bus_bandwidth", "algorithm_bandwidth", "segments",
               "steps", "messages", "best", "bound"});
  for (const evaluate::ComparisonRow& row : comparison.rows) {
    const auto simulated = [&](auto value) {
      return row.is_bound ? std::string() : fmt::format("{}", value);
    };
    table.add(
        {comparison.contenders[row.contender].algorithm, fmt::format("{}", row.size_B),
         simulated(row.result.time_s), simulated(row.result.bus_bandwidth_Bps),
         simulated(row.result.algorithm_bandwidth_Bps), fmt::format("{}", row.segments),
         fmt::format("{}", row.steps), simulated(row.result.messages), row.best ? "1" : "0",
         row.is_bound || row.result.least_s > 0 ? fmt::format("{}", row.result.lower_s()) : ""});
  }
  if (comparison.library)
    for (const evaluate::LibraryRow& row : comparison.library->rows)
      table.add({comparison.library->name, fmt::format("{}", row.size_B),
                 row.time_s ? fmt::format("{}", *row.time_s) : "", "", "", "", "", "", "0", ""});
  return table.csv();
}

report::Chart chart_of(const ComparisonAsked& options, const Network& network,
                       const Collective& collective, const advise::Comparison& comparison) {
  report::Chart chart{.title = fmt::format("{} on {}, {} ranks ({}, {})",
                                           collective_name(collective, options.counts.read),
                                           network.topology().name(), collective.ranks,
                                           options.said.text("model"), options.said.text("sync")),
                      .x_label = collective.size_is_block() ? "block size" : "buffer size",
                      .y_label = "time",
                      .x_is_bytes = true,
                      .y_is_seconds = true};
  for (const auto& contender : comparison.contenders)
    chart.series.push_back({contender.algorithm, {}, {}});
  for (const evaluate::ComparisonRow& row : comparison.rows) {
    if (row.is_bound || row.size_B == 0 || row.result.time_s <= 0)
      continue;  // a log scale has no zero
    chart.series[row.contender].x.push_back(static_cast<double>(row.size_B));
    chart.series[row.contender].y.push_back(row.result.time_s);
  }
  for (report::Series& marks : report::marks_of(comparison, collective, network))
    chart.series.push_back(std::move(marks));
  std::erase_if(chart.series, [](const report::Series& series) { return series.x.empty(); });
  return chart;
}

}  // namespace weft::cli
