// Ranks by (group, lane): which rank of a group serves a lane, and whose blocks the lane carries.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weft/algorithm/local_groups.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {

/// Groups of L places each, the lanes. A rank of a small group serves several lanes; the first of
/// them is its home, and its own blocks go by that. Members of a group are its ranks in the order
/// of their homes.
class TeamGrid {
 public:
  TeamGrid(const LocalGroups& groups, Rank root)
      : groups_(groups), ranks_(ranks_in(groups)), parts_(groups.size()) {
    require(root.value() >= 0 && root.value() < ranks_, "root {} is not a rank of {}", root.value(),
            ranks_);
    for (std::int32_t q = 0; q < G(); ++q) {
      Part& part = parts_[q];
      for (std::int32_t lane = 0; lane < lanes(); ++lane) {
        const Rank rank = groups_[q][lane];
        const auto found = std::ranges::find(part.members, rank);
        const auto member = static_cast<std::size_t>(found - part.members.begin());
        part.is_home.push_back(found == part.members.end());
        if (part.is_home.back()) part.members.push_back(rank), part.lanes.emplace_back();
        part.lanes[member].push_back(lane);
        if (rank == root) root_group_ = q, root_member_ = static_cast<std::int32_t>(member);
      }
    }
  }

  std::int32_t G() const { return static_cast<std::int32_t>(groups_.size()); }
  std::int32_t lanes() const { return static_cast<std::int32_t>(groups_.front().size()); }
  std::int32_t ranks() const { return ranks_; }
  std::int32_t size(std::int32_t group) const {
    return static_cast<std::int32_t>(parts_[group].members.size());
  }
  const std::vector<Rank>& members(std::int32_t group) const { return parts_[group].members; }
  Rank at(std::int32_t group, std::int32_t lane) const { return groups_[group][lane]; }
  bool is_home(std::int32_t group, std::int32_t lane) const { return parts_[group].is_home[lane]; }
  const std::vector<std::int32_t>& lanes_of(std::int32_t group, std::int64_t member) const {
    return parts_[group].lanes[member];
  }
  std::int32_t root_group() const { return root_group_; }
  std::int32_t root_member() const { return root_member_; }

 private:
  struct Part {
    std::vector<Rank> members;
    std::vector<std::vector<std::int32_t>> lanes;  // of each member
    std::vector<bool> is_home;                     // by lane
  };
  const LocalGroups& groups_;
  std::int32_t ranks_, root_group_ = 0, root_member_ = 0;
  std::vector<Part> parts_;
};

}  // namespace weft::algorithm
