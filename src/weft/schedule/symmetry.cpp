#include "weft/schedule/symmetry.hpp"

#include <limits>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::schedule {

Symmetry Symmetry::translations(std::vector<int> moduli) {
  Symmetry symmetry;
  std::int64_t order = 1;
  for (int modulus : moduli) {
    require(modulus >= 2, "modulus {} of a symmetry is too small (needs 2 or more)", modulus);
    order = checked_mul(order, modulus);
    require(order <= std::numeric_limits<std::int32_t>::max(),
            "a symmetry's order is above 2^31 - 1");
  }
  symmetry.moduli_ = std::move(moduli);
  symmetry.order_ = static_cast<std::int32_t>(order);
  return symmetry;
}

std::int32_t Symmetry::add(std::int32_t a, std::int32_t b) const {
  if (moduli_.size() <= 1) {
    const std::int32_t sum = a - order_ + b;  // in [-order, order - 2]: no overflow
    return sum < 0 ? sum + order_ : sum;
  }
  std::int32_t sum = 0, weight = 1;
  for (const int modulus : moduli_) {
    sum += (a % modulus + b % modulus) % modulus * weight;
    a /= modulus;
    b /= modulus;
    weight *= modulus;
  }
  return sum;
}

std::int32_t Symmetry::inverse(std::int32_t element) const {
  std::int32_t result = 0, weight = 1;
  for (const int modulus : moduli_) {
    result += (modulus - element % modulus) % modulus * weight;
    element /= modulus;
    weight *= modulus;
  }
  return result;
}

}  // namespace weft::schedule
