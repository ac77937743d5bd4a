// Integer arithmetic that refuses to overflow: for sizes computed from a user's parameters.
#pragma once

#include <cstdint>

#include "weft/base/error.hpp"

namespace weft {

/// a + b and a * b in 64 bits. Throws InvalidInput where the result does not fit.
std::int64_t checked_add(std::int64_t a, std::int64_t b);
std::int64_t checked_mul(std::int64_t a, std::int64_t b);

/// floor(a * b / c) with a 128-bit product; a, b >= 0, c > 0, and the result fits in 64 bits.
std::int64_t mul_div(std::int64_t a, std::int64_t b, std::int64_t c);

/// The least k with base^k >= n (0 for n <= 1); base >= 2.
int ceil_log(std::int64_t base, std::int64_t n);

/// The non-negative remainder of a modulo n; n > 0.
constexpr std::int64_t mod(std::int64_t a, std::int64_t n) {
  WEFT_ASSERT(n > 0);
  return ((a % n) + n) % n;
}

/// 1, 2, 4, ...; no other number, and none below 1.
constexpr bool is_power_of_two(std::int64_t n) {
  return n > 0 && (n & (n - 1)) == 0;
}

}  // namespace weft
