#include "weft/calibrate/fit/fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"

namespace weft::calibrate {
namespace {

using Rows = std::vector<Measurement>;

constexpr Names<FitMethod, 2> kMethods{"fit method", {"joint", "two-sizes"}};

/// Weighted linear least squares in up to three unknowns, by Gram-Schmidt on the columns.
class LeastSquares {
 public:
  explicit LeastSquares(std::size_t unknowns) : columns_(unknowns) {
    WEFT_ASSERT(unknowns >= 1 && unknowns <= 3);  // as solve() has room for
  }

  void add(std::span<const double> coefficients, double target, double weight) {
    WEFT_ASSERT(coefficients.size() == columns_.size() && weight > 0);
    for (std::size_t i = 0; i < columns_.size(); ++i)
      columns_[i].push_back(coefficients[i] * weight);
    target_.push_back(target * weight);
  }

  /// The unknowns; empty when a column is a combination of those before it.
  std::vector<double> solve() const {
    auto q = columns_;
    const std::size_t n = q.size();
    std::array<std::array<double, 3>, 3> r{};
    for (std::size_t i = 0; i < n; ++i) {
      const double length = norm(q[i]);
      for (std::size_t pass = 0; pass < 2; ++pass)  // twice is enough for full precision
        for (std::size_t j = 0; j < i; ++j) {
          const double along = dot(q[j], q[i]);
          r[j][i] += along;
          for (std::size_t k = 0; k < q[i].size(); ++k) q[i][k] -= along * q[j][k];
        }
      r[i][i] = norm(q[i]);
      if (!(r[i][i] > 1e-10 * length)) return {};
      for (double& value : q[i]) value /= r[i][i];
    }
    std::vector<double> x(n);
    for (std::size_t i = n; i-- > 0;) {
      x[i] = dot(q[i], target_);
      for (std::size_t j = i + 1; j < n; ++j) x[i] -= r[i][j] * x[j];
      x[i] /= r[i][i];
    }
    return x;
  }

 private:
  using Column = std::vector<double>;
  static double dot(const Column& a, const Column& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  static double norm(const Column& a) { return std::sqrt(dot(a, a)); }

  std::vector<Column> columns_;
  Column target_;
};

Rows rows_of_size(std::span<const Measurement> rows, double size_B) {
  Rows chosen;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(chosen),
               [&](const Measurement& row) { return row.size_B == size_B; });
  return chosen;
}

RelativeError error_of(std::span<const Measurement> rows, const auto& fitted_time) {
  RelativeError error;
  for (const Measurement& row : rows) {
    const double relative = std::abs(fitted_time(row) - row.time_s) / row.time_s;
    error.mean += relative / static_cast<double>(rows.size());
    error.max = std::max(error.max, relative);
  }
  return error;
}

void fit_jointly(std::span<const Measurement> rows, Fit& fit) {
  LeastSquares problem(3);
  for (const Measurement& row : rows)
    problem.add(std::array{1.0, row.steps, row.bandwidth_factor * row.size_B}, row.time_s,
                1 / row.time_s);
  const auto x = problem.solve();
  require(!x.empty(),
          "the rows do not determine alpha, epsilon and 1/B, because their steps are "
          "proportional; add rows with other steps and other sizes");
  fit.epsilon_s = x[0];
  fit.alpha_s = x[1];
  fit.inverse_B_s = x[2];
}

void fit_two_sizes(const Rows& small, const Rows& large, Fit& fit) {
  WEFT_ASSERT(!small.empty() && !large.empty());
  require(small.front().size_B < large.front().size_B,
          "all rows have size {}, but two-sizes needs a small and a large size; add rows of "
          "another size",
          small.front().size_B);
  LeastSquares latency(2);
  for (const Measurement& row : small) latency.add(std::array{1.0, row.steps}, row.time_s, 1);
  const auto x = latency.solve();
  require(!x.empty(),
          "all rows of the smallest size have {} steps, but alpha needs two numbers of steps; "
          "add a schedule with other steps",
          small.front().steps);
  LeastSquares bandwidth(1);
  for (const Measurement& row : large)
    bandwidth.add(std::array{row.bandwidth_factor * row.size_B}, row.time_s, 1);
  const auto y = bandwidth.solve();
  require(!y.empty(),
          "all rows of the largest size have bandwidth factor 0, which cannot give 1/B");
  fit.epsilon_s = x[0];
  fit.alpha_s = x[1];
  fit.inverse_B_s = y[0];
}

}  // namespace

FitMethod parse_fit_method(std::string_view name) {
  return kMethods.value(name);
}

std::string_view name_of(FitMethod method) {
  return kMethods[method];
}

Fit fit(std::span<const Measurement> rows, FitMethod method) {
  require(rows.size() >= 3, "{} rows are too few for three parameters; give at least 3",
          rows.size());
  const auto [least, most] = std::ranges::minmax_element(rows, {}, &Measurement::size_B);
  const Rows small = rows_of_size(rows, least->size_B), large = rows_of_size(rows, most->size_B);
  Fit result;
  if (method == FitMethod::joint)
    fit_jointly(rows, result);
  else
    fit_two_sizes(small, large, result);
  const auto whole = [&](const Measurement& row) { return result.time_s(row); };
  result.all = error_of(rows, whole);
  if (method == FitMethod::joint) {
    result.small = error_of(small, whole);
    result.large = error_of(large, whole);
  } else {  // each as it was fitted
    result.small = error_of(small, [&](const Measurement& row) {
      return result.epsilon_s + result.alpha_s * row.steps;
    });
    result.large = error_of(large, [&](const Measurement& row) {
      return result.inverse_B_s * row.bandwidth_factor * row.size_B;
    });
  }
  return result;
}

}  // namespace weft::calibrate
