// Whether tables are those of SSSP: one address after another takes the lightest of its shortest
// ways, and the links of its ways grow heavier by the hosts that use them.
//
// Which of several lightest ways an engine takes does not matter here. The order does: it is that
// of the switches with many hosts first, and of GUIDs among equals, which files do not keep. So
// several orders are tried: of the switches' numbers, of their first addresses, of the addresses.
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
      if (to_.group[address] != group) sort_switches(group = to_.group[address]);
      if (!is_lightest(address)) return false;
      add_weights(address);
    }
    return true;
  }

 private:
  // Nearest first.
  void sort_switches(std::int32_t group) {
    const auto distance = to_.distance(group);
    nodes_.clear();
    for (std::int32_t node = 0; node < net_.count; ++node)
      if (distance[node] != Destinations::kFar) nodes_.push_back(node);
    std::ranges::stable_sort(nodes_, {}, [&](std::int32_t node) { return distance[node]; });
  }

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
    for (const std::int32_t node : nodes_) flows_[node] = net_.ports_of_hosts[node];
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

std::vector<std::int32_t> routing_order(const SwitchNet& net, const Destinations& to) {
  std::vector<std::int64_t> members(to.leaves.size(), 0);
  std::vector<std::int32_t> order;
  IdVector<NodeId, std::int32_t> port(net.topology.node_count(), 0);  // the link that hands over
  for (std::int32_t address = 0; address < to.count(); ++address) {
    const std::int32_t group = to.group[address];
    if (group < 0) continue;
    order.push_back(address);
    ++members[group];
    const NodeId leaf = net.topology.switches()[to.leaves[group]];
    if (const auto link = net.topology.find_link(leaf, to.host[address]))
      port[to.host[address]] = link->value();
  }
  std::ranges::stable_sort(order, [&](std::int32_t a, std::int32_t b) {
    const std::int32_t of_a = to.group[a], of_b = to.group[b];
    if (of_a == of_b) return port[to.host[a]] < port[to.host[b]];
    if (members[of_a] != members[of_b]) return members[of_a] > members[of_b];
    return to.leaves[of_a] < to.leaves[of_b];
  });
  return order;
}

std::string why_not_sssp(const SwitchNet& net, const Destinations& to, const Columns& columns) {
  Replay replay(net, to, columns);
  const std::vector<std::int32_t> by_switch = routing_order(net, to);
  if (replay.follows(by_switch)) return {};
  std::vector<std::int32_t> by_address = by_switch;
  std::ranges::sort(by_address);
  if (replay.follows(by_address)) return {};
  std::vector<std::int32_t> lowest(to.leaves.size(), to.count());  // address, by group
  for (const std::int32_t address : by_address)
    lowest[to.group[address]] = std::min(lowest[to.group[address]], address);
  std::ranges::stable_sort(by_address, {}, [&](std::int32_t a) { return lowest[to.group[a]]; });
  if (replay.follows(by_address)) return {};
  return "in no order that was tried does each address take the lightest of its shortest ways";
}

}  // namespace weft::analysis
