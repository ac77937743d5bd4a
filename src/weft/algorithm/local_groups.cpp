// The groups of ranks that a network shows.
//
// Those of near_ranks.hpp, among others. Where groups are not equal, as in an allocation that ends
// within a box, rows of the greatest number of ranks that divides each of them are.
#include "weft/algorithm/local_groups.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "weft/algorithm/groups/group_choice.hpp"
#include "weft/algorithm/groups/levels_above.hpp"
#include "weft/algorithm/groups/near_ranks.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/graph/breadth_first.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {

namespace {

/// Those whose nodes have the same key; nothing unless there are two or more equal groups of two or
/// more ranks.
std::optional<LocalGroups> grouped(const Network& network,
                                   const std::function<std::int64_t(NodeId)>& key) {
  LocalGroups groups = by_key(network, key);
  for (const auto& group : groups)
    if (group.size() != groups[0].size()) return std::nullopt;
  if (groups.size() < 2 || groups[0].size() < 2) return std::nullopt;
  return groups;
}

/// The same for hosts of a group, in the order of their numbers: cards of one rail have one place.
std::optional<LocalGroups> grouped(const Network& network, const topology::HostGroups& hosts) {
  auto groups = grouped(network, [&](NodeId node) { return hosts.of[node]; });
  const auto node = [&](Rank rank) { return network.placement().nodes[rank.index()]; };
  if (groups)
    for (auto& group : *groups) std::ranges::stable_sort(group, {}, node);
  return groups;
}

/// Two or more equal groups from rows of these, each within one of them; nothing where only single
/// ranks would be equal.
std::optional<LocalGroups> equal_rows(const LocalGroups& groups) {
  std::size_t row = 0;
  for (const auto& group : groups) row = std::gcd(row, group.size());
  if (row < 2 || groups.size() < 2) return std::nullopt;
  LocalGroups rows;
  for (const auto& group : groups)
    for (std::size_t first = 0; first < group.size(); first += row)
      rows.emplace_back(group.begin() + static_cast<std::ptrdiff_t>(first),
                        group.begin() + static_cast<std::ptrdiff_t>(first + row));
  return rows;
}

bool divides(std::int64_t group, std::int32_t ranks) {
  return group >= 1 && ranks % group == 0;
}

/// Two nodes of ranks between which no way leads, if any. Each to and from the first. O(links).
struct Parted {
  NodeId from, to;
};
std::optional<Parted> parted(const Network& network) {
  const Topology& topology = network.topology();
  const std::vector<NodeId>& nodes = network.placement().nodes;
  const auto nodes_at = static_cast<std::int32_t>(topology.node_count());
  const graph::BreadthFirst there(nodes_at, nodes[0].value(), [&](std::int32_t at, auto&& reach) {
    for (const LinkId link : topology.out_links(NodeId(at))) reach(topology.head(link).value());
  });
  const graph::BreadthFirst back(nodes_at, nodes[0].value(), [&](std::int32_t at, auto&& reach) {
    for (const LinkId link : topology.in_links(NodeId(at))) reach(topology.tail(link).value());
  });
  for (const NodeId node : nodes) {
    if (!there.reached(node.value())) return Parted{nodes[0], node};
    if (!back.reached(node.value())) return Parted{node, nodes[0]};
  }
  return std::nullopt;
}

std::string not_dividing(std::int64_t group, std::int32_t ranks) {
  return fmt::format("group {} does not divide {} ranks; use a divisor", group, ranks);
}

}  // namespace

LocalGroups consecutive_groups(std::int32_t ranks, int size) {
  require(divides(size, ranks), "{}", not_dividing(size, ranks));
  LocalGroups groups(static_cast<std::size_t>(ranks / size));
  for (const Rank rank : ids<Rank>(ranks)) groups[rank.value() / size].push_back(rank);
  return groups;
}

std::optional<LocalGroups> local_groups(const Network& network) {
  const Topology& topology = network.topology();
  const auto attached = topology::as_attached_hosts(topology);
  const auto& holes = topology.facets().holes;
  const auto position = [&](NodeId node) -> std::int64_t {  // a view's node
    const NodeId core = attached && topology.is_host(node) ? attached->switch_of[node] : node;
    return holes ? holes->whole(core.value()) : core.value();
  };
  if (auto groups = grouped(network, [](NodeId node) { return node.value(); })) return groups;
  if (const auto of_hosts = topology::as_host_groups(topology))
    if (auto groups = grouped(network, *of_hosts)) return groups;
  if (auto groups = equal_rows(by_widest_links(network).groups)) return groups;
  std::optional<topology::Extents> extents;
  constexpr auto kAllowed = topology::Damage::allowed;
  if (const auto hyperx = topology::as_hyperx(topology, kAllowed))  // or a Hamming network
    extents = *hyperx;
  else if (const auto torus = topology::as_torus(topology, kAllowed))
    extents = *torus;
  if (!extents) return std::nullopt;
  std::int64_t below = 1;
  for (const int extent : extents->extents) {
    const std::int64_t above = below * extent;
    const auto line = [&](NodeId node) {
      return position(node) / above * below + position(node) % below;
    };
    if (auto groups = grouped(network, line)) return groups;
    below = above;
  }
  return std::nullopt;
}

