#include "weft/topology/forwarding/forwarding.hpp"

#include <gtest/gtest.h>

#include "weft/topology/facets.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

// The address of host h is h; of several links that lead nearer, over switches, the h-th in turn.
ForwardingTables shortest_tables(const Topology& topology) {
  ForwardingTables tables;
  for (const NodeId host : topology.hosts()) tables.hosts.push_back(host);
  const auto hosts = tables.hosts.size();
  tables.next.assign(topology.switches().size() * hosts, ForwardingTables::kNone);
  for (std::size_t address = 0; address < hosts; ++address) {
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
    for (std::size_t row = 0; row < topology.switches().size(); ++row) {
      const NodeId node = topology.switches()[row];
      std::vector<LinkId> nearer;
      for (const LinkId link : topology.out_links(node))
        if (distance[topology.head(link).index()] == distance[node.index()] - 1)
          nearer.push_back(link);
      if (!nearer.empty())
        tables.next[row * hosts + address] = nearer[address % nearer.size()].value();
    }
  }
  return tables;
}

BuiltTopology routed(const std::string& expression) {
  BuiltTopology built = build_topology(expression);
  built.topology = with_tables(built.topology, shortest_tables(built.topology), "test");
  return built;
}

Topology without_cable(const BuiltTopology& whole, std::int64_t cable) {
  Failures failures;
  failures.cables = {cable};
  return remove_failed(failures, whole).topology;
}

Topology without_node(const BuiltTopology& whole, std::int64_t node) {
  Failures failures;
  failures.nodes = {node};
  return remove_failed(failures, whole).topology;
}

// Which switch or host an entry leads to, by what nodes were called before nodes failed.
std::int32_t head(const Topology& topology, const ForwardingTables& tables, std::size_t row,
                  std::size_t address) {
  const std::int32_t link = tables.next[row * tables.hosts.size() + address];
  return link < 0 ? -1 : topology.head(LinkId(link)).value();
}

TEST(ForwardingTables, lead_past_every_cable_between_switches) {
  for (const char* expression :
       {"leaf-spine:leaves=3,spines=2,hosts=3", "leaf-spine:leaves=3,spines=2,hosts=3,uplinks=4",
        "hosts(2, torus:3x4)", "dragonfly:a=2,p=1,h=1",
        "clos:pods=2,leaves=2,spines=2,"
        "cores=2,hosts=2"}) {
    const BuiltTopology whole = routed(expression);
    for (std::int64_t cable = 0; cable < whole.topology.cable_count(); ++cable) {
      const Topology left = without_cable(whole, cable);
      ASSERT_TRUE(left.facets().tables);
      bool is_hosts = false;
      for (const LinkId link : whole.topology.links())
        if (whole.topology.cable(link).value() == cable)
          is_hosts |= whole.topology.is_host(whole.topology.tail(link));
      const TableFaults faults = faults_of(left, *left.facets().tables);
      EXPECT_EQ(faults.first.empty(), !is_hosts) << expression << ", cable " << cable;
      EXPECT_EQ(faults.loops + faults.astray, 0) << expression << ", cable " << cable;
    }
  }
}

// Two cables join each leaf and spine: what came down by the dead one goes by the other, so that no
// entry of other switches leads elsewhere than before; the leaf has four ways up to choose from.
TEST(ForwardingTables, go_on_by_the_other_cable_of_two) {
  const BuiltTopology whole = routed("leaf-spine:leaves=4,spines=2,hosts=3,uplinks=4");
  for (const LinkId link : whole.topology.links()) {
    const NodeId tail = whole.topology.tail(link), head_node = whole.topology.head(link);
    if (whole.topology.is_host(tail) || whole.topology.is_host(head_node)) continue;
    const Topology left = without_cable(whole, whole.topology.cable(link).value());
    const ForwardingTables &before = *whole.topology.facets().tables,
                           &after = *left.facets().tables;
    ASSERT_EQ(after.next.size(), before.next.size());
    const NodeId leaf = std::min(tail, head_node);
    for (std::size_t row = 0; row < left.switches().size(); ++row)
      for (std::size_t address = 0; address < before.hosts.size(); ++address)
        if (left.switches()[row] != leaf) {
          EXPECT_EQ(head(left, after, row, address), head(whole.topology, before, row, address));
        }
  }
}

// A spine of three dies: its addresses go by the two others, evenly, 12 hosts on two cables.
TEST(ForwardingTables, share_what_a_dead_switch_had) {
  const BuiltTopology whole = routed("leaf-spine:leaves=4,spines=3,hosts=4");
  const std::int64_t spine = whole.topology.node_count() - 1;
  const Topology left = without_node(whole, spine);
  const ForwardingTables& tables = *left.facets().tables;
  EXPECT_TRUE(faults_of(left, tables).first.empty());
  std::vector<int> on(static_cast<std::size_t>(left.link_count()), 0);
  for (const std::int32_t link : tables.next)
    if (link >= 0) ++on[link];
  for (const LinkId link : left.links())
    if (!left.is_host(left.tail(link)) && left.head(link).value() >= left.node_count() - 2) {
      EXPECT_EQ(on[link.index()], 6) << left.tail(link).value();
    }
}

