#include "weft/topology/placement.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/invalid_field.hpp"
#include "weft/base/random.hpp"
#include "weft/topology/allocation.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/parameters.hpp"
#include "weft/topology/several_ranks.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {

namespace {

constexpr std::int64_t kMostRanks = 1 << 26;
constexpr std::string_view kByName = "hosts:";

// What round-robin takes in turn.
enum class Part : std::uint8_t { switch_node, group, largest };

using Nodes = std::vector<NodeId>;

// The group of each host. Throws InvalidInput on networks without.
HostGroups host_groups(const Topology& topology, std::string_view policy) {
  auto groups = as_host_groups(topology);
  require(groups.has_value(), "placement {} needs a Dragonfly, and {} is not one; use {}", policy,
          topology.name(), "random, linear or round-robin");
  return *std::move(groups);
}

// The part of the network that each host belongs to, by node; itself where no switch has hosts.
IdVector<NodeId, std::int32_t> host_parts(const Topology& topology, Part part) {
  if (part == Part::group) return host_groups(topology, "round-robin-group").of;
  if (part == Part::largest)
    if (auto groups = as_host_groups(topology)) return std::move(groups->of);
  const auto attachment = as_attached_hosts(topology);
  IdVector<NodeId, std::int32_t> parts(topology.node_count(), 0);
  for (const NodeId host : topology.hosts())
    parts[host] = attachment ? attachment->switch_of[host].value() : host.value();
  return parts;
}

// The hosts in the order: first host of every part, second host of every part, ...
Nodes round_robin(const Topology& topology, const Nodes& hosts, Part part) {
  const IdVector<NodeId, std::int32_t> parts = host_parts(topology, part);
  std::vector<std::size_t> order(hosts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::int64_t> turn(hosts.size());
  std::vector<std::int64_t> used(topology.node_count(), 0);
  const auto part_of = [&](std::size_t i) { return parts[hosts[i]]; };
  for (std::size_t i = 0; i < hosts.size(); ++i) turn[i] = used[part_of(i)]++;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return std::pair(turn[x], part_of(x)) < std::pair(turn[y], part_of(y));
  });
  Nodes nodes;
  for (std::size_t i : order) nodes.push_back(hosts[i]);
  return nodes;
}

Nodes shuffled(Nodes nodes, std::uint64_t seed) {
  Rng rng(seed);
  rng.shuffle(nodes);
  return nodes;
}

// As random, without the other hosts of the first one's group.
Nodes lone_root(const Topology& topology, const Nodes& hosts, std::uint64_t seed) {
  const IdVector<NodeId, std::int32_t> group_of = host_groups(topology, "lone-root").of;
  Nodes nodes = shuffled(hosts, seed);
  const NodeId root = nodes.front();
  std::erase_if(nodes,
                [&](NodeId host) { return host != root && group_of[host] == group_of[root]; });
  return nodes;
}

// The first host of every group; then group 1, 2, ..., 0 filled, a host of each router first.
Nodes deepest(const Topology& topology, const Nodes& hosts) {
  const auto [count, group_of] = host_groups(topology, "deepest");
  const IdVector<NodeId, std::int32_t> router_of = host_parts(topology, Part::switch_node);
  // Whether each host is the first of its group, and of its router, in this order.
  std::vector<char> groups_seen(count, 0),
      routers_seen(static_cast<std::size_t>(topology.node_count()), 0);
  std::vector<std::tuple<int, std::int32_t, int>> place_of;
  for (const NodeId host : hosts) {
    const std::int32_t group = group_of[host];
    const auto router = static_cast<std::size_t>(router_of[host]);
    const bool first = std::exchange(groups_seen[group], 1) == 0;
    const bool leads = std::exchange(routers_seen[router], 1) == 0;
    if (first)
      place_of.emplace_back(0, group, 0);
    else
      place_of.emplace_back(1, (group + count - 1) % count, leads ? 0 : 1);
  }
  std::vector<std::size_t> order(hosts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return place_of[x] < place_of[y]; });
  Nodes nodes;
  for (const std::size_t i : order) nodes.push_back(hosts[i]);
  return nodes;
}

// The hosts in the order in which the policy gives them to ranks.
Nodes host_order(const Topology& topology, const Nodes& hosts, std::string_view policy,
                 std::uint64_t seed) {
  if (policy == "random") return shuffled(hosts, seed);
  if (policy == "round-robin") return round_robin(topology, hosts, Part::largest);
  if (policy == "round-robin-router") return round_robin(topology, hosts, Part::switch_node);
  if (policy == "round-robin-group") return round_robin(topology, hosts, Part::group);
  if (policy == "lone-root") return lone_root(topology, hosts, seed);
  if (policy == "deepest") return deepest(topology, hosts);
  if (policy != "linear" && policy != "contiguous")
    reject_unknown({"placement", policy}, placement_policies());
  return hosts;
}

std::int64_t host_index(std::string_view text, std::int64_t hosts, const std::string& where) {
  const auto index = number_in<std::int64_t>(text);
  require(index.has_value(), "{}: '{}' is not a host number; write one host (0 to {}) a line",
          where, text, hosts - 1);
  require(*index >= 0 && *index < hosts, "{}: host {} does not exist; hosts are 0 to {}", where,
          *index, hosts - 1);
  return *index;
}

