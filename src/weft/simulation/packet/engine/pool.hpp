// Pool: things of one type with 32-bit names, which are used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/network/wiring.hpp"

namespace weft::simulation {
using network::kNone;
using network::Wiring;
}  // namespace weft::simulation

namespace weft::simulation::packet {

using network::place;

/// The name freed last is given out first, while its memory is still in the cache, and the one to
/// come after it is fetched. References are invalid after take().
template <class T>
class Pool {
 public:
  T& operator[](std::int32_t index) { return items_[place(index)]; }
  const T& operator[](std::int32_t index) const { return items_[place(index)]; }

  std::int32_t take() {
    if (free_.empty()) {
      items_.emplace_back();
      return static_cast<std::int32_t>(items_.size() - 1);
    }
    const std::int32_t index = free_.back();
    free_.pop_back();
    if (!free_.empty()) __builtin_prefetch(&items_[place(free_.back())], 1);
    return index;
  }
  void give_back(std::int32_t index) {
    WEFT_ASSERT(index >= 0 && place(index) < items_.size() && in_use() > 0);
    free_.push_back(index);
  }

  std::int64_t in_use() const {
    return static_cast<std::int64_t>(items_.size()) - static_cast<std::int64_t>(free_.size());
  }
  /// The most that were in use at once.
  std::int64_t peak() const { return static_cast<std::int64_t>(items_.size()); }
  std::int64_t memory_B() const {
    return static_cast<std::int64_t>(items_.capacity() * sizeof(T) +
                                     free_.capacity() * sizeof(std::int32_t));
  }

 private:
  std::vector<T> items_;
  std::vector<std::int32_t> free_;
};

}  // namespace weft::simulation::packet
