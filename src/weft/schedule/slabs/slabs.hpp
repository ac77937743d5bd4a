// Slabs: the followed line cut into equal parts that can be checked one by one, and each part's
// movements in order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orbit_line.hpp"

#include "weft/base/error.hpp"

namespace weft::schedule {

/// Units [first, end), relative to the slab, move from one agent to another in the step of
/// `message`.
struct Movement {
  Agent from, to;
  std::uint32_t first, end;
  std::int32_t message;
};

/// All movements, bucketed by slab, in message order within each.
class Slabs {
 public:
  /// As many slabs as keep pieces mostly whole: cutting at most doubles the movements.
  /// O(movements).
  explicit Slabs(const Schedule& schedule, const OrbitLine& line);

  std::int64_t count() const { return static_cast<std::int64_t>(first_.size()) - 1; }
  std::span<const Movement> movements(std::int64_t slab) const {
    WEFT_ASSERT(slab >= 0 && slab < count());
    const auto i = static_cast<std::size_t>(slab);
    return std::span(movements_)
        .subspan(static_cast<std::size_t>(first_[i]),
                 static_cast<std::size_t>(first_[i + 1] - first_[i]));
  }
  /// The slab's units on the followed line: [start(slab), start(slab) + length(slab)).
  std::int64_t start(std::int64_t slab) const { return slab * width_; }
  std::uint32_t length(std::int64_t slab) const {
    return static_cast<std::uint32_t>(std::min(width_, length_ - start(slab)));
  }

 private:
  std::int64_t length_, width_ = 0;
  std::vector<std::int64_t> first_;
  std::vector<Movement> movements_;
};

}  // namespace weft::schedule
