#include "weft/analysis/forwarding/lightest_paths.hpp"

#include <algorithm>

#include "weft/analysis/forwarding/engine_fits.hpp"
#include "weft/base/error.hpp"

namespace weft::analysis {

LightestPaths::LightestPaths(const SwitchNet& net, const Destinations& to)
    : net_(net),
      to_(to),
      weights_(net.head.size(), 0),
      lightest_(static_cast<std::size_t>(net.count)),
      taken_(lightest_.size()),
      ports_(lightest_.size()),
      ports_at_(lightest_.size(), 1) {
  for (const std::int32_t group : to.group)
    if (group >= 0) ++ports_at_[to.leaves[group]];
}

void LightestPaths::begin(std::int32_t group) {
  WEFT_ASSERT(group >= 0 && group < to_.groups());
  if (group == group_) return;
  group_ = group;
  const auto distance = to_.distance(group);
  nodes_.clear();
  for (std::int32_t node = 0; node < net_.count; ++node)
    if (distance[node] != Destinations::kFar) nodes_.push_back(node);
  std::ranges::stable_sort(nodes_, {}, [&](std::int32_t node) { return distance[node]; });
}

void LightestPaths::fill(std::span<std::int32_t> column) {
  WEFT_ASSERT(std::ssize(column) == net_.count && group_ >= 0);
  for (const std::int32_t node : nodes_) {
    lightest_[node] = 0;
    for_nearer(net_, to_.distance(group_), node, [&](std::int32_t channel) {
      const std::int64_t weight = weights_[channel] + lightest_[net_.head[channel]];
      if (column[node] >= 0 && weight >= lightest_[node]) return;
      lightest_[node] = weight;
      column[node] = channel;
    });
  }
}

bool LightestPaths::is_lightest(std::span<const std::int32_t> column) {
  WEFT_ASSERT(std::ssize(column) == net_.count && group_ >= 0);
  const auto distance = to_.distance(group_);
  for (const std::int32_t node : nodes_) {
    lightest_[node] = taken_[node] = 0;
    if (distance[node] == 0) continue;
    if (column[node] < 0) return false;
    std::int64_t least = -1;
    for_nearer(net_, distance, node, [&](std::int32_t channel) {
      const std::int64_t weight = weights_[channel] + lightest_[net_.head[channel]];
      if (least < 0 || weight < least) least = weight;
    });
    lightest_[node] = least;
    taken_[node] = weights_[column[node]] + taken_[net_.head[column[node]]];
    if (taken_[node] != least) return false;
  }
  return true;
}

void LightestPaths::add(std::span<const std::int32_t> column) {
  WEFT_ASSERT(std::ssize(column) == net_.count);
  for (const std::int32_t node : nodes_) ports_[node] = ports_at_[node];
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
    if (column[*node] < 0) continue;
    weights_[column[*node]] += ports_[*node];
    ports_[net_.head[column[*node]]] += ports_[*node];
  }
}

}  // namespace weft::analysis
