// Arithmetic modulo n, and prime powers.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft {

/// base^exponent modulo n, in O(log exponent); exponent >= 0, 0 < n < 2^31.
constexpr std::int64_t power_mod(std::int64_t base, std::int64_t exponent, std::int64_t n) {
  WEFT_ASSERT(exponent >= 0 && n > 0 && n < std::int64_t{1} << 31);
  std::int64_t result = 1 % n;
  for (base = mod(base, n); exponent > 0; exponent /= 2, base = base * base % n)
    if (exponent % 2 == 1) result = result * base % n;
  return result;
}

struct PrimePower {
  std::int64_t prime = 0;
  int exponent = 0;
};
/// The prime and the exponent of which `q` is the power; nothing where it is none. O(sqrt q).
std::optional<PrimePower> as_prime_power(std::int64_t q);

}  // namespace weft
