// Claims: what a paper printed, held against our rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/rational.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/experiment/document.hpp"
#include "weft/experiment/read_number.hpp"
#include "weft/experiment/results.hpp"

namespace weft::experiment {

namespace {

std::string describe(const Match& match) {
  std::string text;
  for (const auto& [name, value] : match.equal)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  return text.empty() ? "any row" : text;
}

// Names a row by the columns that differ.
std::string describe(const Results& results, const ResultRow& row) {
  std::string text;
  for (const std::string& name : results.parameters)
    if (const std::string value = show_value(name, row.get(name)); !value.empty())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  return text;
}

std::optional<Rational> exact(const Value& value) {
  if (const auto* count = std::get_if<std::int64_t>(&value)) return Rational(*count);
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return std::nullopt;
  try {
    return parse_rational(*text);
  } catch (const std::exception&) {  // another text, or numbers beyond 64 bits
    return std::nullopt;
  }
}

// How far from `wanted` is still near it; inclusive, though neither is exact in binary.
double allowed(const Claim& claim, double wanted) {
  if (!claim.within) return claim.tolerance * std::abs(wanted);
  return *claim.within + 1e-12 * std::abs(wanted);
}

bool agrees(const Claim& claim, const Value& ours, const std::string& text) {
  if (claim.tolerance == 0 || claim.within == 0.0) {
    const auto a = exact(ours), b = exact(Value(text));
    if (a && b) return *a == *b;
  }
  const std::optional<double> number = to_number(ours), wanted = read_number(text);
  if (number && wanted) return std::abs(*number - *wanted) <= allowed(claim, *wanted);
  return lower(to_text(ours)) == lower(text);
}

// A bound is exact unless the claim says how coarse it was printed.
double bound_slack(const Claim& claim, double wanted) {
  const bool given = claim.lines.contains("tolerance") || claim.lines.contains("within");
  return given ? allowed(claim, wanted) : 1e-12 * std::abs(wanted);
}

// Whether our number, or the interval up to `to`, is what the claim says.
bool holds(const Claim& claim, const Value& ours, const Value& to) {
  if (claim.form == Claim::Form::value) return agrees(claim, ours, claim.printed);
  const std::optional<double> number = to_number(ours), wanted = read_number(claim.printed);
  if (!number || !wanted) return false;
  const double slack = allowed(claim, *wanted);
  if (claim.form == Claim::Form::at_most) return *number <= *wanted + bound_slack(claim, *wanted);
  if (claim.form == Claim::Form::at_least) return *number >= *wanted - bound_slack(claim, *wanted);
  const std::optional<double> end = to_number(to);
  return end && std::min(*number, *end) - slack <= *wanted &&
         *wanted <= std::max(*number, *end) + slack;
}

Verdict unmet(std::string ours, std::string why) {
  return {Verdict::Outcome::unmet, std::move(ours), std::move(why)};
}

// A claim that does not hold, and may have a reason.
Verdict fails(const Claim& claim, std::string ours, std::string why) {
  if (!claim.reason) return unmet(std::move(ours), std::move(why));
  return {Verdict::Outcome::explained, std::move(ours), *claim.reason};
}

std::string show_number(const std::string& column, const std::string& text);

// A value that is not the printed one; a reason holds for the value that it speaks of alone.
Verdict differs(const Claim& claim, const Value& value) {
  const std::string shown = show_value(claim.column, value);
  if (claim.ours && !agrees(claim, value, *claim.ours))
    return unmet(shown, fmt::format("the reason speaks of {}, not of {}",
                                    show_number(claim.column, *claim.ours), shown));
  return fails(claim, shown,
               fmt::format("{} is {}, printed is {}", claim.column, shown, show_printed(claim)));
}

Verdict lacks(std::string what) {
  return {Verdict::Outcome::missing, "", std::move(what)};
}

// The column's value of one row, or the ends of the interval, for people.
std::string shown(const Claim& claim, const Value& ours, const Value& to) {
  const std::string text = show_value(claim.column, ours);
  if (claim.form != Claim::Form::interval || ours == to) return text;
  return fmt::format("{} .. {}", text, show_value(claim.column_to, to));
}

double combined(Claim::Over over, const std::vector<double>& numbers) {
  if (over == Claim::Over::least) return *std::ranges::min_element(numbers);
  if (over == Claim::Over::greatest) return *std::ranges::max_element(numbers);
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

// One number from all rows.
Verdict judge_over(const Claim& claim, const Results& results) {
  std::vector<double> numbers;
  for (const ResultRow& row : results.rows) {
    if (!matches(row, claim.where)) continue;
    if (row.missing) return lacks(fmt::format("not computed: {}", describe(results, row)));
    if (!row.error.empty()) return unmet("failed", row.error);
    const auto number = to_number(row.get(claim.column));
    if (!number) return lacks(fmt::format("no {} at {}", claim.column, describe(results, row)));
    numbers.push_back(*number);
  }
  if (numbers.empty()) return lacks(fmt::format("no row has {}", describe(claim.where)));
  const Value ours = combined(claim.over, numbers);
  if (!holds(claim, ours, {})) return differs(claim, ours);
  return {Verdict::Outcome::met, show_value(claim.column, ours), ""};
}

bool is_bound(const Claim& claim) {
  return claim.form == Claim::Form::at_most || claim.form == Claim::Form::at_least;
}

// A bound on each row holds where it does for the worst, which is what is shown.
Verdict judge_worst(const Claim& claim, const Results& results) {
  const bool most = claim.form == Claim::Form::at_most;
  std::optional<double> worst;
  Value ours;
  for (const ResultRow& row : results.rows) {
    if (!matches(row, claim.where)) continue;
    if (row.missing) return lacks(fmt::format("not computed: {}", describe(results, row)));
    if (!row.error.empty()) return unmet("failed", row.error);
    const Value value = row.get(claim.column);
    const auto number = to_number(value);
    if (!number) return lacks(fmt::format("no {} at {}", claim.column, describe(results, row)));
    if (worst && (most ? *number <= *worst : *number >= *worst)) continue;
    worst = number;
    ours = value;
  }
  if (!worst) return lacks(fmt::format("no row has {}", describe(claim.where)));
  if (!holds(claim, ours, {})) return differs(claim, ours);
  return {Verdict::Outcome::met, show_value(claim.column, ours), ""};
}

Verdict judge_value(const Claim& claim, const Results& results) {
  if (claim.over != Claim::Over::each) return judge_over(claim, results);
  if (is_bound(claim)) return judge_worst(claim, results);
  Verdict verdict = lacks(fmt::format("no row has {}", describe(claim.where)));
  for (const ResultRow& row : results.rows) {
    if (!matches(row, claim.where)) continue;
    if (row.missing) return lacks(fmt::format("not computed: {}", describe(results, row)));
    const Value ours = row.get(claim.column), to = row.get(claim.column_to);
    if (!row.error.empty()) return unmet("failed", row.error);
    if (is_nothing(ours))
      return lacks(fmt::format("no {} at {}", claim.column, describe(results, row)));
    if (!holds(claim, ours, to)) {
      verdict = differs(claim, ours);
      if (verdict.outcome == Verdict::Outcome::unmet) return verdict;
    } else if (verdict.outcome != Verdict::Outcome::explained) {
      verdict = {Verdict::Outcome::met, shown(claim, ours, to), ""};
    }
  }
  return verdict;
}

bool in_sizes(const Claim& claim, const ResultRow& row) {
  const std::optional<double> size = to_number(row.get("size"));
  if (!size) return true;
  return (!claim.from || *size >= static_cast<double>(parse_size(*claim.from))) &&
         (!claim.to || *size <= static_cast<double>(parse_size(*claim.to)));
}

// An order as its pairs are looked at.
struct Order {
  std::int64_t pairs = 0, broken = 0;
  std::string first_broken;

  // A verdict where the pair ends the judgement.
  std::optional<Verdict> take(const Claim& claim, const Results& results, const ResultRow& row,
                              const ResultRow& other) {
    for (const ResultRow* side : {&row, &other}) {
      if (side->missing) return lacks(fmt::format("not computed: {}", describe(results, *side)));
      if (!side->error.empty()) return unmet("failed", side->error);
    }
    const Value ours = row.get(claim.column), theirs = other.get(claim.column);
    const std::optional<double> a = to_number(ours), b = to_number(theirs);
    if (!a || !b) return lacks(fmt::format("no {} at {}", claim.column, describe(results, row)));
    ++pairs;
    if (*a < *b) return std::nullopt;
    if (broken++ == 0)
      first_broken = fmt::format("{} against {} at {}", show_value(claim.column, ours),
                                 show_value(claim.column, theirs), describe(results, row));
    return std::nullopt;
  }
};

// Calls `visit` with each pair that the claim speaks of, until it returns true.
template <class Visit>
void for_pairs(const Claim& claim, const Results& results, Visit visit) {
  const Counterparts partners(results, claim.than);
  for (const ResultRow& row : results.rows) {
    if (!matches(row, claim.where) || !in_sizes(claim, row)) continue;
    for (const ResultRow* other : partners.find(row))
      if (other != &row && visit(row, *other)) return;
  }
}

Verdict judge_below(const Claim& claim, const Results& results) {
  Order order;
  std::optional<Verdict> end;
  for_pairs(claim, results, [&](const ResultRow& row, const ResultRow& other) {
    end = order.take(claim, results, row, other);
    return end.has_value();
  });
  if (end) return *end;
  if (order.pairs == 0)
    return lacks(
        fmt::format("no pair of rows has {} and {}", describe(claim.where), describe(claim.than)));
  if (order.broken == 0)
    return {Verdict::Outcome::met, fmt::format("in all {} pairs", order.pairs), ""};
  return fails(
      claim,
      fmt::format("not in {} of {} pairs: {}", order.broken, order.pairs, order.first_broken),
      "the order is not the printed one");
}

std::string show_number(const std::string& column, const std::string& text) {
  const std::optional<double> number = read_number(text);
  const bool measured = is_time(column) || column.ends_with("bandwidth");
  return number && measured ? show_value(column, *number) : text;
}

bool speaks_of_pairs(const Claim& claim, const Results& results) {
  bool any = false;
  for_pairs(claim, results, [&](const ResultRow&, const ResultRow&) { return any = true; });
  return any;
}

}  // namespace

bool is_time(std::string_view column) {
  return column == "time" || column.ends_with("_time") || column.ends_with("latency");
}

bool speaks_of_rows(const Claim& claim, const Results& results) {
  if (claim.form == Claim::Form::below) return speaks_of_pairs(claim, results);
  return std::any_of(results.rows.begin(), results.rows.end(),
                     [&](const ResultRow& row) { return matches(row, claim.where); });
}

void check_claims_have_rows(const Experiment& experiment, const Results& full_grid) {
  for (const Claim& claim : experiment.claims)
    if (!speaks_of_rows(claim, full_grid))
      reject_at(experiment.path, claim.line,
                fmt::format("no rows are there for the claim \"{}\"; {}", claim.text,
                            claim.form != Claim::Form::below
                                ? "mend where, or add them to the grid"
                                : "mend where, than, from or to, or add pairs to the grid"));
}

void check_claims_have_rows(const Experiment& experiment, std::vector<Row> full_grid) {
  if (experiment.claims.empty() && experiment.derived.empty()) return;
  check_claims_have_rows(experiment, join_results(experiment, std::move(full_grid),
                                                  [](const auto&) { return std::nullopt; }));
}

Verdict judge(const Claim& claim, const Results& results) {
  return claim.form == Claim::Form::below ? judge_below(claim, results)
                                          : judge_value(claim, results);
}

std::string show_printed(const Claim& claim) {
  if (claim.form == Claim::Form::below) return "below";
  const std::string printed = show_number(claim.column, claim.printed);
  if (claim.form == Claim::Form::at_most) return "at most " + printed;
  if (claim.form == Claim::Form::at_least) return "at least " + printed;
  return printed;
}

namespace {

// Rows have speeds and times in their largest unit without a fraction, "3984Mbps" and "1164360ps";
// for people as "498MBps" and "1.16436us".
std::string shorter(std::string_view column, const std::string& text) {
  try {
    if (column.ends_with("delay") || column == "alpha") {
      const auto time_ps = static_cast<double>(parse_time(text));
      if (text.size() <= 6 || time_ps < 1000) return text;
      constexpr std::string_view kUnits[] = {"ps", "ns", "us", "ms", "s"};
      const int unit = std::min(4, static_cast<int>(std::log10(time_ps)) / 3);
      return fmt::format("{:.10g}{}", time_ps * std::pow(1000.0, -unit), kUnits[unit]);
    }
    if (column.ends_with("bandwidth")) {
      constexpr std::string_view kPrefixes[] = {"", "K", "M", "G"};
      std::int64_t bytes = parse_bandwidth(text);
      int prefix = 0;
      for (; prefix < 3 && bytes % 1000 == 0; ++prefix) bytes /= 1000;
      const std::string in_bytes = fmt::format("{}{}Bps", bytes, kPrefixes[prefix]);
      if (in_bytes.size() < text.size()) return in_bytes;
    }
  } catch (const InvalidInput&) {  // "free", "link"
  }
  return text;
}

}  // namespace

std::string_view name_of(Verdict::Outcome outcome) {
  constexpr std::string_view kNames[] = {"met", "explained", "unmet", "missing"};
  return kNames[static_cast<std::size_t>(outcome)];
}

std::string_view name_of(Claim::Over over) {
  constexpr std::string_view kNames[] = {"each", "mean", "least", "greatest"};
  return kNames[static_cast<std::size_t>(over)];
}

std::string show_value(std::string_view column, const Value& value) {
  if (const auto* count = std::get_if<std::int64_t>(&value); count != nullptr && column == "size")
    return format_size(*count);
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr) return shorter(column, to_text(value));
  if (is_time(column)) return format_seconds(*number);
  if (column.ends_with("bandwidth")) return format_rate(*number);
  return fmt::format("{:.4g}", *number);
}

}  // namespace weft::experiment
