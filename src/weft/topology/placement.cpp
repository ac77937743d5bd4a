#include "weft/topology/placement.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <tuple>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/random.hpp"
#include "weft/base/suggest.hpp"
#include "weft/topology/parameters.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {

namespace {

constexpr std::int64_t kMostRanks = 1 << 26;

// What round-robin takes in turn.
enum class Part : std::uint8_t { switch_node, group, largest };

// The groups of a Dragonfly or Dragonfly+.
struct Groups {
  std::int64_t count = 0, switches = 0, hosts_a_switch = 0;  // switches of a group
};

std::optional<Groups> groups_of(const Topology& topology) {
  if (const auto d = as_dragonfly(topology)) return Groups{d->g, d->a, d->p};
  if (const auto plus = as_dragonfly_plus(topology))
    return Groups{plus->g, plus->group_size(), plus->p};
  return std::nullopt;
}

// The group of each host, by index. Throws InvalidInput on other networks.
std::vector<std::int64_t> host_groups(const Topology& topology, std::string_view policy) {
  const auto groups = groups_of(topology);
  const auto attachment = as_attached_hosts(topology);
  require(groups && attachment, "placement {} needs a Dragonfly, which {} is not; use {}", policy,
          topology.name(), "random, linear or round-robin");
  std::vector<std::int64_t> result;
  for (const NodeId host : topology.hosts())
    result.push_back(attachment->switch_of[host.index()].value() / groups->switches);
  return result;
}

// The part of the network that each host belongs to; itself where no switch has hosts.
std::vector<std::int64_t> host_parts(const Topology& topology, Part part) {
  const auto attachment = as_attached_hosts(topology);
  if (part == Part::group || (part == Part::largest && attachment && groups_of(topology)))
    return host_groups(topology, "round-robin-group");
  std::vector<std::int64_t> parts;
  for (const NodeId host : topology.hosts())
    parts.push_back(attachment ? attachment->switch_of[host.index()].value() : host.value());
  return parts;
}

// The hosts in the order: first host of every part, second host of every part, ...
std::vector<NodeId> round_robin(const Topology& topology, Part part) {
  const auto hosts = topology.hosts();
  const std::vector<std::int64_t> parts = host_parts(topology, part);
  std::vector<std::size_t> order(hosts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::int64_t> turn(hosts.size());
  std::vector<std::int64_t> used(static_cast<std::size_t>(topology.node_count()), 0);
  for (std::size_t i = 0; i < hosts.size(); ++i)
    turn[i] = used[static_cast<std::size_t>(parts[i])]++;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return std::pair(turn[x], parts[x]) < std::pair(turn[y], parts[y]);
  });
  std::vector<NodeId> nodes;
  for (std::size_t i : order) nodes.push_back(hosts[i]);
  return nodes;
}

std::vector<NodeId> shuffled(const Topology& topology, std::uint64_t seed) {
  std::vector<NodeId> nodes(topology.hosts().begin(), topology.hosts().end());
  Rng rng(seed);
  rng.shuffle(nodes);
  return nodes;
}

// As random, without the other hosts of the first one's group.
std::vector<NodeId> lone_root(const Topology& topology, std::uint64_t seed) {
  const std::vector<std::int64_t> groups = host_groups(topology, "lone-root");
  std::vector<std::int64_t> group_of(static_cast<std::size_t>(topology.node_count()));
  for (std::size_t i = 0; i < groups.size(); ++i) group_of[topology.hosts()[i].index()] = groups[i];
  std::vector<NodeId> nodes = shuffled(topology, seed);
  const NodeId root = nodes.front();
  std::erase_if(nodes, [&](NodeId host) {
    return host != root && group_of[host.index()] == group_of[root.index()];
  });
  return nodes;
}

