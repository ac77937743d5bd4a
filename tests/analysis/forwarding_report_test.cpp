// Expected values are derived in the comments; loads of even splits and of routing `table` are
// those of other code. OpenSM's own tables are judged in oracle/routing_engines_test.py.
#include "weft/analysis/forwarding_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "weft/network/network.hpp"
#include "weft/network/split_loads.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
#include "weft/topology/registry.hpp"

namespace weft::analysis {
namespace {

using topology::ForwardingTables;

bool has(const std::vector<std::string>& names, const char* name) {
  return std::ranges::find(names, name) != names.end();
}

// One address a host, in the order of hosts, without entries.
ForwardingTables empty_tables(const Topology& topology) {
  ForwardingTables tables;
  tables.hosts.assign(topology.hosts().begin(), topology.hosts().end());
  tables.next.assign(topology.switches().size() * tables.hosts.size(), ForwardingTables::kNone);
  return tables;
}

std::int32_t& entry(const Topology& topology, ForwardingTables& tables, NodeId node,
                    std::size_t address) {
  const auto row = std::ranges::find(topology.switches(), node) - topology.switches().begin();
  return tables.next[static_cast<std::size_t>(row) * tables.hosts.size() + address];
}

Topology with(const Topology& topology, ForwardingTables tables) {
  return topology::with_tables(topology, std::move(tables), "test");
}

// What a routing gives to all pairs of hosts. Precondition: it looks at the target alone.
Topology routed(const std::string& expression, const char* routing) {
  const BuiltTopology built = build_topology(expression);
  const Topology& topology = built.topology;
  ForwardingTables tables = empty_tables(topology);
  const auto routes = make_routing(routing, Fabric(built));
  for (std::size_t address = 0; address < tables.hosts.size(); ++address)
    for (const NodeId from : topology.hosts()) {
      RouteTable table;
      const network::Flow flow{from, tables.hosts[address]};
      routes->route({&flow, 1}, table);
      for (const LinkId link : table.links(0))
        if (!topology.is_host(topology.tail(link)))
          entry(topology, tables, topology.tail(link), address) = link.value();
    }
  return with(topology, std::move(tables));
}

// By neighbour: `next(at, to)` is the switch that follows on the path between switches. Each switch
// has one host; switch s and the host of switch s come in the same order.
Topology routed_by(const std::string& expression, const std::function<int(int, int)>& next) {
  const Topology topology = build_topology(expression).topology;
  ForwardingTables tables = empty_tables(topology);
  const auto switches = topology.switches();
  const auto count = static_cast<int>(switches.size());
  for (int to = 0; to < count; ++to)
    for (int at = 0; at < count; ++at) {
      const NodeId head = at == to ? topology.hosts()[to] : switches[next(at, to)];
      entry(topology, tables, switches[at], to) = topology.find_link(switches[at], head)->value();
    }
  return with(topology, std::move(tables));
}

// Every switch draws one of the links that lead nearer to the host.
Topology drawn(const std::string& expression) {
  const Topology topology = build_topology(expression).topology;
  ForwardingTables tables = empty_tables(topology);
  std::uint32_t state = 1;
  for (std::size_t address = 0; address < tables.hosts.size(); ++address) {
    std::vector<int> distance(static_cast<std::size_t>(topology.node_count()), -1);
    std::vector<NodeId> reached{tables.hosts[address]};
    distance[reached[0].index()] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const LinkId link : topology.in_links(reached[i]))
        if (const NodeId tail = topology.tail(link);
            !topology.is_host(tail) && distance[tail.index()] < 0) {
          distance[tail.index()] = distance[reached[i].index()] + 1;
          reached.push_back(tail);
        }
    for (const NodeId node : topology.switches()) {
      std::vector<LinkId> nearer;
      for (const LinkId link : topology.out_links(node))
        if (distance[topology.head(link).index()] == distance[node.index()] - 1)
          nearer.push_back(link);
      state = state * 1664525 + 1013904223;
      entry(topology, tables, node, address) = nearer[(state >> 16) % nearer.size()].value();
    }
  }
  return with(topology, std::move(tables));
}

// The most messages on a link between switches when every host sends to every other by the routing.
std::int64_t busiest_of_pairs(const Topology& topology) {
  const auto routes = make_routing("table", Fabric({topology, {}}, {}));
  IdVector<LinkId, std::int64_t> loads(topology.link_count(), 0);
  for (const NodeId from : topology.hosts())
    for (const NodeId to : topology.hosts()) {
      if (from == to) continue;
      RouteTable table;
      const network::Flow flow{from, to};
      routes->route({&flow, 1}, table);
      for (const LinkId link : table.links(0))
        if (!topology.is_host(topology.tail(link)) && !topology.is_host(topology.head(link)))
          ++loads[link];
    }
  return *std::ranges::max_element(loads);
}

TEST(ForwardingReport, finds_ftree_in_d_mod_k_of_two_levels) {
  const Topology tree = routed("xgft:2;4,4;1,4", "d-mod-k");
  const ForwardingReport report = forwarding_report(tree, {.others = true});
  EXPECT_TRUE(has(report.engines, "ftree"));
  EXPECT_TRUE(has(report.engines, "minhop"));  // a leaf has 3 of its 12 remote hosts behind a spine
  EXPECT_FALSE(has(report.engines, "lash"));   // which has the hosts of a leaf behind one
  EXPECT_EQ(report.traffic.pairs, 16 * 15);
  EXPECT_EQ(report.traffic.lost, 0);
  EXPECT_TRUE(report.traffic.minimal());
  EXPECT_EQ(report.traffic.busiest, 4 * 3);  // 4 hosts of a leaf to 3 hosts behind the spine
  EXPECT_DOUBLE_EQ(report.even, 12);
  EXPECT_TRUE(report.traffic.credit_loop.empty());
  EXPECT_EQ(report.traffic.shift_worst, 1);  // Zahavi: no cable has two messages of a shift
  EXPECT_EQ(report.traffic.shifts, 15);
  EXPECT_EQ(better_engine(report), nullptr);
  ASSERT_EQ(report.others.size(), 5u);
  EXPECT_EQ(report.others[2].name, "ftree");
  EXPECT_EQ(report.others[2].traffic.busiest, 12);
  EXPECT_EQ(report.others[2].traffic.shift_worst, 1);
}

TEST(ForwardingReport, finds_ftree_in_d_mod_k_of_three_levels) {
  const ForwardingReport report =
      forwarding_report(routed("xgft:3;2,2,2;1,2,2", "d-mod-k"), {.others = true});
  EXPECT_TRUE(has(report.engines, "ftree"));
  // A leaf's 2 hosts send to 6 others by 2 cables; a switch above passes 4 hosts on to 2 by 2.
  EXPECT_EQ(report.traffic.busiest, 6);
  EXPECT_EQ(report.traffic.shift_worst, 1);
  EXPECT_EQ(report.others[2].traffic.busiest, 6);
  EXPECT_EQ(report.others[2].traffic.shift_worst, 1);
  for (const EngineResult& each : report.others) EXPECT_EQ(each.traffic.lost, 0) << each.name;
}

// Leaf s sends what is for host d by spine d + s: as even as ftree, but what is for a host comes
// down by three spines. In a shift, the hosts of a leaf receive from two leaves, two of them by one
// spine.
TEST(ForwardingReport, prefers_ftree_for_shifts) {
  const Topology whole = routed("xgft:2;4,4;1,4", "d-mod-k");
  ForwardingTables tables = *whole.facets().tables;
  std::vector<NodeId> leaves, spines;
  for (const NodeId host : whole.hosts()) {
    const NodeId leaf = whole.head(*whole.out_links(host).begin());
    if (leaves.empty() || leaves.back() != leaf) leaves.push_back(leaf);
  }
  for (const NodeId node : whole.switches())
    if (std::ranges::find(leaves, node) == leaves.end()) spines.push_back(node);
  for (std::size_t s = 0; s < 4; ++s)
    for (std::size_t d = 0; d < 16; ++d)
      if (d / 4 != s)
        entry(whole, tables, leaves[s], d) =
            whole.find_link(leaves[s], spines[(d + s) % 4])->value();
  for (const NodeId spine : spines)
    for (std::size_t d = 0; d < 16; ++d)
      entry(whole, tables, spine, d) = whole.find_link(spine, leaves[d / 4])->value();
  const ForwardingReport report = forwarding_report(with(whole, tables), {.others = true});
  EXPECT_TRUE(has(report.engines, "minhop"));
  EXPECT_FALSE(has(report.engines, "ftree"));
  EXPECT_EQ(report.traffic.lost, 0);
  EXPECT_EQ(report.traffic.busiest, 12);
  EXPECT_EQ(report.traffic.shift_worst, 2);
  ASSERT_NE(better_engine(report), nullptr);
  EXPECT_EQ(better_engine(report)->traffic.shift_worst, 1);
}

TEST(ForwardingReport, knows_no_engine_of_drawn_ways) {
  const Topology tree = drawn("xgft:2;4,4;1,4");
  const ForwardingReport report = forwarding_report(tree, {.others = true});
  EXPECT_EQ(engines_text(report), "unknown");
  EXPECT_TRUE(report.traffic.minimal());
  EXPECT_EQ(report.traffic.busiest, busiest_of_pairs(tree));
  EXPECT_GT(report.ratio(), 1.1);
  ASSERT_NE(better_engine(report), nullptr);
  EXPECT_EQ(better_engine(report)->traffic.busiest, 12);
  for (const EngineFit& each : report.fits) EXPECT_FALSE(each.why.empty()) << each.name;
}

TEST(ForwardingReport, shows_the_credit_loop_of_a_ring) {
  // Half-way round goes up: a link has 1 + 2 + 3 pairs, and 1 + 2 + 3 / 2 where halves are split.
  const Topology ring = routed_by("hosts(1, ring:6)", [](int at, int to) {
    return (to - at + 6) % 6 <= 3 ? (at + 1) % 6 : (at + 5) % 6;
  });
  const ForwardingReport report = forwarding_report(ring, {.others = true});
  EXPECT_TRUE(report.traffic.minimal());
  EXPECT_EQ(report.traffic.busiest, 6);
  EXPECT_DOUBLE_EQ(report.even, 4.5);
  const auto& loop = report.traffic.credit_loop;
  ASSERT_EQ(loop.size(), 6u);  // all links of one direction
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(ring.head(loop[i]), ring.tail(loop[(i + 1) % 6]));
  EXPECT_TRUE(has(report.engines, "minhop"));
  EXPECT_FALSE(has(report.engines, "updn"));
  EXPECT_EQ(report.others[1].name, "updn");
  EXPECT_TRUE(report.others[1].traffic.credit_loop.empty());
  EXPECT_FALSE(report.others[1].note.empty());  // no switch is a root of itself
  EXPECT_FALSE(report.others[2].why_not.empty());
}

TEST(ForwardingReport, finds_updn_on_a_ring_though_it_is_not_minimal) {
  // The root is switch 0. Nothing passes switch 3, the lowest, so that 2 and 4 have 4 links in
  // place of 2; all other paths are shortest.
  const Topology ring = routed_by("hosts(1, ring:6)", [](int at, int to) {
    const auto place = [](int node) { return (node + 2) % 6; };  // 4 5 0 1 2: 0 to 4; 3 is 5
    if (at == 3) return to == 4 || to == 5 ? 4 : 2;
    if (to == 3) return at == 0 ? 1 : at <= 2 ? at + 1 : at == 5 ? 4 : 3;
    return place(to) > place(at) ? (at + 1) % 6 : (at + 5) % 6;
  });
  const ForwardingReport report = forwarding_report(ring, {});
  EXPECT_EQ(report.engines, std::vector<std::string>{"updn"});
  EXPECT_EQ(report.traffic.longer, 2);
  EXPECT_EQ(report.traffic.longest_detour, 2);
  EXPECT_TRUE(report.traffic.credit_loop.empty());
  EXPECT_EQ(report.traffic.busiest, busiest_of_pairs(ring));
}

// One shortest path between any two, which every engine takes; none where a path is longer.
TEST(ForwardingReport, says_that_any_engine_would_do_without_a_choice) {
  const auto shorter_way = [](int at, int to) {
    return (to - at + 5) % 5 <= 2 ? (at + 1) % 5 : (at + 4) % 5;
  };
  const auto report = forwarding_report(routed_by("hosts(1, ring:5)", shorter_way), {});
  EXPECT_FALSE(report.has_choice);
  EXPECT_EQ(engines_text(report).find("any engine"), 0u);
  EXPECT_DOUBLE_EQ(report.ratio(), 1);
  EXPECT_EQ(report.traffic.credit_loop.size(), 5u);  // also with shortest paths
  const auto up = [&](int at, int to) { return at == to ? at : (at + 1) % 5; };
  const auto round = forwarding_report(routed_by("hosts(1, ring:5)", up), {});
  EXPECT_EQ(engines_text(round), "unknown");
  EXPECT_EQ(round.traffic.longer, 10);         // 3 and 4 links in place of 2 and 1
  EXPECT_EQ(round.traffic.longest_detour, 3);  // links
  EXPECT_EQ(round.traffic.busiest, 1 + 2 + 3 + 4);
}

TEST(ForwardingReport, takes_dimension_order_on_a_mesh_as_free_of_loops) {
  const ForwardingReport report =
      forwarding_report(routed("hosts(2, mesh:4x4)", "dimension-order"), {.others = true});
  EXPECT_TRUE(report.traffic.credit_loop.empty());
  EXPECT_TRUE(has(report.engines, "lash"));
  EXPECT_TRUE(has(report.engines, "dor"));
  EXPECT_FALSE(has(report.engines, "minhop"));
  EXPECT_FALSE(has(report.engines, "updn"));  // x first goes round each switch both ways
  // Down the middle of a row: 2 columns of 4 switches, 2 hosts each, on either side; a row's 4
  // hosts of one side send to the 16 of the other.
  EXPECT_EQ(report.traffic.busiest, 4 * 16);
  ASSERT_EQ(report.others[3].name, "dor");
  EXPECT_EQ(report.others[3].traffic.busiest, 4 * 16);
  EXPECT_TRUE(report.others[3].traffic.credit_loop.empty());
}

TEST(ForwardingReport, splits_evenly_as_the_yardstick_of_routings_does) {
  for (const char* expression :
       {"hosts(2, random-regular:12,3,seed=4)", "xgft:3;2,3,2;1,2,3", "hosts(1, torus:4x3)"}) {
    const Topology topology = drawn(expression);
    std::vector<network::WeightedFlow> flows;
    for (const NodeId from : topology.hosts())
      for (const NodeId to : topology.hosts())
        if (from != to) flows.push_back({{from, to}, 1});
    const Fabric fabric({topology, {}}, {});
    network::SplitLoads split(fabric);
    const auto& loads = split.of(flows);
    double most = 0;
    for (const LinkId link : topology.links())
      if (!topology.is_host(topology.tail(link)) && !topology.is_host(topology.head(link)))
        most = std::max(most, loads[link]);
    const ForwardingReport report = forwarding_report(topology, {});
    EXPECT_NEAR(report.even, most, 1e-9) << expression;
    EXPECT_EQ(report.traffic.busiest, busiest_of_pairs(topology)) << expression;
  }
}

TEST(ForwardingReport, counts_pairs_that_holes_and_loops_lose) {
  const Topology whole = routed("xgft:2;4,4;1,4", "d-mod-k");
  ForwardingTables tables = *whole.facets().tables;
  const NodeId leaf = whole.head(*whole.out_links(whole.hosts()[0]).begin());
  entry(whole, tables, leaf, 15) = ForwardingTables::kNone;  // 4 hosts lose their path to the last
  const NodeId spine = whole.head(LinkId(entry(whole, tables, leaf, 4)));
  entry(whole, tables, spine, 4) = whole.find_link(spine, leaf)->value();  // 12 go round and round
  for (std::size_t row = 0; row < whole.switches().size(); ++row)          // nobody knows the ninth
    tables.next[row * tables.hosts.size() + 8] = ForwardingTables::kNone;
  const ForwardingReport report = forwarding_report(with(whole, tables), {.others = true});
  EXPECT_EQ(report.traffic.lost, 16 + 15);
  EXPECT_FALSE(has(report.engines, "minhop"));
  for (const EngineResult& each : report.others) EXPECT_EQ(each.traffic.lost, 0) << each.name;
}

TEST(ForwardingReport, takes_ports_and_addresses_of_hosts_in_turn) {
  // 4 hosts with a port at each of switches 4 and 5 and an address behind each; 6 joins them.
  TopologyBuilder builder(7);
  for (const int node : {4, 5, 6}) builder.set_kind(NodeId(node), NodeKind::switch_node);
  for (const int node : {4, 5}) {
    for (int host = 0; host < 4; ++host) builder.add_cable(NodeId(host), NodeId(node));
    builder.add_cable(NodeId(node), NodeId(6));
  }
  const Topology topology = std::move(builder).build(topology::Expression{"two-rails", "", {}});
  ForwardingTables tables;
  for (int i = 0; i < 8; ++i) tables.hosts.emplace_back(i / 2);
  tables.next.assign(3 * 8, ForwardingTables::kNone);
  for (int i = 0; i < 8; ++i) {
    const NodeId own(4 + i % 2), other(5 - i % 2), middle(6);
    entry(topology, tables, own, i) = topology.find_link(own, NodeId(i / 2))->value();
    entry(topology, tables, other, i) = topology.find_link(other, middle)->value();
    entry(topology, tables, middle, i) = topology.find_link(middle, own)->value();
  }
  const Topology rails = with(topology, tables);
  const ForwardingReport report = forwarding_report(rails, {});
  EXPECT_EQ(report.traffic.pairs, 12);
  EXPECT_EQ(report.traffic.lost, 0);
  EXPECT_EQ(report.traffic.busiest, busiest_of_pairs(rails));
  EXPECT_GT(report.traffic.busiest, 0);
}

}  // namespace
}  // namespace weft::analysis
