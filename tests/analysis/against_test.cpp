// Networks compared with their plans, by name.
#include "weft/analysis/against.hpp"

#include <gtest/gtest.h>

#include "weft/topology/facets.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/registry.hpp"

namespace weft::analysis {
namespace {

using Kind = Deviation::Kind;

struct Wire {
  int a, port_a, b, port_b;
  std::int64_t bandwidth_Bps = 100;
};

// Hosts h0, h1 and switches s2, s3, s4.
BuiltTopology wired(const std::vector<Wire>& wires) {
  TopologyBuilder builder(5);
  for (int node = 2; node < 5; ++node) builder.set_kind(NodeId(node), NodeKind::switch_node);
  topology::Names names{{"h0", "h1", "s2", "s3", "s4"}, {}};
  std::vector<std::int64_t> speeds;
  for (const Wire& wire : wires) {
    builder.add_cable(NodeId(wire.a), NodeId(wire.b));
    names.ports.push_back(std::to_string(wire.port_a));
    names.ports.push_back(std::to_string(wire.port_b));
    speeds.insert(speeds.end(), 2, wire.bandwidth_Bps);
  }
  topology::Facets facets;
  facets.names = std::make_shared<const topology::Names>(std::move(names));
  builder.set_facets(std::move(facets));
  std::vector<LinkId> ids;
  Topology built = std::move(builder).build({"test", "", {}}, &ids);
  topology::FileSpeeds given;
  given.bandwidth_Bps.resize(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) given.bandwidth_Bps[ids[i]] = speeds[i];
  return {std::move(built), std::move(given)};
}

const std::vector<Wire> kPlan{{0, 1, 2, 1}, {1, 1, 3, 1}, {2, 5, 3, 5}, {2, 6, 4, 6}, {3, 6, 4, 7}};

std::vector<Deviation> against_plan(const std::vector<Wire>& wires) {
  return deviations(wired(wires), wired(kPlan));
}

TEST(Against, finds_nothing_where_there_is_nothing) {
  EXPECT_TRUE(against_plan(kPlan).empty());
  std::vector<Wire> turned;  // the same cables, in another order and from their other ends
  for (const Wire& wire : kPlan)
    turned.insert(turned.begin(), {wire.b, wire.port_b, wire.a, wire.port_a, wire.bandwidth_Bps});
  EXPECT_TRUE(against_plan(turned).empty());
}

TEST(Against, names_a_missing_and_an_extra_cable) {
  std::vector<Wire> wires(kPlan.begin(), kPlan.end() - 1);
  wires.push_back({0, 2, 3, 9});
  const auto found = against_plan(wires);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, Kind::cable_missing);
  EXPECT_EQ(found[0].planned, "s3[6] - s4[7]");
  EXPECT_EQ(found[1].kind, Kind::cable_extra);
  EXPECT_EQ(found[1].found, "h0[2] - s3[9]");
}

TEST(Against, names_a_cable_moved_at_one_end) {
  std::vector<Wire> wires = kPlan;
  wires[3].port_b = 8;
  const auto found = against_plan(wires);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Kind::cable_moved);
  EXPECT_EQ(found[0].planned, "s2[6] - s4[6]");
  EXPECT_EQ(found[0].found, "s2[6] - s4[8]");
}

TEST(Against, names_both_of_two_cables_swapped_at_one_end) {
  std::vector<Wire> wires = kPlan;  // s2's cables to s3 and s4
  std::swap(wires[2].b, wires[3].b);
  std::swap(wires[2].port_b, wires[3].port_b);
  const auto found = against_plan(wires);
  ASSERT_EQ(found.size(), 2u);
  for (const Deviation& each : found) EXPECT_EQ(each.kind, Kind::cable_moved);
  EXPECT_EQ(found[0].planned, "s2[5] - s3[5]");
  EXPECT_EQ(found[0].found, "s2[5] - s4[6]");
}

// A host's one port is eth0 to the plan and 1 to what reads the fabric.
TEST(Against, knows_the_cable_of_a_host_by_any_port) {
  std::vector<Wire> wires = kPlan;
  wires[0].port_a = 7;
  EXPECT_TRUE(against_plan(wires).empty());
  wires[0].port_b = 3;
  const auto found = against_plan(wires);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Kind::cable_moved);
  EXPECT_EQ(found[0].planned, "h0[1] - s2[1]");
  EXPECT_EQ(found[0].found, "h0[7] - s2[3]");
}

// Of two cards the plan calls none as the fabric does; what they are plugged into counts.
TEST(Against, knows_the_cables_of_a_host_whose_ports_are_called_otherwise) {
  std::vector<Wire> plan = kPlan, wires = kPlan;
  plan.push_back({0, 2, 3, 9});
  wires[0].port_a = 11;
  wires.push_back({0, 12, 3, 9});
  EXPECT_TRUE(deviations(wired(wires), wired(plan)).empty());
  wires.back().port_b = 10;
  EXPECT_EQ(deviations(wired(wires), wired(plan)).size(), 2u);  // missing and extra
  wires = plan;
  std::swap(wires[0].port_a, wires.back().port_a);  // the two cards' cables are swapped
  EXPECT_EQ(deviations(wired(wires), wired(plan)).size(), 2u);
}

TEST(Against, names_a_slower_cable_and_no_faster_one) {
  std::vector<Wire> wires = kPlan;
  wires[2].bandwidth_Bps = 50;
  wires[0].bandwidth_Bps = 200;
  const auto found = against_plan(wires);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Kind::cable_slower);
  EXPECT_EQ(found[0].planned.substr(0, 13), "s2[5] - s3[5]");
}

TEST(Against, knows_nodes_without_names_by_number) {
  const auto found = deviations(build_topology("without(cable=0, xgft:2;2,2;1,2)"),
                                build_topology("xgft:2;2,2;1,2"));
  // Cable 0 joins host 0 and its leaf, node 4.
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].planned, "host0 - switch4");
  const auto nodes = deviations(build_topology("ring:3"), build_topology("ring:4"));
  EXPECT_EQ(nodes[0].kind, Kind::node_missing);
  EXPECT_EQ(nodes[0].planned, "host3");
}

}  // namespace
}  // namespace weft::analysis
