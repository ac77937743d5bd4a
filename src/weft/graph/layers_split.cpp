// Each layer is split at its own least time first. Arcs that carry too much then pass units on to
// arcs with room, over others if need be: a unit moves from an arc to another that its class may
// use. A move that keeps a layer within its least time is free, another costs one, one to an arc
// that only the wider class has costs more, and the cheapest ways are taken first. Where no way is
// left, the arcs that the search reached are full with what can arrive over them alone, so that
// there is no such split.
#include "weft/graph/layers_split.hpp"

#include <algorithm>
#include <functional>
#include <queue>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/graph/rows.hpp"

namespace weft::graph {

namespace {

constexpr std::int32_t kNone = -1;

class Shifting {
 public:
  Shifting(std::span<const LayerClasses> layers, std::span<const LayerClasses> wider,
           std::int64_t units, std::span<const std::int64_t> limits)
      : layers_(wider), over_(limits.size(), 0) {
    for (std::size_t k = 0; k < limits.size(); ++k) over_[k] = -limits[k];
    for (std::size_t t = 0; t < layers.size(); ++t) begin(layers[t], wider[t], units);
    index_entries();
  }

  /// Whether all arcs are within their limits in the end.
  bool shift_all() {
    while (std::ranges::any_of(over_, [](std::int64_t over) { return over > 0; }))
      if (!shift_some()) return false;
    return true;
  }

  std::vector<std::vector<std::int64_t>> sent() && { return std::move(sent_); }

 private:
  // Where a class may send over an arc.
  struct Entry {
    std::int32_t layer = 0, begin = 0, end = 0;  // of the class in the layer's arcs
    std::int32_t at = 0;                         // the arc itself
  };
  // From an arc to the next.
  struct Move {
    std::int32_t from = kNone;                       // the arc
    std::int32_t layer = 0, giving = 0, taking = 0;  // entries of the layer's arcs
    bool in_room = false;
  };

  static std::size_t place(std::int32_t index) { return static_cast<std::size_t>(index); }

  void begin(const LayerClasses& layer, const LayerClasses& wider, std::int64_t units) {
    const Rational time = least_discrete_layer_time(layer, units);
    const std::vector<std::int64_t> split = split_layer(layer, units, time);
    auto& room = room_.emplace_back();
    for (const std::int64_t capacity : layer.capacities)
      room.push_back(mul_div(time.numerator(), capacity, time.denominator()));
    auto& sent = sent_.emplace_back(wider.arcs.size(), 0);
    auto& aside = aside_.emplace_back(wider.arcs.size(), 1);
    for (std::size_t i = 0; i < layer.size(); ++i) {
      std::int32_t at = wider.first_arc[i];
      for (std::int32_t e = layer.first_arc[i]; e < layer.first_arc[i + 1]; ++e, ++at) {
        const std::int32_t arc = layer.arcs[place(e)];
        while (wider.arcs[place(at)] != arc) ++at;
        aside[place(at)] = 0;
        sent[place(at)] = split[place(e)];
        room[place(arc)] -= split[place(e)];
        over_[place(arc)] += split[place(e)];
      }
    }
  }

  void index_entries() {
    std::vector<Entry> all;
    for (std::size_t t = 0; t < layers_.size(); ++t)
      for (std::size_t i = 0; i < layers_[t].size(); ++i)
        for (std::int32_t e = layers_[t].first_arc[i]; e < layers_[t].first_arc[i + 1]; ++e)
          all.push_back({static_cast<std::int32_t>(t), layers_[t].first_arc[i],
                         layers_[t].first_arc[i + 1], e});
    entries_ = rows_by<Entry>(
        static_cast<std::int32_t>(over_.size()), static_cast<std::int32_t>(all.size()),
        [&](std::int32_t i) { return layers_[place(all[i].layer)].arcs[place(all[i].at)]; },
        [&](std::int32_t i) { return all[i]; });
  }

