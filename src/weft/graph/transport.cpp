#include "transport.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "weft/base/error.hpp"

namespace weft::graph {

namespace {

constexpr std::int32_t kNone = -1;

std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

Transport::Transport(const LayerClasses& classes, std::vector<std::int64_t> demand,
                     std::vector<std::int64_t> limit)
    : classes_(classes),
      demand_(std::move(demand)),
      slack_(std::move(limit)),
      flow_(classes.arcs.size()),
      reached_(slack_.size()),
      visited_(demand_.size()),
      reached_by_(slack_.size()),
      left_by_(demand_.size()) {
  WEFT_ASSERT(demand_.size() == classes.size() && slack_.size() == classes.capacities.size());
  // Those with the fewest arcs first: they have the least choice.
  std::vector<std::size_t> order(classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return classes.arcs_of(a).size() < classes.arcs_of(b).size();
  });
  for (const std::size_t i : order) spread(i);
  const auto is_placed = [](std::int64_t left) { return left == 0; };
  if (std::all_of(demand_.begin(), demand_.end(), is_placed)) return;
  index_entries();
  for (const std::size_t i : order)
    while (demand_[i] > 0 && augment(i)) {
    }
  // All that is short reaches the cut; a later search never helps an earlier class.
  std::fill(reached_.begin(), reached_.end(), 0);
  std::fill(visited_.begin(), visited_.end(), 0);
  for (const std::size_t i : order) {
    unplaced_ += demand_[i];
    if (demand_[i] > 0 && visited_[i] == 0) reach_slack(i);
  }
}

void Transport::index_entries() {
  first_entry_.assign(slack_.size() + 1, 0);
  for (const std::int32_t arc : classes_.arcs) ++first_entry_[at(arc) + 1];
  std::partial_sum(first_entry_.begin(), first_entry_.end(), first_entry_.begin());
  entries_.resize(classes_.arcs.size());
  std::vector<std::int32_t> next(first_entry_.begin(), first_entry_.end() - 1);
  for (std::size_t i = 0; i < classes_.size(); ++i)
    for (std::int32_t e = classes_.first_arc[i]; e < classes_.first_arc[i + 1]; ++e)
      entries_[at(next[at(classes_.arcs[at(e)])]++)] = {static_cast<std::int32_t>(i), e};
}

// Fills the arcs with the most room down to one level, as water would.
void Transport::spread(std::size_t class_index) {
  const auto first = at(classes_.first_arc[class_index]);
  const auto arcs = classes_.arcs_of(class_index);
  std::vector<std::size_t> by_room(arcs.size());
  std::iota(by_room.begin(), by_room.end(), std::size_t{0});
  const auto room = [&](std::size_t i) { return slack_[at(arcs[i])]; };
  std::stable_sort(by_room.begin(), by_room.end(),
                   [&](std::size_t a, std::size_t b) { return room(a) > room(b); });
  std::int64_t& left = demand_[class_index];
  for (std::size_t used = 1; used <= by_room.size() && left > 0; ++used) {
    const std::int64_t next = used < by_room.size() ? room(by_room[used]) : 0;
    const auto width = static_cast<std::int64_t>(used);
    const std::int64_t step = room(by_room[0]) - next;
    const std::int64_t most = (left + width - 1) / width;
    for (std::size_t i = 0; i < used && left > 0; ++i) {
      const std::int64_t amount = std::min({left, most, step, room(by_room[i])});
      flow_[first + by_room[i]] += amount;
      slack_[at(arcs[by_room[i]])] -= amount;
      left -= amount;
    }
  }
}

bool Transport::augment(std::size_t class_index) {
  std::fill(reached_.begin(), reached_.end(), 0);
  std::fill(visited_.begin(), visited_.end(), 0);
  const std::int32_t arc = reach_slack(class_index);
  if (arc == kNone) return false;
  push(class_index, arc);
  return true;
}

// The nearest arc with room that flow of the class can reach by moving others, or none.
std::int32_t Transport::reach_slack(std::size_t class_index) {
  queue_.clear();
  visit(class_index, kNone);
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const std::int32_t arc = queue_[head];
    if (slack_[at(arc)] > 0) return arc;
    for (std::int32_t e = first_entry_[at(arc)]; e < first_entry_[at(arc) + 1]; ++e) {
      const auto [other, entry] = entries_[at(e)];
      if (visited_[at(other)] == 0 && flow_[at(entry)] > 0) visit(at(other), entry);
    }
  }
  return kNone;
}

void Transport::visit(std::size_t class_index, std::int32_t through) {
  visited_[class_index] = 1;
  left_by_[class_index] = through;
  for (std::int32_t e = classes_.first_arc[class_index]; e < classes_.first_arc[class_index + 1];
       ++e) {
    const std::int32_t arc = classes_.arcs[at(e)];
    if (reached_[at(arc)] != 0) continue;
    reached_[at(arc)] = 1;
    reached_by_[at(arc)] = e;
    queue_.push_back(arc);
  }
}

void Transport::push(std::size_t class_index, std::int32_t arc) {
  const auto owner = [&](std::int32_t entry) {
    const auto next = std::upper_bound(classes_.first_arc.begin(), classes_.first_arc.end(), entry);
    return static_cast<std::size_t>(next - classes_.first_arc.begin()) - 1;
  };
  // The way back from the arc: entries gain and give way in turn.
  std::int64_t amount = std::min(demand_[class_index], slack_[at(arc)]);
  std::vector<std::int32_t> gains, losses;
  for (std::int32_t entry = reached_by_[at(arc)];;) {
    gains.push_back(entry);
    const std::int32_t loss = left_by_[owner(entry)];
    if (loss == kNone) break;
    losses.push_back(loss);
    amount = std::min(amount, flow_[at(loss)]);
    entry = reached_by_[at(classes_.arcs[at(loss)])];
  }
  for (const std::int32_t entry : gains) flow_[at(entry)] += amount;
  for (const std::int32_t entry : losses) flow_[at(entry)] -= amount;
  slack_[at(arc)] -= amount;
  demand_[class_index] -= amount;
}

}  // namespace weft::graph
