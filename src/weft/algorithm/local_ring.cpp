// Local ring: a ring within each group of near ranks, and one across the groups for each place in a
// group.
//
// With G groups of g ranks, the data is G g blocks, one for each (group q, place i); shard i is the
// G blocks of place i. A reduce-scatter first sums shards within the groups, (g-1)/g of the data
// over short links, then blocks across the groups, only (G-1)/(G g) of it over long ones; allgather
// is the mirror image. It takes G + g - 2 steps instead of the G g - 1 of one ring, and sends the
// same amount. In an allreduce block (q, i) is number i G + q, so that a shard is one contiguous
// piece; in the others it is the block of the rank.
//
// Groups, unless given by size: the ranks on one node, in one group of a Dragonfly or Dragonfly+,
// near each other by the widest links of their hosts (a host's switch, or of several the one with
// the widest links, as GPUs hang on the switch of their box and on a rail; or the hosts that it is
// joined to directly, where that is wider), or in one line of a Hamming network's, HyperX's or
// torus's first dimension; the first of these that makes two or more equal groups of two or more.
// Source: Jia et al., "Highly
// Scalable Deep Learning Training System with Mixed-Precision", 2018 (hierarchical allreduce);
// Ueno, Yokota, "Exhaustive Study of Hierarchical AllReduce Patterns for Large Messages between
// GPUs", CCGrid 2019.
#include "weft/algorithm/local_ring.hpp"

#include <functional>
#include <map>

#include "entries.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {

namespace {

/// Ranks by (group, place), and the block that belongs to each.
struct Grid {
  const LocalGroups& groups;
  std::int64_t G, g;
  bool contiguous_shards;

