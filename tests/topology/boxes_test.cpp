// boxes(n, BOX[, X]) and planes(k, X): which node stands where, and what hangs on what.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/graphs.hpp"
#include "topology/files/file_helpers.hpp"
#include "topology/structure.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

std::string class_of(const Topology& t, LinkId link) {
  return t.class_names()[t.link_class(link)];
}

// The heads of a node's links of a class.
std::multiset<int> heads(const Topology& t, int node, const std::string& link_class) {
  std::multiset<int> result;
  for (const LinkId link : t.out_links(NodeId(node)))
    if (class_of(t, link) == link_class) result.insert(t.head(link).value());
  return result;
}

// 2 boxes of 4 GPUs in a ring and 2 leaves under 1 spine: GPUs 0 to 7, leaves 8, 9, spine 10.
TEST(Boxes, plug_card_after_card_into_the_hosts_of_a_network) {
  const Topology t = make_topology("boxes(2, ring:4, leaf-spine:leaves=2,spines=1,hosts=4)");
  EXPECT_EQ(t.hosts().size(), 8u);
  EXPECT_EQ(t.switches().size(), 3u);
  for (int gpu = 0; gpu < 8; ++gpu) {
    const int first = gpu / 4 * 4;
    EXPECT_EQ(heads(t, gpu, "box"), (std::multiset{first + (gpu + 1) % 4, first + (gpu + 3) % 4}));
    EXPECT_EQ(heads(t, gpu, "terminal"), std::multiset{8 + gpu / 4});
  }
  EXPECT_EQ(heads(t, 10, "level1"), (std::multiset{8, 9}));
  expect_sound_reverses(t);
}

// hosts(k, X) numbers its switches first; as a box and as X its hosts come in their own order.
TEST(Boxes, take_networks_that_number_switches_first) {
  const Topology t = make_topology("boxes(2, hosts(2, ring:2), hosts(4, ring:2))");
  ASSERT_EQ(t.hosts().size(), 8u);
  for (int gpu = 0; gpu < 8; ++gpu) {
    EXPECT_TRUE(t.is_host(NodeId(gpu)));
    EXPECT_EQ(heads(t, gpu, "box-terminal"), std::multiset{8 + gpu / 2});  // 2 switches a box
    EXPECT_EQ(heads(t, gpu, "terminal"), std::multiset{12 + gpu / 4});
  }
}

TEST(Boxes, without_a_network_hang_on_one_switch) {
  const Topology t = make_topology("boxes(3, complete:4)");
  EXPECT_EQ(t.switches().size(), 1u);
  EXPECT_EQ(t.out_degree(NodeId(12)), 12);
  EXPECT_EQ(t.cable_count(), 3 * 6 + 12);
}

// Card j of every box on its own copy: a rail-optimised network without spines, when the copies
// are switches.
TEST(Boxes, plug_card_j_into_rail_j) {
  const Topology rail = make_topology("rail:boxes=3,gpus=4,spines=0");
  EXPECT_EQ(arcs(make_topology("boxes(3, wiring=rail, xgft:1;4;1)")), arcs(rail));
  EXPECT_EQ(arcs(make_topology("boxes(3, wiring=rail, xgft:1;4;1, xgft:1;3;1)")), arcs(rail));
  const Topology t = make_topology("boxes(4, wiring=rail, (complete:2), xgft:2;2,2;1,1)");
  // GPUs 0 to 7; of rail r, leaves 8 + 3 r and 9 + 3 r under 10 + 3 r.
  for (int gpu = 0; gpu < 8; ++gpu)
    EXPECT_EQ(heads(t, gpu, "terminal"), std::multiset{8 + 3 * (gpu % 2) + gpu / 4});
}

TEST(Boxes, are_groups_also_through_a_file) {
  for (const char* text : {"boxes(3, complete:4)", "boxes(3, wiring=rail, complete:4)",
                           "boxes(3, hosts(2, ring:2), leaf-spine:leaves=3,spines=2,hosts=4)"}) {
    const Topology again = through_file(text);
    const auto groups = as_host_groups(again);
    ASSERT_TRUE(groups) << text;
    EXPECT_EQ(groups->count, 3) << text;
    for (const NodeId host : again.hosts()) EXPECT_EQ(groups->of[host], host.value() / 4) << text;
  }
}

