#include "weft/schedule/contributors.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::schedule {

namespace {

std::uint64_t scramble(std::uint64_t z) {
  z = (z ^ (z >> 32)) * 0x9e3779b97f4a7c15ull;
  return z ^ (z >> 29);
}

std::uint64_t hash_of(std::span<const ContributorSets::Interval> set) {
  std::uint64_t hash = set.size();
  for (const auto& interval : set)
    hash = scramble(hash ^ (static_cast<std::uint64_t>(interval.first) << 32 |
                            static_cast<std::uint64_t>(interval.end)));
  return hash;
}

// Merges two sorted lists of intervals into one without touching neighbours; false when they
// overlap.
bool unite(std::span<const ContributorSets::Interval> a,
           std::span<const ContributorSets::Interval> b,
           std::vector<ContributorSets::Interval>& out) {
  out.clear();
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const auto next = j == b.size() || (i < a.size() && a[i].first < b[j].first) ? a[i++] : b[j++];
    if (out.empty() || out.back().end < next.first) {
      out.push_back(next);
    } else if (out.back().end == next.first) {
      out.back().end = next.end;
    } else {
      return false;
    }
  }
  return true;
}

constexpr std::size_t kFirstTable = 64;

}  // namespace

ContributorSets::ContributorSets(std::int32_t ranks)
    : ranks_(ranks), first_{0, 0}, set_table_(kFirstTable), union_table_(kFirstTable) {
  WEFT_ASSERT(ranks >= 1);
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    const Interval single_rank{rank, rank + 1};
    const SetId id = intern(std::span(&single_rank, 1));
    WEFT_ASSERT(id == single(rank));
    static_cast<void>(id);
  }
}

bool ContributorSets::has_exactly(SetId set, RankInterval ranks) const {
  const auto all = intervals(set);
  return all.size() == 1 && all[0] == ranks;
}

std::optional<std::int32_t> ContributorSets::missing(SetId set, RankInterval ranks) const {
  for (const Interval& held : intervals(set))
    if (held.first <= ranks.first) ranks.first = std::max(ranks.first, held.end);
  return ranks.first < ranks.end ? std::optional(ranks.first) : std::nullopt;
}

std::int32_t ContributorSets::common_rank(SetId a, SetId b) const {
  for (const Interval& x : intervals(a))
    for (const Interval& y : intervals(b))
      if (std::max(x.first, y.first) < std::min(x.end, y.end)) return std::max(x.first, y.first);
  WEFT_ASSERT(false);
  return 0;
}

SetId ContributorSets::intern(std::span<const Interval> set) {
  if (2 * (set_count_ + 1) > set_table_.size()) grow_sets();
  const std::size_t mask = set_table_.size() - 1;
  std::size_t slot = hash_of(set) & mask;
  for (; set_table_[slot] != 0; slot = (slot + 1) & mask)
    if (std::ranges::equal(intervals(set_table_[slot]), set)) return set_table_[slot];
  intervals_.insert(intervals_.end(), set.begin(), set.end());
  first_.push_back(intervals_.size());
  ++set_count_;
  return set_table_[slot] = static_cast<SetId>(first_.size()) - 2;
}

void ContributorSets::grow_sets() {
  std::vector<SetId> old(set_table_.size() * 2);
  old.swap(set_table_);
  const std::size_t mask = set_table_.size() - 1;
  for (const SetId set : old) {
    if (set == 0) continue;
    std::size_t slot = hash_of(intervals(set)) & mask;
    while (set_table_[slot] != 0) slot = (slot + 1) & mask;
    set_table_[slot] = set;
  }
}

void ContributorSets::grow_unions() {
  std::vector<Union> old(union_table_.size() * 2);
  old.swap(union_table_);
  const std::size_t mask = union_table_.size() - 1;
  for (const Union& entry : old) {
    if (entry.key == 0) continue;
    std::size_t slot = scramble(entry.key) & mask;
    while (union_table_[slot].key != 0) slot = (slot + 1) & mask;
    union_table_[slot] = entry;
  }
}

std::optional<SetId> ContributorSets::disjoint_union(SetId a, SetId b) {
  if (a > b) std::swap(a, b);
  WEFT_ASSERT(a > 0);  // the empty set has no contribution to add, and no key in the table
  const std::uint64_t key = static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint64_t>(b);
  if (2 * (union_count_ + 1) > union_table_.size()) grow_unions();
  const std::size_t mask = union_table_.size() - 1;
  std::size_t slot = scramble(key) & mask;
  for (; union_table_[slot].key != 0; slot = (slot + 1) & mask)
    if (union_table_[slot].key == key)
      return union_table_[slot].set < 0 ? std::nullopt : std::optional(union_table_[slot].set);
  const bool disjoint = unite(intervals(a), intervals(b), merged_);
  const SetId set = disjoint ? intern(merged_) : -1;
  union_table_[slot] = {key, set};
  ++union_count_;
  return disjoint ? std::optional(set) : std::nullopt;
}

}  // namespace weft::schedule
