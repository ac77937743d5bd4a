#include "weft/testbed/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/topology/names.hpp"

namespace weft::testbed {

namespace {

constexpr std::int32_t kInByte = 250;  // numbers of an address's byte that are used
constexpr std::int32_t kFirstTable = 1000;

std::string address_of(std::int32_t network, std::int32_t number) {
  WEFT_ASSERT(network >= 0 && number >= 0);
  return fmt::format("10.{}.{}.{}", network + number / kInByte / kInByte,
                     number / kInByte % kInByte, number % kInByte + 1);
}

std::vector<Machine> machines_of(const Network& network, const LayoutOptions& options) {
  const Topology& topology = network.topology();
  std::vector<Machine> machines;
  for (const NodeId node : topology.nodes())
    machines.push_back({.space = fmt::format("weft-{}-{}", options.id, node.value()),
                        .name = topology::exported_name(topology, node)});
  for (const NodeId node : network.placement().nodes) {
    Machine& machine = machines[node.index()];
    machine.address = address_of(77, node.value());
    ++machine.ranks;
  }
  return machines;
}

// By link, -1 for those from a node to itself.
std::vector<std::int32_t> wire_of_link(const Topology& topology, std::vector<Wire>& wires) {
  std::vector<std::int32_t> wire_of(static_cast<std::size_t>(topology.link_count()), -1);
  for (const LinkId link : topology.links()) {
    const auto reverse = topology.reverse(link);
    if (topology.tail(link) == topology.head(link) || wire_of[link.index()] >= 0) continue;
    const auto number = static_cast<std::int32_t>(wires.size());
    wires.push_back({.device = fmt::format("w{}", number),
                     .tail = topology.tail(link),
                     .head = topology.head(link),
                     .tail_address = address_of(100, 2 * number),
                     .head_address = address_of(100, 2 * number + 1),
                     .two_way = reverse.has_value()});
    wire_of[link.index()] = number;
    if (reverse) wire_of[reverse->index()] = number;
  }
  return wire_of;
}

std::vector<NodeId> hosts_of(const Network& network) {
  std::vector<NodeId> hosts;
  for (const NodeId node : network.placement().nodes) {
    if (!hosts.empty() && hosts.back() == node) continue;
    require(std::ranges::find(hosts, node) == hosts.end(),
            "the ranks on {} are not consecutive, but an MPI fills one host after another; place "
            "the ranks of each host in a row",
            topology::node_text(network.topology(), node));
    hosts.push_back(node);
  }
  return hosts;
}

/// Of one node: by destination, the link that messages of each source take.
using Onward = std::map<NodeId, std::map<NodeId, LinkId>>;

std::vector<Onward> onward_of(const Network& network, const std::vector<NodeId>& hosts) {
  std::vector<network::Flow> flows;
  for (const NodeId from : hosts)
    for (const NodeId to : hosts)
      if (from != to) flows.push_back({from, to});
  network::RouteTable routes;
  routes.clear();
  network.routing().route(flows, routes);
  require(!routes.has_shares(),
          "routing {} splits messages over several paths, but a testbed has static routes; use "
          "--routing shortest",
          network.routing().name());
  std::vector<Onward> onward(static_cast<std::size_t>(network.topology().node_count()));
  for (std::size_t f = 0; f < flows.size(); ++f)
    for (const LinkId link : routes.links(static_cast<std::int64_t>(f)))
      onward[network.topology().tail(link).index()][flows[f].to][flows[f].from] = link;
  return onward;
}

// A node's own messages go by the main table, where it has any: their source is chosen by it.
std::vector<NextHop> ways_of(NodeId node, const Onward& onward, const Layout& layout,
                             const std::vector<std::int32_t>& wire_of) {
  std::vector<NextHop> ways;
  const auto way = [&](NodeId to, LinkId link) {
    const std::int32_t number = wire_of[link.index()];
    WEFT_ASSERT(number >= 0);  // no path goes from a node to itself
    const Wire& wire = layout.wires[static_cast<std::size_t>(number)];
    return NextHop{.to = layout.machines[to.index()].address,
                   .wire = number,
                   .via = wire.tail == node ? wire.head_address : wire.tail_address};
  };
  for (const auto& [to, by_source] : onward) {
    const auto own = by_source.find(node);
    const LinkId main = own != by_source.end() ? own->second : by_source.begin()->second;
    ways.push_back(way(to, main));
    for (const auto& [from, link] : by_source) {
      if (link == main) continue;
      NextHop other = way(to, link);
      other.from = layout.machines[from.index()].address;
      other.table = kFirstTable + from.value();
      ways.push_back(std::move(other));
    }
  }
  return ways;
}

constexpr std::int64_t kAllPerCore_Bps = 200'000'000;  // 1.6 Gbit/s
constexpr std::int64_t kLink_Bps = 12'500'000;         // 100 Mbit/s

}  // namespace

std::int32_t Layout::ranks() const {
  std::int32_t sum = 0;
  for (const Machine& machine : machines) sum += machine.ranks;
  return sum;
}

std::int64_t Layout::links() const {
  std::int64_t sum = 0;
  for (const Wire& wire : wires) sum += wire.two_way ? 2 : 1;
  return sum;
}

Layout lay_out(const Network& network, const LayoutOptions& options) {
  const Topology& topology = network.topology();
  require(topology.node_count() <= kMostMachines,
          "{} has {} nodes, but a testbed has at most {}; choose a smaller network",
          topology.name(), topology.node_count(), kMostMachines);
  require(!network.routing().sees_whole_step(),
          "routing {} chooses paths for each step, but a testbed has static routes; use "
          "--routing shortest",
          network.routing().name());
  Layout layout{.options = options,
                .machines = machines_of(network, options),
                .wires = {},
                .ways = {},
                .hosts = hosts_of(network)};
  const auto wire_of = wire_of_link(topology, layout.wires);
  const auto onward = onward_of(network, layout.hosts);
  for (const NodeId node : topology.nodes())
    layout.ways.push_back(ways_of(node, onward[node.index()], layout, wire_of));
  WEFT_ASSERT(std::ssize(layout.machines) == topology.node_count() &&
              layout.ranks() == network.ranks());
  return layout;
}

std::int64_t payload_Bps(std::int64_t rate_Bps) {
  WEFT_ASSERT(rate_Bps >= 0);
  constexpr std::int64_t kPayload_B = 1448, kFrame_B = 1514;
  return rate_Bps * kPayload_B / kFrame_B;
}

std::int64_t parse_rate(std::string_view text) {
  constexpr std::int64_t kLeast_Bps = 12'500, kMost_Bps = 125'000'000'000;
  std::string rate(text);
  if (rate.ends_with("bit")) rate.replace(rate.size() - 3, 3, "bps");
  try {
    const std::int64_t rate_Bps = parse_bandwidth(rate);
    require(rate_Bps >= kLeast_Bps && rate_Bps <= kMost_Bps, "");
    return rate_Bps;
  } catch (const InvalidInput&) {
    reject("invalid --rate value '{}' (expected 100Kbit to 1000Gbit, such as 50Mbit)", text);
  }
}

std::string format_rate(std::int64_t rate_Bps) {
  const std::int64_t bits = rate_Bps * 8;
  if (bits % 1'000'000 == 0) return fmt::format("{}Mbit", bits / 1'000'000);
  if (bits % 1'000 == 0) return fmt::format("{}Kbit", bits / 1'000);
  return fmt::format("{}bit", bits);
}

Budget budget_of(unsigned cores) {
  return {kAllPerCore_Bps * std::max(1U, cores), kLink_Bps};
}

void require_within(const Budget& budget, const Layout& layout) {
  const std::int64_t links = std::max<std::int64_t>(1, layout.links());
  const std::int64_t most_Bps = std::min(budget.link_Bps, budget.all_Bps / links);
  require(layout.options.rate_Bps <= most_Bps,
          "--rate {} Mbit on {} is more than this machine can carry, so its processor would "
          "decide the times; use --rate {}Mbit or less, or --beyond-budget to measure anyway",
          layout.options.rate_Bps / 125'000, counted(links, "link"), most_Bps / 125'000);
}

}  // namespace weft::testbed
