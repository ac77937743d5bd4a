// The contenders of a comparison, as parts of its answer.
#pragma once

#include <vector>

#include "cli/compare/comparison_answer.hpp"
#include "weft/answer/part.hpp"

namespace weft::cli {

/// A contender of a comparison.
struct ReportedContender {
  const ComparisonReport& of;
  const evaluate::Contender& contender;

  bool has_equal_blocks() const { return of.comparison.unequal.empty(); }
};
std::vector<ReportedContender> contenders_of(const ComparisonReport& report);
answer::Parts<ReportedContender> contender_parts();

}  // namespace weft::cli
