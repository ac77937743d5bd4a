// Groups of several sizes.
//
// The largest groups give the lanes, one a place. A smaller group fills each lane with its rank on
// the lane's rail, else with its ranks in turn, so that some stand in several lanes: a box whose
// card died serves that card's rail from its others.
#include <algorithm>

#include "near_ranks.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {

namespace {

/// The size of which there are most ranks in groups of it, two or more, if larger ones lose ranks.
std::size_t best_equal_size(const LocalGroups& groups) {
  std::size_t best = 0, most = 0;
  for (const auto& group : groups) {
    const std::size_t size = group.size();
    const auto count = static_cast<std::size_t>(
        std::ranges::count_if(groups, [&](const auto& other) { return other.size() >= size; }));
    if (size < 2 || count < 2 || size * count < most) continue;
    if (size * count > most || size > best) best = size;
    most = size * count;
  }
  return best;
}

std::vector<Rank> equal_part(const RailedGroups& railed) {
  const std::size_t size = best_equal_size(railed.groups);
  std::vector<Rank> part;
  if (size == 0) return part;
  const auto pattern = std::ranges::find(railed.groups, size, &std::vector<Rank>::size);
  const auto is_on_its_rails = [&](Rank rank) {
    return std::ranges::any_of(*pattern,
                               [&](Rank other) { return railed.rail[other] == railed.rail[rank]; });
  };
  for (auto group : railed.groups) {
    if (group.size() < size) continue;
    std::stable_partition(group.begin(), group.end(), is_on_its_rails);
    part.insert(part.end(), group.begin(), group.begin() + static_cast<std::ptrdiff_t>(size));
  }
  std::ranges::sort(part);
  return part;
}

// Ranks of a group by lanes; `rails` are those of the lanes.
std::vector<Rank> in_lanes(const std::vector<Rank>& group, const RailedGroups& railed,
                           const std::vector<Rank>& largest) {
  if (group.size() == largest.size()) return group;
  std::vector<std::optional<Rank>> lanes(largest.size());
  std::vector<Rank> others;
  for (const Rank rank : group) {
    const auto is_its_rail = [&](std::size_t lane) {
      return !lanes[lane] && railed.rail[rank] && railed.rail[largest[lane]] == railed.rail[rank];
    };
    std::size_t lane = 0;
    while (lane < lanes.size() && !is_its_rail(lane)) ++lane;
    if (lane < lanes.size())
      lanes[lane] = rank;
    else
      others.push_back(rank);
  }
  std::size_t next = 0;  // of the others first, then of all in turn
  std::vector<Rank> full;
  for (const std::optional<Rank>& lane : lanes) {
    if (!lane) ++next;
    full.push_back(lane                    ? *lane
                   : next <= others.size() ? others[next - 1]
                                           : group[(next - 1 - others.size()) % group.size()]);
  }
  return full;
}

// Nothing unless there are two or more, of several sizes.
std::optional<LocalGroups> lanes_of(const RailedGroups& railed) {
  if (railed.groups.size() < 2) return std::nullopt;
  const auto [least, most] =
      std::ranges::minmax_element(railed.groups, {}, &std::vector<Rank>::size);
  if (least->size() == most->size()) return std::nullopt;
  LocalGroups lanes;
  for (const auto& group : railed.groups) lanes.push_back(in_lanes(group, railed, *most));
  return lanes;
}

}  // namespace

std::optional<LocalGroups> unequal_lanes(const Network& network) {
  if (local_groups(network)) return std::nullopt;
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

std::optional<UnequalGroups> unequal_groups(const Network& network) {
  if (!network.topology().has_switches() || local_groups(network)) return std::nullopt;
  const RailedGroups railed = by_widest_links(network);
  const auto [least, most] = std::ranges::minmax(railed.groups, {}, &std::vector<Rank>::size);
  if (railed.groups.size() < 2 || least.size() == most.size()) return std::nullopt;
  return UnequalGroups{static_cast<std::int32_t>(least.size()),
                       static_cast<std::int32_t>(most.size()), equal_part(railed)};
}

}  // namespace weft::algorithm
