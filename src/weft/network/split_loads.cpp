#include "weft/network/split_loads.hpp"

#include <algorithm>
#include <utility>

namespace weft::network {

const std::vector<double>& SplitLoads::of(std::span<const WeightedFlow> flows) {
  loads_.assign(static_cast<std::size_t>(topology_.link_count()), 0);
  waiting_.assign(static_cast<std::size_t>(topology_.node_count()), 0);
  std::vector<WeightedFlow> sorted(flows.begin(), flows.end());
  std::ranges::stable_sort(sorted, {}, [](const WeightedFlow& each) { return each.flow.to; });
  for (std::size_t i = 0; i < sorted.size();) {
    const NodeId target = sorted[i].flow.to;
    for (; i < sorted.size() && sorted[i].flow.to == target; ++i)
      waiting_[sorted[i].flow.from.index()] += sorted[i].amount;
    search(target);
    pour(target);
  }
  return loads_;
}

void SplitLoads::search(NodeId target) {
  distance_.assign(waiting_.size(), -1);
  reached_.assign(1, target);
  distance_[target.index()] = 0;
  for (std::size_t i = 0; i < reached_.size(); ++i) {
    const NodeId node = reached_[i];
    if (i > 0 && !passes_on(node)) continue;
    for (const LinkId link : topology_.in_links(node)) {
      const NodeId tail = topology_.tail(link);
      if (distance_[tail.index()] >= 0) continue;
      distance_[tail.index()] = distance_[node.index()] + 1;
      reached_.push_back(tail);
    }
  }
}

void SplitLoads::pour(NodeId target) {
  const auto leads_on = [&](NodeId node, LinkId link) {
    const NodeId head = topology_.head(link);
    return distance_[head.index()] == distance_[node.index()] - 1 &&
           (head == target || passes_on(head));
  };
  for (auto at = reached_.rbegin(); at != reached_.rend(); ++at) {
    const NodeId node = *at;
    const double amount = std::exchange(waiting_[node.index()], 0);
    if (amount == 0 || node == target) continue;
    const auto links = topology_.out_links(node);
    std::int64_t ways = 0;
    for (const LinkId link : links) ways += leads_on(node, link) ? 1 : 0;
    for (const LinkId link : links) {
      if (!leads_on(node, link)) continue;
      const double part = amount / static_cast<double>(ways);
      loads_[link.index()] += part;
      waiting_[topology_.head(link).index()] += part;
    }
  }
  std::ranges::fill(waiting_, 0);  // of nodes that reach the target by no path
}

}  // namespace weft::network
