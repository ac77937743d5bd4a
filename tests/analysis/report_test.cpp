#include "weft/analysis/report.hpp"

#include <gtest/gtest.h>

#include "support/graphs.hpp"
#include "weft/topology/registry.hpp"

namespace weft::analysis {
namespace {

TEST(Report, of_kautz) {
  const auto r = report(make_topology("kautz:4,2"));
  EXPECT_EQ(r.nodes, 20);
  EXPECT_EQ(r.hosts, 20);
  EXPECT_EQ(r.switches, 0);
  EXPECT_EQ(r.links, 80);
  EXPECT_EQ(r.cables, 80);
  EXPECT_EQ(r.degree, 4);
  EXPECT_EQ(r.diameter, 2);
  EXPECT_EQ(r.average_distance, Rational(4 + 2 * 15, 19));
  EXPECT_FALSE(r.bidirectional);
  EXPECT_EQ(r.connected, true);
  EXPECT_EQ(r.moore_diameter, 2);
  EXPECT_EQ(r.edge_connectivity, 4);
  EXPECT_EQ(r.girth, 2);
  EXPECT_EQ(r.reverse_symmetric, true);
  EXPECT_EQ(r.vertex_transitive, true);
  EXPECT_LE(r.bisection->lower, r.bisection->upper);
}

TEST(Report, of_switched_networks_is_between_switches) {
  const auto r = report(make_topology("hosts(2, ring:6)"));
  EXPECT_EQ(r.nodes, 18);
  EXPECT_EQ(r.hosts, 12);
  EXPECT_EQ(r.switches, 6);
  EXPECT_EQ(r.cables, 18);
  EXPECT_EQ(r.degree, 2);
  EXPECT_EQ(r.diameter, 3);
  EXPECT_EQ(r.average_distance, Rational(9, 5));
  EXPECT_EQ(r.edge_connectivity, 2);
  EXPECT_EQ(r.girth, 6);
  EXPECT_EQ(r.vertex_transitive, true);
}

TEST(Report, leaves_costly_measures_of_large_networks_to_the_asker) {
  const Topology mesh = make_topology("mesh:3x4");
  const auto large = report(mesh, {.automatic_nodes = 11});
  EXPECT_EQ(large.diameter, 5);
  EXPECT_FALSE(large.edge_connectivity || large.girth_taken || large.reverse_symmetric);
  ASSERT_TRUE(large.bisection);  // a formula costs nothing
  EXPECT_EQ(large.bisection->upper, 3);
  EXPECT_FALSE(report(make_topology("circulant:12,1,3"), {.automatic_nodes = 11}).bisection);
  // So does one that gives limits: 33 groups of 8 routers of 4 hosts, an odd number of groups.
  const auto limits =
      report(make_topology("dragonfly:a=8,p=4,h=4,g=33"), {.automatic_nodes = 11}).bisection;
  ASSERT_TRUE(limits);
  EXPECT_LE(limits->lower, limits->upper);
  auto asked = ReportOptions::all(Measure::always);
  asked.automatic_nodes = 11;
  EXPECT_EQ(report(mesh, asked).girth, 4);
  const auto none = report(mesh, ReportOptions::all(Measure::never));
  EXPECT_FALSE(none.girth_taken || none.bisection);
}

TEST(Report, takes_from_one_node_what_it_tells_of_all) {
  const auto r = report(make_topology("torus:5x6x7"), {.automatic_nodes = 11});
  EXPECT_EQ(r.vertex_transitive, true);
  EXPECT_EQ(r.edge_connectivity, 6);  // the degree (Mader)
  EXPECT_EQ(r.girth, 4);
  EXPECT_EQ(r.radius, 2 + 3 + 3);
  EXPECT_FALSE(report(make_topology("torus:5x6"), ReportOptions::all(Measure::never)).girth_taken);
}

TEST(Report, of_a_disconnected_network_says_so) {
  const auto r = report(support::from_cables(4, {{0, 1}, {2, 3}}));
  EXPECT_EQ(r.connected, false);
  EXPECT_FALSE(r.diameter);
  EXPECT_FALSE(r.average_distance);
  EXPECT_EQ(r.edge_connectivity, 0);
}

// `hosts` hosts with a cable to each of `rails` switches of their own.
Topology on_rails(int hosts, int rails) {
  TopologyBuilder builder(hosts + rails);
  for (int rail = 0; rail < rails; ++rail) {
    builder.set_kind(NodeId(hosts + rail), NodeKind::switch_node);
    for (int host = 0; host < hosts; ++host) builder.add_cable(NodeId(host), NodeId(hosts + rail));
  }
  return std::move(builder).build(Expression{"rails", "", {}});
}

TEST(Report, of_rails_is_between_hosts) {
  // Two switches that share no cable, 6 hosts on both: any two hosts are 2 links apart, and two
  // cables part a host from the rest.
  const auto r = report(on_rails(6, 2));
  EXPECT_EQ(r.planes, 2);
  EXPECT_EQ(r.connected, true);
  EXPECT_EQ(r.diameter, 2);
  EXPECT_EQ(r.average_distance, Rational(2));
  EXPECT_EQ(r.pairs_at_distance, (std::vector<std::int64_t>{0, 0, 30}));
  EXPECT_EQ(r.edge_connectivity, 2);
  EXPECT_EQ(report(make_topology("hosts(2, ring:6)")).planes, 1);
  EXPECT_EQ(report(make_topology("ring:6")).planes, 0);
}

TEST(Report, of_rails_that_share_no_host_is_disconnected) {
  TopologyBuilder builder(6);
  for (const int rail : {4, 5}) {
    builder.set_kind(NodeId(rail), NodeKind::switch_node);
    for (const int i : {0, 1}) builder.add_cable(NodeId(2 * (rail - 4) + i), NodeId(rail));
  }
  const auto r = report(std::move(builder).build(Expression{"apart", "", {}}));
  EXPECT_EQ(r.planes, 2);
  EXPECT_EQ(r.connected, false);
  EXPECT_FALSE(r.diameter);
  EXPECT_EQ(r.edge_connectivity, 0);
}

TEST(Report, disproves_transitivity_by_eccentricities) {
  const auto r = report(make_topology("mesh:5"), {.automatic_nodes = 1});
  EXPECT_EQ(r.vertex_transitive, false);
}

}  // namespace
}  // namespace weft::analysis
