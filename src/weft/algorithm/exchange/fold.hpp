// Folding any number of ranks onto a power of two, for algorithms that halve and double.
//
// With N = C + E, C the largest power of two up to N, the first 2E ranks form E pairs. The odd rank
// of each pair, and every rank behind the pairs, are the C core ranks; the even rank of a pair
// hands its data to the odd one before, and gets the result after.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <optional>
#include <string>

#include "weft/algorithm/algorithm.hpp"
#include "weft/schedule/symmetry.hpp"

namespace weft::algorithm {

class Fold {
 public:
  explicit Fold(std::int32_t ranks)
      : core_(static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint32_t>(ranks)))),
        extra_(ranks - core_) {}

  std::int64_t core() const { return core_; }
  std::int64_t extra() const { return extra_; }

  /// The rank that plays core rank `c`.
  schedule::Agent agent(std::int64_t c) const {
    return schedule::Agent(c < extra_ ? 2 * c + 1 : c + extra_);
  }
  /// The rank that hands its data to core rank `c` < extra().
  schedule::Agent folded(std::int64_t c) const { return schedule::Agent(2 * c); }

  /// Core rank c stands for the ranks, and their blocks, [first_rank(c), first_rank(c + 1)).
  std::int64_t first_rank(std::int64_t c) const { return c < extra_ ? 2 * c : c + extra_; }

 private:
  std::int64_t core_, extra_;
};

/// Why "all that apply" leaves out an algorithm that folds so many ranks: a fold has no symmetry,
/// so that every message is stored.
inline std::optional<std::string> folded_too_long(const Context& context) {
  constexpr std::int64_t kMost = 4'000'000;
  const Fold fold(context.collective.ranks);
  const std::int64_t messages = fold.core() * std::countr_zero(std::uint64_t(fold.core()));
  if (fold.extra() == 0 || messages <= kMost) return std::nullopt;
  return fmt::format(
      "{} million messages have no symmetry unless the number of ranks is a power of two",
      messages / 1'000'000);
}

}  // namespace weft::algorithm
