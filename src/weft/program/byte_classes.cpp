#include "byte_classes.hpp"

#include <numeric>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::program {

namespace {

using schedule::Agent;
using schedule::Symmetry;

constexpr std::int32_t kUnknown = -1;

bool moves_by_multiples(const Symmetry& symmetry, std::int32_t element, std::int32_t ranks,
                        std::int64_t blocks) {
  for (std::int32_t rank = 0; rank < ranks; ++rank)
    if ((symmetry.apply(element, Agent(rank)).value() - rank) % blocks != 0) return false;
  return true;
}

/// The least powers of the generators that move every rank by a multiple of `blocks`.
std::vector<std::int32_t> powers(const Symmetry& symmetry, std::int32_t ranks,
                                 std::int64_t blocks) {
  std::vector<std::int32_t> found;
  for (const std::int32_t generator : symmetry.group().generators()) {
    std::int32_t power = generator;
    while (power != 0 && !moves_by_multiples(symmetry, power, ranks, blocks))
      power = symmetry.multiply(generator, power);
    if (power != 0) found.push_back(power);
  }
  return found;
}

}  // namespace

ByteClasses byte_classes(const schedule::Schedule& schedule, std::int64_t period) {
  WEFT_ASSERT(period >= 1);
  const Symmetry& symmetry = schedule.symmetry();
  const schedule::Collective& collective = schedule.collective();
  const std::int64_t segments = collective.whole_buffer() ? 1 : schedule.segments().count;
  const std::int64_t block = checked_mul(schedule.units_per_block(), segments);
  const std::int64_t blocks = period / std::gcd(period, block);
  if (symmetry.is_trivial() || blocks > collective.ranks / 2) return {};
  const auto subgroup = powers(symmetry, collective.ranks, blocks);
  if (subgroup.empty()) return {};
  ByteClasses classes{.of = std::vector<std::int32_t>(symmetry.order(), kUnknown)};
  std::vector<std::int32_t> coset;
  for (std::int32_t g = 0; g < symmetry.order(); ++g) {
    if (classes.of[g] != kUnknown) continue;
    coset.assign(1, g);
    classes.of[g] = classes.count;
    for (std::size_t i = 0; i < coset.size(); ++i)
      for (const std::int32_t h : subgroup) {
        const std::int32_t moved = symmetry.multiply(h, coset[i]);
        std::int32_t& known = classes.of[moved];
        if (known == kUnknown) coset.push_back(moved);
        known = classes.count;
      }
    ++classes.count;
  }
  return classes;
}

}  // namespace weft::program