// GPUs of a box, of a rack and of a pod; by rail a host of X is a whole box.
TEST(Boxes, nest_in_the_groups_of_the_network) {
  using Sizes = std::vector<std::int64_t>;
  const auto sizes = [](const char* text) {
    EXPECT_EQ(nested_group_sizes(through_file(text)), nested_group_sizes(make_topology(text)));
    return nested_group_sizes(make_topology(text));
  };
  EXPECT_EQ(sizes("boxes(8, ring:4, clos:pods=2,leaves=2,spines=2,cores=2,hosts=8)"),
            (Sizes{4, 8, 16}));
  EXPECT_EQ(sizes("boxes(4, wiring=rail, ring:4, leaf-spine:leaves=2,spines=2,hosts=2)"),
            (Sizes{4, 8}));
  EXPECT_EQ(sizes("boxes(2, (leaf-spine:leaves=2,spines=1,hosts=2), fat-tree:2,3)"), (Sizes{2, 4}));
  // Leaves of 6 hosts end within a box of 4; pods of 12 don't.
  EXPECT_EQ(sizes("boxes(6, ring:4, clos:pods=2,leaves=2,spines=2,cores=2,hosts=6)"),
            (Sizes{4, 12}));
  EXPECT_EQ(sizes("planes(2, clos:pods=2,leaves=3,spines=1,cores=1,hosts=2)"), (Sizes{2, 6}));
  EXPECT_EQ(sizes("planes(2, dragonfly:a=2,p=2,h=1,g=3)"), (Sizes{2, 4}));
}

TEST(Boxes, keep_the_speeds_of_files_in_boxes_and_between_them) {
  BuiltTopology box = build_topology("complete:2"), outside = build_topology("xgft:1;4;1");
  box.speeds.bandwidth_Bps = {450, 450};
  outside.speeds.latency_ps.assign(8, 7);
  const Fabric fabric(join_boxes(2, Wiring::flat, box, &outside));
  const Topology& t = fabric.topology();
  for (const LinkId link : t.links()) {
    const bool inside = class_of(t, link) == "box";
    EXPECT_EQ(fabric.bandwidth_Bps(link), inside ? 450 : LinkSpeed{}.bandwidth_Bps);
    EXPECT_EQ(fabric.latency_ps(link), inside ? LinkSpeed{}.latency_ps : 7);
  }
}

// 2 planes of 3 leaves and 2 spines over the same 12 hosts: plane p's leaves are 12 + 5 p to
// 14 + 5 p.
TEST(Planes, share_nothing_but_the_hosts) {
  const Topology t = make_topology("planes(2, leaf-spine:leaves=3,spines=2,hosts=4)");
  EXPECT_EQ(t.hosts().size(), 12u);
  EXPECT_EQ(t.switches().size(), 10u);
  for (int host = 0; host < 12; ++host)
    EXPECT_EQ(heads(t, host, "terminal"), (std::multiset{12 + host / 4, 17 + host / 4}));
  for (const LinkId link : t.links()) {
    if (class_of(t, link) != "level1") continue;
    EXPECT_EQ((t.tail(link).value() - 12) / 5, (t.head(link).value() - 12) / 5);
  }
  const auto groups = as_host_groups(through_file(t.name()));
  ASSERT_TRUE(groups);
  EXPECT_EQ(groups->count, 3);
  expect_sound_reverses(t);
}

TEST(Planes, keep_the_speeds_of_each) {
  BuiltTopology plane = build_topology("xgft:1;2;1");
  plane.speeds.bandwidth_Bps = {10, 20, 30, 40};
  const Fabric one(plane), two(join_planes(2, plane));
  for (const LinkId link : two.topology().links()) {
    const bool up = two.topology().is_host(two.topology().tail(link));
    const int host = up ? two.topology().tail(link).value() : two.topology().head(link).value();
    const auto out = one.topology().out_links(up ? NodeId(host) : NodeId(2));
    EXPECT_EQ(two.bandwidth_Bps(link), one.bandwidth_Bps(out[up ? 0 : host]));
  }
}

}  // namespace
}  // namespace weft::topology
