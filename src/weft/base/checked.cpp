#include "weft/base/checked.hpp"

#include "weft/base/error.hpp"

namespace weft {

std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  require(!__builtin_add_overflow(a, b, &sum), "{} + {} does not fit in 64 bits", a, b);
  return sum;
}

std::int64_t checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  require(!__builtin_mul_overflow(a, b, &product), "{} * {} does not fit in 64 bits", a, b);
  return product;
}

std::int64_t mul_div(std::int64_t a, std::int64_t b, std::int64_t c) {
  WEFT_ASSERT(a >= 0 && b >= 0 && c > 0);
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product / c;  // several times as fast
  __extension__ using Wide = __int128;
  return static_cast<std::int64_t>(static_cast<Wide>(a) * b / c);
}

int ceil_log(std::int64_t base, std::int64_t n) {
  WEFT_ASSERT(base >= 2);
  int exponent = 0;
  for (std::int64_t power = 1; power < n; ++exponent) {
    if (power > n / base) return exponent + 1;
    power *= base;
  }
  return exponent;
}

}  // namespace weft
