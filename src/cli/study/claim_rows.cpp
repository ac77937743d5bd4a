#include "cli/study/claim_rows.hpp"

#include <fmt/format.h>

#include "cli/study/group_counts.hpp"
#include "weft/report/verdict.hpp"
#include "weft/study/results.hpp"

namespace weft::cli {

namespace {

using study::Claim;

// "1.95 to 2.1": of an interval both ends, of several rows their values.
std::string show_ours(const Claim& claim) {
  if (claim.broken)
    return claim.over == Claim::Over::each ? "not in every pair" : "the order is another";
  std::string text;
  const char* between = claim.form == Claim::Form::interval ? " to " : ", ";
  for (const std::string& value : claim.ours) {
    if (!text.empty()) text += between;
    text += study::show_number(claim.column, value);
  }
  return text;
}

std::vector<std::string> counted(const GroupCounts& group, const char* what,
                                 const MarkCounts& counts) {
  std::vector<std::string> row{group.name, fmt::format("{}", group.experiments), what};
  for (const report::ClaimMark mark : report::kClaimMarks)
    if (mark != report::ClaimMark::missing)
      row.push_back(fmt::format("{}", counts[static_cast<std::size_t>(mark)]));
  return row;
}

}  // namespace

std::vector<std::vector<std::string>> claim_rows(
    const std::vector<study::Experiment>& experiments) {
  std::vector<std::vector<std::string>> rows;
  for (const study::Experiment& experiment : experiments)
    for (const Claim& claim : experiment.claims) {
      const bool own = claim.kind == Claim::Kind::own;
      const std::string sign(sign_of(report::mark_of(claim)));
      rows.push_back({experiment.name, own ? "own " + sign : sign, claim.text,
                      study::show_printed(claim), show_ours(claim), claim.source,
                      claim.reason.value_or("")});
    }
  return rows;
}

std::vector<std::vector<std::string>> group_rows(
    const std::vector<study::Experiment>& experiments) {
  std::vector<std::vector<std::string>> rows;
  for (const GroupCounts& group : counts_by_group(experiments)) {
    rows.push_back(counted(group, "items", group.items));
    rows.back().emplace_back();
    rows.push_back(counted(group, "claims", group.claims));
    rows.back().push_back(fmt::format("{}", group.own));
  }
  return rows;
}

}  // namespace weft::cli
