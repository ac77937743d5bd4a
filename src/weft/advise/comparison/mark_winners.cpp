#include "weft/advise/comparison/mark_winners.hpp"

#include <limits>
#include <vector>

#include "weft/evaluate/winner.hpp"

namespace weft::advise {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

}  // namespace

void mark_winners(std::span<const Candidate> candidates, const Network& network, std::size_t sizes,
                  Comparison& comparison) {
  for (std::size_t size = 0; size < sizes; ++size) {
    std::vector<double> times_s;
    for (std::size_t i = size; i < comparison.rows.size(); i += sizes) {
      const ComparisonRow& row = comparison.rows[i];
      times_s.push_back(row.is_bound ? kUnknown : row.result.time_s);
    }
    const std::size_t winner = evaluate::winner_of(times_s, [&](std::size_t i) {
      const ComparisonRow& row = comparison.rows[i * sizes + size];
      return evaluate::expected_s(candidates[row.contender],
                                  comparison.contenders[row.contender].cost, network, row.size_B);
    });
    if (winner < times_s.size()) comparison.rows[winner * sizes + size].best = true;
  }
}

}  // namespace weft::advise
