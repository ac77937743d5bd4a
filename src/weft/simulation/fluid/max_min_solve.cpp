// The replay of progressive filling; the essay is in max_min.hpp.
#include <algorithm>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/simulation/fluid/max_min.hpp"

namespace weft::simulation {

namespace {

// Levels closer than this, relatively, are one level. Sums over a link's flows carry errors of some
// 1e-16 times the number of flows, which the division by a small rest of the capacity magnifies;
// without the tolerance each such error would travel on as a change.
constexpr double kSameLevel = 1e-10;

bool above(double a, double b) {
  return a > b * (1 + kSameLevel);
}

/// Among links of one level those that open come first: a link that closes must know all its flows.
double opening_key(double level) {
  return level * (1 - 4 * kSameLevel);
}

}  // namespace

void MaxMin::solve() {
  ++solve_;
  changed_.clear();
  moved_.clear();
  reconsider_touched();
  constexpr std::int64_t kBetweenChecks = 1 << 16;
  std::int64_t next_check = work_ + kBetweenChecks;
  while (!heap_.empty()) {
    if (work_ > next_check) {
      TimeLimit::check();
      if (work_ > most_work_) throw OutOfWork();
      next_check = work_ + kBetweenChecks;
    }
    const IndexedHeap::Item first = heap_.pop();
    process(first.id, first.key);
    reconsider_touched();
  }
  WEFT_ASSERT(heap_.empty() && touched_.empty());
  forget_vain_changes();
}

/// Decides about the link that may be the first to change.
void MaxMin::process(std::int32_t l, double key) {
  const double level = level_of(l);
  if (link_at(l).closed_in == solve_) return;
  if (link_at(l).open_count == 0 && has_room(l)) return drop(l);
  double fills_at = naive_level(l);
  const bool later = level != kNoLevel && above(fills_at, level);
  if (!later && (link_at(l).open_count == 0 || fills_at < link_at(l).highest_cap))
    fills_at = scan_level(l, fills_at);
  if (level == kNoLevel && fills_at == kNoLevel) return;
  const bool opens = level != kNoLevel && above(fills_at, level);
  const double shows_at = opens ? opening_key(level) : fills_at;
  if (!heap_.empty() && shows_at > heap_.top().key && shows_at > key)
    return heap_.lower(l, shows_at);
  if (opens) return open_group(l);
  close(l, above(level, fills_at) ? fills_at : level);
}

/// The flows of the group are open again: the link fills up later than it did.
void MaxMin::open_group(std::int32_t l) {
  const double level = level_of(l);
  note_change(l);
  work_ += std::ssize(incidences_[l]);
  for (const Incidence& incidence : incidences_[l]) {
    std::int32_t& bottleneck = bottlenecks_[index(incidence.flow)];
    if (bottleneck != l) continue;
    note_move(incidence.flow, l);
    bottleneck = kOpen;
    work_ += flows_[index(incidence.flow)].length;
    for (const PathEntry& entry : path(flows_[index(incidence.flow)])) {
      if (entry.link == l) continue;
      Link& other = link_at(entry.link);
      change_capped(other, -entry.take * level);
      other.open_weight += entry.take;
      ++other.open_count;
      if (other.closed_in == solve_) reopen(other);
      touch(entry.link);
    }
  }
  level_of(l) = kNoLevel;
  touch(l);
}

/// A link that closed at the level of this group, up to the tolerance, may close again; once, so
/// that rounding cannot keep a solve going.
void MaxMin::reopen(Link& link) {
  if (std::exchange(link.reopened_in, solve_) != solve_) link.closed_in = -1;
}

/// The link is full at `level`: it becomes the bottleneck of all its flows that are not held below.
void MaxMin::close(std::int32_t l, double level) {
  const double old = level_of(l);
  if (level != old) note_change(l);
  work_ += std::ssize(incidences_[l]);
  for (const Incidence& incidence : incidences_[l]) {
    const std::int32_t bottleneck = bottlenecks_[index(incidence.flow)];
    if (bottleneck == l) {
      if (level != old) lower_elsewhere(incidence.flow, l, old, level);
    } else if (above(level_of(bottleneck), level)) {
      take_over(incidence.flow, l, level);
    }
  }
  level_of(l) = level;
  link_at(l).highest_cap = std::min(link_at(l).highest_cap, level * (1 + kSameLevel));
  link_at(l).closed_in = solve_;
}

/// Tells the other links of a flow of the group that its level is another.
void MaxMin::lower_elsewhere(FlowIndex flow, std::int32_t l, double old_level, double level) {
  work_ += flows_[index(flow)].length;
  for (const PathEntry& entry : path(flows_[index(flow)])) {
    if (entry.link == l) continue;
    Link& other = link_at(entry.link);
    change_capped(other, entry.take * (level - old_level));
    other.highest_cap = std::max(other.highest_cap, level);
    if (level_of(entry.link) != kNoLevel) touch(entry.link);
  }
}

void MaxMin::take_over(FlowIndex flow, std::int32_t l, double level) {
  const std::int32_t from = std::exchange(bottlenecks_[index(flow)], l);
  const double old = level_of(from);
  note_move(flow, from);
  work_ += flows_[index(flow)].length;
  for (const PathEntry& entry : path(flows_[index(flow)])) {
    Link& link = link_at(entry.link);
    if (entry.link == l) {
      if (from == kOpen) continue;
      change_capped(link, -entry.take * old);
      link.open_weight += entry.take;
      ++link.open_count;
      continue;
    }
    link.highest_cap = std::max(link.highest_cap, level);
    if (from == kOpen || from == entry.link) {
      link.open_weight = --link.open_count == 0 ? 0 : link.open_weight - entry.take;
      change_capped(link, entry.take * level);
    } else {
      change_capped(link, entry.take * (level - old));
    }
    if (level_of(entry.link) != kNoLevel)
      touch(entry.link);
    else if (link.open_count == 0 && link.capped <= link.capacity)
      heap_.erase(entry.link);  // as it would be dropped on its way out; this is cheaper
  }
}

/// The link holds nobody back.
void MaxMin::drop(std::int32_t l) {
  if (level_of(l) == kNoLevel) return;
  note_change(l);
  level_of(l) = kNoLevel;
}

void MaxMin::touch(std::int32_t l) {
  Link& link = link_at(l);
  if (std::exchange(link.touched, true)) return;
  touched_.push_back(l);
}

void MaxMin::reconsider_touched() {
  for (const std::int32_t l : touched_) {
    link_at(l).touched = false;
    reconsider(l);
  }
  touched_.clear();
}

/// Puts the link into the heap at a level below which nothing changes there.
void MaxMin::reconsider(std::int32_t l) {
  const Link& link = link_at(l);
  if (link.closed_in == solve_) return;
  if (link.open_count == 0) return has_room(l) ? drop(l) : heap_.lower(l, 0);
  const double naive = naive_level(l);
  heap_.lower(l, std::min(naive, opening_key(level_of(l))));
}

bool MaxMin::has_room(std::int32_t l) {
  naive_level(l);  // refreshes the sum
  const Link& link = link_at(l);
  return link.capped <= link.capacity * (1 + kSameLevel);
}

/// The level at which the link fills up if no capped flow has to give way; a lower bound otherwise.
double MaxMin::naive_level(std::int32_t l) {
  Link& link = link_at(l);
  const auto flows = static_cast<std::int32_t>(incidences_[l].size());
  if (link.open_count == flows)
    link.capped = link.highest_cap = 0;
  else if (link.stale > 64 + 2 * flows)  // rounding errors stay those of one sum, at O(1) a change
    sum_capped(l);
  return (link.capacity - link.capped) / link.open_weight;
}

void MaxMin::change_capped(Link& link, double difference) {
  link.capped += difference;
  ++link.stale;
}

void MaxMin::sum_capped(std::int32_t l) {
  Link& link = link_at(l);
  link.capped = link.highest_cap = 0;
  link.stale = 0;
  work_ += std::ssize(incidences_[l]);
  for (const Incidence& incidence : incidences_[l]) {
    const std::int32_t bottleneck = bottlenecks_[index(incidence.flow)];
    if (bottleneck == l || bottleneck == kOpen) continue;
    link.capped += incidence.take * level_of(bottleneck);
    link.highest_cap = std::max(link.highest_cap, level_of(bottleneck));
  }
}

/// The level at which the link fills up, found upwards from a lower bound: flows capped below the
/// guess take their cap, the others share the rest, which raises the guess; until it stays.
double MaxMin::scan_level(std::int32_t l, double from) {
  sum_capped(l);
  const Link& link = link_at(l);
  if (link.open_count == 0 && link.capped <= link.capacity * (1 + kSameLevel)) return kNoLevel;
  double guess = link.open_count == 0 ? 0 : std::max(from, 0.0);
  while (true) {
    work_ += std::ssize(incidences_[l]);
    double rest = link.capacity, weight = 0;
    for (const Incidence& incidence : incidences_[l]) {
      const std::int32_t bottleneck = bottlenecks_[index(incidence.flow)];
      const double cap = bottleneck == l ? kNoLevel : level_of(bottleneck);
      if (cap <= guess)
        rest -= incidence.take * cap;
      else
        weight += incidence.take;
    }
    if (weight == 0) return guess;
    const double better = rest / weight;
    if (better <= guess * (1 + 1e-15)) return std::max(better, guess);
    guess = better;
  }
}

void MaxMin::note_change(std::int32_t l) {
  if (std::exchange(link_at(l).changed_in, solve_) != solve_)
    changed_.push_back({LinkId(l), level_of(l)});
}

void MaxMin::note_move(FlowIndex flow, std::int32_t from) {
  if (std::exchange(flows_[index(flow)].moved_in, solve_) != solve_) moved_.push_back({flow, from});
}

/// Groups that opened and closed at the same level, flows that came back.
void MaxMin::forget_vain_changes() {
  std::erase_if(changed_, [&](const ChangedGroup& group) {
    return level_of(group.link.value()) == group.old_level;
  });
  std::erase_if(moved_, [&](const MovedFlow& moved) {
    return bottlenecks_[index(moved.flow)] == moved.from;
  });
}

}  // namespace weft::simulation
