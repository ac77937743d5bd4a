// Nodes are 2 x 2 matrices over the integers modulo q, less multiples of each other: all that can
// be inverted, PGL(2, q), or those whose determinant is a square, PSL(2, q). There are p + 1
// quadruples a0^2 + a1^2 + a2^2 + a3^2 = p with a0 >= 0 whose a0 alone is odd (p = 1 modulo 4) or
// alone is even (p = 3; of two opposite ones with a0 = 0 one counts). With x^2 + y^2 = -1 modulo q
// each is a matrix
//
//   a0 + a1 x + a3 y    -a1 y + a2 + a3 x
//   -a1 y - a2 + a3 x    a0 - a1 x - a3 y
//
// of determinant p, and links a node to the node that is its product with that. The quadruple
// (a0, -a1, -a2, -a3) leads back. Where p is a square modulo q products stay in PSL(2, q), else
// they go to and fro between it and the rest of PGL(2, q).
//
// Two quadruples a, b give one matrix only if the product of a and the inverse of b, a quadruple of
// norm p^2, is a multiple of the identity modulo q. Its last three numbers are then multiples of q
// and the first, which is odd, is p or -p modulo 2 q^2, more than 2 p: so a = b. Hence links are
// simple.
//
// A matrix is written with the first number of its first row that is not 0 made 1. (1, b; c, d) is
// known by b, c and its determinant, (0, 1; c, d) by its determinant -c and d.
#include "weft/topology/families/algebraic/spectralfly.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "finite_field.hpp"
#include "weft/base/error.hpp"
#include "weft/base/modular.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

bool is_odd_prime(int n) {
  if (n < 3) return false;
  const auto power = as_prime_power(n);
  return power && power->exponent == 1;
}

bool fit(int p, int q) {
  return is_odd_prime(q) && q != p && 1.0 * q * q > 4.0 * p;
}

bool is_square(int p, int q) {
  return power_mod(p, (q - 1) / 2, q) == 1;
}

struct Quadruple {
  int a0, a1, a2, a3;
};

// Of one of the two signs, as above.
bool counts(const Quadruple& a, int p) {
  const bool odd = a.a0 % 2 != 0;
  return odd == (p % 4 == 1) && (a.a0 > 0 || (a.a0 == 0 && a.a1 > 0));
}

std::vector<Quadruple> quadruples(int p) {
  std::vector<Quadruple> found;
  const int most = static_cast<int>(std::sqrt(p));
  for (int a0 = 0; a0 <= most; ++a0)
    for (int a1 = -most; a1 <= most; ++a1)
      for (int a2 = -most; a2 <= most; ++a2) {
        const int rest = p - a0 * a0 - a1 * a1 - a2 * a2;
        const int root = rest < 0 ? 0 : static_cast<int>(std::lround(std::sqrt(rest)));
        if (root * root != rest) continue;
        for (int a3 = -root; a3 <= root; a3 += std::max(1, 2 * root))
          if (const Quadruple a{a0, a1, a2, a3}; counts(a, p)) found.push_back(a);
      }
  WEFT_ASSERT(std::ssize(found) == p + 1);
  return found;
}

struct Matrix {
  std::int64_t a, b, c, d;
};

// Matrices less multiples, and their numbers.
class ProjectiveMatrices {
 public:
  ProjectiveMatrices(int q, bool squares_only) : q_(q), inverse_(q), rank_(q, -1) {
    for (int n = 1; n < q; ++n) {
      inverse_[n] = power_mod(n, q - 2, q);
      if (squares_only && !is_square(n, q)) continue;
      rank_[n] = std::ssize(determinants_);
      determinants_.push_back(n);
    }
  }

  std::int64_t count() const { return std::ssize(determinants_) * q_ * (q_ + 1); }

  Matrix matrix(std::int64_t number) const {
    const std::int64_t kinds = std::ssize(determinants_), whole = kinds * q_ * q_;
    if (number >= whole)
      return {0, 1, q_ - determinants_[(number - whole) / q_], (number - whole) % q_};
    const std::int64_t b = number / kinds / q_, c = number / kinds % q_;
    return {1, b, c, (determinants_[number % kinds] + b * c) % q_};
  }

