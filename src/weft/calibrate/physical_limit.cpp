#include "weft/calibrate/physical_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/calibrate/ways.hpp"
#include "weft/evaluate/evaluation.hpp"

namespace weft::calibrate {

namespace {

constexpr double kNoise = 0.01;  // of a measured time
constexpr std::int64_t kOpen_Bps = 10'000'000'000'000;

Network among(const Network& network, const std::vector<NodeId>& nodes) {
  WEFT_ASSERT(!nodes.empty());
  return {network.fabric(), Placement{nodes}, network.host(),
          make_routing(network.routing().name(), network.fabric())};
}

// Seconds that a byte of --size takes at least.
double least_s_per_byte(const Collective& collective, const Network& network) {
  constexpr std::int64_t kSize_B = 1 << 30;
  const LowerBounds bounds = lower_bounds(collective, network, evaluate::Cuts::taken);
  return least_time_s(bounds, collective, network, kSize_B) / static_cast<double>(kSize_B);
}

// A message from one node to the other is a broadcast among the two.
double message_s_per_byte(NodeId from, NodeId to, const Network& network) {
  return least_s_per_byte({CollectiveKind::broadcast, 2}, among(network, {from, to}));
}

// By what each node sends and receives at once.
double ports_s_per_byte(std::span<const network::Flow> messages, const Network& network) {
  std::map<NodeId, std::pair<double, double>> ends;  // messages sent, received
  for (const auto& [from, to] : messages) {
    ++ends[from].first;
    ++ends[to].second;
  }
  const Topology& topology = network.topology();
  const auto together_Bps = [&](auto links) {
    double sum_Bps = 0;
    for (const LinkId link : links)
      sum_Bps += static_cast<double>(network.fabric().bandwidth_Bps(link));
    return sum_Bps;
  };
  double most_s = 0;
  for (const auto& [node, count] : ends) {
    const auto& [sent, received] = count;
    most_s = std::max({most_s, sent / together_Bps(topology.out_links(node)),
                       received / together_Bps(topology.in_links(node))});
  }
  return most_s;
}

double table_s_per_byte(const PlacedTable& placed, const Network& network) {
  const MeasuredTable& table = placed.table;
  if (table.collective) {
    // Ranks of one host may share all they have there, so that hosts bound the time.
    double most_s = 0;
    for (std::vector<NodeId>& hosts : groups_of(table, placed.nodes)) {
      std::ranges::sort(hosts);
      hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
      if (hosts.size() < 2) continue;
      const Collective of_group{*table.collective, static_cast<std::int32_t>(hosts.size())};
      most_s = std::max(most_s, least_s_per_byte(of_group, among(network, hosts)));
    }
    return most_s;
  }
  std::vector<network::Flow> messages = messages_of(table, placed.nodes);
  std::erase_if(messages, [](const network::Flow& flow) { return flow.from == flow.to; });
  double most_s = ports_s_per_byte(messages, network);
  std::map<std::pair<NodeId, NodeId>, bool> seen;
  for (const auto& [from, to] : messages)
    if (seen.emplace(std::pair(from, to), true).second)
      most_s = std::max(most_s, message_s_per_byte(from, to, network));
  return most_s;
}

}  // namespace

BuiltTopology with_open_speeds(BuiltTopology built) {
  auto& speeds = built.speeds.bandwidth_Bps;
  if (speeds.empty())
    speeds = IdVector<LinkId, std::optional<std::int64_t>>(built.topology.link_count());
  WEFT_ASSERT(speeds.size() == built.topology.link_count());
  for (const LinkId link : built.topology.links())
    if (!speeds[link]) speeds[link] = kOpen_Bps;
  return built;
}

std::optional<std::string> faster_than_network(std::span<const PlacedTable> tables,
                                               const Network& network) {
  for (const PlacedTable& placed : tables) {
    const MeasuredTable& table = placed.table;
    if (table.work != MemoryWork::none) continue;
    const double least_s = table_s_per_byte(placed, network);
    for (const MeasuredRow& row : table.rows) {
      const auto size_B = static_cast<double>(row.size_B);
      if (row.time_s >= (1 - kNoise) * least_s * size_B) continue;
      return fmt::format(
          "{}:{}: faster than the network allows: {} at {} is {}, and {} carries at most {}; check "
          "the speeds of its links (--link) and which hosts the ranks ran on",
          table.path, row.line, table.benchmark, format_size(row.size_B),
          format_rate(size_B / row.time_s), network.topology().name(),
          format_rate(std::round(1 / least_s)));
    }
  }
  return std::nullopt;
}

std::optional<std::string> faster_than_links(const Calibration& calibration,
                                             std::span<const PlacedTable> tables,
                                             const Network& network) {
  const auto is_message = [](const PlacedTable& placed) {
    return !placed.table.collective && placed.table.work == MemoryWork::none;
  };
  const auto ring = std::ranges::find_if(
      tables, [](const PlacedTable& placed) { return placed.table.collective.has_value(); });
  if (ring == tables.end() || std::ranges::any_of(tables, is_message)) return std::nullopt;
  const Topology& topology = network.topology();
  for (const FittedClass& fitted : calibration.classes) {
    double stated_Bps = 0;
    for (const LinkId link : topology.links())
      if (topology.class_names()[topology.link_class(link)] == fitted.name)
        stated_Bps =
            std::max(stated_Bps, static_cast<double>(network.fabric().bandwidth_Bps(link)));
    if (!fitted.measured || fitted.bandwidth_Bps.value <= (1 + kNoise) * stated_Bps) continue;
    return fmt::format(
        "{}: with {}, its times need {} of a {} link, which has {}; {}", ring->table.path,
        rings_of(ring->table, ring->nodes) == 1 ? "one ring" : "rings",
        format_rate(fitted.bandwidth_Bps.value), fitted.name, format_rate(stated_Bps),
        ring->table.benchmark.starts_with("nccl")
            ? "keep its \"# Rank\" lines, which give the ranks and cards of each host"
            : "add a table of single messages (osu_latency, IMB PingPong)");
  }
  return std::nullopt;
}

}  // namespace weft::calibrate
