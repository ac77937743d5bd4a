// Claims: what a paper printed, held against our rows.
//
// A claim is judged in two steps. First its rows are looked up and reduced to what it speaks of: a
// value of each row, one of all, the worst of a bound, the pairs of an order. Then that is held
// against what is wanted, and, where it is something else, against what the claim says that we get:
// a difference that is known stays known, and any other fails.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/base/rational.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/toml_document.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/winner.hpp"
#include "weft/fields/read_number.hpp"
#include "weft/report/claims/order_pairs.hpp"
#include "weft/report/claims/reductions.hpp"
#include "weft/report/verdict.hpp"

namespace weft::report {

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
    if (const std::string value = study::show_value(name, row.get(name)); !value.empty())
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

// Neither side is exact in binary.
constexpr double kRounding = 1e-12;

// How far from `wanted` is still near it; inclusive.
double allowed(const Claim& claim, double wanted) {
  if (!claim.within) return claim.tolerance * std::abs(wanted);
  return *claim.within + kRounding * std::abs(wanted);
}

bool agrees(const Claim& claim, const Value& ours, const std::string& text) {
  if (claim.tolerance == 0 || claim.within == 0.0) {
    const auto a = exact(ours), b = exact(Value(text));
    if (a && b) return *a == *b;
  }
  const std::optional<double> number = fields::to_number(ours), wanted = fields::read_number(text);
  if (number && wanted) return std::abs(*number - *wanted) <= allowed(claim, *wanted);
  return lower(fields::to_text(ours)) == lower(text);
}

// A bound is exact unless the claim says how coarse it was printed.
double bound_slack(const Claim& claim, double wanted) {
  const bool given = claim.lines.contains("tolerance") || claim.lines.contains("within");
  return given ? allowed(claim, wanted) : kRounding * std::abs(wanted);
}

// "Faster than" as a bound of 1 on a ratio of measured numbers: a tie is neither above nor below.
bool is_tie(const Claim& claim, const Value& ours, double wanted) {
  const auto* number = std::get_if<double>(&ours);
  const bool exactly = !claim.lines.contains("tolerance") && !claim.lines.contains("within");
  return number != nullptr && exactly && wanted == 1 && std::abs(*number - 1) < evaluate::kTie;
}

// Findings, or the verdict that ends the judgement.
struct Findings {
  std::vector<Finding> all;
  std::optional<Verdict> end = {};
};

bool holds(const Claim& claim, const Finding& found) {
  if (claim.form == Claim::Form::value) return agrees(claim, found.value, claim.wanted);
  const std::optional<double> number = fields::to_number(found.value),
                              wanted = fields::read_number(claim.wanted);
  if (!number || !wanted) return false;
  if (claim.is_bound()) {
    if (is_tie(claim, found.value, *wanted)) return false;
    const double slack = bound_slack(claim, *wanted);
    return claim.is_upper() ? *number <= *wanted + slack : *number >= *wanted - slack;
  }
  const double slack = allowed(claim, *wanted);
  const std::optional<double> end = fields::to_number(found.to);
  return end && std::min(*number, *end) - slack <= *wanted &&
         *wanted <= std::max(*number, *end) + slack;
}

Verdict failure(std::string ours, std::string why) {
  return {
      .mark = ClaimMark::open, .fails = true, .ours = std::move(ours), .detail = std::move(why)};
}

Verdict lacks(std::string what) {
  return {.mark = ClaimMark::missing, .detail = std::move(what)};
}

// The column's value of one row, or the ends of the interval, for people.
std::string shown(const Claim& claim, const Finding& found) {
  std::string text = study::show_value(claim.column, found.value);
  if (claim.form != Claim::Form::interval || found.value == found.to) return text;
  return fmt::format("{} .. {}", text, study::show_value(claim.column_to, found.to));
}

Findings find_values(const Claim& claim, const Match& where, const Results& results) {
  const bool is_text = claim.over == Claim::Over::commonest;
  const bool reduced = (claim.over != Claim::Over::each && !is_text) || claim.is_bound();
  Findings findings;
  for (const ResultRow& row : results.rows) {
    if (!matches(row, where)) continue;
    if (row.missing) return {{}, lacks(fmt::format("not computed: {}", describe(results, row)))};
    if (!row.error.empty()) return {{}, failure("failed", row.error)};
    const Value value = row.get(claim.column);
    if (reduced ? !fields::to_number(value).has_value() : fields::is_nothing(value))
      return {{}, lacks(fmt::format("no {} at {}", claim.column, describe(results, row)))};
    findings.all.push_back({.value = value, .to = row.get(claim.column_to)});
  }
  if (findings.all.empty()) return {{}, lacks(fmt::format("no row has {}", describe(where)))};
  if (is_text) return {{commonest(claim, findings.all)}};
  if (claim.over != Claim::Over::each) return {{combined(claim.over, findings.all)}};
  if (claim.is_bound()) return {{worst(claim, findings.all)}};
  return findings;
}

// Whether the claim's statement of ours is what was found; exact where both are.
bool is_stated(const Claim& claim, const Value& found, const std::string& stated) {
  const auto a = exact(found), b = exact(Value(stated));
  if (a && b) return *a == *b;
  const std::optional<double> number = fields::to_number(found),
                              wanted = fields::read_number(stated);
  if (number && wanted)
    return std::abs(*number - *wanted) <=
           std::max(claim.ours_tolerance, kRounding) * std::abs(*wanted);
  return lower(fields::to_text(found)) == lower(stated);
}

// Nothing where the findings are those that the claim states; else what has changed. A row that
// gives what is printed is no change.
std::optional<std::string> change(const Claim& claim, const std::vector<Finding>& findings,
                                  Grid grid) {
  const std::vector<std::string>& ours = claim.ours_in(grid);
  const bool interval = claim.form == Claim::Form::interval;
  WEFT_ASSERT(!ours.empty());
  if (!interval && ours.size() > 1 && ours.size() != findings.size())
    return fmt::format("ours has {} values for {} rows", ours.size(), findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (holds(claim, findings[i])) continue;
    const std::string& stated = interval || ours.size() == 1 ? ours.front() : ours[i];
    const bool same = is_stated(claim, findings[i].value, stated) &&
                      (!interval || ours.size() < 2 || is_stated(claim, findings[i].to, ours[1]));
    if (!same)
      return fmt::format("ours was {}, and is {}", study::show_number(claim.column, stated),
                         shown(claim, findings[i]));
  }
  return std::nullopt;
}

// A claim that is not met, and gives what it says of ours: has the difference a cause that is
// shown, or is the print proved wrong?
Verdict settle(const Claim& claim, const Results& results, Verdict verdict) {
  verdict.mark = ClaimMark::open;
  verdict.detail = claim.reason.value_or("");
  if (claim.proof) {
    verdict.mark = ClaimMark::explained;
    verdict.detail = *claim.proof;
    return verdict;
  }
  if (!claim.cause) return verdict;
  const Findings caused = find_values(claim, *claim.cause, results);
  if (caused.end) {
    verdict.fails = caused.end->fails;
    verdict.detail = "of the cause: " + caused.end->detail;
    return verdict;
  }
  WEFT_ASSERT(!caused.all.empty());
  const std::string with = shown(claim, caused.all.front());
  if (!std::ranges::all_of(caused.all, [&](const Finding& one) { return holds(claim, one); })) {
    verdict.fails = true;
    verdict.detail =
        fmt::format("with {} it is {}, which is not what is printed", describe(*claim.cause), with);
    return verdict;
  }
  verdict.mark = ClaimMark::explained;
  verdict.detail = fmt::format("{} with {}; {}", with, describe(*claim.cause), verdict.detail);
  return verdict;
}

// A fraction as it is written, so that it compares exactly; of decimals the number.
Value value_of(const std::string& text) {
  const std::optional<double> number = fields::read_number(text);
  return exact(Value(text)) || !number ? Value(text) : Value(*number);
}

// Whether what is held would be held for another reading, too.
bool is_loose(const Claim& claim) {
  return claim.form == Claim::Form::under || claim.form == Claim::Form::above ||
         (claim.rival && agrees(claim, value_of(*claim.rival), claim.wanted));
}

// Of a claim that is met.
ClaimMark mark_met(const Claim& claim) {
  return is_loose(claim) ? ClaimMark::loosely : ClaimMark::met;
}

Verdict judge_value(const Claim& claim, const Results& results, Grid grid) {
  const Findings findings = find_values(claim, claim.where, results);
  if (findings.end) return *findings.end;
  WEFT_ASSERT(!findings.all.empty());
  Verdict verdict;
  for (const Finding& found : findings.all) {
    verdict.found.push_back(fields::to_text(found.value));
    if (claim.form == Claim::Form::interval) verdict.found.push_back(fields::to_text(found.to));
  }
  const auto other =
      std::ranges::find_if(findings.all, [&](const Finding& one) { return !holds(claim, one); });
  verdict.ours = shown(claim, other == findings.all.end() ? findings.all.front() : *other);
  if (other == findings.all.end()) {
    verdict.mark = mark_met(claim);
    return verdict;
  }
  const std::string told =
      claim.ours_in(grid).empty()
          ? fmt::format("{} is {}, {} is {}", claim.column, verdict.ours,
                        claim.kind == Claim::Kind::own ? "expected" : "printed",
                        study::show_printed(claim))
          : change(claim, findings.all, grid).value_or("");
  if (told.empty()) return settle(claim, results, std::move(verdict));
  verdict.mark = ClaimMark::open;
  verdict.fails = true;
  verdict.detail = told;
  return verdict;
}

// A number is below another where they are told apart; counts and fractions are exact.
bool is_below(const Value& ours, const Value& theirs) {
  if (const auto a = exact(ours), b = exact(theirs); a && b) return *a < *b;
  WEFT_ASSERT(fields::to_number(ours) && fields::to_number(theirs));
  const double a = *fields::to_number(ours), b = *fields::to_number(theirs);
  return a < b && b - a > evaluate::kTie * std::max(std::abs(a), std::abs(b));
}

// A pair of an order as it is found and as the claim states it, by the row that ought to be below.
struct JudgedPair {
  const ResultRow* row;
  bool broken, stated;
};

// An order as its pairs are looked at.
struct Order {
  std::vector<JudgedPair> pairs = {};
  std::string first_broken = {};
  std::optional<Verdict> end = {};  // where the judgement ends

