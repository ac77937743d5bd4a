// An arc that a tree takes is taken, moved, by the trees of all roots, which load each arc of its
// orbit alike. So a way has room while the orbits of its arcs have, all trees together, and trees
// of a root of each orbit are grown (tree_growth.hpp).
#include "weft/flow/trees/moved_trees.hpp"

#include <algorithm>

#include "weft/base/union_find.hpp"
#include "weft/flow/host_shifts.hpp"
#include "weft/flow/trees/tree_growth.hpp"

namespace weft::flow {

namespace {

using graph::TreeRate;

// The ranks on each place; nothing where they are not as many.
std::optional<std::vector<std::vector<std::int32_t>>> ranks_by_node(const Carrier& carrier) {
  std::vector<std::vector<std::int32_t>> ranks(carrier.nodes);
  for (std::size_t rank = 0; rank < carrier.roots.size(); ++rank)
    ranks[carrier.roots[rank].node].push_back(static_cast<std::int32_t>(rank));
  const auto as_many = [&](std::int32_t place) {
    return ranks[place].size() == ranks[carrier.places.front()].size();
  };
  if (!std::ranges::all_of(carrier.places, as_many)) return std::nullopt;
  return ranks;
}

}  // namespace

std::optional<PlacedTrees> moved_trees(const Carrier& carrier, const TreeRate& rate,
                                       graph::Sense sense, MovingEffort effort) {
  constexpr std::int64_t kMostHops = 8'000'000;
  const bool little = effort == MovingEffort::little;
  const std::int64_t most_steps = little ? 50'000'000 : 16'000'000'000;
  const std::int64_t most_rounds = little ? 8 : 40;
  const auto ranks = ranks_by_node(carrier);
  if (!ranks || carrier.goals.size() != carrier.places.size()) return std::nullopt;
  const std::vector<HostShift> shifts = host_shifts(carrier);
  if (shifts.empty()) return std::nullopt;
  std::vector<std::int32_t> apart;  // a place of each orbit
  UnionFind orbits(static_cast<std::size_t>(carrier.nodes));
  for (const HostShift& shift : shifts)
    for (const std::int32_t place : carrier.places) orbits.join(place, shift.nodes[place]);
  for (const std::int32_t place : carrier.places)
    if (orbits.find(place) == place) apart.push_back(place);
  const auto places = std::ssize(carrier.places);
  const std::int64_t trees = rate.trees * std::ssize((*ranks)[carrier.places.front()]);
  if (trees > kMostHops / places / places) return std::nullopt;
  const std::int64_t steps = trees * std::ssize(apart) * places * std::ssize(carrier.arcs);
  const std::int64_t rounds = std::min(most_rounds, most_steps / steps);
  const auto grown =
      grow_trees(carrier, rate.arcs, shifts, apart, {.trees = trees, .rounds = rounds});
  if (!grown) return std::nullopt;
  return placed_everywhere(carrier, sense, shifts, *grown, *ranks);
}

}  // namespace weft::flow
