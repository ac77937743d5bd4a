#include "weft/topology/placement.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/random.hpp"
#include "weft/base/suggest.hpp"
#include "weft/topology/parameters.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {

namespace {

constexpr std::int64_t kMostRanks = 1 << 26;

// The part of the network that a host belongs to for round-robin: its group of a Dragonfly or
// Dragonfly+, its switch, or itself.
std::vector<std::int64_t> host_parts(const Topology& topology) {
  const auto attachment = as_attached_hosts(topology);
  std::int64_t part_size = 1;  // switches
  if (const auto dragonfly = as_dragonfly(topology)) part_size = dragonfly->a;
  if (const auto plus = as_dragonfly_plus(topology)) part_size = plus->group_size();
  std::vector<std::int64_t> parts;
  for (NodeId host : topology.hosts()) {
    if (!attachment)
      parts.push_back(host.value());
    else
      parts.push_back(attachment->switch_of[host.index()].value() / part_size);
  }
  return parts;
}

// The hosts in the order: first host of every part, second host of every part, ...
std::vector<NodeId> round_robin(const Topology& topology) {
  const auto hosts = topology.hosts();
  const std::vector<std::int64_t> parts = host_parts(topology);
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

  Placement placement{std::vector<NodeId>(hosts.begin(), hosts.end())};
  const std::string policy = lower(options.policy);
  if (policy == "random") {
    Rng rng(options.seed);
    rng.shuffle(placement.nodes);
  } else if (policy == "round-robin") {
    placement.nodes = round_robin(topology);
  } else if (policy != "linear") {
    const std::vector<std::string> known{"linear", "random", "round-robin", "file:PATH"};
    reject("unknown placement \"{}\"; {}", options.policy, suggest(policy, known));
  }
  placement.nodes.resize(ranks);
  return placement;
}

}  // namespace weft::topology
