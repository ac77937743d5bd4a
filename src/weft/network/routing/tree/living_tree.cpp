#include "weft/network/routing/tree/living_tree.hpp"

#include "weft/base/error.hpp"

namespace weft::network {

LivingTree::LivingTree(const Topology& topology, const topology::DamagedXgft& damaged)
    : tree_(damaged.tree), host_(topology.node_count(), kFailed) {
  std::int64_t below = 1, copies = 1, cables = 0;
  for (std::size_t level = 0; level <= height(); ++level) {
    hosts_below_.push_back(below);
    copies_.push_back(copies);
    first_cable_.push_back(cables);
    if (level == height()) break;
    const std::int64_t nodes = tree_.first_of_level[level + 1] - tree_.first_of_level[level];
    cables += nodes * tree_.parents[level];
    below *= tree_.children[level];
    copies *= tree_.parents[level];
  }
  for (std::int64_t x = 0; x < tree_.first_of_level[1]; ++x)
    if (const std::int32_t now = damaged.now[x]; now >= 0)
      host_[now] = static_cast<std::int32_t>(x);
  const auto find = [&](std::int32_t from, std::int32_t to) {
    if (from < 0 || to < 0) return kFailed;
    const auto link = topology.find_link(NodeId(from), NodeId(to));
    return link ? link->value() : kFailed;
  };
  for (std::size_t level = 0; level < height(); ++level) {
    const std::int64_t first = tree_.first_of_level[level], above = tree_.first_of_level[level + 1];
    for (std::int64_t child = 0; child < above - first; ++child) {
      const std::int64_t low = child % copies_[level];
      const std::int64_t high = child / copies_[level] / tree_.children[level];
      for (std::int64_t digit = 0; digit < tree_.parents[level]; ++digit) {
        const std::int64_t parent = low + copies_[level] * digit + copies_[level + 1] * high;
        const std::int32_t lower = damaged.now[first + child];
        const std::int32_t upper = damaged.now[above + parent];
        up_.push_back(find(lower, upper));
        down_.push_back(find(upper, lower));
      }
    }
  }
}

bool LivingTree::is_joined(std::int64_t x) const {
  WEFT_ASSERT(x >= 0 && x < hosts_below(height()));
  for (std::int64_t digit = 0; digit < parents(0); ++digit)
    if (up(x, 0, 0, digit)) return true;
  return false;
}

std::optional<std::int64_t> LivingTree::host(NodeId node) const {
  const std::int32_t x = host_[node.index()];
  return x == kFailed ? std::nullopt : std::optional<std::int64_t>(x);
}

}  // namespace weft::network