  Agent agent(std::int64_t group, std::int64_t place) const {
    return groups[static_cast<std::size_t>(mod(group, G))][static_cast<std::size_t>(mod(place, g))];
  }
  std::int64_t block(std::int64_t group, std::int64_t place) const {
    return contiguous_shards ? mod(place, g) * G + mod(group, G) : agent(group, place).value();
  }
};

Grid grid_of(const LocalGroups& groups, bool contiguous_shards) {
  require(!groups.empty() && !groups[0].empty(), "no ranks in the groups (needs 1 or more)");
  const std::size_t ranks = groups.size() * groups[0].size();
  std::vector<bool> seen(ranks, false);
  for (const auto& group : groups) {
    require(group.size() == groups[0].size(), "groups of {} and {} ranks are not equal",
            groups[0].size(), group.size());
    for (const Rank rank : group) {
      require(rank.value() >= 0 && rank.index() < ranks && !seen[rank.index()],
              "rank {} is in two groups or beyond the {} ranks", rank.value(), ranks);
      seen[rank.index()] = true;
    }
  }
  return {groups, static_cast<std::int64_t>(groups.size()),
          static_cast<std::int64_t>(groups[0].size()), contiguous_shards};
}

/// Rings within the groups, each message one shard: in step t place i passes on shard i - t, or,
/// when it reduces, i - t - 1. Returns the next step.
std::int64_t local_rings(ScheduleBuilder& builder, const Grid& grid, std::int64_t step,
                         Arrival arrival) {
  const int ahead = arrival == Arrival::reduce ? 1 : 0;
  std::vector<Piece> shard;
  for (std::int64_t t = 0; t + 1 < grid.g; ++t, ++step)
    for (std::int64_t place = 0; place < grid.g; ++place) {
      shard.clear();
      for (std::int64_t q = 0; q < grid.G; ++q)
        shard.push_back(builder.block(grid.block(q, place - t - ahead)));
      for (std::int64_t q = 0; q < grid.G; ++q)
        builder.at(step).send(grid.agent(q, place), grid.agent(q, place + 1), shard, arrival);
    }
  return step;
}

/// Rings across the groups, each message one block.
std::int64_t global_rings(ScheduleBuilder& builder, const Grid& grid, std::int64_t step,
                          Arrival arrival) {
  const int ahead = arrival == Arrival::reduce ? 1 : 0;
  for (std::int64_t t = 0; t + 1 < grid.G; ++t, ++step)
    for (std::int64_t q = 0; q < grid.G; ++q)
      for (std::int64_t place = 0; place < grid.g; ++place)
        builder.at(step).send(grid.agent(q, place), grid.agent(q + 1, place),
                              builder.block(grid.block(q - t - ahead, place)), arrival);
  return step;
}

Schedule local_ring(CollectiveKind kind, const LocalGroups& groups) {
  const Grid grid = grid_of(groups, kind == CollectiveKind::allreduce);
  ScheduleBuilder builder({.kind = kind, .ranks = static_cast<std::int32_t>(grid.G * grid.g)},
                          {.algorithm = "local-ring"});
  std::int64_t step = 0;
  if (kind != CollectiveKind::allgather) {
    step = local_rings(builder, grid, step, Arrival::reduce);
    step = global_rings(builder, grid, step, Arrival::reduce);
  }
  if (kind != CollectiveKind::reduce_scatter) {
    step = global_rings(builder, grid, step, Arrival::copy);
    local_rings(builder, grid, step, Arrival::copy);
  }
  return std::move(builder).build();
}

/// The groups of ranks whose nodes have the same key, in order of their first ranks; nothing unless
/// there are two or more equal ones of two or more ranks.
std::optional<LocalGroups> grouped(const Network& network,
                                   const std::function<std::int64_t(NodeId)>& key) {
  std::map<std::int64_t, std::size_t> index;
  LocalGroups groups;
  for (const Rank rank : ids<Rank>(network.ranks())) {
    const auto [entry, is_new] =
        index.try_emplace(key(network.placement().nodes[rank.index()]), groups.size());
    if (is_new) groups.emplace_back();
    groups[entry->second].push_back(rank);
  }
  for (const auto& group : groups)
    if (group.size() != groups[0].size()) return std::nullopt;
  if (groups.size() < 2 || groups[0].size() < 2) return std::nullopt;
  return groups;
}

/// The bandwidth from a host to the switch, of its switches, that it has most to (of equal ones the
/// lowest), and to other hosts.
struct Surroundings {
  std::optional<NodeId> widest_switch;
  std::int64_t switch_Bps = 0, hosts_Bps = 0;
};
Surroundings surroundings_of(NodeId host, const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  Surroundings result;
  std::map<NodeId, std::int64_t> switches;
  for (const LinkId link : topology.out_links(host)) {
    const NodeId neighbour = topology.head(link);
    (topology.is_host(neighbour) ? result.hosts_Bps : switches[neighbour]) +=
        fabric.bandwidth_Bps(link);
  }
  for (const auto& [node, bandwidth_Bps] : switches)
    if (bandwidth_Bps > result.switch_Bps) {
      result.widest_switch = node;
      result.switch_Bps = bandwidth_Bps;
    }
  return result;
}

/// Of each node, the lowest of the hosts that it is joined to by links between hosts.
std::vector<NodeId> joined_hosts(const Topology& topology) {
  std::vector<std::optional<NodeId>> lowest(static_cast<std::size_t>(topology.node_count()));
  std::vector<NodeId> open;
  for (const NodeId start : topology.hosts()) {
    if (lowest[start.index()]) continue;
    lowest[start.index()] = start;
    open.push_back(start);
    while (!open.empty()) {
      const NodeId node = open.back();
      open.pop_back();
      for (const LinkId link : topology.out_links(node)) {
        const NodeId next = topology.head(link);
        if (!topology.is_host(next) || lowest[next.index()]) continue;
        lowest[next.index()] = start;
        open.push_back(next);
      }
    }
  }
  std::vector<NodeId> result;
  for (const NodeId node : topology.nodes()) result.push_back(lowest[node.index()].value_or(node));
  return result;
}

/// The ranks whose widest links lead to one switch, or to each other.
std::optional<LocalGroups> groups_by_widest_links(const Network& network) {
  const Topology& topology = network.topology();
  std::vector<NodeId> joined;  // made when the first host asks
  return grouped(network, [&](NodeId node) -> std::int64_t {
    const Surroundings around = surroundings_of(node, network.fabric());
    if (around.widest_switch && around.switch_Bps >= around.hosts_Bps)
      return around.widest_switch->value();
    if (joined.empty()) joined = joined_hosts(topology);
    return joined[node.index()].value();
  });
}

std::optional<LocalGroups> groups_of(const Network& network) {
  const Topology& topology = network.topology();
  const auto attached = topology::as_attached_hosts(topology);
  const auto position = [&](NodeId node) -> std::int64_t {  // a view's node
    return attached && topology.is_host(node) ? attached->switch_of[node.index()].value()
                                              : node.value();
  };
  if (auto groups = grouped(network, [](NodeId node) { return node.value(); })) return groups;
  if (const auto dragonfly = topology::as_dragonfly(topology))
    if (auto groups = grouped(network, [&](NodeId node) { return position(node) / dragonfly->a; }))
      return groups;
  if (const auto view = topology::as_dragonfly_plus(topology))
    if (auto groups =
            grouped(network, [&](NodeId node) { return position(node) / view->group_size(); }))
      return groups;
  if (auto groups = groups_by_widest_links(network)) return groups;
  std::optional<topology::Extents> extents;
  if (const auto hyperx = topology::as_hyperx(topology))  // or a Hamming network
    extents = *hyperx;
  else if (const auto torus = topology::as_torus(topology))
    extents = *torus;
  if (!extents || extents->extents.empty()) return std::nullopt;
  return grouped(network, [&](NodeId node) { return position(node) / extents->extents[0]; });
}

bool divides(int group, std::int32_t ranks) {
  return group >= 1 && ranks % group == 0;
}

std::string not_dividing(int group, std::int32_t ranks) {
  return fmt::format("group {} does not divide {} ranks; use a divisor", group, ranks);
}

std::optional<LocalGroups> groups_for(const Context& context) {
  if (context.options.group)
    return consecutive_groups(context.collective.ranks, *context.options.group);
  return context.network == nullptr ? std::nullopt : groups_of(*context.network);
}

}  // namespace

