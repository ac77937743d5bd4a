#include "weft/calibrate/unknowns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "weft/base/error.hpp"

namespace weft::calibrate {

namespace {

std::size_t rank_of(std::vector<std::vector<double>> rows) {
  constexpr double kZero = 1e-9;
  std::size_t rank = 0;
  const std::size_t columns = rows.empty() ? 0 : rows[0].size();
  for (std::size_t c = 0; c < columns && rank < rows.size(); ++c) {
    std::size_t pivot = rank;
    for (std::size_t r = rank; r < rows.size(); ++r)
      if (std::abs(rows[r][c]) > std::abs(rows[pivot][c])) pivot = r;
    if (std::abs(rows[pivot][c]) < kZero) continue;
    std::swap(rows[rank], rows[pivot]);
    for (std::size_t r = rank + 1; r < rows.size(); ++r) {
      const double times = rows[r][c] / rows[rank][c];
      for (std::size_t k = c; k < columns; ++k) rows[r][k] -= times * rows[rank][k];
    }
    ++rank;
  }
  return rank;
}

double sum_of(const Sum& sum, const std::vector<double>& x) {
  double value = 0;
  for (std::size_t j = 0; j < x.size(); ++j) value += sum.coefficients[j] * x[j];
  return value;
}

}  // namespace

std::vector<double> solve_sums(const std::vector<Sum>& sums, std::vector<double> first) {
  std::vector<double> x = std::move(first);
  WEFT_ASSERT(std::ranges::all_of(
      sums, [&](const Sum& sum) { return sum.coefficients.size() == x.size() && sum.value > 0; }));
  constexpr int kRounds = 20'000;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> up(x.size()), down(x.size());
    double furthest = 0;
    for (const Sum& sum : sums) {
      const double ratio = sum.value / std::max(sum_of(sum, x), 1e-300);
      furthest = std::max(furthest, std::abs(ratio - 1));
      for (std::size_t j = 0; j < x.size(); ++j) {
        const double weight = sum.coefficients[j] / sum.value;  // errors count relatively
        up[j] += weight * ratio;
        down[j] += weight;
      }
    }
    if (furthest < 1e-12) break;
    for (std::size_t j = 0; j < x.size(); ++j)
      if (down[j] > 0) x[j] *= up[j] / down[j];
  }
  return x;
}

bool separable(const std::vector<Sum>& sums, std::size_t j) {
  std::vector<std::vector<double>> rows;
  for (const Sum& sum : sums) rows.push_back(sum.coefficients);
  if (rows.empty()) return false;
  const std::size_t before = rank_of(rows);
  rows.emplace_back(rows[0].size()).at(j) = 1;
  return rank_of(rows) == before;
}

Interval interval_of(const std::vector<Sum>& sums, std::size_t j) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const std::size_t unknowns = sums.empty() ? 0 : sums[0].coefficients.size();
  WEFT_ASSERT(j < unknowns);
  std::vector<Interval> bounds(unknowns, {0, kNever});
  for (std::size_t round = 0; round <= unknowns; ++round)
    for (const Sum& sum : sums)
      for (std::size_t i = 0; i < unknowns; ++i) {
        const double own = sum.coefficients[i];
        if (own <= 0) continue;
        double least = 0, most = 0;  // of the others
        for (std::size_t k = 0; k < unknowns; ++k)
          if (k != i && sum.coefficients[k] > 0) {
            least += sum.coefficients[k] * bounds[k].low;
            most += sum.coefficients[k] * bounds[k].high;
          }
        bounds[i].high = std::min(bounds[i].high, std::max(0.0, (sum.value - least) / own));
        bounds[i].low = std::max(bounds[i].low, (sum.value - most) / own);
        bounds[i].low = std::min(bounds[i].low, bounds[i].high);
      }
  WEFT_ASSERT(bounds[j].low <= bounds[j].high);
  return bounds[j];
}

}  // namespace weft::calibrate
