#include "weft/study/file/claim_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/toml_table.hpp"
#include "weft/study/file/match_reader.hpp"
#include "weft/study/results.hpp"

namespace weft::study {

namespace {

// `than` and `column-to` tell two of the forms by themselves.
Claim::Form claim_form(TomlTable& table) {
  static const std::map<std::string, Claim::Form, std::less<>> kForms{
      {"value", Claim::Form::value},      {"below", Claim::Form::below},
      {"at-most", Claim::Form::at_most},  {"at-least", Claim::Form::at_least},
      {"under", Claim::Form::under},      {"above", Claim::Form::above},
      {"interval", Claim::Form::interval}};
  const auto text = table.optional_text("form");
  if (!text)
    return table.has("than")        ? Claim::Form::below
           : table.has("column-to") ? Claim::Form::interval
                                    : Claim::Form::value;
  const auto found = kForms.find(*text);
  if (found == kForms.end()) {
    std::vector<std::string> known;
    for (const auto& [name, form] : kForms) known.push_back(name);
    table.fail(table.line_of("form"), "{}",
               unknown_text({"form", *text, fmt::format("of {}", table.name())}, known));
  }
  return found->second;
}

Claim::Over over_of(TomlTable& table) {
  const auto text = table.optional_text("over");
  std::vector<std::string> known;
  for (const Claim::Over over :
       {Claim::Over::each, Claim::Over::mean, Claim::Over::median, Claim::Over::least,
        Claim::Over::greatest, Claim::Over::commonest}) {
    if (text.value_or("each") == name_of(over)) return over;
    known.emplace_back(name_of(over));
  }
  WEFT_ASSERT(text.has_value());  // none is "each"
  constexpr std::array kMeanings{Meaning{"max", "write greatest for the maximum"},
                                 Meaning{"min", "write least for the minimum"}};
  table.fail(table.line_of("over"), "{}",
             unknown_text({"over", *text, fmt::format("of {}", table.name())}, known, kMeanings));
}

void read_tolerance(TomlTable& table, Claim& claim) {
  if (table.has("tolerance") && table.has("within"))
    table.fail(table.line_of("within"),
               "{} has both tolerance (relative) and within (absolute); remove one", table.name());
  for (const char* key : {"tolerance", "ours-tolerance"}) {
    double& tolerance = key[0] == 't' ? claim.tolerance : claim.ours_tolerance;
    tolerance = table.number_or(key, tolerance);
    if (tolerance >= 1)
      table.fail(table.line_of(key),
                 "{} {} of {} is 1 or more, but it is relative; write 0.05 for 5 %", key, tolerance,
                 table.name());
  }
  if (table.has("within")) claim.within = table.number_or("within", 0);
}

// What a value or bound is held against: the paper's number, or one of ours.
void read_wanted(TomlTable& table, Claim& claim) {
  WEFT_ASSERT(claim.form != Claim::Form::below);
  if (table.has("printed") && table.has("expected"))
    table.fail(table.line_of("expected"),
               "{} has both printed (by a paper) and expected (by us); remove one", table.name());
  if (table.has("expected")) claim.kind = Claim::Kind::own;
  claim.wanted = table.text(table.has("expected") ? "expected" : "printed");
  read_tolerance(table, claim);
  claim.over = over_of(table);
  if (claim.form == Claim::Form::interval) claim.column_to = table.text("column-to");
  if (claim.form == Claim::Form::value) claim.rival = table.optional_text("rival");
}

void read_order(TomlTable& table, Claim& claim) {
  WEFT_ASSERT(claim.form == Claim::Form::below);
  claim.than = match_of(table, "than", true);
  claim.from = table.optional_text("from");
  claim.to = table.optional_text("to");
  claim.over = over_of(table);
  if (table.truth_or("own", false)) claim.kind = Claim::Kind::own;
  for (const char* key : {"printed", "expected"})
    if (table.has(key))
      table.fail(table.line_of(key),
                 "{} has both {} and than; use {} for a value, and than for an order", table.name(),
                 key, key);
}

// What we get where a claim is not met.
void read_ours(TomlTable& table, Claim& claim) {
  if (claim.form == Claim::Form::below) {
    if (!table.has("broken")) return;
    claim.broken.emplace();
    for (const TomlNode& node : table.tables("broken"))
      claim.broken->push_back(read_match(TomlTable(node, "broken", table.path()), node));
    return;
  }
  claim.ours = table.scalars("ours");
  claim.ours_quick = table.scalars("ours-quick");
  claim.ours_full = table.scalars("ours-full");
  for (const char* key : {"ours-quick", "ours-full"})
    if (table.has(key) && claim.ours.empty())
      table.fail(table.line_of(key), "{} has {} without ours; add the value of the standard grid",
                 table.name(), key);
}

// A difference needs all three: what we get, where it is spoken of, and, if it is explained, by
// what.
void check_difference(const TomlTable& table, const Claim& claim) {
  const bool order = claim.form == Claim::Form::below;
  const char* ours = order ? "broken" : "ours";
  const bool stated = order ? claim.broken.has_value() : !claim.ours.empty();
  for (const char* key : {"reason", "cause", "proof"})
    if (table.has(key) && !stated)
      table.fail(table.line_of(key),
                 "{} has a {} but not our value, so it could never fail; add {} = ...",
                 table.name(), key, ours);
  if (stated && !claim.reason)
    table.fail(table.line_of(ours),
               "{} has {} without a reason; add reason = \"reproduction/notes/PAPER.md: SECTION\"",
               table.name(), ours);
  if (claim.cause && claim.proof)
    table.fail(table.line_of("proof"),
               "{} has both cause (the print is right) and proof (the print is wrong); remove one",
               table.name());
}

}  // namespace

Claim read_claim(const TomlNode& node, const std::string& path, const RowKind& kind) {
  TomlTable table(node, "[[claim]]", path);
  Claim claim;
  claim.line = node.line;
  claim.lines = table.lines();
  claim.text = table.text("text");
  claim.source = table.text_or("source", "");
  claim.column = table.text_or("column", kind.chart.timed ? "time" : "");
  claim.form = claim_form(table);
  claim.where = match_of(table, "where", true);
  const bool below = claim.form == Claim::Form::below;
  if (below)
    read_order(table, claim);
  else
    read_wanted(table, claim);
  if (table.has("reason")) claim.reason = table.text("reason");
  read_ours(table, claim);
  if (!below && table.has("cause")) claim.cause = match_of(table, "cause");
  if (table.has("proof")) claim.proof = table.text("proof");
  check_difference(table, claim);
  table.finish();
  return claim;
}

}  // namespace weft::study
