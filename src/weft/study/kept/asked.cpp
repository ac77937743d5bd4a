#include "weft/study/kept/asked.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/study/kept/sha256.hpp"
#include "weft/study/results.hpp"

namespace weft::study {

namespace {

std::string text_of(const Match& match) {
  std::string text;
  for (const auto& [name, value] : match.equal) text += fmt::format("{}={};", name, value);
  return text;
}

std::string text_of(const Claim& claim) {
  return fmt::format("claim\nform {} {} {}\nwhere {}\nthan {}\nwanted {} {} {} {}\nover {} {} {}\n",
                     static_cast<int>(claim.form), claim.column, claim.column_to,
                     text_of(claim.where), text_of(claim.than), claim.wanted, claim.tolerance,
                     claim.within ? fmt::format("{}", *claim.within) : "-",
                     claim.rival.value_or("-"), name_of(claim.over), claim.from.value_or("-"),
                     claim.to.value_or("-"));
}

std::string text_of(const Derived& derived) {
  return fmt::format("derive {} {} {} {}\n", derived.name, derived.of,
                     static_cast<int>(derived.form), text_of(derived.against));
}

}  // namespace

std::string digest_of_grid(const std::vector<Row>& rows) {
  std::vector<std::string> lines;
  for (const Row& row : rows)
    lines.push_back(fmt::format("{} {} {}\n", row.key, fields::to_json(row.variables),
                                fields::to_text(row.written)));
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line;
  return sha256(text);
}

std::string digest_of_claims(const Experiment& experiment) {
  std::string text;
  for (const Derived& derived : experiment.derived) text += text_of(derived);
  for (const Claim& claim : experiment.claims) text += text_of(claim);
  return sha256(text);
}

std::set<std::string> columns_asked(const Experiment& experiment) {
  std::set<std::string> columns;
  for (const Claim& claim : experiment.claims) {
    columns.insert(claim.column);
    if (!claim.column_to.empty()) columns.insert(claim.column_to);
  }
  // A derived column may be of another: the last first.
  for (auto derived = experiment.derived.rbegin(); derived != experiment.derived.rend(); ++derived)
    if (columns.erase(derived->name) > 0) columns.insert(derived->of);
  return columns;
}

}  // namespace weft::study
