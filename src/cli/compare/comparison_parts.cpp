// The table of parts of what weft compare answers.
#include <algorithm>
#include <span>

#include "cli/answers/bounds.hpp"
#include "cli/answers/network_parts.hpp"
#include "cli/answers/routing_text.hpp"
#include "cli/compare/comparison_rows.hpp"
#include "cli/foreign/schedule_files.hpp"
#include "cli/options/startup_check.hpp"
#include "weft/advise/comparison_parts.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/design/bounds/bound_parts.hpp"
#include "weft/design/find/find_answer.hpp"
#include "weft/evaluate/left_unnamed.hpp"

namespace weft::cli {

using advise::Comparison;
using answer::Part;
using answer::PartOf;
using answer::Parts;
using answer::Unit;
using evaluate::ComparisonRow;
using evaluate::Contender;
using libraries::LibraryBaseline;
using libraries::LibraryRow;

namespace {

/// An algorithm without a time, and why.
struct LeftOut {
  std::string algorithm;
  std::optional<double> bound_s;
  std::string reason;
};
/// The lower bound of unequal blocks at one size.
struct SizeBound {
  std::int64_t size_B;
  evaluate::UnequalBound bound;
};

Parts<LibraryBaseline> library_parts() {
  constexpr PartOf<LibraryBaseline> part;
  constexpr PartOf<LibraryRow> of_row;
  return {part("name", "", Unit::none, "name of the library", &LibraryBaseline::name),
          part("release", "", Unit::none, "its release", &LibraryBaseline::release),
          part.list(
              "rows", "what it runs at each size", &LibraryBaseline::rows,
              Parts<LibraryRow>{
                  of_row(keys::kSize, &LibraryRow::size_B),
                  of_row("algorithm", "", Unit::none, "its algorithm as weft names it, or null",
                         [](const LibraryRow& row) {
                           return row.algorithm.empty() ? std::nullopt
                                                        : std::optional(row.algorithm);
                         }),
                  of_row("native", "", Unit::none, "its algorithm in the library's words",
                         &LibraryRow::native),
                  of_row("time", "", Unit::seconds, "time of a call; null if weft cannot time it",
                         &LibraryRow::time_s),
                  of_row("stand_in", "", Unit::none,
                         "whether the time is of a similar algorithm, because weft lacks this one",
                         &LibraryRow::stand_in),
                  of_row("modelled", "", Unit::none,
                         "whether the time is from the library's own cost model",
                         &LibraryRow::modelled)})};
}

Parts<SizeBound> size_bound_parts() {
  constexpr PartOf<SizeBound> part;
  return {part(keys::kSize, &SizeBound::size_B),
          part(keys::kLeastTime, [](const SizeBound& least) { return least.bound.time_s; }),
          part(keys::kBoundReason, [](const SizeBound& least) { return least.bound.text; })};
}

std::vector<SizeBound> size_bounds(const ComparisonReport& report) {
  std::vector<SizeBound> bounds;
  for (const auto& [size_B, bound] : report.comparison.unequal) bounds.push_back({size_B, bound});
  return bounds;
}

bool has_equal_blocks(const ComparisonReport& report) {
  return report.comparison.unequal.empty();
}

// At a size, as far as is known.
bool may_win(std::span<const ComparisonRow> rows, const Comparison& comparison) {
  return std::ranges::any_of(rows, [&](const ComparisonRow& row) {
    return std::ranges::none_of(comparison.rows, [&](const ComparisonRow& other) {
      return other.best && other.size_B == row.size_B &&
             !evaluate::ties(row.result.time_s, other.result.time_s);
    });
  });
}

}  // namespace

std::vector<std::string> names_in(const ComparisonQuestion& asked, CollectiveKind kind) {
  if (!asked.variants.empty() && asked.algorithms == evaluate::kNone) return {asked.algorithms};
  return algorithms_beside(asked.schedule_files, asked.algorithms, kind);
}

namespace {

// What was not built, what fits and runs by its name alone, and what was not simulated to the end
// at any size.
std::vector<LeftOut> left_out(const ComparisonReport& report) {
  const ComparisonQuestion& asked = report.asked;
  const Comparison& comparison = report.comparison;
  const auto unnamed = evaluate::left_unnamed(report.collective, report.network,
                                              names_in(asked, report.collective.kind),
                                              fields::algorithm_options_in(asked.said.values));
  std::vector<LeftOut> out;
  for (const Dropped& dropped : comparison.dropped)
    out.push_back({dropped.algorithm, std::nullopt, dropped.reason});
  for (const Dropped& each : unnamed)
    if (std::ranges::find(comparison.dropped, each.algorithm, &Dropped::algorithm) ==
        comparison.dropped.end())
      out.push_back({each.algorithm, std::nullopt, each.reason});
  if (comparison.contenders.empty()) return out;
  const std::size_t sizes = comparison.rows.size() / comparison.contenders.size();
  for (std::size_t c = 0; c < comparison.contenders.size(); ++c) {
    const auto rows = std::span(comparison.rows).subspan(c * sizes, sizes);
    if (rows.empty() || !std::ranges::all_of(rows, &ComparisonRow::is_bound)) continue;
    const auto& largest = *std::ranges::max_element(rows, {}, &ComparisonRow::size_B);
    out.push_back(
        {comparison.contenders[c].algorithm, largest.result.time_s,
         !comparison.complete && may_win(rows, comparison)
             ? comparison.out_of_time ? "the time limit ended first" : "the work budget ended first"
             : "it cannot win at any of these sizes"});
  }
  return out;
}

Parts<LeftOut> left_out_parts() {
  constexpr PartOf<LeftOut> part;
  return {part(keys::kAlgorithm, &LeftOut::algorithm),
          part("bound", "", Unit::seconds,
               "lower bound on its time at the largest size; null if it was not built",
               &LeftOut::bound_s),
          part("reason", "", Unit::none, "why it has no time", &LeftOut::reason)};
}

using Advised = Comparison::Advised;
// A routing that is faster for one of the contenders.
Part<ComparisonReport> routing_note_part() {
  struct Note {
    const Comparison& comparison;
    const Advised& advised;
  };
  constexpr PartOf<Note> of_note;
  constexpr PartOf<ComparisonReport> part;
  return part.object(
      "routing_note", "a routing that is faster for one of the algorithms, or null",
      [](const ComparisonReport& report) {
        const auto& advised = report.comparison.advised;
        return advised ? std::optional<Note>({report.comparison, *advised}) : std::nullopt;
      },
      join(of_note.within([](const Note& note) { return note.advised.advice; },
                          routing_advice_parts()),
           {of_note("algorithm", "", Unit::none, "that algorithm", [](const Note& note) {
             return note.comparison.contenders[note.advised.contender].algorithm;
           })}));
}

template <class Get>
auto of_comparison(Get get) {
  return [get](const ComparisonReport& report) -> decltype(auto) {
    return std::invoke(get, report.comparison);
  };
}

// At each size that was compared.
std::vector<advise::FastestAtSize> fastest_of(const ComparisonReport& report) {
  std::vector<std::int64_t> sizes_B;
  for (const ComparisonRow& row : report.comparison.rows) sizes_B.push_back(row.size_B);
  return advise::fastest_at_sizes(report.comparison, report.collective, report.network, sizes_B);
}

Parts<ComparisonReport> setting_parts() {
  constexpr PartOf<ComparisonReport> part;
  return join(
      join(part.within(
               [](const ComparisonReport& report) {
                 return UsedNetwork{report.network, report.asked.said};
               },
               network_parts_of_jobs()),
           {part(keys::kCollective,
                 [](const ComparisonReport& report) {
                   return collective_name(report.collective, report.asked.counts.read);
                 }),
            part.object(
                    keys::kCounts,
                    [](const ComparisonReport& report) {
                      const auto& counts = report.asked.counts.read;
                      return counts ? std::optional<UsedCounts>({*counts, report.collective})
                                    : std::nullopt;
                    },
                    counts_parts())
                .left_out()}),
      join(part.within(
               [](const ComparisonReport& report) { return UsedReadings{report.asked.said}; },
               readings_parts()),
           {part(keys::kRouter, [](const ComparisonReport& report) {
              return lower_name(report.asked.said.text("router"));
            }).when([](const ComparisonReport& report) {
             return simulation::by_packets(
                 simulation::parse_model(report.asked.said.text("model")));
           })}));
}

Parts<ComparisonReport> bound_parts() {
  constexpr PartOf<ComparisonReport> part;
  return join(part.within(
                  [](const ComparisonReport& report) {
                    return has_equal_blocks(report) ? std::optional(report.comparison.bounds)
                                                    : std::nullopt;
                  },
                  design::bounds_parts()),
              {part.list("least", "lower bounds of unequal blocks, by size", size_bounds,
                         size_bound_parts())
                   .when(std::not_fn(has_equal_blocks)),
               part("bandwidth_factor_bound_in_network", "", Unit::none,
                    "lower bound on T_B if switches combine messages, in units of M/B",
                    [](const ComparisonReport& report) {
                      return report.comparison.in_network->bandwidth_factor;
                    })
                   .when([](const ComparisonReport& report) {
                     return report.comparison.in_network && has_equal_blocks(report);
                   }),
               part(keys::kStepsBound,
                    [](const ComparisonReport& report) { return report.comparison.bounds.steps; }),
               part("least_steps", "", Unit::none, "lower bound on the steps of these algorithms",
                    [](const ComparisonReport& report) {
                      return least_steps(report.comparison.bounds,
                                         link_steps(report.comparison.contenders));
                    })});
}

}  // namespace

Parts<Dropped> dropped_parts() {
  constexpr PartOf<Dropped> part;
  return {part(keys::kAlgorithm, &Dropped::algorithm),
          part("reason", "", Unit::none, "why it was not built", &Dropped::reason)};
}

Parts<ComparisonReport> comparison_parts() {
  constexpr PartOf<ComparisonReport> part;
  return join(
      join(setting_parts(), bound_parts()),
      {part.list("algorithms", "the algorithms", contenders_of, contender_parts()),
       routing_note_part(),
       part.list(keys::kDropped, of_comparison(&Comparison::dropped), dropped_parts()),
       part.list("rows", "time of each algorithm at each size", of_comparison(advise::rows_of),
                 advise::compared_row_parts()),
       part.list("fastest", "the fastest algorithm at each size", fastest_of,
                 advise::fastest_parts()),
       part("complete", "", Unit::none, "whether the winner of every size is known",
            of_comparison(&Comparison::complete)),
       part("open_sizes", "", Unit::bytes, "sizes whose winner is not known",
            of_comparison(&Comparison::open_sizes_B)),
       part.list("left_out", "algorithms without a time at any size", left_out, left_out_parts()),
       part.list(
           "winners", "ranges of sizes with their winners",
           [](const ComparisonReport& report) {
             return used_winner_ranges(report.comparison, report.comparison.winner_ranges());
           },
           winner_range_parts()),
       part.object("library", "what the library of --library would run",
                   of_comparison(&Comparison::library), library_parts())
           .left_out(),
       part.object(
               "startup_check", "winners if messages had a start-up",
               [](const ComparisonReport& report) -> const Comparison& {
                 return report.comparison;
               },
               startup_check_parts())
           .when([](const ComparisonReport& report) {
             return report.comparison.startup_check.has_value();
           }),
       part.list(
               keys::kCurve,
               [](const ComparisonReport& report) -> const auto& { return report.curve; },
               design::step_point_parts())
           .when([](const ComparisonReport& report) { return !report.curve.empty(); })});
}

}  // namespace weft::cli
