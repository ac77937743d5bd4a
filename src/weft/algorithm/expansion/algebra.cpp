#include "weft/algorithm/expansion_algebra.hpp"

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {

namespace {

Rational least_factor(std::int64_t nodes) {
  WEFT_ASSERT(nodes >= 1);
  return Rational(nodes - 1, nodes);
}

std::int64_t nodes_of_power(std::int64_t nodes, std::int64_t exponent) {
  WEFT_ASSERT(nodes >= 1 && exponent >= 0);
  std::int64_t result = 1;
  for (std::int64_t i = 0; i < exponent && nodes > 1; ++i) result = checked_mul(result, nodes);
  return result;
}

}  // namespace

bool Prediction::bandwidth_optimal() const {
  return exact && bandwidth_factor == least_factor(nodes);
}

Prediction line(const Prediction& base) {
  WEFT_ASSERT(base.nodes >= 1 && base.degree >= 0);
  if (base.degree == 1) return base;
  Prediction result = base;
  result.nodes = checked_mul(base.nodes, base.degree);
  result.steps = base.steps + 1;
  result.bandwidth_factor = base.bandwidth_factor + Rational(1, base.nodes);
  result.exact = base.exact && base.tight;
  result.parallel = false;
  result.branching = true;  // a link has `degree` links behind it, none twice
  result.optimal_bfb = base.bfb && result.bandwidth_optimal();
  return result;
}

Prediction degree(std::int64_t copies, const Prediction& base) {
  require(
      copies >= 1,
      "n = {} is too small for degree(n, X), which is n copies of the network X; give 1 or more",
      copies);
  require(!base.loops, "degree(n, X) is not defined for networks with self-loops; use line(X)");
  if (copies == 1) return base;
  Prediction result = base;
  result.nodes = checked_mul(copies, base.nodes);
  result.degree = checked_mul(copies, base.degree);
  result.steps = base.steps + 1;
  result.bandwidth_factor = base.bandwidth_factor + Rational(copies - 1, result.nodes);
  result.branching = true;
  result.bfb = result.optimal_bfb = false;
  result.tight = true;
  return result;
}

Prediction power(std::int64_t exponent, const Prediction& base) {
  require(exponent >= 1, "power {} is out of range (needs 1 or more)", exponent);
  if (exponent == 1) return base;
  Prediction result = base;
  result.nodes = nodes_of_power(base.nodes, exponent);
  result.degree = checked_mul(exponent, base.degree);
  result.steps = checked_mul(exponent, base.steps);
  if (base.nodes > 1)
    result.bandwidth_factor =
        base.bandwidth_factor / least_factor(base.nodes) * least_factor(result.nodes);
  result.branching = base.nodes > 1;
  result.bfb = base.nodes == 1;
  result.optimal_bfb = base.optimal_bfb && base.simple();
  result.tight = base.nodes > 1;
  return result;
}

std::optional<Prediction> product(std::span<const Prediction> factors) {
  Prediction result{.nodes = 1, .bfb = true, .optimal_bfb = true, .reversible = true};
  std::int64_t proper = 0;
  for (const Prediction& factor : factors) {
    if (!factor.regular || !factor.optimal_bfb || !factor.simple()) return std::nullopt;
    result.nodes = checked_mul(result.nodes, factor.nodes);
    result.degree = checked_add(result.degree, factor.degree);
    result.steps += factor.steps;
    result.reversible = result.reversible && factor.reversible;
    if (factor.nodes > 1) ++proper;
  }
  result.bandwidth_factor = least_factor(result.nodes);
  result.branching = result.tight = proper >= 2;
  return result;
}

std::optional<Prediction> bidirectional(const Prediction& base) {
  if (!base.reversible) return std::nullopt;
  Prediction result = base;
  result.degree = checked_mul(2, base.degree);
  result.tight = base.tight || (base.bfb && base.branching);
  result.bfb = result.optimal_bfb = false;
  return result;
}

Prediction idle(std::int64_t ports, const Prediction& base) {
  Prediction result = base;
  result.degree = checked_add(base.degree, ports);
  result.bandwidth_factor = base.bandwidth_factor * Rational(result.degree, base.degree);
  result.regular = result.tight = result.optimal_bfb = false;
  return result;
}

}  // namespace weft::algorithm
