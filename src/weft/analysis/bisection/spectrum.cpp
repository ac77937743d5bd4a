// The second eigenvalue of a graph's Laplacian, for a lower bound on its bisection.
//
// Let x be 1 on one half of the weight and -1 on the other. Then x'Lx is four times the cut, x'Wx
// the total weight H, and x'W1 = 0, so that cut >= lambda H / 4, lambda being the least of x'Lx /
// x'Wx over all x with x'W1 = 0 (Fiedler 1973; Donath and Hoffman 1973). With halves of a and b,
// the same with x shifted: cut >= lambda a b / H.
//
// 1 / lambda is the largest eigenvalue of the inverse of L on the nodes with weight, found by
// Lanczos iteration with full re-orthogonalisation; each product is a linear system in L, solved by
// conjugate gradients. Inverting separates the wanted eigenvalue from the rest, so a few dozen
// steps do even on long rings, and nodes of weight 0 need no special care.
//
// The last residual bounds the distance from the value found to an eigenvalue. That this is the
// extreme one holds unless the random start is orthogonal to its eigenvector, or so nearly that
// rounding hides it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "cut_graph.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/graph/breadth_first.hpp"

namespace weft::analysis {

namespace {

using Vector = std::vector<double>;

constexpr double kSolverTolerance = 1e-13;  // of conjugate gradients, relative to the right side
constexpr double kConverged = 1e-10;        // Lanczos' residual, relative to the eigenvalue
constexpr int kMaxLanczosSteps = 200;

double dot(const Vector& a, const Vector& b) {
  WEFT_ASSERT(a.size() == b.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// y += factor * x
void add(Vector& y, double factor, const Vector& x) {
  WEFT_ASSERT(x.size() == y.size());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * x[i];
}

void scale(Vector& y, double factor) {
  for (double& value : y) value *= factor;
}

class Laplacian {
 public:
  explicit Laplacian(const CutGraph& graph) : graph_(graph), diagonal_(graph.node_count(), 0) {
    for (std::int32_t v = 0; v < graph.ends.size(); ++v)
      for (std::int32_t i = graph.ends.first(v); i < graph.ends.first(v + 1); ++i)
        diagonal_[v] += graph.cables[i];
  }

  /// L^+ b by conjugate gradients, preconditioned by the diagonal; b sums to zero.
  Vector solve(const Vector& b) const {
    Vector x(b.size(), 0), residual = b, image(b.size());
    Vector step = precondition(residual), direction = step;
    double rho = dot(residual, step);
    const double goal = kSolverTolerance * std::sqrt(dot(b, b));
    const std::size_t most = 20 * b.size() + 100;
    for (std::size_t i = 0; i < most && std::sqrt(dot(residual, residual)) > goal; ++i) {
      multiply(direction, image);
      const double alpha = rho / dot(direction, image);
      add(x, alpha, direction);
      add(residual, -alpha, image);
      step = precondition(residual);
      const double next = dot(residual, step);
      scale(direction, next / rho);
      add(direction, 1, step);
      rho = next;
    }
    return x;
  }

 private:
  void multiply(const Vector& x, Vector& y) const {
    for (std::int32_t v = 0; v < graph_.ends.size(); ++v) {
      double sum = diagonal_[v] * x[v];
      std::int32_t place = graph_.ends.first(v);
      for (const std::int32_t end : graph_.ends[v]) sum -= graph_.cables[place++] * x[end];
      y[v] = sum;
    }
  }

  Vector precondition(const Vector& residual) const {
    Vector step(residual.size());
    for (std::size_t v = 0; v < step.size(); ++v) step[v] = residual[v] / diagonal_[v];
    return step;
  }

  const CutGraph& graph_;
  Vector diagonal_;
};

// W^(1/2) L^+ W^(1/2) on the nodes with weight, on vectors y with y' W^(1/2) 1 = 0.
class InverseOperator {
 public:
  explicit InverseOperator(const CutGraph& graph) : laplacian_(graph), nodes_(graph.node_count()) {
    for (std::size_t v = 0; v < nodes_; ++v) {
      if (graph.weights[v] == 0) continue;
      weighted_.push_back(v);
      roots_.push_back(std::sqrt(graph.weights[v]));
    }
  }

  /// Takes away the part along W^(1/2) 1.
  void centre(Vector& y) const { add(y, -dot(y, roots_) / dot(roots_, roots_), roots_); }

  std::size_t size() const { return weighted_.size(); }

  /// The potentials of all nodes for these sources at the weighted ones.
  Vector potentials(const Vector& sources) const {
    Vector b(nodes_, 0);
    for (std::size_t i = 0; i < weighted_.size(); ++i) b[weighted_[i]] = roots_[i] * sources[i];
    return laplacian_.solve(b);
  }

  Vector apply(const Vector& sources) const {
    const Vector x = potentials(sources);
    Vector y(weighted_.size());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = roots_[i] * x[weighted_[i]];
    centre(y);
    return y;
  }

 private:
  Laplacian laplacian_;
  std::size_t nodes_;
  std::vector<std::size_t> weighted_;
  Vector roots_;  // of the weights, beside weighted_
};

struct Ritz {
  double value = 0;
  Vector coefficients;  // of the eigenvector over the Lanczos vectors
};

// How many eigenvalues of the tridiagonal matrix are above `value` (signs of the pivots).
int count_above(const Vector& diagonal, const Vector& off, double value) {
  WEFT_ASSERT(off.size() + 1 >= diagonal.size());
  int above = 0;
  double pivot = 1;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    pivot = diagonal[i] - value - (i == 0 ? 0 : off[i - 1] * off[i - 1] / pivot);
    if (pivot == 0) pivot = -1e-300;
    if (pivot > 0) ++above;
  }
  return above;
}

// The largest eigenvalue by bisection, its eigenvector by inverse iteration.
Ritz largest(const Vector& diagonal, const Vector& off) {
  WEFT_ASSERT(!diagonal.empty() && off.size() + 1 >= diagonal.size());
  const std::size_t size = diagonal.size();
  double low = diagonal[0], high = diagonal[0];
  for (std::size_t i = 0; i < size; ++i) {
    const double radius = (i > 0 ? off[i - 1] : 0) + (i + 1 < size ? off[i] : 0);
    low = std::min(low, diagonal[i] - radius);
    high = std::max(high, diagonal[i] + radius);
  }
  for (int i = 0; i < 200; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (count_above(diagonal, off, middle) > 0 ? low : high) = middle;
  }
  // Elimination without pivoting is safe just above the largest eigenvalue, where the matrix is
  // negative definite.
  const double shift = high + std::abs(high) * 1e-14;
  Vector y(size, 1);
  for (int round = 0; round < 3; ++round) {
    Vector pivots(size);
    for (std::size_t i = 0; i < size; ++i) {
      const double factor = i == 0 ? 0 : off[i - 1] / pivots[i - 1];
      pivots[i] = diagonal[i] - shift - (i == 0 ? 0 : factor * off[i - 1]);
      if (i > 0) y[i] -= factor * y[i - 1];
    }
    for (std::size_t i = size; i-- > 0;)
      y[i] = (y[i] - (i + 1 < size ? off[i] * y[i + 1] : 0)) / pivots[i];
    scale(y, 1 / std::sqrt(dot(y, y)));
  }
  return {high, std::move(y)};
}

bool is_connected(const CutGraph& graph) {
  return graph::BreadthFirst(
             graph.ends.size(), 0,
             [&](std::int32_t at, auto&& reach) { std::ranges::for_each(graph.ends[at], reach); })
      .reached_all();
}

Vector random_start(const InverseOperator& inverse) {
  Rng rng(1);
  Vector start(inverse.size());
  for (double& value : start) value = rng.uniform() - 0.5;
  inverse.centre(start);
  scale(start, 1 / std::sqrt(dot(start, start)));
  return start;
}

Vector combine(const std::vector<Vector>& basis, const Vector& coefficients) {
  WEFT_ASSERT(!basis.empty() && coefficients.size() <= basis.size());
  Vector sum(basis[0].size(), 0);
  for (std::size_t i = 0; i < coefficients.size(); ++i) add(sum, coefficients[i], basis[i]);
  return sum;
}

}  // namespace

std::optional<Spectrum> second_eigenvalue(const CutGraph& graph) {
  if (!is_connected(graph)) return std::nullopt;
  const InverseOperator inverse(graph);
  if (inverse.size() < 2) return std::nullopt;
  std::vector<Vector> basis{random_start(inverse)};
  Vector diagonal, off;
  for (int step = 0; step < kMaxLanczosSteps; ++step) {
    Vector image = inverse.apply(basis.back());
    diagonal.push_back(dot(image, basis.back()));
    for (int twice = 0; twice < 2; ++twice)
      for (const Vector& old : basis) add(image, -dot(image, old), old);
    inverse.centre(image);
    const double rest = std::sqrt(dot(image, image));
    const Ritz ritz = largest(diagonal, off);
    const double residual = rest * std::abs(ritz.coefficients.back());
    const bool whole = basis.size() + 1 >= inverse.size();  // the space has no further dimension
    if (residual <= kConverged * ritz.value || whole)
      return Spectrum{1 / ritz.value, whole ? 0 : residual / ritz.value,
                      inverse.potentials(combine(basis, ritz.coefficients))};
    off.push_back(rest);
    scale(image, 1 / rest);
    basis.push_back(std::move(image));
  }
  return std::nullopt;
}

}  // namespace weft::analysis
