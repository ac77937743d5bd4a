// Layouts: packets that follow the tables take weft's own routes; what is no testbed is refused.
#include "weft/testbed/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/network_on.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace weft::testbed {
namespace {

constexpr std::int64_t kMbit_Bps = 125'000;

Network network_of(const std::string& expression, const std::string& routing = "shortest",
                   std::vector<NodeId> nodes = {}) {
  const Fabric fabric(build_topology(expression));
  if (nodes.empty())
    nodes.assign(fabric.topology().hosts().begin(), fabric.topology().hosts().end());
  return {fabric, {nodes}, {}, make_routing(routing, fabric)};
}

Layout layout_of(const Network& network, std::int64_t rate_Bps = 50 * kMbit_Bps) {
  return lay_out(network, {.id = "7", .rate_Bps = rate_Bps});
}

// What the kernel does: rules by source stand before the main table.
const NextHop* chosen(const Layout& layout, NodeId at, const std::string& from,
                      const std::string& to) {
  const auto& ways = layout.ways[at.index()];
  for (const std::string& source : {from, std::string()}) {
    const auto found = std::ranges::find_if(
        ways, [&](const NextHop& way) { return way.to == to && way.from == source; });
    if (found != ways.end()) return &*found;
  }
  return nullptr;
}

std::vector<NodeId> way_by_tables(const Layout& layout, NodeId from, NodeId to) {
  std::vector<NodeId> nodes{from};
  const std::string& source = layout.machines[from.index()].address;
  const std::string& destination = layout.machines[to.index()].address;
  while (nodes.back() != to && nodes.size() <= layout.machines.size()) {
    const NextHop* way = chosen(layout, nodes.back(), source, destination);
    if (way == nullptr) return {};
    const Wire& wire = layout.wires[static_cast<std::size_t>(way->wire)];
    const bool forth = wire.tail == nodes.back();
    EXPECT_TRUE(forth || wire.two_way);
    EXPECT_EQ(way->via, forth ? wire.head_address : wire.tail_address);
    nodes.push_back(forth ? wire.head : wire.tail);
  }
  return nodes;
}

std::vector<NodeId> way_by_routing(const Network& network, NodeId from, NodeId to) {
  network::RouteTable routes;
  const network::Flow flow{from, to};
  network.routing().route({&flow, 1}, routes);
  std::vector<NodeId> nodes{from};
  for (const LinkId link : routes.links(0)) nodes.push_back(network.topology().head(link));
  return nodes;
}

TEST(TestbedLayout, lets_packets_take_the_routes_of_weft) {
  // s-mod-k chooses by the source, so that a destination's packets part.
  const std::pair<const char*, const char*> cases[] = {
      {"ring:6", "shortest"},          {"kautz:2,2", "shortest"},
      {"uniring:5", "shortest"},       {"bipartite:4,4", "shortest"},
      {"mesh:3x3", "dimension-order"}, {"xgft:2;3,4;1,2", "d-mod-k"},
      {"xgft:2;3,4;1,2", "s-mod-k"},   {"hosts(2, complete:3)", "shortest"}};
  for (const auto& [expression, routing] : cases) {
    const Network network = network_of(expression, routing);
    const Layout layout = layout_of(network);
    for (const NodeId from : layout.hosts)
      for (const NodeId to : layout.hosts)
        if (from != to) {
          EXPECT_EQ(way_by_tables(layout, from, to), way_by_routing(network, from, to))
              << expression << ", " << routing << ": " << from.value() << " to " << to.value();
        }
  }
}

TEST(TestbedLayout, gives_rules_to_sources_whose_packets_part) {
  const Layout by_source = layout_of(network_of("xgft:2;3,4;1,2", "s-mod-k"));
  const auto ruled = [](const Layout& layout) {
    std::int64_t count = 0;
    for (const auto& ways : layout.ways)
      count += std::ranges::count_if(ways, [](const NextHop& way) { return !way.from.empty(); });
    return count;
  };
  EXPECT_GT(ruled(by_source), 0);
  EXPECT_EQ(ruled(layout_of(network_of("ring:6"))), 0);
}

TEST(TestbedLayout, has_a_namespace_and_a_name_for_each_node_and_addresses_that_differ) {
  const Layout layout = layout_of(network_of("hosts(2, ring:3)"));
  ASSERT_EQ(layout.machines.size(), 9U);
  std::set<std::string> spaces, names, addresses;
  for (const Machine& machine : layout.machines) {
    spaces.insert(machine.space);
    names.insert(machine.name);
    if (!machine.address.empty()) addresses.insert(machine.address);
  }
  for (const Wire& wire : layout.wires) {
    addresses.insert(wire.tail_address);
    addresses.insert(wire.head_address);
  }
  EXPECT_EQ(spaces.size(), 9U);
  EXPECT_EQ(names.size(), 9U);
  EXPECT_EQ(addresses.size(), 6U + 2 * layout.wires.size());
  EXPECT_TRUE(spaces.contains("weft-7-0"));
  EXPECT_EQ(layout.wires.size(), 9U);  // 3 between switches, 6 to hosts
  EXPECT_EQ(layout.links(), 18);
}

TEST(TestbedLayout, counts_the_ranks_of_a_host) {
  const Layout layout =
      layout_of(network_of("ring:3", "shortest", {NodeId(2), NodeId(2), NodeId(0)}));
  EXPECT_EQ(layout.hosts, (std::vector{NodeId(2), NodeId(0)}));
  EXPECT_EQ(layout.ranks(), 3);
  EXPECT_EQ(layout.machines[2].ranks, 2);
}

void expect_refused(const Network& network, const std::string& part) {
  try {
    (void)layout_of(network);
    FAIL() << "not refused: " << part;
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(TestbedLayout, refuses_what_static_routes_cannot_do) {
  expect_refused(network_of("torus:4x4", "shortest-split"), "splits messages");
  expect_refused(network_of("xgft:2;3,4;1,2", "pattern-aware"),
                 "chooses paths for each step, but a testbed has static routes;");
  expect_refused(network_of("ring:300"), "has 300 nodes, but a testbed has at most 256");
  expect_refused(network_of("ring:3", "shortest", {NodeId(0), NodeId(1), NodeId(0)}),
                 "are not consecutive, but an MPI fills one host after another;");
}

TEST(TestbedBudget, refuses_rates_that_two_cores_do_not_carry) {
  const Budget budget = budget_of(2);
  // Measured to be right: 16 hosts in a ring at 100 Mbit/s, 32 at 50; wrong: 8 at 200.
  EXPECT_NO_THROW(require_within(budget, layout_of(network_of("ring:16"), 100 * kMbit_Bps)));
  EXPECT_NO_THROW(require_within(budget, layout_of(network_of("ring:32"), 50 * kMbit_Bps)));
  EXPECT_THROW(require_within(budget, layout_of(network_of("ring:8"), 200 * kMbit_Bps)),
               InvalidInput);
  try {
    require_within(budget, layout_of(network_of("ring:32"), 100 * kMbit_Bps));
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what())
                  .find("is more than this machine can carry, so its processor would decide the "
                        "times; use --rate 50Mbit or less, or --beyond-budget to measure anyway"),
              std::string::npos)
        << error.what();
  }
}

TEST(TestbedLayout, takes_headers_off_the_rate) {
  EXPECT_EQ(payload_Bps(1'514'000), 1'448'000);  // 1448 of a frame's 1514 bytes
}

}  // namespace
}  // namespace weft::testbed