// Spine 1 has no entry for host 0, and spine 0 dies: leaves go on by spine 2, which has one, though
// fewer addresses go by the other.
TEST(ForwardingTables, go_on_by_switches_that_had_a_way) {
  const BuiltTopology built = build_topology("leaf-spine:leaves=3,spines=3,hosts=2");
  ForwardingTables tables = shortest_tables(built.topology);
  const std::size_t hosts = tables.hosts.size();
  tables.next[4 * hosts + 0] = ForwardingTables::kNone;  // after three leaves and a spine
  BuiltTopology whole = built;
  whole.topology = with_tables(built.topology, tables, "test");
  for (const std::int64_t spine : {built.topology.node_count() - 3}) {
    const Topology left = without_node(whole, spine);
    const TableFaults faults = faults_of(left, *left.facets().tables);
    EXPECT_TRUE(faults.first.empty()) << faults.first;
    EXPECT_EQ(head(left, *left.facets().tables, 3, 0), -1);  // it still has none
  }
}

// Several failures at once leave the same ways as one after the other.
TEST(ForwardingTables, lead_past_several_failures) {
  const BuiltTopology whole = routed("leaf-spine:leaves=4,spines=4,hosts=3,uplinks=8");
  const std::int64_t cables = whole.topology.cable_count(), first = 12;  // behind those of hosts
  for (std::int64_t one = first; one < cables; one += 5)
    for (std::int64_t other = one + 1; other < cables; other += 7) {
      Failures both;
      both.cables = {one, other};
      const Topology at_once = remove_failed(both, whole).topology;
      EXPECT_TRUE(faults_of(at_once, *at_once.facets().tables).first.empty()) << one << other;
      Failures second;
      second.cables = {other - 1};  // one cable fewer stands before it
      Failures before;
      before.cables = {one};
      const Topology in_turn = remove_failed(second, remove_failed(before, whole)).topology;
      EXPECT_TRUE(faults_of(in_turn, *in_turn.facets().tables).first.empty()) << one << other;
    }
}

// A host with a port and an address on each of two leaves: with a port's cable its address dies,
// and the other stays. A host with one address keeps it while a cable is left.
TEST(ForwardingTables, forget_addresses_of_dead_ports) {
  TopologyBuilder builder(4);  // hosts 0 and 1, leaves 2 and 3
  for (const std::int32_t leaf : {2, 3}) {
    builder.set_kind(NodeId(leaf), NodeKind::switch_node);
    for (const std::int32_t host : {0, 1}) builder.add_cable(NodeId(host), NodeId(leaf));
  }
  const Topology built = std::move(builder).build({"file", "dual.json", {}});
  const auto link = [&](std::int32_t leaf, std::int32_t host) {
    for (const LinkId each : built.out_links(NodeId(leaf)))
      if (built.head(each) == NodeId(host)) return each.value();
    return ForwardingTables::kNone;
  };
  constexpr std::int32_t kNone = ForwardingTables::kNone;
  const ForwardingTables two{{NodeId(0), NodeId(0), NodeId(1), NodeId(1)},
                             {link(2, 0), kNone, link(2, 1), kNone,  // leaf 2
                              kNone, link(3, 0), kNone, link(3, 1)}};
  const Topology left = without_cable({with_tables(built, two, "test"), {}}, 0);
  EXPECT_EQ(head(left, *left.facets().tables, 0, 0), kNone);
  EXPECT_EQ(head(left, *left.facets().tables, 1, 0), kNone);
  EXPECT_EQ(head(left, *left.facets().tables, 1, 1), 0);
  EXPECT_EQ(head(left, *left.facets().tables, 0, 2), 1);
}

// An address of a dead host is gone; what had no way before has none after.
TEST(ForwardingTables, keep_what_was_not_there) {
  const BuiltTopology built = build_topology("leaf-spine:leaves=2,spines=2,hosts=2");
  ForwardingTables tables = shortest_tables(built.topology);
  tables.next[3] = ForwardingTables::kNone;  // of the first leaf, for the last host
  BuiltTopology whole = built;
  whole.topology = with_tables(built.topology, tables, "test");
  const Topology left = without_node(whole, 0);
  const ForwardingTables& after = *left.facets().tables;
  EXPECT_EQ(after.hosts, (std::vector<NodeId>{NodeId(0), NodeId(1), NodeId(2)}));
  EXPECT_EQ(head(left, after, 0, 2), -1);
  EXPECT_EQ(faults_of(left, after).dropped, 1);
}

}  // namespace
}  // namespace weft::topology
