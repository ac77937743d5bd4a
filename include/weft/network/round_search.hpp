// Ways that pass as few hosts as can be, of these that cross as few links between groups of
// switches, and of these the fewest links: minimal routing on Dragonflies, and on what is made of
// them.
//
// Breadth first in rounds, each of what is so many relays and crossings away, the nearest first: a
// step that costs one more of either starts in a later round. Relays are those of relay_search.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/topology/passing.hpp"

namespace weft::network {

using topology::Passing;
using topology::Step;

/// Of a way; less is nearer.
struct RoundDistance {
  // In number(): a crossing counts as more than any links, a relay as more than any crossings.
  static constexpr std::uint32_t kCrossing = 1 << 10, kRelay = 1 << 20, kMostRelays = 1 << 11;

  std::int32_t relays = 0, crossings = 0, links = 0;

  /// Throws InvalidInput above 1,023 links, 1,023 crossings or 2,047 relays.
  std::uint32_t number() const {
    require(links < std::int32_t{kCrossing} && crossings < std::int32_t{kCrossing} &&
                relays < std::int32_t{kMostRelays},
            "a path of {} links, {} of them between groups, through {} hosts is too long for "
            "minimal-split; use shortest-split",
            links, crossings, relays);
    return static_cast<std::uint32_t>(relays) * kRelay +
           static_cast<std::uint32_t>(crossings) * kCrossing + static_cast<std::uint32_t>(links);
  }
};

/// Visits each of the nodes 0 .. nodes - 1 that has a way to (or from) `start`, but the start, by
/// increasing distance:
///   each_next(u, visit)  calls visit(v, crosses) for each edge that joins v to u;
///   place(v)             what v is to ways;
///   found(v, distance)   is told of each, once.
/// O((nodes + edges) log edges).
template <class EachNext, class Place, class Found>
void search_by_rounds(std::size_t nodes, std::int32_t start, EachNext&& each_next, Place&& place,
                      Found&& found) {
  WEFT_ASSERT(start >= 0 && static_cast<std::size_t>(start) < nodes);
  struct Arrival {
    std::int32_t links, node;
  };
  using Round = std::pair<std::int32_t, std::int32_t>;  // relays, crossings
  std::map<Round, std::vector<Arrival>> rounds;
  std::vector<std::uint8_t> seen(nodes, 0);
  const Passing::Place mesh = place(start);
  rounds[{0, 0}].push_back({0, start});
  std::vector<std::int32_t> level, next;
  while (!rounds.empty()) {
    const Round round = rounds.begin()->first;
    std::vector<Arrival> arrivals = std::move(rounds.begin()->second);
    rounds.erase(rounds.begin());
    std::ranges::stable_sort(arrivals, {}, &Arrival::links);
    const auto reach = [&](std::int32_t v, std::int32_t links) {
      if (seen[v] != 0) return false;
      seen[v] = 1;
      if (v != start) found(v, RoundDistance{round.first, round.second, links});
      return true;
    };
    std::size_t arrival = 0;
    for (std::int32_t links = 0; arrival < arrivals.size() || !level.empty(); ++links) {
      if (level.empty()) links = arrivals[arrival].links;
      for (; arrival < arrivals.size() && arrivals[arrival].links == links; ++arrival)
        if (reach(arrivals[arrival].node, links)) level.push_back(arrivals[arrival].node);
      next.clear();
      for (const std::int32_t u : level)
        each_next(u, [&](std::int32_t v, bool crosses) {
          if (seen[v] != 0) return;
          const Step step = Passing::step(place(v), place(u), u == start, mesh);
          if (step == Step::none) return;
          if (step == Step::plain && !crosses) {
            if (reach(v, links + 1)) next.push_back(v);
          } else {
            rounds[{round.first + Passing::relays(step, links), round.second + (crosses ? 1 : 0)}]
                .push_back({links + 1, v});
          }
        });
      level.swap(next);
    }
  }
}

}  // namespace weft::network
