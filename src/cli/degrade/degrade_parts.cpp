// The table of parts of what weft degrade answers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "cli/answers/collective_ends.hpp"
#include "cli/answers/network_parts.hpp"
#include "cli/compare/comparison_answer.hpp"
#include "cli/degrade/degrade_answer.hpp"
#include "weft/advise/degradation_parts.hpp"
#include "weft/answer/keys.hpp"

namespace weft::cli {

using advise::AnsweredEndurance;
using advise::DegradedRow;
using advise::Endurance;
using advise::Failure;
using advise::FailureOutcome;
using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

/// An algorithm after a failure.
struct AnsweredRow {
  const DegradeAnswer& of;
  const DegradedRow& row;

  bool is_timed() const { return row.fate != FailureOutcome::impossible; }
};

std::vector<AnsweredEndurance> algorithms_of(const DegradeAnswer& a) {
  std::vector<AnsweredEndurance> algorithms;
  for (const Endurance& each : a.found.algorithms) algorithms.push_back({a.found, each});
  return algorithms;
}

std::vector<AnsweredRow> rows_of(const DegradeAnswer& a) {
  std::vector<AnsweredRow> rows;
  for (const DegradedRow& row : a.found.rows) rows.push_back({a, row});
  return rows;
}

Parts<AnsweredEndurance> algorithm_parts() {
  constexpr PartOf<AnsweredEndurance> part;
  return join({part(keys::kAlgorithm, "algorithm",
                    [](const AnsweredEndurance& a) { return a.each.algorithm; }),
               part(keys::kScheduleFile,
                    [](const AnsweredEndurance& a) {
                      return a.each.file.empty() ? std::nullopt : std::optional(a.each.file);
                    })},
              advise::endurance_parts());
}

bool has_ways(const Failure& failure) {
  return failure.ways.has_value();
}

Parts<Failure> failure_parts() {
  constexpr PartOf<Failure> part;
  return {
      part("failed", "", Unit::none, "what fails, as without(...) takes it", &Failure::name),
      part("cables", "", Unit::none, "cables that fail", &Failure::cables),
      part("nodes", "", Unit::none, "nodes that fail", &Failure::nodes),
      part("lost", "", Unit::none, "ranks whose nodes fail", &Failure::lost),
      part("cut_off", "", Unit::none, "other ranks that cannot be reached", &Failure::cut_off),
      part("routing", "", Unit::none,
           "routing of the damaged network, or null if there is nothing to run",
           [](const Failure& failure) {
             return failure.serves() ? std::optional(failure.routing) : std::nullopt;
           }),
      part("pairs_without_way", "", Unit::none,
           "ordered pairs of ranks that cannot communicate until the forwarding tables are "
           "updated",
           [](const Failure& failure) { return failure.ways->pairs; })
          .when(has_ways),
      part("first_pair", "", Unit::none, "the first of these pairs, or null",
           [](const Failure& failure) {
             const advise::LostWays& ways = *failure.ways;
             return ways.pairs == 0 ? std::nullopt : std::optional(std::vector{ways.from, ways.to});
           })
          .when(has_ways)};
}

Parts<AnsweredRow> row_parts() {
  constexpr PartOf<AnsweredRow> part;
  const auto if_timed = [](double DegradedRow::*member) {
    return [member](const AnsweredRow& a) {
      return a.is_timed() ? std::optional(a.row.*member) : std::nullopt;
    };
  };
  return {
      part(keys::kAlgorithm,
           [](const AnsweredRow& a) { return a.of.found.algorithms[a.row.algorithm].algorithm; }),
      part("failed", "", Unit::none, "what fails",
           [](const AnsweredRow& a) { return a.of.found.failures[a.row.failure].name; }),
      part("time", "", Unit::seconds, "time after the failure, or null if no schedule fits",
           if_timed(&DegradedRow::time_s)),
      part("slowdown", "", Unit::none, "that time, relative to the time without, or null",
           if_timed(&DegradedRow::slowdown)),
      part("schedule", "", Unit::none, "kept, rebuilt or impossible",
           [](const AnsweredRow& a) { return name_of(a.row.fate); }),
      part("reason", "", Unit::none, "why no schedule fits", [](const AnsweredRow& a) {
        return a.row.reason;
      }).when([](const AnsweredRow& a) { return !a.is_timed(); })};
}

}  // namespace

std::vector<const Endurance*> DegradeAnswer::by_time() const {
  std::vector<const Endurance*> order;
  for (const Endurance& each : found.algorithms) order.push_back(&each);
  std::ranges::stable_sort(order, {}, &Endurance::time_s);
  return order;
}

Parts<DegradeAnswer> degrade_parts() {
  constexpr PartOf<DegradeAnswer> part;
  return join(
      join(join(part.within(
                    [](const DegradeAnswer& a) {
                      return UsedNetwork{a.network, a.options.said};
                    },
                    network_parts()),
                {part(keys::kCollective,
                      [](const DegradeAnswer& a) { return name_of(a.collective.kind); })}),
           join(part.within(
                    [](const DegradeAnswer& a) -> const auto& { return a.collective; },
                    ends_parts()),
                part.within([](const DegradeAnswer& a) { return UsedReadings{a.options.said}; },
                            // --cables has failures here, and no sharing of both directions
                            without_keys(readings_parts(), {"cables"})))),
      join({part(keys::kSize, [](const DegradeAnswer& a) { return a.asked.size_B; }),
            part("at_once", "", Unit::none, "cables or nodes that fail at once",
                 [](const DegradeAnswer& a) { return a.asked.failures.at_once; }),
            part("schedules", "", Unit::none, "schedules after a failure: as before, or rebuilt",
                 [](const DegradeAnswer& a) { return name_of(a.asked.failures.schedules); })},
           join(part.within(&DegradeAnswer::found, advise::trial_parts()),
                {part.list("algorithms", "the algorithms that were compared", algorithms_of,
                           algorithm_parts()),
                 part.object(
                     "best", "the fastest algorithm after each failure",
                     [](const DegradeAnswer& a) {
                       return AnsweredEndurance{a.found, a.found.best};
                     },
                     advise::endurance_parts()),
                 part.list(
                     keys::kDropped,
                     [](const DegradeAnswer& a) -> const auto& { return a.found.dropped; },
                     dropped_parts()),
                 part.list(
                     "failures", "the failures that were tried",
                     [](const DegradeAnswer& a) -> const auto& { return a.found.failures; },
                     failure_parts()),
                 part.list("rows", "each algorithm after each failure that leaves something to run",
                           rows_of, row_parts())})));
}

answer::Cells algorithm_cells(const DegradeAnswer& a) {
  constexpr auto kColumns = std::to_array<answer::Column>({{"algorithm"},
                                                           {"time"},
                                                           {"mean_slowdown"},
                                                           {"worst_slowdown"},
                                                           {"worst"},
                                                           {"kept"},
                                                           {"rebuilt"},
                                                           {"impossible"}});
  std::vector<AnsweredEndurance> rows;
  for (const Endurance* each : a.by_time()) rows.push_back({a.found, *each});
  return answer::cells_of<AnsweredEndurance>(rows, algorithm_parts(), kColumns,
                                             answer::Reader::person);
}

}  // namespace weft::cli
