#include "weft/question/comparison/mark_winners.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace weft::question {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

}  // namespace

std::size_t winner_of(std::span<const double> times_s,
                      const std::function<double(std::size_t)>& estimate_s) {
  const auto least = std::ranges::min_element(times_s);
  if (least == times_s.end() || *least == kUnknown) return times_s.size();
  std::vector<std::size_t> tied;
  for (std::size_t i = 0; i < times_s.size(); ++i)
    if (times_s[i] <= *least * (1 + kTie)) tied.push_back(i);
  return tied.size() == 1 ? tied.front() : *std::ranges::min_element(tied, {}, estimate_s);
}

void mark_winners(std::span<const Candidate> candidates, const Network& network, std::size_t sizes,
                  Comparison& comparison) {
  for (std::size_t size = 0; size < sizes; ++size) {
    std::vector<double> times_s;
    for (std::size_t i = size; i < comparison.rows.size(); i += sizes) {
      const ComparisonRow& row = comparison.rows[i];
      times_s.push_back(row.is_bound ? kUnknown : row.result.time_s);
    }
    const std::size_t winner = winner_of(times_s, [&](std::size_t i) {
      const ComparisonRow& row = comparison.rows[i * sizes + size];
      return expected_s(candidates[row.contender], comparison.contenders[row.contender].cost,
                        network, row.size_B);
    });
    if (winner < times_s.size()) comparison.rows[winner * sizes + size].best = true;
  }
}

}  // namespace weft::question
