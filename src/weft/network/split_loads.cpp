#include "weft/network/split_loads.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/id_vector.hpp"

namespace weft::network {

const IdVector<LinkId, double>& SplitLoads::of(std::span<const WeightedFlow> flows) {
  const Topology& topology = passing_.topology();
  loads_.assign(topology.link_count(), 0);
  waiting_.assign(topology.node_count(), 0);
  std::vector<WeightedFlow> sorted(flows.begin(), flows.end());
  std::ranges::stable_sort(sorted, {}, [](const WeightedFlow& each) { return each.flow.to; });
  for (std::size_t i = 0; i < sorted.size();) {
    const NodeId target = sorted[i].flow.to;
    for (; i < sorted.size() && sorted[i].flow.to == target; ++i)
      waiting_[sorted[i].flow.from] += sorted[i].amount;
    pour(RelayDistances(passing_, target));
  }
  return loads_;
}

void SplitLoads::pour(const RelayDistances& distances) {
  const Topology& topology = passing_.topology();
  const auto reached = distances.reached();
  for (auto at = reached.rbegin(); at != reached.rend(); ++at) {
    const NodeId node = *at;
    const double amount = std::exchange(waiting_[node], 0);
    if (amount == 0 || node == reached.front()) continue;  // the target
    const auto links = topology.out_links(node);
    std::int64_t ways = 0;
    for (const LinkId link : links) ways += distances.leads_on(link) ? 1 : 0;
    for (const LinkId link : links) {
      if (!distances.leads_on(link)) continue;
      const double part = amount / static_cast<double>(ways);
      loads_[link] += part;
      waiting_[topology.head(link)] += part;
    }
  }
  std::ranges::fill(waiting_, 0);  // of nodes that reach the target by no path
}

}  // namespace weft::network
