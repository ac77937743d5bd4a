// Whether a claim has rows to speak of.
#include <fmt/format.h>

#include <algorithm>

#include "weft/base/toml_document.hpp"
#include "weft/report/claims/order_pairs.hpp"
#include "weft/report/verdict.hpp"

namespace weft::report {

bool speaks_of_rows(const Claim& claim, const Results& results) {
  if (claim.form != Claim::Form::below)
    return std::ranges::any_of(
        results.rows, [&](const ResultRow& row) { return study::matches(row, claim.where); });
  bool any = false;
  for_pairs(claim, results, [&](const ResultRow&, const ResultRow&) { return any = true; });
  return any;
}

void check_claims_have_rows(const Experiment& experiment, const Results& full_grid) {
  for (const Claim& claim : experiment.claims)
    if (!speaks_of_rows(claim, full_grid))
      reject_at(experiment.path, claim.line,
                fmt::format("no rows are there for the claim '{}'; {}", claim.text,
                            claim.form != Claim::Form::below
                                ? "mend where, or add them to the grid"
                                : "mend where, than, from or to, or add pairs to the grid"));
}

void check_claims_have_rows(const Experiment& experiment, std::vector<Row> full_grid) {
  if (experiment.claims.empty() && experiment.derived.empty()) return;
  check_claims_have_rows(experiment, study::join_results(experiment, std::move(full_grid),
                                                         [](const auto&) { return std::nullopt; }));
}

}  // namespace weft::report
