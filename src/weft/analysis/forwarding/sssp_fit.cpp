// Whether tables are those of SSSP: one address after another takes the lightest of its shortest
// ways, and the links of its ways grow heavier by the ports that use them: those of hosts, and one
// of each switch, by which it is managed.
//
// Which of several lightest ways an engine takes does not matter here. The order does: it is that
// of the switches with many hosts first, and of GUIDs among equals, in which fabrics are imported.
// Other tables are tried in the order of the switches' numbers and in that of addresses, too.
// Source: Hoefler, Schneider, Lumsdaine, "Optimized Routing for Large-Scale InfiniBand Networks",
// HOTI 2009.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "weft/analysis/forwarding/engine_fits.hpp"
#include "weft/topology/names.hpp"

namespace weft::analysis {

namespace {

class Replay {
 public:
  Replay(const SwitchNet& net, const Destinations& to, const Columns& columns)
      : net_(net),
        to_(to),
        columns_(columns),
        weights_(net.head.size(), 0),
        lightest_(static_cast<std::size_t>(net.count)),
        taken_(lightest_.size()),
        flows_(lightest_.size()) {}

  /// Whether each way is a lightest one when its turn comes.
  bool follows(const std::vector<std::int32_t>& order) {
    std::ranges::fill(weights_, 0);
    std::int32_t group = -1;
    for (const std::int32_t address : order) {
      if (to_.group[address] != group)
        nodes_ = nearest_first(net_, to_, group = to_.group[address]);
      if (!is_lightest(address)) return false;
      add_weights(address);
    }
    return true;
  }

 private:
  bool is_lightest(std::int32_t address) {
    const auto distance = to_.distance(to_.group[address]);
    const auto column = columns_.of(address);
    for (const std::int32_t node : nodes_) {
      lightest_[node] = taken_[node] = 0;
      if (distance[node] == 0) continue;
      std::int64_t least = -1;
      for_nearer(net_, distance, node, [&](std::int32_t channel) {
        const std::int64_t weight = weights_[channel] + lightest_[net_.head[channel]];
        if (least < 0 || weight < least) least = weight;
      });
      lightest_[node] = least;
      if (column[node] < 0) return false;
      taken_[node] = weights_[column[node]] + taken_[net_.head[column[node]]];
      if (taken_[node] != least) return false;
    }
    return true;
  }

  void add_weights(std::int32_t address) {
    const auto column = columns_.of(address);
    for (const std::int32_t node : nodes_) flows_[node] = net_.ports_of_hosts[node] + 1;
    for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
      if (column[*node] < 0) continue;
      weights_[column[*node]] += flows_[*node];
      flows_[net_.head[column[*node]]] += flows_[*node];
    }
  }

  const SwitchNet& net_;
  const Destinations& to_;
  const Columns& columns_;
  std::vector<std::int64_t> weights_;           // by channel
  std::vector<std::int64_t> lightest_, taken_;  // by switch: weight of its way
  std::vector<std::int64_t> flows_;             // by switch: hosts whose way leads there
  std::vector<std::int32_t> nodes_;             // those that reach the group
};

}  // namespace

std::vector<std::int32_t> nearest_first(const SwitchNet& net, const Destinations& to,
                                        std::int32_t group) {
  const auto distance = to.distance(group);
  std::vector<std::int32_t> nodes;
  for (std::int32_t node = 0; node < net.count; ++node)
    if (distance[node] != Destinations::kFar) nodes.push_back(node);
  std::ranges::stable_sort(nodes, {}, [&](std::int32_t node) { return distance[node]; });
  return nodes;
}

std::vector<std::int32_t> routing_order(const Destinations& to) {
  struct Group {
    std::int32_t members = 0, first = 0;
  };
  std::vector<Group> groups(to.leaves.size());
  std::vector<std::int32_t> order;
  for (std::int32_t address = 0; address < to.count(); ++address) {
    if (to.group[address] < 0) continue;
    Group& group = groups[to.group[address]];
    if (group.members++ == 0) group.first = address;
    order.push_back(address);
  }
  std::ranges::stable_sort(order, [&](std::int32_t a, std::int32_t b) {
    const Group &of_a = groups[to.group[a]], &of_b = groups[to.group[b]];
    if (of_a.members != of_b.members) return of_a.members > of_b.members;
    return of_a.first < of_b.first;
  });
  return order;
}

std::string why_not_sssp(const SwitchNet& net, const Destinations& to, const Columns& columns) {
  Replay replay(net, to, columns);
  std::vector<std::int32_t> order = routing_order(to);
  if (replay.follows(order)) return {};
  std::ranges::stable_sort(order, {},
                           [&](std::int32_t address) { return to.leaves[to.group[address]]; });
  if (replay.follows(order)) return {};
  std::ranges::sort(order);
  if (replay.follows(order)) return {};
  return "in no order that was tried does each address take the lightest of its shortest ways";
}

}  // namespace weft::analysis