// The first host of every group; then group 1, 2, ..., 0 filled, a host of each router first.
std::vector<NodeId> deepest(const Topology& topology) {
  const std::vector<std::int64_t> groups = host_groups(topology, "deepest");
  const auto hosts = topology.hosts();
  const auto p = static_cast<std::size_t>(groups_of(topology)->hosts_a_switch);
  const std::int64_t count = groups_of(topology)->count;
  const std::size_t group_size = hosts.size() / static_cast<std::size_t>(count);
  std::vector<std::size_t> order(hosts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place_of = [&](std::size_t i) {  // hosts are numbered by group, then router
    if (i % group_size == 0) return std::tuple<int, std::int64_t, int>(0, groups[i], 0);
    return std::tuple<int, std::int64_t, int>(1, (groups[i] + count - 1) % count,
                                              i % p == 0 ? 0 : 1);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return place_of(x) < place_of(y); });
  std::vector<NodeId> nodes;
  for (const std::size_t i : order) nodes.push_back(hosts[i]);
  return nodes;
}

// The hosts in the order in which the policy gives them to ranks.
std::vector<NodeId> host_order(const Topology& topology, std::string_view policy,
                               std::uint64_t seed) {
  if (policy == "random") return shuffled(topology, seed);
  if (policy == "round-robin") return round_robin(topology, Part::largest);
  if (policy == "round-robin-router") return round_robin(topology, Part::switch_node);
  if (policy == "round-robin-group") return round_robin(topology, Part::group);
  if (policy == "lone-root") return lone_root(topology, seed);
  if (policy == "deepest") return deepest(topology);
  if (policy != "linear" && policy != "contiguous")
    reject("unknown placement \"{}\"; {}", policy, suggest(policy, placement_policies()));
  return {topology.hosts().begin(), topology.hosts().end()};
}

std::int64_t host_index(std::string_view text, std::int64_t hosts, const std::string& where) {
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  require(error == std::errc() && end == text.data() + text.size(),
          "{}: \"{}\" is not a host number; write one host (0 to {}) a line", where, text,
          hosts - 1);
  require(index >= 0 && index < hosts, "{}: host {} does not exist; hosts are 0 to {}", where,
          index, hosts - 1);
  return index;
}

std::vector<NodeId> from_file(const Topology& topology, const std::string& path) {
  const std::string content = read_file(path);
  const auto hosts = topology.hosts();
  std::vector<NodeId> nodes;
  std::int64_t number = 0;
  for (std::string_view line : split(content, '\n')) {
    ++number;
    line = trim(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const std::string where = fmt::format("{}:{}", path, number);
    const auto count = static_cast<std::int64_t>(hosts.size());
    nodes.push_back(hosts[static_cast<std::size_t>(host_index(line, count, where))]);
  }
  require(!nodes.empty(), "placement {} names no host; write one host number a line", path);
  return nodes;
}

Placement place_by_file(const Topology& topology, const PlacementOptions& options) {
  const std::string path = options.policy.substr(std::string_view("file:").size());
  Placement placement{from_file(topology, path)};
  if (options.ranks == 0) return placement;
  require(options.ranks <= placement.ranks(),
          "placement {} places {} ranks, fewer than the {} asked", path, placement.ranks(),
          options.ranks);
  placement.nodes.resize(static_cast<std::size_t>(options.ranks));
  return placement;
}

}  // namespace

Placement place(const Topology& topology, const PlacementOptions& options) {
  const auto hosts = topology.hosts();
  require(!hosts.empty(), "{} has no hosts to place ranks on; wrap it as hosts(k, X)",
          topology.name());
  require(options.ranks >= 0 && options.ranks <= kMostRanks, "{} ranks are out of range (1 to {})",
          options.ranks, kMostRanks);
  if (options.policy.starts_with("file:")) return place_by_file(topology, options);
  const std::size_t ranks =
      options.ranks == 0 ? hosts.size() : static_cast<std::size_t>(options.ranks);
  require(ranks <= hosts.size(), "{} ranks are more than the {} hosts of {}; use at most {}", ranks,
          hosts.size(), topology.name(), hosts.size());

  Placement placement{host_order(topology, lower(options.policy), options.seed)};
  if (options.ranks == 0) return placement;
  require(
      ranks <= placement.nodes.size(),
      "{} ranks do not fit placement {} on {} (the rest of the root's group stays empty); use at "
      "most {}",
      ranks, lower(options.policy), topology.name(), placement.nodes.size());
  placement.nodes.resize(ranks);
  return placement;
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
                                              "file:PATH"};
  return names;
}

bool draws(std::string_view policy) {
  return policy == "random" || policy == "lone-root";
}

}  // namespace weft::topology
