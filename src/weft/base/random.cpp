#include "weft/base/random.hpp"

#include "weft/base/error.hpp"

namespace weft {

std::int64_t Rng::below(std::int64_t bound) {
  WEFT_ASSERT(bound > 0);
  const auto range = static_cast<std::uint64_t>(bound);
  const std::uint64_t unbiased = ~std::uint64_t{0} - ~std::uint64_t{0} % range;
  std::uint64_t draw = next();
  while (draw >= unbiased) draw = next();
  return static_cast<std::int64_t>(draw % range);
}

double Rng::uniform() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

}  // namespace weft
