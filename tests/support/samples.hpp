// How much of what could be tried a test tries: all of it, or the share that the variable
// WEFT_TEST_SAMPLES says, for tests that take more than seconds under a sanitizer. Scripts read the
// same variable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <numeric>
#include <utility>
#include <vector>

namespace weft::test {

/// In (0, 1]; 1 where nobody says.
inline double share_of_samples() {
  const char* const share = std::getenv("WEFT_TEST_SAMPLES");
  return share == nullptr ? 1 : std::clamp(std::atof(share), 1e-6, 1.0);
}

/// That share of a number of random instances, 1 or more.
inline int samples(int all) {
  return std::max(1, static_cast<int>(share_of_samples() * all));
}

/// That share of the items, evenly spread; the last of them at least.
template <class T>
std::vector<T> samples(const std::vector<T>& all) {
  const auto count = static_cast<std::size_t>(samples(static_cast<int>(all.size())));
  std::vector<T> some;
  for (std::size_t i = 1; i <= std::min(count, all.size()); ++i)
    some.push_back(all[i * all.size() / count - 1]);
  return some;
}

template <class T>
std::vector<T> samples(std::initializer_list<T> all) {
  return samples(std::vector<T>(all));
}

/// That share of the whole numbers from first to last.
inline std::vector<std::int32_t> samples_between(std::int32_t first, std::int32_t last) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(last - first + 1));
  std::iota(all.begin(), all.end(), first);
  return samples(all);
}

}  // namespace weft::test
