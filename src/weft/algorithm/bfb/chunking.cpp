#include "chunking.hpp"

#include <numeric>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm::bfb {

namespace {

__extension__ using Wide = __int128;

std::int64_t whole_sum(std::span<const Rational> times, std::int64_t units) {
  WEFT_ASSERT(units >= 1);
  std::int64_t sum = 0;
  for (const Rational& time : times) {
    const std::int64_t q = time.denominator();
    sum += (checked_mul(time.numerator(), units) + q - 1) / q;
  }
  return sum;
}

}  // namespace

std::optional<std::int64_t> exact_units(std::span<const Rational> times, std::int64_t limit) {
  WEFT_ASSERT(limit >= 1);
  std::int64_t units = 1;
  for (const Rational& time : times) {
    const std::int64_t q = time.denominator();
    if (q > limit) return std::nullopt;
    units = checked_mul(units / std::gcd(units, q), q);
    if (units > limit) return std::nullopt;
  }
  return units;
}

std::int64_t best_units(std::span<const Rational> times, std::int64_t limit) {
  WEFT_ASSERT(limit >= 1);
  const std::optional<std::int64_t> exact = exact_units(times, limit);
  if (exact) return *exact;
  std::int64_t best = 1, best_sum = whole_sum(times, 1);
  for (std::int64_t units = 2; units <= limit; ++units) {
    const std::int64_t sum = whole_sum(times, units);
    if (Wide{sum} * best >= Wide{best_sum} * units) continue;
    best = units;
    best_sum = sum;
  }
  return best;
}

}  // namespace weft::algorithm::bfb
