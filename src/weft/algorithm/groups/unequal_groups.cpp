// Groups of several sizes.
//
// The largest group gives the lanes, one for each place. A smaller group fills each lane with its
// rank on the lane's rail, else with its ranks in turn, so that some serve several lanes: in a box
// with a dead card the other cards serve that card's lane.
#include <algorithm>

#include "near_ranks.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {

namespace {

// The ranks of a group by the lanes of the largest: each on its own rail's, then those without one
// on free lanes, then all in turn on what is left.
std::vector<Rank> in_lanes(const std::vector<Rank>& group, const RailedGroups& railed,
                           const std::vector<Rank>& largest) {
  std::vector<std::optional<Rank>> lanes(largest.size());
  std::vector<Rank> others;
  for (const Rank rank : group) {
    const auto is_its_own = [&](std::size_t lane) {
      return !lanes[lane] && railed.rail[rank] && railed.rail[largest[lane]] == railed.rail[rank];
    };
    std::size_t lane = 0;
    while (lane < lanes.size() && !is_its_own(lane)) ++lane;
    if (lane < lanes.size())
      lanes[lane] = rank;
    else
      others.push_back(rank);
  }
  std::vector<Rank> full;
  std::size_t next = 0;  // of the others, then of all
  for (const std::optional<Rank>& lane : lanes) {
    if (lane)
      full.push_back(*lane);
    else if (next < others.size())
      full.push_back(others[next++]);
    else
      full.push_back(group[(next++ - others.size()) % group.size()]);
  }
  WEFT_ASSERT(full.size() == largest.size());
  return full;
}

// Nothing unless there are two or more, of several sizes.
std::optional<LocalGroups> lanes_of(const RailedGroups& railed) {
  if (railed.groups.size() < 2) return std::nullopt;
  const auto [least, most] =
      std::ranges::minmax_element(railed.groups, {}, &std::vector<Rank>::size);
  if (least->size() == most->size()) return std::nullopt;
  LocalGroups lanes;
  for (const auto& group : railed.groups)
    lanes.push_back(group.size() == most->size() ? group : in_lanes(group, railed, *most));
  return lanes;
}

}  // namespace

std::optional<LocalGroups> unequal_lanes(const Network& network) {
  RailedGroups nearest;
  if (network.topology().has_switches()) nearest = by_widest_links(network);
  nearest.rail.resize(network.ranks());
  const auto lanes_by = [&](const auto& key) {
    RailedGroups railed{by_key(network, key), nearest.rail};
    for (auto& group : railed.groups)
      std::ranges::stable_sort(group, {}, [&](Rank rank) { return nearest.rail[rank]; });
    return lanes_of(railed);
  };
  if (auto lanes = lanes_by([](NodeId node) { return node.value(); })) return lanes;
  if (const auto hosts = topology::as_host_groups(network.topology()))
    if (auto lanes = lanes_by([&](NodeId node) { return hosts->of[node]; })) return lanes;
  return lanes_of(nearest);
}

}  // namespace weft::algorithm
