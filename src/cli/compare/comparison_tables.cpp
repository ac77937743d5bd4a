// What weft compare answers to people: tables as wide as the screen, and a sentence.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "cli/answers/bounds.hpp"
#include "cli/answers/routing_text.hpp"
#include "cli/compare/comparison_answer.hpp"
#include "cli/machine/speeds.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"

namespace weft::cli {

namespace {

using advise::Comparison;
using advise::WinnerRange;
using evaluate::ComparisonRow;

// Long fractions do not fit beside other columns; the JSON has them whole.
std::string short_factor(const Rational& value) {
  constexpr std::size_t kLongest = 24;
  const std::string text = show(value);
  return text.size() <= kLongest ? text : fmt::format("{:.6g}", value.to_double());
}

// With the segments of the largest size. The options that an algorithm chose for all sizes stand
// below the tables; here they are only where sizes differ.
std::string name_of_priced(const evaluate::Contender& contender) {
  const auto& largest = contender.at_largest;
  if (!largest) return contender.algorithm;
  const bool same = largest->schedule == contender.schedule;
  return fmt::format("{} ({})", same ? contender.algorithm : largest->schedule,
                     counted(largest->segments, "segment"));
}

// The exact price of each of these contenders, at the largest size where that matters.
Table prices_of(const Comparison& comparison, const Network& network,
                const std::vector<std::size_t>& shown) {
  const bool priced = comparison.unequal.empty();  // by blocks of one size
  std::vector<std::string> columns{"algorithm", "proved", "T_L"};
  if (priced) columns.insert(columns.end(), {"T_B", "x bound"});
  columns.emplace_back("messages");
  const bool copies = !network.host().copies_are_free();
  if (copies) columns.emplace_back("layout");
  Table prices(columns);
  for (const std::size_t index : shown) {
    const auto& contender = comparison.contenders[index];
    const Rational bound = comparison.bounds_of(contender).greatest();
    const Cost& cost = contender.at_largest ? contender.at_largest->cost : contender.cost;
    std::vector<std::string> line{name_of_priced(contender), "yes", fmt::format("{}", cost.steps)};
    if (priced) line.push_back(short_factor(cost.bandwidth_factor));
    if (priced)
      line.push_back(bound == 0 ? ""
                                : fmt::format("{:.3f}", cost.bandwidth_factor.to_double() /
                                                            bound.to_double()));
    line.push_back(fmt::format("{}", cost.messages));
    if (copies) line.emplace_back(name_of(contender.layout));
    prices.add(std::move(line));
  }
  return prices;
}

// Whether the printed time is an upper bound that the true one may be visibly below.
bool is_at_most(const ComparisonRow& row) {
  return row.result.least_s > 0 && !evaluate::ties(row.result.time_s, row.result.least_s);
}

std::string_view sign_of(const ComparisonRow& row) {
  return row.is_bound ? ">" : is_at_most(row) ? "<" : "";
}

bool is_about(const libraries::LibraryRow& row) {
  return row.modelled || row.stand_in;
}

std::string library_cell(const libraries::LibraryRow& row) {
  return row.time_s ? fmt::format("{}{}", format_seconds(*row.time_s), is_about(row) ? "~" : " ")
                    : "-";
}

// Explains "~" behind the library's times; empty where it does not occur.
std::string library_legend(const libraries::LibraryBaseline& library) {
  const bool modelled = std::ranges::any_of(library.rows, &libraries::LibraryRow::modelled);
  if (std::ranges::none_of(library.rows, is_about)) return "";
  return modelled ? fmt::format("~ estimate by {}'s own cost model", library.name)
                  : "~ estimate with a schedule similar to the library's";
}

// A line a size with the time of each of these contenders; the fastest are starred.
Table times_of(const Comparison& comparison, const std::vector<std::size_t>& shown) {
  std::vector<std::string> heading{"size"};
  for (const std::size_t index : shown) heading.push_back(comparison.contenders[index].algorithm);
  if (comparison.library) heading.push_back(comparison.library->name);
  if (!comparison.unequal.empty()) heading.emplace_back("lower bound");
  Table times(heading);
  // A row for each contender and size, contender by contender.
  WEFT_ASSERT(!comparison.contenders.empty());
  WEFT_ASSERT(comparison.rows.size() % comparison.contenders.size() == 0);
  const std::size_t sizes = comparison.rows.size() / comparison.contenders.size();
  for (std::size_t s = 0; s < sizes; ++s) {
    std::vector<std::string> line{format_size(comparison.rows[s].size_B)};
    std::vector<std::size_t> best;
    for (const std::size_t index : shown) {
      const ComparisonRow& row = comparison.rows[index * sizes + s];
      if (row.best) best.push_back(line.size());
      line.push_back(fmt::format("{}{}{}", sign_of(row), format_seconds(row.result.time_s),
                                 !row.best                        ? " "
                                 : comparison.is_open(row.size_B) ? "?"
                                                                  : "*"));
    }
    if (comparison.library) line.push_back(library_cell(comparison.library->rows[s]));
    if (const auto bound = comparison.unequal.find(comparison.rows[s].size_B);
        bound != comparison.unequal.end())
      line.push_back(format_seconds(bound->second.time_s));
    times.add(std::move(line));
    for (const std::size_t column : best) times.emphasise(column);
  }
  return times;
}

// "ring at 8B to 1KiB; spread at 64MiB": the schedules of a contender that sizes choose from, each
// with the sizes at which it was simulated. A contender with one schedule has no sizes; empty where
// that has the contender's name.
std::string schedules_of(const Comparison& comparison, std::size_t index) {
  const auto& contender = comparison.contenders[index];
  if (contender.schedule != contender.algorithm) return contender.schedule;
  const std::size_t sizes = comparison.rows.size() / comparison.contenders.size();
  WEFT_ASSERT(index < comparison.contenders.size());
  const auto rows = std::span(comparison.rows).subspan(index * sizes, sizes);
  std::vector<std::string> names, sizes_of;
  for (auto first = rows.begin(); first != rows.end();) {
    const auto next = std::find_if(first, rows.end(), [&](const ComparisonRow& row) {
      return row.is_bound || row.schedule != first->schedule;
    });
    if (next == first) {  // a bound
      ++first;
      continue;
    }
    const std::string from = format_size(first->size_B), to = format_size(std::prev(next)->size_B);
    const std::string range = from == to ? from : fmt::format("{} to {}", from, to);
    const auto place = std::ranges::find(names, first->schedule) - names.begin();
    if (place == std::ssize(names)) {
      names.push_back(first->schedule);
      sizes_of.push_back(range);
    } else {
      sizes_of[place] += ", " + range;
    }
    first = next;
  }
  if (std::ranges::all_of(names, [&](const auto& name) { return name == contender.algorithm; }))
    return "";
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}{} at {}", i == 0 ? "" : "; ", names[i], sizes_of[i]);
  return text;
}

// Of the best, as many as the screen has room for side by side: six on 80 columns.
std::vector<std::size_t> shown_of(const Comparison& comparison, int columns) {
  std::vector<std::size_t> shown = comparison.ranking();
  // The last but for schedules that are given, and the best.
  const auto leave_one_out = [&] {
    WEFT_ASSERT(!shown.empty());
    const auto best = std::prev(shown.rend());
    auto last = std::find_if(shown.rbegin(), best, [&](std::size_t index) {
      return comparison.contenders[index].file.empty();
    });
    if (last == best) last = shown.rbegin();
    shown.erase(std::prev(last.base()));
  };
  const auto most = static_cast<std::size_t>(std::max(1, columns * 6 / 80));
  while (shown.size() > most) leave_one_out();
  while (shown.size() > 1 &&
         times_of(comparison, shown).least_width() > static_cast<std::size_t>(columns))
    leave_one_out();
  return shown;
}

std::vector<std::size_t> shown_of(const ComparisonQuestion& options, const Comparison& comparison,
                                  const Screen& screen) {
  return options.all ? comparison.ranking() : shown_of(comparison, screen.columns);
}

// "expand = bfb = md": those that tie.
std::string names_of(const Comparison& comparison, const WinnerRange& range) {
  std::string names;
  for (const std::size_t contender : range.contenders)
    names += (names.empty() ? "" : " = ") + comparison.contenders[contender].algorithm;
  return names;
}

// ", T_B: bound 7/8"; nothing of unequal blocks, whose bound is in the table of times.
std::string factor_bounds_text(const Comparison& comparison) {
  if (!comparison.unequal.empty()) return "";
  return fmt::format(
      ", T_B: {}{}", bound_text(comparison.bounds),
      comparison.in_network ? "; " + bound_text(*comparison.in_network) : std::string());
}

// A bound of the bandwidth below this says nothing: latency dominates.
constexpr double kLeastBound_s = 1e-6;

// What one learns, in a sentence: who wins where, what a wrong choice costs, how far the best is
// from the limit.
std::string lesson_of(const ComparisonQuestion& options, const Comparison& comparison,
                      const Collective& collective, const Network& network) {
  const auto winner_ranges = comparison.winner_ranges();
  std::string winners;
  for (const WinnerRange& range : winner_ranges) {
    const bool only = winner_ranges.size() == 1 && comparison.complete,
               last = &range == &winner_ranges.back();
    const bool several = range.contenders.size() > 1;
    winners += fmt::format("{}{}{}", winners.empty() ? "" : ", ", names_of(comparison, range),
                           only   ? several ? " win at every size" : " wins at every size"
                           : last ? " from " + format_size(range.first_B) + " on"
                                  : " up to " + format_size(range.last_B));
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
  if (rows.empty()) return "";
  const ComparisonRow* largest = rows.back();
  const auto& bounds = comparison.bounds_of(comparison.contenders[largest->contender]);
  const double limit_s = comparison.least_time_s(bounds, collective, network, largest->size_B);
  return fmt::format(
      "{} on {}, routing {}: {}{}{}{}.", collective_name(collective, options.counts.read),
      network.topology().name(), routing_text(network),
      comparison.complete ? "" : "of the simulated algorithms, ", winners,
      slowest == nullptr
          ? ""
          : fmt::format("; the slowest algorithm, {} at {}, takes {}{:.1f} times as long",
                        comparison.contenders[slowest->contender].algorithm,
                        format_size(slowest->size_B), slowest->is_bound ? "over " : "", worst),
      limit_s < kLeastBound_s
          ? ""
          : fmt::format("; at {} the best takes {:.2f} times the bandwidth bound{}",
                        format_size(largest->size_B), largest->result.time_s / limit_s,
                        comparison.unequal.empty()
                            ? cut_text(bounds)
                            : fmt::format(" ({})", comparison.unequal.at(largest->size_B).text)));
}

// If nothing was built: the lower bounds of all schedules.
Table limits_of(const Comparison& comparison, const std::vector<std::int64_t>& sizes_B,
                const Collective& collective, const Network& network) {
  Table limits({"size", "lower bound"});
  for (const std::int64_t size_B : sizes_B)
    limits.add({format_size(size_B), format_seconds(comparison.least_time_s(
                                         comparison.bounds, collective, network, size_B))});
  return limits;
}

}  // namespace

std::vector<fields::SentAt> sent_by_shown(const ComparisonQuestion& options,
                                          const Comparison& comparison, Streams& streams) {
  const bool all = options.common.json || options.csv == "-";
  const bool by_table = !all && !options.winners;
  std::vector<std::size_t> shown;
  if (by_table) shown = shown_of(options, comparison, screen_of(streams));
  std::vector<fields::SentAt> sent;
  for (const ComparisonRow& row : comparison.rows)
    if (all || (by_table ? std::ranges::find(shown, row.contender) != shown.end() : row.best))
      sent.push_back({row.size_B, row.messages});
  return sent;
}

void print_tables(const ComparisonQuestion& options, const Comparison& comparison,
                  const Collective& collective, const Network& network, Streams& streams) {
  streams.out << fmt::format("{} on {}, {}, routing {}; bounds: T_L {}{}\n{}\n\n",
                             collective_name(collective, options.counts.read),
                             network.topology().name(), counted(collective.ranks, "rank"),
                             routing_text(network),
                             steps_text(comparison.bounds, link_steps(comparison.contenders)),
                             factor_bounds_text(comparison), speeds_text(network, options.said));
  if (const auto& counts = options.counts.read)
    streams.out << fmt::format("counts: {}\n\n", text_of(*counts));
  const Screen screen = screen_of(streams);
  if (comparison.contenders.empty()) {
    streams.out
        << limits_of(comparison, parse_sizes(options.sizes), collective, network).text(screen);
    return;
  }
  const std::vector<std::size_t> shown = shown_of(options, comparison, screen);
  std::string legend;
  const auto rows = comparison.winners();
  const auto is_open = [&](const ComparisonRow* row) { return comparison.is_open(row->size_B); };
  if (!std::ranges::all_of(rows, is_open))
    legend = all_in_time(comparison.dropped)
                 ? fmt::format("* fastest{}, or within 0.1 % of it",
                               comparison.library ? " of weft's algorithms" : "")
                 : "* fastest of the simulated algorithms";
  if (std::ranges::any_of(rows, is_open))
    legend += fmt::format("{}? fastest of the simulated algorithms; another may be faster",
                          legend.empty() ? "" : "; ");
  double less = 0;  // by how much the time may be below what is printed, relatively
  for (const ComparisonRow& row : comparison.rows)
    if (is_at_most(row)) less = std::max(less, 1 - row.result.least_s / row.result.time_s);
  if (less > 0)
    legend += fmt::format("{}< upper bound (the time is at most {:.0f} % lower)",
                          legend.empty() ? "" : "; ", std::ceil(100 * less));
  const bool has_bounds = std::ranges::any_of(comparison.rows, [&](const ComparisonRow& row) {
    return row.is_bound && std::ranges::count(shown, row.contender) > 0;
  });
  if (has_bounds)
    legend += fmt::format("{}> lower bound for the estimated number of segments",
                          legend.empty() ? "" : "; ");
  if (const std::string about = comparison.library ? library_legend(*comparison.library) : "";
      !about.empty())
    legend += fmt::format("{}{}", legend.empty() ? "" : "; ", about);
  if (const std::size_t more = comparison.contenders.size() - shown.size(); more > 0)
    legend += fmt::format("{}{}: --all", legend.empty() ? "" : "; ",
                          counted(static_cast<std::int64_t>(more), "more algorithm"));
  streams.out << prices_of(comparison, network, shown).text(screen) << '\n'
              << times_of(comparison, shown).text(screen) << legend << (legend.empty() ? "" : "\n");
  for (const std::size_t index : shown)
    if (const std::string schedules = schedules_of(comparison, index); !schedules.empty())
      streams.out << fmt::format("{} runs as {}\n", comparison.contenders[index].algorithm,
                                 schedules);
}

void print_winners(const ComparisonQuestion& options, const Comparison& comparison,
                   const Collective& collective, const Network& network, Streams& streams) {
  const auto rows = comparison.winners();
  if (rows.empty()) {
    streams.out << limits_of(comparison, parse_sizes(options.sizes), collective, network)
                       .text(screen_of(streams));
    return;
  }
  Table table({"sizes", comparison.complete ? "fastest" : "fastest simulated",
               "time at the largest", "bus bandwidth"});
  for (const WinnerRange& range : comparison.winner_ranges()) {
    const std::string from = format_size(range.first_B), to = format_size(range.last_B);
    const auto last = std::ranges::find(rows, range.last_B, &ComparisonRow::size_B);
    WEFT_ASSERT(last != rows.end());  // each size of a range has a winner
    table.add({from == to ? from : fmt::format("{} - {}", from, to), names_of(comparison, range),
               fmt::format("{}{}", sign_of(**last), format_seconds((*last)->result.time_s)),
               format_rate((*last)->result.bus_bandwidth_Bps)});
  }
  streams.out << table.text(screen_of(streams))
              << fmt::format("{} proved correct. ",
                             counted(std::ssize(comparison.contenders), "schedule"))
              << lesson_of(options, comparison, collective, network) << '\n'
              << speeds_text(network, options.said) << '\n';
}

}  // namespace weft::cli