  void take(const Claim& claim, const Results& results, const ResultRow& row,
            const ResultRow& other) {
    for (const ResultRow* side : {&row, &other}) {
      if (side->missing) end = lacks(fmt::format("not computed: {}", describe(results, *side)));
      if (!side->error.empty()) end = failure("failed", side->error);
      if (end) return;
    }
    const Value ours = row.get(claim.column), theirs = other.get(claim.column);
    if (!fields::to_number(ours) || !fields::to_number(theirs)) {
      end = lacks(fmt::format("no {} at {}", claim.column, describe(results, row)));
      return;
    }
    const bool stated = claim.broken && std::ranges::any_of(*claim.broken, [&](const Match& one) {
                          return matches(row, one);
                        });
    const bool broken = !is_below(ours, theirs);
    pairs.push_back({.row = &row, .broken = broken, .stated = stated});
    if (broken && first_broken.empty())
      first_broken = fmt::format("{} against {} at {}", study::show_value(claim.column, ours),
                                 study::show_value(claim.column, theirs), describe(results, row));
  }
};

// The pairs are told by their rows: where one has several partners, any broken pair breaks it.
std::optional<std::string> change(const Order& order, const Results& results) {
  for (const JudgedPair& pair : order.pairs) {
    const bool broken = std::ranges::any_of(order.pairs, [&](const JudgedPair& other) {
      return other.row == pair.row && other.broken;
    });
    if (broken != pair.stated)
      return fmt::format("at {} the order {}", describe(results, *pair.row),
                         broken ? "held, and does not now" : "did not hold, and does now");
  }
  return std::nullopt;
}

// An order of two numbers, each from all its rows.
Verdict judge_combined_below(const Claim& claim, const Results& results) {
  const Findings ours = find_values(claim, claim.where, results);
  if (ours.end) return *ours.end;
  const Findings theirs = find_values(claim, counterpart(claim), results);
  if (theirs.end) return *theirs.end;
  WEFT_ASSERT(!ours.all.empty() && !theirs.all.empty());
  const Finding &below = ours.all.front(), &above = theirs.all.front();
  Verdict verdict{.ours = fmt::format("{} against {}", shown(claim, below), shown(claim, above))};
  const bool holds = is_below(below.value, above.value);
  if (holds == !claim.broken.has_value()) {
    if (!holds) return settle(claim, results, std::move(verdict));
    verdict.mark = ClaimMark::met;
    return verdict;
  }
  verdict.mark = ClaimMark::open;
  verdict.fails = true;
  verdict.detail =
      holds ? "the order did not hold, and does now" : "the order is not the printed one";
  return verdict;
}

Verdict judge_below(const Claim& claim, const Results& results) {
  if (claim.over != Claim::Over::each) return judge_combined_below(claim, results);
  Order order;
  for_pairs(claim, results, [&](const ResultRow& row, const ResultRow& other) {
    order.take(claim, results, row, other);
    return order.end.has_value();
  });
  if (order.end) return *order.end;
  if (order.pairs.empty())
    return lacks(
        fmt::format("no pair of rows has {} and {}", describe(claim.where), describe(claim.than)));
  const auto broken = std::ranges::count_if(order.pairs, &JudgedPair::broken);
  if (broken == 0)
    return {.mark = ClaimMark::met, .ours = fmt::format("in all {} pairs", order.pairs.size())};
  Verdict verdict{.mark = ClaimMark::open,
                  .ours = fmt::format("not in {} of {} pairs: {}", broken, order.pairs.size(),
                                      order.first_broken)};
  for (const JudgedPair& pair : order.pairs)
    if (pair.broken) verdict.found.push_back(describe(results, *pair.row));
  const std::optional<std::string> told =
      claim.broken ? change(order, results) : std::optional("the order is not the printed one");
  if (!told) return settle(claim, results, std::move(verdict));
  verdict.fails = true;
  verdict.detail = *told;
  return verdict;
}

}  // namespace

ClaimMark mark_of(const Claim& claim) {
  if (!claim.reason) return mark_met(claim);
  return claim.cause || claim.proof ? ClaimMark::explained : ClaimMark::open;
}

Verdict judge(const Claim& claim, const Results& results, Grid grid) {
  return claim.form == Claim::Form::below ? judge_below(claim, results)
                                          : judge_value(claim, results, grid);
}

}  // namespace weft::report
