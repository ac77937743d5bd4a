// LivingTree: what is left of an extended generalised fat tree after failures.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/topology/topology.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

// Nodes are named as in the whole tree: node i of level l is i = low + W_l * high (up_down.hpp).
// Above a host x the nodes of level l are those with high = x / M_l, so that `low`, in [0, W_l),
// names one of them; its children on the side of x are one, low mod W_(l-1), and its parents
// low + W_l * digit. So the nodes above a host form a tree with the host as its root.
class LivingTree {
 public:
  LivingTree(const Topology& topology, const topology::DamagedXgft& damaged);

  std::size_t height() const { return tree_.children.size(); }
  std::int32_t parents(std::size_t level) const { return tree_.parents[level]; }
  std::int64_t hosts_below(std::size_t level) const { return hosts_below_[level]; }
  std::int64_t copies(std::size_t level) const { return copies_[level]; }

  /// The host's number in the whole tree; nothing for a switch.
  std::optional<std::int64_t> host(NodeId node) const;

  /// Whether host x has a cable left.
  bool is_joined(std::int64_t x) const;

  /// From the node `low` of this level above host x up to its parent `digit`, and down to it from
  /// there; nothing where the link or one of its ends failed.
  std::optional<LinkId> up(std::int64_t x, std::size_t level, std::int64_t low,
                           std::int64_t digit) const {
    return alive(up_[cable(x, level, low, digit)]);
  }
  std::optional<LinkId> down(std::int64_t x, std::size_t level, std::int64_t low,
                             std::int64_t digit) const {
    return alive(down_[cable(x, level, low, digit)]);
  }

 private:
  static constexpr std::int32_t kFailed = -1;
  static std::optional<LinkId> alive(std::int32_t link) {
    return link == kFailed ? std::nullopt : std::optional(LinkId(link));
  }
  // The whole tree's cables, by level, lower node and digit.
  std::size_t cable(std::int64_t x, std::size_t level, std::int64_t low, std::int64_t digit) const {
    WEFT_ASSERT(level < height() && digit >= 0 && digit < tree_.parents[level]);
    const std::int64_t node = low + copies_[level] * (x / hosts_below_[level]);
    return static_cast<std::size_t>(first_cable_[level] + node * tree_.parents[level] + digit);
  }

  topology::XgftView tree_;
  std::vector<std::int64_t> hosts_below_, copies_, first_cable_;  // by level
  std::vector<std::int32_t> host_;                                // by node; kFailed for switches
  std::vector<std::int32_t> up_, down_;                           // by cable
};

}  // namespace weft::network