  std::int64_t number(const Matrix& m) const {
    const std::int64_t kinds = std::ssize(determinants_);
    const std::int64_t scale = inverse_[m.a != 0 ? m.a : m.b];
    const std::int64_t c = m.c * scale % q_, d = m.d * scale % q_;
    if (m.a == 0) return kinds * q_ * q_ + rank_[q_ - c] * q_ + d;
    const std::int64_t b = m.b * scale % q_;
    return (b * q_ + c) * kinds + rank_[mod(d - b * c, q_)];
  }

  Matrix product(const Matrix& m, const Matrix& n) const {
    return {(m.a * n.a + m.b * n.c) % q_, (m.a * n.b + m.b * n.d) % q_,
            (m.c * n.a + m.d * n.c) % q_, (m.c * n.b + m.d * n.d) % q_};
  }

 private:
  std::int64_t q_;
  std::vector<std::int64_t> inverse_, determinants_, rank_;
};

struct Root {
  int x, y;
};

Root root_of_minus_one(int q) {
  for (int x = 0;; ++x)
    for (int y = 0; y < q; ++y)
      if ((std::int64_t{x} * x + std::int64_t{y} * y + 1) % q == 0) return {x, y};
}

std::vector<Matrix> generators(int p, int q) {
  const auto [x, y] = root_of_minus_one(q);
  std::vector<Matrix> all;
  for (const auto& [a0, a1, a2, a3] : quadruples(p))
    all.push_back({mod(a0 + a1 * x + a3 * y, q), mod(-a1 * y + a2 + a3 * x, q),
                   mod(-a1 * y - a2 + a3 * x, q), mod(a0 - a1 * x - a3 * y, q)});
  return all;
}

// Before anything is built.
Expression checked_name(int p, int q) {
  constexpr int kLargest = 1000;  // above it there are too many links
  Expression name{"spectralfly", fmt::format("{},{}", p, q), {}};
  if (!is_odd_prime(p))
    reject("{} does not exist (p must be an odd prime); the nearest p: {}", name.to_string(),
           nearest_fits(p, kLargest, is_odd_prime));
  const double least = std::max<double>(q, 2 * std::sqrt(p));
  const double halves = fit(p, q) && !is_square(p, q) ? 2 : 1;
  const double nodes = halves * least * (least * least - 1) / 2;
  require_size(name.to_string(), nodes, nodes * (p + 1.0));
  if (!fit(p, q))
    reject(
        "{} does not exist (q must be an odd prime other than p, greater than 2 sqrt(p) = "
        "{:.1f}); the nearest q: {}",
        name.to_string(), 2 * std::sqrt(p),
        nearest_fits(q, kLargest, [&](int other) { return fit(p, other); }));
  return name;
}

}  // namespace

Topology spectralfly(int p, int q) {
  Expression name = checked_name(p, q);
  const ProjectiveMatrices matrices(q, is_square(p, q));
  const std::vector<Matrix> moves = generators(p, q);
  TopologyBuilder builder(matrices.count());
  for (std::int64_t node = 0; node < matrices.count(); ++node) {
    const Matrix here = matrices.matrix(node);
    for (const Matrix& move : moves)
      if (const std::int64_t other = matrices.number(matrices.product(here, move)); node < other)
        builder.add_cable(NodeId(node), NodeId(other));
  }
  builder.set_nominal_degree(p + 1);
  return std::move(builder).build(std::move(name));
}

Family spectralfly_family() {
  return make_family("spectralfly", "p,q",
                     "SpectralFly: the Lubotzky-Phillips-Sarnak graph of odd primes p and q > 2 "
                     "sqrt(p), degree p + 1",
                     "spectralfly:11,7", [](const Parameters& parameters) {
                       const auto values = parameters.integers(2);
                       return spectralfly(values[0], values[1]);
                     });
}

}  // namespace weft::topology