std::optional<GroupLevels> nested(std::span<const LocalGroups> partitions) {
  WEFT_ASSERT(!partitions.empty());
  if (partitions.size() == 1) return GroupLevels(1, partitions.front());
  GroupLevels levels;
  IdVector<Rank, std::int32_t> lower(ranks_in(partitions.front()));
  std::iota(lower.begin(), lower.end(), 0);  // of each rank: its group of the level before
  std::size_t members = 1;                   // ranks of one of these
  for (const LocalGroups& partition : partitions) {
    LocalGroups level;
    IdVector<Rank, std::int32_t> of(lower.size());
    for (const auto& group : partition) {
      std::map<std::int32_t, std::size_t> found;
      std::vector<Rank> parts;
      for (const Rank rank : group) {
        of[rank] = static_cast<std::int32_t>(level.size());
        if (++found[lower[rank]] == 1) parts.emplace_back(lower[rank]);
      }
      if (std::ranges::any_of(found, [&](const auto& one) { return one.second != members; }))
        return std::nullopt;
      if (members > 1) std::ranges::sort(parts);
      level.push_back(std::move(parts));
    }
    lower = std::move(of);
    members = partition.front().size();
    levels.push_back(std::move(level));
  }
  return levels;
}

LocalGroupLevels local_group_levels(const Network& network) {
  const auto usual = local_groups(network);
  if (!usual) return {};
  std::vector<LocalGroups> all{*usual};
  const auto add = [&](std::optional<LocalGroups> groups) {
    if (groups) all.push_back(std::move(*groups));
  };
  add(grouped(network, [](NodeId node) { return node.value(); }));
  if (network.topology().has_switches()) add(equal_rows(by_widest_links(network).groups));
  for (const auto& hosts : topology::as_nested_host_groups(network.topology()))
    add(grouped(network, hosts));
  for (LocalGroups& groups : levels_above(network, *usual)) all.push_back(std::move(groups));
  const auto size = [](const LocalGroups& groups) { return groups.front().size(); };
  std::ranges::stable_sort(all, {}, size);
  LocalGroupLevels levels;
  for (LocalGroups& groups : all) {
    const auto nests = [&](const LocalGroups& small, const LocalGroups& large) {
      return size(small) < size(large) && nested(std::array{small, large});
    };
    const bool is_usual = groups == *usual;
    if (!is_usual && !nests(groups, *usual) && !nests(*usual, groups)) continue;
    if (!levels.groups.empty() && !nests(levels.groups.back(), groups)) continue;
    if (is_usual) levels.usual = levels.groups.size();
    levels.groups.push_back(std::move(groups));
  }
  return levels;
}

std::int32_t ranks_in(const LocalGroups& groups) {
  require(!groups.empty() && !groups[0].empty(), "the groups have no ranks (expected at least 1)");
  const std::size_t places = groups.size() * groups[0].size();
  IdVector<Rank, std::size_t> group_of(places, groups.size());
  std::int32_t ranks = 0, last = 0;
  for (std::size_t q = 0; q < groups.size(); ++q) {
    require(groups[q].size() == groups[0].size(), "groups of {} and {} ranks are not equal",
            groups[0].size(), groups[q].size());
    for (const Rank rank : groups[q]) {
      require(rank.value() >= 0 && rank.index() < places &&
                  (group_of[rank] == groups.size() || group_of[rank] == q),
              "rank {} is in two groups or not below {}", rank.value(), places);
      if (std::exchange(group_of[rank], q) == groups.size()) ++ranks;
      last = std::max(last, rank.value());
    }
  }
  require(last < ranks, "rank {} is not below the {} ranks of the groups", last, ranks);
  return ranks;
}

LocalGroupLevels group_levels_for(const Context& context) {
  const std::vector<int> sizes = groups_in(context.options);
  LocalGroupLevels shown;
  if (context.network != nullptr) shown = local_group_levels(*context.network);
  if (sizes.empty()) {
    if (context.network != nullptr && shown.groups.empty())
      if (auto lanes = unequal_lanes(*context.network)) shown.groups.push_back(std::move(*lanes));
    return shown;
  }
  LocalGroupLevels levels;
  for (const int size : sizes)
    for (const LocalGroups& groups : shown.groups)
      if (std::ssize(groups.front()) == size) levels.groups.push_back(groups);
  if (levels.groups.size() == sizes.size()) return levels;
  levels.groups.clear();
  for (const int size : sizes)
    levels.groups.push_back(consecutive_groups(context.collective.ranks, size));
  return levels;
}

std::optional<LocalGroups> groups_for(const Context& context) {
  if (!groups_in(context.options).empty()) return group_levels_for(context).groups.front();
  return context.network == nullptr ? std::nullopt : local_groups(*context.network);
}

std::optional<LocalGroups> lanes_for(const Context& context) {
  auto groups = groups_for(context);
  return groups || context.network == nullptr ? groups : unequal_lanes(*context.network);
}

std::optional<std::string> group_misfit(const Context& context, Groups groups) {
  int below = 0;
  for (const int size : groups_in(context.options)) {
    if (!divides(size, context.collective.ranks))
      return not_dividing(size, context.collective.ranks);
    if (below > 0 && (size <= below || size % below != 0))
      return fmt::format("groups of {} ranks are not made of groups of {}", size, below);
    below = size;
  }
  if (groups == Groups::equal ? groups_for(context) : lanes_for(context)) return std::nullopt;
  if (context.network != nullptr)
    if (const auto ends = parted(*context.network))
      return fmt::format("no path leads from node {} to node {}, but it needs a connected network",
                         ends->from.value(), ends->to.value());
  return fmt::format(
      "it needs {}local groups, which the network does not have; give the option group",
      groups == Groups::equal ? "equal " : "");
}

}  // namespace weft::algorithm
