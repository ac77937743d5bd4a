// ContributorSets: sets of ranks whose contributions a value holds, shared and numbered.
//
// A partial result is known by the set of ranks that are in it. A schedule makes few distinct sets,
// most of them one or two intervals of ranks, so sets are stored once, as sorted intervals, and
// unions are remembered.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::schedule {

using SetId = std::int32_t;

/// Sets of ranks, each stored once and known by a number.
class ContributorSets {
 public:
  /// The sets {0}, ..., {ranks - 1} get the ids 1, ..., ranks; 0 is the empty set ("holds
  /// nothing").
  explicit ContributorSets(std::int32_t ranks);

  SetId single(std::int32_t rank) const { return rank + 1; }
  /// Whether all ranks are in it.
  bool is_complete(SetId set) const { return has_exactly(set, {0, ranks_}); }
  /// Whether these ranks are in it and no others.
  bool has_exactly(SetId set, RankInterval ranks) const;
  /// The first of these ranks that is not in it; nothing if all are.
  std::optional<std::int32_t> missing(SetId set, RankInterval ranks) const;
  /// The union, or nothing when a rank is in both. Expected O(intervals), O(1) when asked before.
  std::optional<SetId> disjoint_union(SetId a, SetId b);

  using Interval = RankInterval;
  /// The set's runs of neighbouring ranks, ascending.
  std::span<const Interval> intervals(SetId set) const {
    WEFT_ASSERT(set >= 0 && static_cast<std::size_t>(set) + 1 < first_.size());
    const auto i = static_cast<std::size_t>(set);
    return std::span(intervals_).subspan(first_[i], first_[i + 1] - first_[i]);
  }
  /// The least rank that is in both; precondition: there is one.
  std::int32_t common_rank(SetId a, SetId b) const;

 private:
  SetId intern(std::span<const Interval> set);
  void grow_sets();
  void grow_unions();

  std::int32_t ranks_;
  std::vector<std::size_t> first_;
  std::vector<Interval> intervals_;
  std::vector<Interval> merged_;  // scratch

  // Open addressing, linear probing; 0 is free since the empty set is never looked up.
  std::vector<SetId> set_table_;
  struct Union {
    std::uint64_t key = 0;
    SetId set = 0;  // -1: not disjoint
  };
  std::vector<Union> union_table_;
  std::size_t set_count_ = 0, union_count_ = 0;
};

}  // namespace weft::schedule
