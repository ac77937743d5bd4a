#include "weft/network/routing/tree/stage_repair.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::network {

namespace {

// Edges looked at per edge of the graph and colour, before an attempt is given up.
constexpr std::int64_t kPatience = 64;

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

StageRepair::StageRepair(std::vector<BipartiteEdge> edges, std::int32_t colours,
                         std::vector<std::int32_t> colour_of)
    : edges_(std::move(edges)),
      colours_(colours),
      colour_of_(std::move(colour_of)),
      sets_of_(edges_.size()) {
  WEFT_ASSERT(colours_ >= 1 && colour_of_.size() == edges_.size());
}

void StageRepair::add(std::int32_t edge, std::int64_t left_set, std::int64_t right_set) {
  WEFT_ASSERT(edge >= 0 && edge < std::ssize(edges_));
  open_.push_back({edge, left_set, right_set});
}

void StageRepair::close_level(std::int64_t capacity) {
  WEFT_ASSERT(capacity >= 1);
  close_side(&Member::left_set, capacity);
  close_side(&Member::right_set, capacity);
  open_.clear();
}

void StageRepair::close_side(std::int64_t Member::*set, std::int64_t capacity) {
  std::ranges::stable_sort(open_, {}, set);
  for (std::size_t first = 0, last = 0; first < open_.size(); first = last) {
    while (last < open_.size() && open_[last].*set == open_[first].*set) ++last;
    if (static_cast<std::int64_t>(last - first) <= capacity) continue;  // can't be too many
    auto& members = members_.emplace_back();
    capacity_.push_back(capacity);
    for (std::size_t i = first; i < last; ++i) {
      members.push_back(open_[i].edge);
      sets_of_[at(open_[i].edge)].push_back(static_cast<std::int32_t>(members_.size()) - 1);
    }
  }
}

std::int32_t& StageRepair::load(std::int32_t set, std::int32_t colour) {
  return load_[at(set) * at(colours_) + at(colour)];
}

std::int32_t& StageRepair::left_edge(std::int32_t vertex, std::int32_t colour) {
  return left_[at(vertex) * at(colours_) + at(colour)];
}

std::int32_t& StageRepair::right_edge(std::int32_t vertex, std::int32_t colour) {
  return right_[at(vertex) * at(colours_) + at(colour)];
}

void StageRepair::count() {
  std::int32_t left = 0, right = 0;
  for (const BipartiteEdge& edge : edges_) {
    left = std::max(left, edge.left + 1);
    right = std::max(right, edge.right + 1);
  }
  left_.assign(at(left) * at(colours_), -1);
  right_.assign(at(right) * at(colours_), -1);
  load_.assign(members_.size() * at(colours_), 0);
  for (std::int32_t i = 0; i < std::ssize(edges_); ++i) {
    const std::int32_t colour = colour_of_[at(i)];
    left_edge(edges_[at(i)].left, colour) = i;
    right_edge(edges_[at(i)].right, colour) = i;
    for (const std::int32_t set : sets_of_[at(i)]) ++load(set, colour);
  }
}

std::vector<std::int32_t> StageRepair::run(Rng& rng) && {
  if (members_.empty()) return std::move(colour_of_);
  count();
  budget_ = kPatience * static_cast<std::int64_t>(edges_.size()) * colours_;
  for (bool over = true; over && budget_ > 0;) {
    over = false;
    for (std::int32_t set = 0; set < std::ssize(members_); ++set)
      for (std::int32_t colour = 0; colour < colours_; ++colour)
        if (load(set, colour) > capacity_[at(set)]) {
          over = true;
          relieve(set, colour, rng);
        }
    if (over) kick(rng);
    budget_ -= static_cast<std::int64_t>(load_.size());
  }
  return std::move(colour_of_);
}

// Moves edges of the set to a colour that has room, unless that only moves the trouble elsewhere.
void StageRepair::relieve(std::int32_t set, std::int32_t colour, Rng& rng) {
  const std::int32_t first = static_cast<std::int32_t>(rng.below(colours_));
  std::int32_t room = first;
  for (std::int32_t i = 0; i < colours_; ++i) {
    const std::int32_t other = (first + i) % colours_;
    if (load(set, other) < load(set, room)) room = other;
  }
  if (load(set, room) >= capacity_[at(set)]) return;
  const auto& members = members_[at(set)];
  const auto start = static_cast<std::size_t>(rng.below(std::ssize(members)));
  for (std::size_t i = 0; i < members.size() && load(set, colour) > capacity_[at(set)]; ++i) {
    const std::int32_t edge = members[(start + i) % members.size()];
    if (colour_of_[at(edge)] != colour) continue;
    trace(edge, room);
    budget_ -= 2 * std::ssize(chain_);
    const std::int64_t worse = exchange(colour, room);
    if (worse > 0 || (worse == 0 && rng.below(2) == 0)) exchange(colour, room);
    if (budget_ <= 0) return;
  }
}

// Random exchanges that do no harm, and a first one that may do a little, to leave a dead end.
void StageRepair::kick(Rng& rng) {
  for (std::int32_t i = 0; i < 2 * colours_; ++i) {
    const auto edge = static_cast<std::int32_t>(rng.below(std::ssize(edges_)));
    const std::int32_t own = colour_of_[at(edge)];
    const auto other = static_cast<std::int32_t>(rng.below(colours_));
    if (other == own) continue;
    trace(edge, other);
    budget_ -= 2 * std::ssize(chain_);
    if (exchange(own, other) > (i == 0 ? 1 : 0)) exchange(own, other);
  }
}

// The path or cycle of the edge's colour and the other one that the edge lies on.
void StageRepair::trace(std::int32_t edge, std::int32_t other) {
  chain_.assign(1, edge);
  const std::int32_t own = colour_of_[at(edge)];
  for (const bool to_left : {true, false}) {
    std::int32_t current = edge;
    bool left = to_left;
    for (std::int32_t colour = other;; colour = colour == own ? other : own, left = !left) {
      const BipartiteEdge& ends = edges_[at(current)];
      current = left ? left_edge(ends.left, colour) : right_edge(ends.right, colour);
      if (current == edge) return;  // a cycle
      if (current < 0) break;
      chain_.push_back(current);
    }
  }
}

// Exchanges the two colours on the chain; returns by how much sets are above capacity more than
// before.
std::int64_t StageRepair::exchange(std::int32_t a, std::int32_t b) {
  std::int64_t worse = 0;
  for (const std::int32_t edge : chain_) {
    const std::int32_t old = colour_of_[at(edge)];
    if (left_edge(edges_[at(edge)].left, old) == edge) left_edge(edges_[at(edge)].left, old) = -1;
    if (right_edge(edges_[at(edge)].right, old) == edge)
      right_edge(edges_[at(edge)].right, old) = -1;
    const std::int32_t next = old == a ? b : a;
    colour_of_[at(edge)] = next;
    for (const std::int32_t set : sets_of_[at(edge)]) {
      if (load(set, old)-- > capacity_[at(set)]) --worse;
      if (++load(set, next) > capacity_[at(set)]) ++worse;
    }
  }
  for (const std::int32_t edge : chain_) {
    left_edge(edges_[at(edge)].left, colour_of_[at(edge)]) = edge;
    right_edge(edges_[at(edge)].right, colour_of_[at(edge)]) = edge;
  }
  return worse;
}

}  // namespace weft::network
