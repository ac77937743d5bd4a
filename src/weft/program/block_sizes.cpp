#include "weft/program/block_sizes.hpp"

#include <algorithm>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::program {

using schedule::Collective;
using schedule::CollectiveKind;

bool takes_block_sizes(CollectiveKind kind) {
  return schedule::traits_of(kind).has_blocks_of_all();
}

BlockSizes::BlockSizes(const std::vector<std::int64_t>& sizes) : starts_{0} {
  for (const std::int64_t size : sizes) {
    require(size >= 0, "a block of {} bytes is negative", size);
    starts_.push_back(checked_add(starts_.back(), size));
  }
  require(total() > 0, "all blocks are empty; give at least one block a size");
}

std::int64_t BlockSizes::largest() const {
  std::int64_t largest = 0;
  for (std::int64_t block = 0; block < count(); ++block) largest = std::max(largest, size(block));
  return largest;
}

double BlockSizes::skew() const {
  return static_cast<double>(largest()) * static_cast<double>(count()) /
         static_cast<double>(total());
}

std::int64_t BlockSizes::natural_size_B(const Collective& collective) const {
  if (!collective.size_is_block()) return total();
  return std::max<std::int64_t>(1, total() / count() + (total() % count() * 2 >= count() ? 1 : 0));
}

std::shared_ptr<const BlockSizes> BlockSizes::at(const Collective& collective, std::int64_t size_B,
                                                 std::int64_t element_B) const {
  WEFT_ASSERT(element_B >= 1);
  require(takes_block_sizes(collective.kind) && count() == collective.blocks(),
          "{} blocks with sizes do not match {} among {} ranks", count(), name_of(collective.kind),
          collective.ranks);
  const bool is_natural = size_B == natural_size_B(collective);
  const std::int64_t elements = collective.total_bytes(size_B) / element_B;
  BlockSizes sizes;
  sizes.starts_.reserve(starts_.size());
  for (const std::int64_t start : starts_)
    sizes.starts_.push_back(is_natural ? start / element_B : mul_div(elements, start, total()));
  WEFT_ASSERT(sizes.count() == count());
  return std::make_shared<const BlockSizes>(std::move(sizes));
}

}  // namespace weft::program
