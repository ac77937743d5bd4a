// Seeded random streams that give the same numbers on every machine and for any number of threads.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace weft {

/// A stream of random numbers (SplitMix64, Steele, Lea and Flood, OOPSLA 2014). `split(i)` gives an
/// independent stream for item i, so that parallel work does not depend on the order of execution.
class Rng {
 public:
  /// Equal seeds give equal streams, on every machine.
  explicit constexpr Rng(std::uint64_t seed) : state_(seed) {}

  /// The next 64 random bits.
  constexpr std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ull;
    return mix(state_);
  }

  /// A uniform integer in [0, bound); bound > 0. Unbiased (rejection).
  std::int64_t below(std::int64_t bound);

  /// A uniform double in [0, 1).
  double uniform();

  /// An independent stream for an item; this one stays where it is.
  constexpr Rng split(std::uint64_t item) const {
    return Rng(mix(state_ ^ mix(item + 0x632be59bd9b4e019ull)));
  }

  /// Every order is equally likely (Fisher and Yates).
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[below(static_cast<std::int64_t>(i))]);
  }

 private:
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace weft
