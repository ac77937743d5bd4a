#include "weft/question/comparison/mark_winners.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace weft::question {

void mark_winners(std::span<const Candidate> candidates, const Network& network, std::size_t sizes,
                  Comparison& comparison) {
  for (std::size_t size = 0; size < sizes; ++size) {
    double least_s = std::numeric_limits<double>::infinity();
    for (std::size_t i = size; i < comparison.rows.size(); i += sizes)
      if (const ComparisonRow& row = comparison.rows[i]; !row.is_bound)
        least_s = std::min(least_s, row.result.time_s);
    std::vector<ComparisonRow*> tied;
    for (std::size_t i = size; i < comparison.rows.size(); i += sizes)
      if (ComparisonRow& row = comparison.rows[i];
          !row.is_bound && row.result.time_s <= least_s * (1 + kTie))
        tied.push_back(&row);
    if (tied.empty()) continue;
    const auto promised = [&](const ComparisonRow* row) {
      return expected_s(candidates[row->contender], comparison.contenders[row->contender].cost,
                        network, row->size_B);
    };
    (tied.size() == 1 ? tied.front() : *std::ranges::min_element(tied, {}, promised))->best = true;
  }
}

}  // namespace weft::question
