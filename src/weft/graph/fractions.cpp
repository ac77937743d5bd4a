#include "weft/graph/fractions.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/rational.hpp"

namespace weft::graph {

namespace {

__extension__ using Wide = __int128;
constexpr std::int64_t kLargest = std::int64_t{1} << 60;

// The convergents of a continued fraction, up to the first that is near enough.
std::optional<Rational> recognised(double value) {
  constexpr double kNear = 1e-9;
  std::int64_t top = 1, bottom = 0, top_before = 0, bottom_before = 1;
  double rest = value;
  for (int step = 0; step < 40; ++step) {
    const double whole = std::floor(rest + kNear);
    if (whole > 1e12) return std::nullopt;
    const auto digit = static_cast<std::int64_t>(whole);
    top_before = std::exchange(top, digit * top + top_before);
    bottom_before = std::exchange(bottom, digit * bottom + bottom_before);
    if (bottom > 100'000 || top > 1'000'000'000'000) return std::nullopt;
    if (std::abs(value - static_cast<double>(top) / static_cast<double>(bottom)) < kNear)
      return Rational(top, bottom);
    rest = 1 / (rest - whole);
  }
  return std::nullopt;
}

}  // namespace

std::optional<CommonFractions> recognised(std::span<const double> values) {
  std::vector<Rational> fractions;
  CommonFractions common;
  for (const double value : values) {
    const auto fraction = recognised(value);
    if (!fraction) return std::nullopt;
    fractions.push_back(*fraction);
    common.denominator = std::lcm(common.denominator, fraction->denominator());
    if (common.denominator > std::int64_t{1} << 40) return std::nullopt;
  }
  for (const Rational& fraction : fractions) {
    const Wide numerator =
        Wide(fraction.numerator()) * (common.denominator / fraction.denominator());
    if (numerator > kLargest) return std::nullopt;
    common.numerators.push_back(static_cast<std::int64_t>(numerator));
  }
  WEFT_ASSERT(common.denominator >= 1 && common.numerators.size() == values.size());
  return common;
}

std::optional<CommonFractions> common_fractions(std::span<const Fraction> values) {
  boost::multiprecision::cpp_int denominator = 1;
  for (const Fraction& value : values) {
    denominator = lcm(denominator, boost::multiprecision::denominator(value));
    if (denominator > kLargest) return std::nullopt;
  }
  CommonFractions common;
  common.denominator = static_cast<std::int64_t>(denominator);
  for (const Fraction& value : values) {
    const boost::multiprecision::cpp_int top =
        boost::multiprecision::numerator(value) *
        (denominator / boost::multiprecision::denominator(value));
    if (abs(top) > kLargest) return std::nullopt;
    common.numerators.push_back(static_cast<std::int64_t>(top));
  }
  WEFT_ASSERT(common.denominator >= 1 && common.numerators.size() == values.size());
  return common;
}

std::optional<std::vector<Fraction>> solve_exactly(std::vector<std::vector<Fraction>> matrix,
                                                   std::vector<Fraction> right) {
  const std::size_t rows = matrix.size(), columns = rows == 0 ? 0 : matrix[0].size();
  WEFT_ASSERT(right.size() == rows);
  std::vector<std::size_t> pivot_column;
  for (std::size_t c = 0; c < columns && pivot_column.size() < rows; ++c) {
    const std::size_t r = pivot_column.size();
    std::size_t found = r;
    while (found < rows && matrix[found][c] == 0) ++found;
    if (found == rows) continue;
    std::swap(matrix[found], matrix[r]);
    std::swap(right[found], right[r]);
    for (std::size_t i = 0; i < rows; ++i) {
      if (i == r || matrix[i][c] == 0) continue;
      const Fraction factor = matrix[i][c] / matrix[r][c];
      for (std::size_t j = c; j < columns; ++j)
        if (matrix[r][j] != 0) matrix[i][j] -= factor * matrix[r][j];
      right[i] -= factor * right[r];
    }
    pivot_column.push_back(c);
  }
  for (std::size_t i = pivot_column.size(); i < rows; ++i)
    if (right[i] != 0) return std::nullopt;
  std::vector<Fraction> solution(columns, 0);
  for (std::size_t i = 0; i < pivot_column.size(); ++i)
    solution[pivot_column[i]] = right[i] / matrix[i][pivot_column[i]];
  return solution;
}

}  // namespace weft::graph
