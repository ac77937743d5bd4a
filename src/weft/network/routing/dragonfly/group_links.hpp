// GroupLinks: the links from each group of switches to each other group.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/topology/topology.hpp"

namespace weft::network {

/// Of a network whose first groups * size nodes are its switches, group by group.
class GroupLinks {
 public:
  GroupLinks(const Topology& topology, std::int32_t groups, std::int32_t size);

  std::int32_t group(NodeId node) const { return node.value() / size_; }

  /// Links from a switch of one group to a switch of another, in link order unless reordered.
  std::span<const LinkId> between(std::int32_t from, std::int32_t to) const {
    return {links_.data() + first(from, to), size(from, to)};
  }
  std::span<LinkId> between(std::int32_t from, std::int32_t to) {
    return {links_.data() + first(from, to), size(from, to)};
  }

 private:
  std::size_t pair(std::int32_t from, std::int32_t to) const {
    WEFT_ASSERT(from >= 0 && from <= groups_ && to >= 0 && to < groups_);
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(groups_) +
           static_cast<std::size_t>(to);
  }

  std::size_t first(std::int32_t from, std::int32_t to) const {
    return static_cast<std::size_t>(first_[pair(from, to)]);
  }
  std::size_t size(std::int32_t from, std::int32_t to) const {
    return static_cast<std::size_t>(first_[pair(from, to) + 1]) - first(from, to);
  }

  std::int32_t groups_, size_;
  std::vector<std::int32_t> first_;  // by pair of groups
  std::vector<LinkId> links_;
};

}  // namespace weft::network
