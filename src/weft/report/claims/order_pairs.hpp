// The pairs of rows that an order speaks of.
#pragma once

#include "weft/base/units.hpp"
#include "weft/study/results.hpp"

namespace weft::report {

/// Whether the row's size is one that the claim speaks of.
inline bool in_sizes(const Claim& claim, const ResultRow& row) {
  const std::optional<double> size = fields::to_number(row.get("size"));
  if (!size) return true;
  return (!claim.from || *size >= static_cast<double>(parse_size(*claim.from))) &&
         (!claim.to || *size <= static_cast<double>(parse_size(*claim.to)));
}

/// Calls `visit(row, other)` with each pair that the claim speaks of, until it returns true.
template <class Visit>
void for_pairs(const Claim& claim, const Results& results, Visit visit) {
  const Counterparts partners(results, claim.than);
  for (const ResultRow& row : results.rows) {
    if (!study::matches(row, claim.where) || !in_sizes(claim, row)) continue;
    for (const ResultRow* other : partners.find(row))
      if (other != &row && visit(row, *other)) return;
  }
}

/// What rows have that have what `than` says in the place of what `where` does.
inline Match counterpart(const Claim& claim) {
  Match match = claim.where;
  for (const auto& wanted : claim.than.equal) {
    std::erase_if(match.equal, [&](const auto& one) { return one.first == wanted.first; });
    match.equal.push_back(wanted);
  }
  return match;
}

}  // namespace weft::report
