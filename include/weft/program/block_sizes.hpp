// BlockSizes: how many bytes each block of a collective has, where blocks differ.
//
// A schedule of an all-to-all, an allgather or a reduce-scatter moves units of blocks and is right
// for blocks of any sizes. So unequal blocks change nothing of a schedule or its proof; they say
// how many bytes a unit has once it is lowered (lowered.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::program {

/// Whether blocks of this collective may have sizes of their own: all-to-all, allgather and
/// reduce-scatter.
bool takes_block_sizes(schedule::CollectiveKind kind);

/// Sizes in the order of blocks (collective.hpp): by rank, or by source and destination.
class BlockSizes {
 public:
  /// In bytes, or in any unit where only proportions count. Throws InvalidInput where one is
  /// negative, all are zero, or their sum does not fit in 64 bits.
  explicit BlockSizes(const std::vector<std::int64_t>& sizes);

  std::int64_t count() const { return static_cast<std::int64_t>(starts_.size()) - 1; }
  std::int64_t size(std::int64_t block) const {
    WEFT_ASSERT(block >= 0 && block < count());
    return start(block + 1) - start(block);
  }
  /// Of all blocks before this one, in [0, count()].
  std::int64_t start(std::int64_t block) const { return starts_[static_cast<std::size_t>(block)]; }
  std::int64_t total() const { return starts_.back(); }
  std::int64_t largest() const;
  /// The largest block by the mean of all.
  double skew() const;

  /// The --size at which blocks have these sizes: their mean, rounded to a byte and at least 1, or
  /// their sum where --size is the whole buffer.
  std::int64_t natural_size_B(const schedule::Collective& collective) const;
  /// Sizes, in elements, of a call of --size: these at the natural size, and at all others the
  /// total in proportion to these, each boundary rounded down.
  std::shared_ptr<const BlockSizes> at(const schedule::Collective& collective, std::int64_t size_B,
                                       std::int64_t element_B = 1) const;

  friend bool operator==(const BlockSizes&, const BlockSizes&) = default;

 private:
  BlockSizes() = default;
  std::vector<std::int64_t> starts_;  // one more at the end
};

}  // namespace weft::program

namespace weft {
using program::BlockSizes;
}  // namespace weft
