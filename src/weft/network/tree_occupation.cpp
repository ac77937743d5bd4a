#include "weft/network/tree_occupation.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::network {

namespace {

LevelOccupation level_occupation(std::span<const Flow> step, std::int64_t below,
                                 std::int64_t subtrees, std::int64_t capacity) {
  WEFT_ASSERT(below >= 1 && subtrees >= 1 && capacity >= 1);
  std::vector<std::int64_t> out(subtrees, 0), in = out;
  LevelOccupation level{.capacity = capacity};
  for (const Flow& flow : step) {
    const std::int64_t from = flow.from.value() / below, to = flow.to.value() / below;
    if (from == to) continue;
    ++level.crossing;
    ++out[from];
    ++in[to];
  }
  level.up = std::ranges::max(out);
  level.down = std::ranges::max(in);
  level.contention = (std::max(level.up, level.down) + capacity - 1) / capacity;
  return level;
}

}  // namespace

std::vector<LevelOccupation> tree_occupation(const topology::XgftView& tree,
                                             std::span<const Flow> step) {
  const std::int64_t hosts = tree.first_of_level[1];
  for (const Flow& flow : step)
    require(flow.from.value() < hosts && flow.to.value() < hosts,
            "node {} is not a host of the tree (hosts are 0 to {})",
            std::max(flow.from.value(), flow.to.value()), hosts - 1);
  std::vector<LevelOccupation> levels;
  std::int64_t below = 1, capacity = 1;
  for (std::size_t l = 0; l < tree.children.size(); ++l) {
    capacity *= tree.parents[l];
    levels.push_back(level_occupation(step, below, hosts / below, capacity));
    below *= tree.children[l];
  }
  WEFT_ASSERT(levels.size() == tree.children.size());
  return levels;
}

std::int64_t least_contention(std::span<const LevelOccupation> levels) {
  std::int64_t most = 0;
  for (const LevelOccupation& level : levels) most = std::max(most, level.contention);
  return most;
}

}  // namespace weft::network
