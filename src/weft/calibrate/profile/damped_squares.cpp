#include "weft/calibrate/profile/damped_squares.hpp"

#include <cmath>
#include <cstddef>
#include <numeric>

#include "weft/base/error.hpp"

namespace weft::calibrate {

namespace {

double product(const std::vector<double>& a, const std::vector<double>& b) {
  WEFT_ASSERT(a.size() == b.size());
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

// Cholesky's decomposition of the normal equations, which the damping keeps definite.
std::vector<double> damped_step(const std::vector<std::vector<double>>& columns,
                                const std::vector<double>& residuals, double damping) {
  WEFT_ASSERT(damping >= 0);
  const std::size_t n = columns.size();
  std::vector<std::vector<double>> lower(n, std::vector<double>(n));
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = product(columns[i], columns[j]) * (i == j ? 1 + damping : 1);
      for (std::size_t k = 0; k < j; ++k) sum -= lower[i][k] * lower[j][k];
      lower[i][j] = i == j ? std::sqrt(sum) : sum / lower[j][j];
    }
    x[i] = -product(columns[i], residuals);
    for (std::size_t k = 0; k < i; ++k) x[i] -= lower[i][k] * x[k];
    x[i] /= lower[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= lower[k][i] * x[k];
    x[i] /= lower[i][i];
  }
  return x;
}

}  // namespace weft::calibrate