// Of the host that a line names, by number or by name.
NodeId host_of(const Topology& topology, const std::optional<NodeNames>& names,
               std::string_view line, const std::string& where) {
  const auto hosts = topology.hosts();
  if (!names) return hosts[host_index(line, static_cast<std::int64_t>(hosts.size()), where)];
  const auto node = names->find(line);
  require(node && topology.is_host(*node), "{}: {} has no host named {}; write one name a line",
          where, topology.name(), line);
  return *node;
}

std::vector<NodeId> from_file(const Topology& topology, const std::string& path,
                              const std::optional<NodeNames>& names) {
  const std::string content = read_file(path);
  std::vector<NodeId> nodes;
  std::int64_t number = 0;
  for (std::string_view line : split(content, '\n')) {
    ++number;
    line = trim(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    nodes.push_back(host_of(topology, names, line, fmt::format("{}:{}", path, number)));
  }
  require(!nodes.empty(), "placement {} names no host; write one host {} on each line", path,
          names ? "name" : "number");
  return nodes;
}

Placement place_by_file(const Topology& topology, const PlacementOptions& options,
                        const Nodes& allowed) {
  const std::string path = options.policy.substr(options.policy.find(':') + 1);
  std::optional<NodeNames> names;
  if (options.policy.starts_with(kByName)) {
    require(topology.facets().names != nullptr,
            "placement {} needs host names, and {} has none; add them with --names, or write "
            "file:PATH with numbers",
            options.policy, topology.name());
    names.emplace(topology);
  }
  Placement placement{from_file(topology, path, names)};
  IdVector<NodeId, char> is_allowed(topology.node_count(), 0);
  for (const NodeId host : allowed) is_allowed[host] = 1;
  const auto all = topology.hosts();
  for (const NodeId host : placement.nodes)
    require(is_allowed[host] != 0,
            "placement {} names host {}, which --hosts excludes; remove one of the two", path,
            std::lower_bound(all.begin(), all.end(), host) - all.begin());
  if (options.ranks == 0) return placement;
  require_of("ranks", options.ranks <= placement.ranks(),
             "placement {} has {} ranks, fewer than the {} of the run", path, placement.ranks(),
             options.ranks);
  placement.nodes.resize(options.ranks);
  return placement;
}

Placement place_by_policy(const Topology& topology, const PlacementOptions& options,
                          std::span<const std::int32_t> hosts) {
  const auto all = topology.hosts();
  require_of("topology", !all.empty(), "{} has no hosts to place ranks on; wrap it as hosts(k, X)",
             topology.name());
  require_of("ranks", options.ranks >= 0 && options.ranks <= kMostRanks,
             "{} ranks are out of range (1 to {})", options.ranks, kMostRanks);
  Nodes chosen(all.begin(), all.end());
  if (!hosts.empty()) chosen.clear();
  for (const std::int32_t host : hosts) chosen.push_back(all[host]);
  if (options.policy.starts_with("file:") || options.policy.starts_with(kByName))
    return place_by_file(topology, options, chosen);
  const std::size_t ranks =
      options.ranks == 0 ? chosen.size() : static_cast<std::size_t>(options.ranks);
  require_of("ranks", ranks <= chosen.size(),
             "{} ranks do not fit the {} hosts of {}; use at most {}, or --placement file:PATH, "
             "which can put several on a host",
             ranks, chosen.size(), hosts.empty() ? topology.name() : "--hosts", chosen.size());

  const std::string policy = options.policy.empty() ? "linear" : lower_name(options.policy);
  Placement placement{host_order(topology, chosen, policy, options.seed)};
  if (options.ranks == 0) return placement;
  require(
      ranks <= placement.nodes.size(),
      "{} ranks do not fit placement {} on {} (the rest of the root's group stays empty); use at "
      "most {}",
      ranks, policy, topology.name(), placement.nodes.size());
  placement.nodes.resize(ranks);
  return placement;
}

}  // namespace

Placement place(const Topology& topology, const PlacementOptions& options) {
  return place(topology, options, {});
}

Placement place(const Topology& topology, const PlacementOptions& options,
                std::span<const std::int32_t> hosts) {
  Placement placement =
      blame("placement", [&] { return place_by_policy(topology, options, hosts); });
  const std::vector<std::int32_t>& per_host = options.per_host;
  if (per_host == PlacementOptions().per_host) return placement;
  return blame("per-host", [&] {
    return per_host.size() == 1 ? several_on_each(placement, per_host.front())
                                : several_on_each(placement, per_host);
  });
}

std::int32_t Placement::most_on_a_host() const {
  Nodes sorted = nodes;
  std::ranges::sort(sorted);
  std::ptrdiff_t most = 0;
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto last = std::upper_bound(first, sorted.end(), *first);
    most = std::max(most, last - first);
    first = last;
  }
  return static_cast<std::int32_t>(most);
}

std::span<const std::string> placement_policies() {
  static const std::vector<std::string> names{"linear",
                                              "contiguous",
                                              "random",
                                              "round-robin",
                                              "round-robin-router",
                                              "round-robin-group",
                                              "lone-root",
                                              "deepest",
                                              "file:PATH",
                                              "hosts:PATH"};
  return names;
}

bool draws(std::string_view policy) {
  return policy == "random" || policy == "lone-root";
}

}  // namespace weft::topology
