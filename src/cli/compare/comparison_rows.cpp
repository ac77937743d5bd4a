#include "cli/compare/comparison_rows.hpp"

#include <fmt/format.h>

#include <array>

#include "cli/answers/parts.hpp"
#include "cli/answers/routing_text.hpp"
#include "weft/advise/comparison_parts.hpp"
#include "weft/answer/columns.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/simulation/measured_numbers.hpp"

namespace weft::cli {

using advise::Comparison;
using answer::PartOf;
using answer::Parts;
using answer::Unit;
using evaluate::Contender;
using evaluate::Pipelined;
using evaluate::Spent;
using libraries::LibraryRow;

namespace {

answer::Part<ReportedContender> algorithm_part() {
  constexpr PartOf<ReportedContender> part;
  return part(keys::kAlgorithm, "algorithm",
              [](const ReportedContender& reported) { return reported.contender.algorithm; });
}

// Times differ from run to run, and so are there only if they are asked for.
Parts<ReportedContender> spent_parts() {
  constexpr PartOf<ReportedContender> part;
  const auto of_spent = [](auto member) {
    return [member](const ReportedContender& reported) { return reported.contender.spent.*member; };
  };
  const auto timings = [](const ReportedContender& reported) { return reported.of.asked.timings; };
  return {
      part("simulations", "simulations", Unit::none, "rows that were simulated",
           of_spent(&Spent::simulations)),
      part("work", "work", Unit::none, "work of these simulations", of_spent(&Spent::work)),
      part("build", "build", Unit::seconds, "time to build the schedule", of_spent(&Spent::build_s))
          .when(timings),
      part("verify", "prove", Unit::seconds, "time to prove it", of_spent(&Spent::verify_s))
          .when(timings),
      part("cost", "price", Unit::seconds, "time to find its cost", of_spent(&Spent::cost_s))
          .when(timings),
      part("simulate", "simulate", Unit::seconds, "time to simulate it",
           of_spent(&Spent::simulate_s))
          .when(timings)};
}

Parts<Pipelined> pipelined_parts() {
  constexpr PartOf<Pipelined> part;
  return {part(keys::kSchedule, &Pipelined::schedule), part(keys::kSegments, &Pipelined::segments),
          part(keys::kSteps, [](const Pipelined& largest) { return largest.cost.steps; }),
          part(keys::kMessages, [](const Pipelined& largest) { return largest.cost.messages; })};
}

/// The price at the largest size, of a contender that has one.
Parts<ReportedContender> at_largest_parts() {
  constexpr PartOf<ReportedContender> part;
  return join(part.within([](const ReportedContender& reported)
                              -> const Pipelined& { return *reported.contender.at_largest; },
                          pipelined_parts()),
              {part(keys::kBandwidthFactor, [](const ReportedContender& reported) {
                 return reported.contender.at_largest->cost.bandwidth_factor;
               }).when(&ReportedContender::has_equal_blocks)});
}

}  // namespace

Parts<ReportedContender> contender_parts() {
  constexpr PartOf<ReportedContender> part;
  const auto of_contender = [](auto member) {
    return [member](const ReportedContender& reported) -> const auto& {
      return reported.contender.*member;
    };
  };
  const auto of_cost = [](auto member) {
    return [member](const ReportedContender& reported) { return reported.contender.cost.*member; };
  };
  return {
      algorithm_part(),
      part(keys::kSchedule, of_contender(&Contender::schedule)),
      part(keys::kScheduleFile,
           [](const ReportedContender& reported) {
             const std::string& file = reported.contender.file;
             return file.empty() ? std::nullopt : std::optional(file);
           }),
      part("verified", "", Unit::none, "whether it was proved to be the collective",
           [](const ReportedContender&) { return true; }),
      part(keys::kLatencySteps, of_cost(&Cost::steps)),
      part(keys::kLeastSteps,
           [](const ReportedContender& reported) { return reported.contender.step_bound.steps; }),
      part(keys::kMessages, of_cost(&Cost::messages)),
      part(keys::kInNetwork,
           [](const ReportedContender& reported) {
             return reported.contender.combining == evaluate::Combining::in_network;
           }),
      part(keys::kLayout,
           [](const ReportedContender& reported) { return name_of(reported.contender.layout); }),
      part.object("routing_note", "a routing with less load on its busiest link, or null",
                  of_contender(&Contender::routing_note), routing_note_parts()),
      part(keys::kRoutingJudged, of_contender(&Contender::routing_judged)),
      part(keys::kForwardingHosts, of_contender(&Contender::forwarding_hosts)),
      part(keys::kBandwidthFactor, of_cost(&Cost::bandwidth_factor))
          .when(&ReportedContender::has_equal_blocks),
      part(keys::kMaxLinkLoad, of_cost(&Cost::max_link_load))
          .when(&ReportedContender::has_equal_blocks),
      part.object(
              "at_largest", "the schedule with the segments for the largest size",
              [](const ReportedContender& reported) { return reported; }, at_largest_parts())
          .when([](const ReportedContender& reported) {
            return reported.contender.at_largest.has_value();
          }),
      part.object(
          "spent", "work of weft for this algorithm",
          [](const ReportedContender& reported) { return reported; }, spent_parts())};
}

std::vector<ReportedContender> contenders_of(const ComparisonReport& report) {
  std::vector<ReportedContender> reported;
  for (const Contender& contender : report.comparison.contenders)
    reported.push_back({report, contender});
  return reported;
}

Table timings_of(const ComparisonReport& report) {
  constexpr auto kColumns = std::to_array<answer::Column>(
      {{"algorithm"}, {"build"}, {"verify"}, {"cost"}, {"simulate"}, {"simulations"}, {"work"}});
  std::vector<ReportedContender> ranked;
  for (const std::size_t index : report.comparison.ranking())
    ranked.push_back({report, report.comparison.contenders[index]});
  return table_of(answer::cells_of<ReportedContender>(
      ranked, join({algorithm_part()}, spent_parts()), kColumns, answer::Reader::person));
}

std::string csv_of(const Comparison& comparison) {
  const Parts<advise::ComparedRow> parts = advise::compared_row_parts();
  std::vector<std::string> columns{
      "algorithm", "size",  "time",     "bus_bandwidth", "algorithm_bandwidth",
      "segments",  "steps", "messages", "best",          "bound"};
  for (const auto& number : simulation::further_numbers()) columns.emplace_back(number.text.key);
  Table table(columns);
  for (const advise::ComparedRow& row : rows_of(comparison)) {
    std::vector<std::string> cells;
    for (const std::string& column : columns)
      cells.push_back(answer::full(answer::value_of(row, answer::part_of(parts, column))));
    table.add(std::move(cells));
  }
  if (comparison.library)
    for (const LibraryRow& row : comparison.library->rows) {
      std::vector<std::string> cells{comparison.library->name,
                                     fmt::format("{}", row.size_B),
                                     row.time_s ? fmt::format("{}", *row.time_s) : "",
                                     "",
                                     "",
                                     "",
                                     "",
                                     "",
                                     "0",
                                     ""};
      cells.resize(columns.size());
      table.add(std::move(cells));
    }
  return table.csv();
}

}  // namespace weft::cli
