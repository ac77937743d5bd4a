// Shares of a message over paths that work at the same time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace weft::algorithm {

/// A path that needs `fixed_ps` and then bytes / bandwidth for what it carries.
struct SplitPath {
  std::int64_t fixed_ps = 0;       // >= 0
  std::int64_t bandwidth_Bps = 0;  // > 0
};

/// How a block is cut: of its `units_per_block` units a way gets `units`, none where it does not
/// pay.
struct Split {
  std::int64_t units_per_block = 1;
  std::vector<std::int64_t> units;  // by way
  /// When the last way is done if blocks could be cut at will, in picoseconds.
  double finish_ps = 0;
};

/// The split that is done first: with sizes, by filling up the ways to one common finish time;
/// without, in proportion to bandwidth, which is best as the size grows. Exact where the shares'
/// common denominator is at most min(2^20, bytes); else the best split into so many units. Ties go
/// to the earlier way. O(ways log ways) fractions. Precondition: there is a way.
Split best_split(std::span<const SplitPath> ways, std::optional<std::int64_t> size_B);

}  // namespace weft::algorithm
