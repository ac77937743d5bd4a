#include "weft/network/routing/dragonfly/group_links.hpp"

#include "weft/base/error.hpp"

namespace weft::network {

// By pair of groups, in link order: counts, sums, then places.
GroupLinks::GroupLinks(const Topology& topology, std::int32_t groups, std::int32_t size)
    : groups_(groups), size_(size), first_(pair(groups, 0) + 1, 0) {
  WEFT_ASSERT(groups >= 1 && size >= 1 && std::int64_t{groups} * size <= topology.node_count());
  const std::int32_t switches = groups * size;
  const auto each = [&](auto&& visit) {
    for (std::int32_t node = 0; node < switches; ++node)
      for (const LinkId link : topology.out_links(NodeId(node))) {
        const NodeId head = topology.head(link);
        if (head.value() < switches && group(NodeId(node)) != group(head))
          visit(link, pair(group(NodeId(node)), group(head)));
      }
  };
  each([&](LinkId, std::size_t at) { ++first_[at + 1]; });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  links_.resize(first_.back());
  std::vector<std::int32_t> fill(first_.begin(), first_.end() - 1);
  each([&](LinkId link, std::size_t at) { links_[fill[at]++] = link; });
  WEFT_ASSERT(
      std::equal(fill.begin(), fill.end(), first_.begin() + 1));  // every pair has all its links
}

}  // namespace weft::network
