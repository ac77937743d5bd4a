// The groups of ranks that a network shows.
//
// Ranks are near each other by the widest links of their hosts: those to a host's switch, or of
// several to the one with the widest links, as GPUs hang on the switch of their box and on a rail;
// switches that join the same hosts count as one, as those of a box with several planes do; or to
// the hosts that it is joined to directly, where that is wider. Within such a group ranks stand in
// the order of the other switches of their hosts, so that those of one rail have one place in their
// groups wherever ranks are placed. Where groups are not equal, as in an allocation that ends
// within a box, rows of the greatest number of ranks that divides each of them are.
#include "weft/algorithm/local_groups.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>

#include "group_choice.hpp"
#include "levels_above.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/graph/breadth_first.hpp"
#include "weft/topology/joined.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {

namespace {

/// The ranks whose nodes have the same key, in order of their first ranks.
LocalGroups by_key(const Network& network, const std::function<std::int64_t(NodeId)>& key) {
  std::map<std::int64_t, std::size_t> index;
  LocalGroups groups;
  for (const Rank rank : ids<Rank>(network.ranks())) {
    const auto [entry, is_new] =
        index.try_emplace(key(network.placement().nodes[rank.index()]), groups.size());
    if (is_new) groups.emplace_back();
    groups[entry->second].push_back(rank);
  }
  return groups;
}

/// Likewise; nothing unless there are two or more equal groups of two or more ranks.
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

/// Of each switch the lowest that joins the same hosts (a plane of the same box). O(links * log).
std::vector<NodeId> first_planes(const Topology& topology) {
  std::map<std::vector<NodeId>, NodeId> first;
  std::vector<NodeId> result;
  for (const NodeId node : topology.nodes()) {
    std::vector<NodeId> hosts;
    if (!topology.is_host(node))
      for (const LinkId link : topology.in_links(node))
        if (topology.is_host(topology.tail(link))) hosts.push_back(topology.tail(link));
    std::ranges::sort(hosts);
    result.push_back(hosts.empty() ? node
                                   : first.try_emplace(std::move(hosts), node).first->second);
  }
  return result;
}

/// The bandwidth from a host to the switch, of its switches, that it has most to (of equal ones the
/// lowest), and to other hosts; and the lowest switch beside that, or beside those hosts: its rail.
/// Planes of one box are one switch.
struct Surroundings {
  std::optional<NodeId> widest_switch, rail;
  std::int64_t switch_Bps = 0, hosts_Bps = 0;

  bool by_switch() const { return widest_switch && switch_Bps >= hosts_Bps; }
};
Surroundings surroundings_of(NodeId host, const Fabric& fabric,
                             const std::vector<NodeId>& first_plane) {
  const Topology& topology = fabric.topology();
  Surroundings result;
  std::map<NodeId, std::int64_t> switches;
  for (const LinkId link : topology.out_links(host)) {
    const NodeId neighbour = topology.head(link);
    (topology.is_host(neighbour) ? result.hosts_Bps : switches[first_plane[neighbour.index()]]) +=
        fabric.bandwidth_Bps(link);
  }
  for (const auto& [node, bandwidth_Bps] : switches)
    if (bandwidth_Bps > result.switch_Bps) {
      result.widest_switch = node;
      result.switch_Bps = bandwidth_Bps;
    }
  for (const auto& [node, bandwidth_Bps] : switches)
    if (!result.rail && !(result.by_switch() && node == result.widest_switch)) result.rail = node;
  return result;
}

/// Groups of ranks, and of each rank its rail.
struct RailedGroups {
  LocalGroups groups;
  IdVector<Rank, std::optional<NodeId>> rail;
};

/// The ranks whose widest links lead to one switch, or to each other, in the order of their rails.
RailedGroups by_widest_links_and_rails(const Network& network) {
  const Topology& topology = network.topology();
  const std::vector<NodeId> first_plane = first_planes(topology);
  const auto around = [&](NodeId host) {
    return surroundings_of(host, network.fabric(), first_plane);
  };
  IdVector<NodeId, NodeId> joined;  // made when the first host asks
  LocalGroups groups = by_key(network, [&](NodeId node) -> std::int64_t {
    if (const Surroundings own = around(node); own.by_switch()) return own.widest_switch->value();
    if (joined.empty()) joined = topology::lowest_joined(topology);
    return joined[node].value();
  });
  IdVector<Rank, std::optional<NodeId>> rails;
  for (const NodeId node : network.placement().nodes) rails.push_back(around(node).rail);
  for (auto& group : groups)
    std::ranges::stable_sort(group, {}, [&](Rank rank) { return rails[rank]; });
  return {std::move(groups), std::move(rails)};
}

LocalGroups by_widest_links(const Network& network) {
  return by_widest_links_and_rails(network).groups;
}

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
  if (auto groups = equal_rows(by_widest_links(network))) return groups;
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
  if (network.topology().has_switches()) add(equal_rows(by_widest_links(network)));
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

std::optional<UnequalGroups> unequal_groups(const Network& network) {
  if (!network.topology().has_switches() || local_groups(network)) return std::nullopt;
  const RailedGroups railed = by_widest_links_and_rails(network);
  const auto [least, most] = std::ranges::minmax(railed.groups, {}, &std::vector<Rank>::size);
  if (railed.groups.size() < 2 || least.size() == most.size()) return std::nullopt;
  return UnequalGroups{static_cast<std::int32_t>(least.size()),
                       static_cast<std::int32_t>(most.size()), equal_part(railed)};
}

std::int32_t ranks_in(const LocalGroups& groups) {
  require(!groups.empty() && !groups[0].empty(), "no ranks in the groups (needs 1 or more)");
  const std::size_t ranks = groups.size() * groups[0].size();
  IdVector<Rank, bool> seen(ranks, false);
  for (const auto& group : groups) {
    require(group.size() == groups[0].size(), "groups of {} and {} ranks are not equal",
            groups[0].size(), group.size());
    for (const Rank rank : group) {
      require(rank.value() >= 0 && rank.index() < ranks && !seen[rank],
              "rank {} is in two groups or beyond the {} ranks", rank.value(), ranks);
      seen[rank] = true;
    }
  }
  return static_cast<std::int32_t>(ranks);
}

LocalGroupLevels group_levels_for(const Context& context) {
  const std::vector<int> sizes = groups_in(context.options);
  LocalGroupLevels shown;
  if (context.network != nullptr) shown = local_group_levels(*context.network);
  if (sizes.empty()) return shown;
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

std::optional<std::string> group_misfit(const Context& context) {
  int below = 0;
  for (const int size : groups_in(context.options)) {
    if (!divides(size, context.collective.ranks))
      return not_dividing(size, context.collective.ranks);
    if (below > 0 && (size <= below || size % below != 0))
      return fmt::format("groups of {} ranks are not made of groups of {}", size, below);
    below = size;
  }
  if (groups_for(context)) return std::nullopt;
  if (context.network != nullptr)
    if (const auto ends = parted(*context.network))
      return fmt::format("no way leads from node {} to node {}, and it needs a connected network",
                         ends->from.value(), ends->to.value());
  return "it needs equal local groups, which the network does not show; give option group";
}

}  // namespace weft::algorithm
