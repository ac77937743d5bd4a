#include "weft/network/dragonfly_map.hpp"

#include <algorithm>
#include <span>

#include "weft/base/error.hpp"

namespace weft::network {

DragonflyMap::DragonflyMap(const Topology& topology, const topology::DragonflyView& view)
    : groups_(view.g), routers_(view.a) {
  WEFT_ASSERT(groups_ >= 1 && routers_ >= 1);
  const std::int32_t all = groups_ * routers_;
  WEFT_ASSERT(all <= topology.node_count());
  for (std::int32_t r = 0; r < all; ++r)
    routers_at_.push_back({r / routers_, r % routers_, topology.out_links(NodeId(r))[0].value()});
  locals_.assign(std::size_t{1} * all * routers_, 0);
  std::vector<std::vector<Global>> by_pair(std::size_t{1} * groups_ * groups_);
  for (const LinkId link : topology.links()) {
    const std::int32_t tail = topology.tail(link).value(), head = topology.head(link).value();
    if (tail >= all || head >= all) continue;
    if (group(tail) == group(head))
      locals_[std::int64_t{tail} * routers_ + head % routers_] =
          static_cast<std::uint16_t>(link.value() - routers_at_[tail].first_link);
    else
      by_pair[group(tail) * groups_ + group(head)].push_back({link.value(), tail, head});
  }
  one_each_ = std::ranges::all_of(by_pair, [](const auto& links) { return links.size() <= 1; });
  first_global_.push_back(0);
  for (const auto& links : by_pair) {
    globals_.insert(globals_.end(), links.begin(), links.end());
    if (one_each_ && links.empty()) globals_.push_back({});  // of a group and itself
    first_global_.push_back(static_cast<std::int32_t>(globals_.size()));
  }
  WEFT_ASSERT(first_global_.size() == by_pair.size() + 1);
  globals_.push_back({});  // so that a span may end at the last
}

DragonflyMap::Global DragonflyMap::best_of(std::int32_t pair, std::int32_t router,
                                           std::int32_t target, std::int32_t key) const {
  const std::span links(&globals_[first_global_[pair]], &globals_[first_global_[pair + 1]]);
  WEFT_ASSERT(!links.empty());  // groups that differ have a link
  const auto cost = [&](const Global& link) {
    return (link.gateway != router ? 1 : 0) + (target != kAnyRouter && link.head != target ? 1 : 0);
  };
  int least = 3, count = 0;
  for (const Global& link : links) {
    if (cost(link) < least) least = cost(link), count = 0;
    count += cost(link) == least ? 1 : 0;
  }
  int skip = key % count;
  for (const Global& link : links)
    if (cost(link) == least && skip-- == 0) return link;
  return links[0];
}

}  // namespace weft::network
