#include "weft/advise/comparison/winner_ranges.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace weft::advise {

std::vector<WinnerRange> winner_ranges_of(std::span<const std::int64_t> sizes_B,
                                          std::span<const std::vector<std::size_t>> winners) {
  std::vector<std::size_t> by_size(sizes_B.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::ranges::stable_sort(by_size, {}, [&](std::size_t i) { return sizes_B[i]; });
  std::vector<WinnerRange> winner_ranges;
  bool changed = false;  // at the size before
  for (const std::size_t i : by_size) {
    std::vector<std::size_t> staying;
    if (changed)
      std::ranges::set_intersection(winner_ranges.back().contenders, winners[i],
                                    std::back_inserter(staying));
    changed = !winners[i].empty();
    if (!changed) continue;
    if (staying.empty()) {
      winner_ranges.push_back({sizes_B[i], sizes_B[i], winners[i]});
    } else {
      winner_ranges.back().last_B = sizes_B[i];
      winner_ranges.back().contenders = std::move(staying);
    }
  }
  return winner_ranges;
}

}  // namespace weft::advise
