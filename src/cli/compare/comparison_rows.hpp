// The contenders and rows of a comparison, as parts of its answer and as CSV.
#pragma once

#include <vector>

#include "cli/compare/comparison_answer.hpp"
#include "weft/answer/part.hpp"

namespace weft::cli {

/// A contender, and a row, of a comparison.
struct ReportedContender {
  const ComparisonReport& of;
  const evaluate::Contender& contender;

  bool has_equal_blocks() const { return of.comparison.unequal.empty(); }
};
struct ReportedRow {
  const advise::Comparison& comparison;
  const evaluate::ComparisonRow& row;
};
std::vector<ReportedContender> contenders_of(const ComparisonReport& report);
std::vector<ReportedRow> rows_of(const advise::Comparison& comparison);
answer::Parts<ReportedContender> contender_parts();
answer::Parts<ReportedRow> row_parts();

}  // namespace weft::cli