  bool shift_some() {
    const std::int32_t end = search();
    if (end == kNone) return false;
    std::int64_t amount = -over_[place(end)];
    std::int32_t start = end;
    for (; moves_[place(start)].from != kNone; start = moves_[place(start)].from) {
      const Move& move = moves_[place(start)];
      amount = std::min(amount, sent_[place(move.layer)][place(move.giving)]);
      if (move.in_room) amount = std::min(amount, room_[place(move.layer)][place(start)]);
    }
    amount = std::min(amount, over_[place(start)]);
    WEFT_ASSERT(amount > 0);
    over_[place(start)] -= amount;
    over_[place(end)] += amount;
    for (std::int32_t arc = end; arc != start; arc = moves_[place(arc)].from) {
      const Move& move = moves_[place(arc)];
      const auto layer = place(move.layer);
      sent_[layer][place(move.giving)] -= amount;
      sent_[layer][place(move.taking)] += amount;
      room_[layer][place(move.from)] += amount;
      room_[layer][place(arc)] -= amount;
    }
    return true;
  }

  // Units that leave their layer's own arcs outweigh all others, the earlier the less.
  std::int32_t cost_of(std::size_t layer, std::size_t entry, bool in_room) const {
    const auto arcs = static_cast<std::int32_t>(over_.size());
    return (in_room ? 0 : 1) +
           (aside_[layer][entry] != 0 ? arcs * (static_cast<std::int32_t>(layer) + 1) : 0);
  }

  // The arc with room that units of arcs that carry too much reach at the least cost.
  std::int32_t search() {
    constexpr std::int64_t kFar = INT64_MAX;
    moves_.assign(over_.size(), Move{});
    std::vector<std::int64_t> cost(over_.size(), kFar);
    using Reached = std::pair<std::int64_t, std::int32_t>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
    for (std::size_t k = 0; k < over_.size(); ++k)
      if (over_[k] > 0) {
        cost[k] = 0;
        queue.emplace(0, static_cast<std::int32_t>(k));
      }
    while (!queue.empty()) {
      const auto [so_far, arc] = queue.top();
      queue.pop();
      if (so_far > cost[place(arc)]) continue;
      if (over_[place(arc)] < 0) return arc;
      for (const Entry& entry : entries_[arc]) {
        const auto layer = place(entry.layer);
        if (sent_[layer][place(entry.at)] == 0) continue;
        for (std::int32_t e = entry.begin; e < entry.end; ++e) {
          const std::int32_t next = layers_[layer].arcs[place(e)];
          const bool in_room = room_[layer][place(next)] > 0;
          const std::int64_t total = so_far + cost_of(layer, place(e), in_room);
          if (total >= cost[place(next)]) continue;
          cost[place(next)] = total;
          moves_[place(next)] = {arc, entry.layer, entry.at, e, in_room};
          queue.emplace(total, next);
        }
      }
    }
    return kNone;
  }

  std::span<const LayerClasses> layers_;         // the wider ones
  std::vector<std::vector<std::int64_t>> sent_;  // by layer, entry
  std::vector<std::vector<std::int64_t>> room_;  // by layer, arc: up to the layer's least time
  std::vector<std::vector<char>> aside_;         // by layer, entry: of the wider class alone
  std::vector<std::int64_t> over_;               // by arc: what it carries above its limit
  Rows<Entry> entries_;                          // by arc
  std::vector<Move> moves_;                      // by arc: of the last search
};

}  // namespace

std::optional<std::vector<std::vector<std::int64_t>>> split_layers(
    std::span<const LayerClasses> layers, std::span<const LayerClasses> wider, std::int64_t units,
    std::span<const std::int64_t> limits) {
  WEFT_ASSERT(layers.size() == wider.size());
  Shifting shifting(layers, wider, units, limits);
  if (!shifting.shift_all()) return std::nullopt;
  return std::move(shifting).sent();
}

}  // namespace weft::graph
