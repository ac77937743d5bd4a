// The ranges are those of the least Bayesian information criterion (Schwarz, "Estimating the
// Dimension of a Model", Annals of Statistics 6(2), 1978): with n points, S the sum of squared
// relative errors and p parameters (two of each curve and the end of the range, for each range)
//
//     n ln(S / n) + 1.5 p ln n
//
// is least. The factor keeps noise from being taken for ranges, of which there are few: an eager
// way, a rendezvous, seldom more. Errors below half a percent are no reason for a range either.
#include "weft/calibrate/ranges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "weft/base/error.hpp"

namespace weft::calibrate {

namespace {

constexpr std::size_t kLeastSizes = 3;  // of a range
constexpr std::size_t kMostRanges = 8;
constexpr double kNoError = 0.005;
constexpr double kPenalty = 1.5;

double errors_of(const std::vector<SizedTime>& times, const Line& line, double from_B,
                 double below_B) {
  double sum = 0;
  for (const auto& [size_B, time_s] : times) {
    if (size_B < from_B || size_B >= below_B) continue;
    const double error = (line.start_s + line.per_byte_s * size_B) / time_s - 1;
    sum += error * error;
  }
  return sum;
}

}  // namespace

Line fit_line(const std::vector<SizedTime>& times, double from_B, double below_B) {
  // Of x / T over (1 / T) and (m / T): the normal equations, about the weighted mean size.
  double weight = 0, mean_B = 0, mean_s = 0;
  Line line;
  for (const auto& [size_B, time_s] : times) {
    if (size_B < from_B || size_B >= below_B) continue;
    const double w = 1 / (time_s * time_s);
    weight += w;
    mean_B += w * size_B;
    mean_s += w * time_s;
    ++line.points;
  }
  if (line.points == 0) return line;
  mean_B /= weight;
  mean_s /= weight;
  double square = 0, product = 0, of_size = 0, of_time = 0;
  for (const auto& [size_B, time_s] : times) {
    if (size_B < from_B || size_B >= below_B) continue;
    const double w = 1 / (time_s * time_s);
    square += w * (size_B - mean_B) * (size_B - mean_B);
    product += w * (size_B - mean_B) * (time_s - mean_s);
    of_size += w * size_B * size_B;
    of_time += w * size_B * time_s;
  }
  line.per_byte_s = square > 0 ? std::max(0.0, product / square) : 0;
  line.start_s = mean_s - line.per_byte_s * mean_B;
  if (line.start_s < 0) {
    line.start_s = 0;
    line.per_byte_s = of_time / of_size;
  }
  WEFT_ASSERT(line.start_s >= 0 && line.per_byte_s >= 0);
  line.errors = errors_of(times, line, from_B, below_B);
  return line;
}

std::vector<double> ranges_of(const std::vector<std::vector<SizedTime>>& curves) {
  std::vector<double> sizes_B;
  std::size_t points = 0;
  for (const auto& curve : curves) {
    points += curve.size();
    for (const SizedTime& time : curve) sizes_B.push_back(time.size_B);
  }
  std::ranges::sort(sizes_B);
  sizes_B.erase(std::unique(sizes_B.begin(), sizes_B.end()), sizes_B.end());
  const std::size_t n = sizes_B.size();
  constexpr std::size_t kMostSizes = 500;
  require(n <= kMostSizes, "{} different sizes are too many to find ranges; keep at most {}", n,
          kMostSizes);
  if (n == 0) return {};
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const auto end_of = [&](std::size_t i) { return i == n ? kNever : sizes_B[i]; };
  // least[r][i]: errors of the first i sizes in r ranges, the last of which begins at from[r][i].
  std::vector<std::vector<double>> least(kMostRanges + 1, std::vector<double>(n + 1, kNever));
  std::vector<std::vector<std::size_t>> from(kMostRanges + 1, std::vector<std::size_t>(n + 1, 0));
  least[0][0] = 0;
  const std::size_t shortest = std::min(kLeastSizes, n);
  for (std::size_t i = 0; i + shortest <= n; ++i)
    for (std::size_t j = i + shortest; j <= n; ++j) {
      double errors = 0;
      for (const auto& curve : curves) errors += fit_line(curve, sizes_B[i], end_of(j)).errors;
      for (std::size_t r = 1; r <= kMostRanges; ++r)
        if (least[r - 1][i] + errors < least[r][j]) {
          least[r][j] = least[r - 1][i] + errors;
          from[r][j] = i;
        }
    }
  const auto all = static_cast<double>(points);
  const double parameters = 2 * static_cast<double>(curves.size()) + 1;
  std::size_t best = 1;
  double least_score = kNever;
  for (std::size_t r = 1; r <= kMostRanges; ++r) {
    if (least[r][n] == kNever) continue;
    const double score = all * std::log(least[r][n] / all + kNoError * kNoError) +
                         kPenalty * parameters * static_cast<double>(r) * std::log(all);
    if (score < least_score) {
      least_score = score;
      best = r;
    }
  }
  std::vector<double> starts_B;
  for (std::size_t r = best, end = n; r > 0; end = from[r--][end])
    starts_B.push_back(sizes_B[from[r][end]]);
  std::ranges::reverse(starts_B);
  WEFT_ASSERT(starts_B.size() == best && starts_B.front() == sizes_B.front());
  WEFT_ASSERT(std::ranges::is_sorted(starts_B));
  return starts_B;
}

}  // namespace weft::calibrate
