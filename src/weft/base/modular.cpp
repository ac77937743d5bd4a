#include "weft/base/modular.hpp"

namespace weft {

std::optional<PrimePower> as_prime_power(std::int64_t q) {
  if (q < 2) return std::nullopt;
  std::int64_t prime = 2;
  while (prime * prime <= q && q % prime != 0) ++prime;
  if (q % prime != 0) prime = q;
  int exponent = 0;
  for (; q % prime == 0; q /= prime) ++exponent;
  return q == 1 ? std::optional(PrimePower{prime, exponent}) : std::nullopt;
}

}  // namespace weft