LocalGroups consecutive_groups(std::int32_t ranks, int size) {
  require(divides(size, ranks), "{}", not_dividing(size, ranks));
  LocalGroups groups(static_cast<std::size_t>(ranks / size));
  for (const Rank rank : ids<Rank>(ranks))
    groups[static_cast<std::size_t>(rank.value() / size)].push_back(rank);
  return groups;
}

Schedule local_ring_allgather(const LocalGroups& groups) {
  return local_ring(CollectiveKind::allgather, groups);
}

Schedule local_ring_reduce_scatter(const LocalGroups& groups) {
  return local_ring(CollectiveKind::reduce_scatter, groups);
}

Schedule local_ring_allreduce(const LocalGroups& groups) {
  return local_ring(CollectiveKind::allreduce, groups);
}

Algorithm local_ring_entry() {
  return {
      .name = "local-ring",
      .aliases = {"hierarchical-ring"},
      .summary = "rings within local groups, then across them",
      .source =
          "Jia et al., Highly Scalable Deep Learning Training System with Mixed-Precision, "
          "2018",
      .collectives = {CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                      CollectiveKind::allreduce},
      .options = {Option::group},
      .misfit = [](const Context& context) -> std::optional<std::string> {
        const auto& group = context.options.group;
        if (group && !divides(*group, context.collective.ranks))
          return not_dividing(*group, context.collective.ranks);
        if (groups_for(context)) return std::nullopt;
        return "it needs equal local groups, which the network does not show; give option group";
      },
      .build =
          [](const Context& context) {
            return local_ring(context.collective.kind, *groups_for(context));
          },
  };
}

}  // namespace weft::algorithm
