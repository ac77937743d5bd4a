#include "weft/evaluate/winner.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "weft/base/error.hpp"

namespace weft::evaluate {

std::size_t winner_of(std::span<const double> times_s,
                      const std::function<double(std::size_t)>& estimate_s) {
  const auto least = std::ranges::min_element(times_s);
  if (least == times_s.end() || *least == std::numeric_limits<double>::infinity())
    return times_s.size();
  std::vector<std::size_t> tied;
  for (std::size_t i = 0; i < times_s.size(); ++i)
    if (ties(times_s[i], *least)) tied.push_back(i);
  WEFT_ASSERT(!tied.empty());
  return tied.size() == 1 ? tied.front() : *std::ranges::min_element(tied, {}, estimate_s);
}

}  // namespace weft::evaluate
