// GF(p^n) is Z_p[x] modulo a monic polynomial x^n + t(x) of degree n. If the powers of an element
// g run through all p^n - 1 remainders other than 0, every one of them is invertible, hence the
// polynomial is irreducible and g primitive: one check for both. For n > 1 the polynomials are
// tried in order with g = x (one of them is primitive for every field), for n = 1 the integers are
// tried as g.
#include "finite_field.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "weft/base/modular.hpp"

namespace weft::topology {

std::string nearest_fits(int q, int most, const std::function<bool(int)>& fits) {
  q = std::clamp(q, 1, most + 1);
  int below = q - 1, above = q + 1;
  while (below > 1 && !fits(below)) --below;
  while (above <= most && !fits(above)) ++above;
  if (below > 1 && above <= most) return fmt::format("{} and {}", below, above);
  return std::to_string(below > 1 ? below : above);
}

FiniteField::FiniteField(int q)
    : size_(q), prime_(static_cast<int>(as_prime_power(q)->prime)), powers_(q - 1), logarithms_(q) {
  if (prime_ == size_) {
    Element generator = 1;
    while (!fill_powers(generator, 0)) ++generator;
    return;
  }
  Element tail = 1;
  while (!fill_powers(prime_, tail)) ++tail;  // x is the element p
}

FiniteField::Element FiniteField::add(Element a, Element b) const {
  Element sum = 0;
  for (int place = 1; place < size_; place *= prime_)
    sum += (a / place + b / place) % prime_ * place;
  return sum;
}

FiniteField::Element FiniteField::negative(Element a) const {
  Element result = 0;
  for (int place = 1; place < size_; place *= prime_)
    result += (prime_ - a / place % prime_) % prime_ * place;
  return result;
}

FiniteField::Element FiniteField::multiply(Element a, Element b) const {
  return a == 0 || b == 0 ? 0 : power(std::int64_t{logarithm(a)} + logarithm(b));
}

// The powers of `first`: an integer in a prime field, else x, where x^n = -tail. False when one of
// them comes back before all are seen.
bool FiniteField::fill_powers(Element first, Element tail) {
  const auto next = [&](Element a) {
    if (prime_ == size_) return static_cast<Element>(std::int64_t{a} * first % size_);
    const int top = size_ / prime_;  // the place of x^(n-1)
    Element result = a % top * prime_;
    for (int lead = a / top; lead > 0; --lead) result = add(result, negative(tail));
    return result;
  };
  Element a = 1;
  for (int exponent = 0; exponent < size_ - 1; ++exponent) {
    if (a == 0 || (exponent > 0 && a == 1)) return false;
    powers_[exponent] = a;
    logarithms_[a] = exponent;
    a = next(a);
  }
  return a == 1;
}

}  // namespace weft::topology
