#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "topology/structure.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

TEST(Hosts, hang_behind_the_switches_in_order) {
  const Topology t = make_topology("hosts(3, kautz:2,2)");
  EXPECT_EQ(t.switches().size(), 6u);
  EXPECT_EQ(t.hosts().size(), 18u);
  EXPECT_EQ(t.nominal_degree(), 2);
  const auto attachment = as_attached_hosts(t);
  ASSERT_TRUE(attachment);
  for (NodeId host : t.hosts())
    EXPECT_EQ(attachment->switch_of[host].value(), (host.value() - 6) / 3);
  const Topology plain = make_topology("kautz:2,2");
  for (NodeId s : t.switches())  // X's links come first, in their order
    for (int k = 0; k < plain.out_degree(s); ++k)
      EXPECT_EQ(t.head(t.out_links(s)[k]), plain.head(plain.out_links(s)[k]));
  EXPECT_EQ(t.class_names().values().back(), "terminal");
}

TEST(Without, removes_cables_links_and_nodes) {
  const Topology ring = make_topology("ring:5");
  const Topology cable = make_topology("without(cable=0, ring:5)");
  EXPECT_EQ(cable.link_count(), 8);
  EXPECT_EQ(cable.nominal_degree(), 2);
  EXPECT_FALSE(cable.find_link(NodeId(0), NodeId(1)));
  EXPECT_FALSE(cable.find_link(NodeId(1), NodeId(0)));

  const Topology link = make_topology("without(link=0, ring:5)");  // 0 -> 1
  EXPECT_EQ(link.link_count(), 9);
  EXPECT_EQ(link.cable_count(), 5);
  EXPECT_FALSE(link.find_link(NodeId(0), NodeId(1)));
  EXPECT_FALSE(link.reverse(*link.find_link(NodeId(1), NodeId(0))));

  const Topology node = make_topology("without(node=1, ring:5)");  // 0 2 3 4 become 0 1 2 3
  EXPECT_EQ(arcs(node), (std::vector<Arc>{{0, 3}, {1, 2}, {2, 1}, {2, 3}, {3, 0}, {3, 2}}));
}

TEST(Without, names_the_same_failures_alike) {
  EXPECT_EQ(make_topology("without(node=2, cable=7, cable=1, node=2, torus:4x4)").name(),
            "without(cable=1, cable=7, node=2, torus:4x4)");
}

TEST(Without, takes_ranges_of_numbers) {
  const Topology listed = make_topology("without(node=2, node=3, node=4, cable=7, torus:4x4)");
  const Topology ranged = make_topology("without(cable=7, node=2-4, torus:4x4)");
  EXPECT_EQ(ranged.node_count(), 13);
  EXPECT_EQ(ranged.name(), "without(cable=7, node=2-4, torus:4x4)");
  EXPECT_EQ(listed.name(), ranged.name());
  EXPECT_EQ(make_topology("without(link=3-4, ring:6)").name(), "without(link=3, link=4, ring:6)");
  // Every fourth is four nodes, of which three alone have no short name.
  const Topology apart = make_topology("without(node=3, node=7, node=11, node=15, torus:4x4)");
  EXPECT_EQ(apart.name(), "without(node=3-15/4, torus:4x4)");
  EXPECT_EQ(make_topology("without(node= 3 - 15 / 4 , torus:4x4)").hash(), apart.hash());
  EXPECT_EQ(make_topology("without(node=3-14/4, torus:4x4)").name(),
            "without(node=3, node=7, node=11, torus:4x4)");
}

TEST(Without, finds_cables_and_links_by_their_ends) {
  // ring:5 has the cables 0-1, 0-4, 1-2, 2-3, 3-4 in the order of their first links.
  EXPECT_EQ(make_topology("without(cable=3~2, ring:5)").name(), "without(cable=3, ring:5)");
  EXPECT_EQ(make_topology("without(cable= 2 ~ 3 , ring:5)").hash(),
            make_topology("without(cable=3, ring:5)").hash());
  const Topology back = make_topology("without(link=1~0, ring:5)");  // from 1 to 0, not back
  EXPECT_FALSE(back.find_link(NodeId(1), NodeId(0)));
  EXPECT_TRUE(back.find_link(NodeId(0), NodeId(1)));
}

TEST(Without, counts_parallel_cables_from_one) {
  // biring:4,3: two cables between any two of three nodes; #2 is what a second failure hits.
  const Topology whole = make_topology("biring:4,3");
  const Topology second = make_topology("without(cable=2~0#2, biring:4,3)");
  const Topology both = make_topology("without(cable=0~2, cable=0~2#2, biring:4,3)");
  std::vector<std::int32_t> numbers;
  for (const LinkId link : whole.out_links(NodeId(0)))
    if (whole.head(link) == NodeId(2)) numbers.push_back(whole.cable(link).value());
  std::sort(numbers.begin(), numbers.end());
  ASSERT_EQ(numbers.size(), 2U);
  EXPECT_EQ(second.name(), fmt::format("without(cable={}, biring:4,3)", numbers[1]));
  EXPECT_TRUE(second.find_link(NodeId(0), NodeId(2)));
  EXPECT_FALSE(both.find_link(NodeId(0), NodeId(2)));
  EXPECT_FALSE(both.find_link(NodeId(2), NodeId(0)));
}

TEST(Idle, adds_ports_without_cables) {
  const Topology ring = make_topology("ring:9");
  const Topology idle = make_topology("idle(2, ring:9)");
  EXPECT_EQ(arcs(idle), arcs(ring));
  EXPECT_EQ(idle.nominal_degree(), 4);
  EXPECT_EQ(idle.cable_count(), ring.cable_count());
  for (const LinkId link : ring.links()) EXPECT_EQ(idle.reverse(link), ring.reverse(link));
  EXPECT_EQ(make_topology(idle.name()).hash(), idle.hash());
  EXPECT_THROW(make_topology("idle(0, ring:9)"), InvalidInput);
  EXPECT_THROW(make_topology("idle(ring:9)"), InvalidInput);
}

TEST(Transpose, turns_every_link) {
  auto forth = arcs(make_topology("genkautz:3,10"));
  for (auto& [u, v] : forth) std::swap(u, v);
  std::sort(forth.begin(), forth.end());
  const Topology back = make_topology("transpose(genkautz:3,10)");
  EXPECT_EQ(arcs(back), forth);
  EXPECT_EQ(make_topology("transpose(transpose(genkautz:3,10))").name(),
            "transpose^2(genkautz:3,10)");
  EXPECT_EQ(arcs(make_topology("transpose^2(genkautz:3,10)")),
            arcs(make_topology("genkautz:3,10")));
}

}  // namespace
}  // namespace weft::topology
