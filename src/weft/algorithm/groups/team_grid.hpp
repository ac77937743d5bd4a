// Ranks by (group, lane): which rank of a group serves a lane, and whose blocks the lane carries.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weft/algorithm/groups/levels.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {

/// Groups of L places each, the lanes. A rank of a small group serves several lanes; the first of
/// them is its home, and its own blocks go by that. A rank beyond the lanes serves none; its blocks
/// go by a lane that is its home, too, and such ranks get these lanes one by one. Members of a
/// group are its ranks in the order of their homes, then those beyond the lanes.
class TeamGrid {
 public:
  TeamGrid(const LaneGroups& lanes_and_others, Rank root)
      : groups_(lanes_and_others.groups),
        ranks_(ranks_in(all_of(lanes_and_others))),
        parts_(groups_.size()) {
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
      part.beyond.resize(lanes());
    }
    for (std::size_t q = 0; q < lanes_and_others.beyond.size(); ++q)
      for (std::size_t i = 0; i < lanes_and_others.beyond[q].size(); ++i)
        add_beyond(static_cast<std::int32_t>(q), lanes_and_others.beyond[q][i],
                   static_cast<std::int32_t>(i) % lanes(), root);
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
  /// The ranks of the group beyond the lanes that this lane is home to.
  const std::vector<Rank>& beyond(std::int32_t group, std::int32_t lane) const {
    return parts_[group].beyond[lane];
  }
  bool is_beyond(Rank rank) const { return std::ranges::find(beyond_, rank) != beyond_.end(); }
  bool has_beyond() const { return !beyond_.empty(); }
  std::int32_t root_group() const { return root_group_; }
  std::int32_t root_member() const { return root_member_; }

 private:
  struct Part {
    std::vector<Rank> members;
    std::vector<std::vector<std::int32_t>> lanes;  // of each member
    std::vector<bool> is_home;                     // by lane
    std::vector<std::vector<Rank>> beyond;         // by lane
  };

  // Groups of one size, of which some name a rank several times.
  static LocalGroups all_of(const LaneGroups& lanes) {
    LocalGroups all = lanes.groups;
    std::size_t most = 0;
    for (std::size_t q = 0; q < lanes.beyond.size(); ++q) {
      all.at(q).insert(all[q].end(), lanes.beyond[q].begin(), lanes.beyond[q].end());
      most = std::max(most, all[q].size());
    }
    for (auto& group : all)
      if (!group.empty() && group.size() < most) group.resize(most, group.front());
    return all;
  }

  void add_beyond(std::int32_t group, Rank rank, std::int32_t home, Rank root) {
    Part& part = parts_[group];
    if (rank == root) root_group_ = group, root_member_ = size(group);
    part.members.push_back(rank);
    part.lanes.emplace_back();
    part.beyond[home].push_back(rank);
    beyond_.push_back(rank);
  }

  const LocalGroups& groups_;
  std::int32_t ranks_, root_group_ = 0, root_member_ = 0;
  std::vector<Part> parts_;
  std::vector<Rank> beyond_;
};

}  // namespace weft::algorithm
