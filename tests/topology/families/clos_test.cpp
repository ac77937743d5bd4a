// Networks of leaves and spines by their numbers of switches; expected sizes are those of the
// definitions, and of Al-Fares, Loukissas, Vahdat (SIGCOMM 2008).
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/graphs.hpp"
#include "topology/files/file_helpers.hpp"
#include "topology/structure.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

// The number of links from one node to another.
int cables(const Topology& t, std::int64_t from, std::int64_t to) {
  int count = 0;
  for (const LinkId link : t.out_links(NodeId(from)))
    if (t.head(link) == NodeId(to)) ++count;
  return count;
}

int distance_between_hosts(const Topology& t) {
  int most = 0;
  const auto distances = support::naive_distances(t);
  for (const NodeId from : t.hosts())
    for (const NodeId to : t.hosts()) most = std::max(most, distances[from.index()][to.index()]);
  return most;
}

TEST(LeafSpine, joins_every_leaf_to_every_spine) {
  const Topology t = make_topology("leaf-spine:leaves=8,spines=4,hosts=16");
  EXPECT_EQ(t.hosts().size(), 128u);
  EXPECT_EQ(t.switches().size(), 12u);
  for (int leaf = 128; leaf < 136; ++leaf) {
    EXPECT_EQ(t.out_degree(NodeId(leaf)), 16 + 4);
    for (int spine = 136; spine < 140; ++spine) EXPECT_EQ(cables(t, leaf, spine), 1);
    for (int host = 0; host < 128; ++host)
      EXPECT_EQ(cables(t, host, leaf), host / 16 == leaf - 128 ? 1 : 0);
  }
  EXPECT_EQ(t.hash(), make_topology("xgft:2;16,8;1,4").hash());
}

// 32 hosts and 8 uplinks a leaf, 4 to each of 2 spines: 4:1.
TEST(LeafSpine, spreads_uplinks_over_the_spines) {
  const Topology t = make_topology("leaf-spine:leaves=6,spines=2,hosts=32,uplinks=8");
  EXPECT_EQ(t.name(), "leaf-spine:leaves=6,spines=2,hosts=32,uplinks=8");
  EXPECT_EQ(t.cable_count(), 6 * 32 + 6 * 8);
  for (int leaf = 192; leaf < 198; ++leaf)
    for (int spine = 198; spine < 200; ++spine) EXPECT_EQ(cables(t, leaf, spine), 4);
  EXPECT_EQ(t.nominal_degree(), 6 * 4);  // of a spine
  EXPECT_EQ(distance_between_hosts(t), 4);
  expect_sound_reverses(t);
  EXPECT_FALSE(as_xgft(t));
  EXPECT_EQ(make_topology("leaf-spine:leaves=6,spines=2,hosts=32,uplinks=2").name(),
            "leaf-spine:leaves=6,spines=2,hosts=32");
}

// 72 uplinks on 16 spines, as in NVIDIA's reference architecture of DGX SuperPOD B300.
TEST(LeafSpine, gives_some_pairs_one_cable_more_by_turns) {
  const Topology t = make_topology("leaf-spine:leaves=32,spines=16,hosts=72,uplinks=72");
  EXPECT_EQ(t.cable_count(), 32 * 72 + 32 * 72);
  const int first_leaf = 32 * 72, first_spine = first_leaf + 32;
  for (int leaf = first_leaf; leaf < first_spine; ++leaf) {
    EXPECT_EQ(t.out_degree(NodeId(leaf)), 144);
    for (int spine = first_spine; spine < first_spine + 16; ++spine) {
      const int between = cables(t, leaf, spine);
      EXPECT_TRUE(between == 4 || between == 5) << between;
    }
  }
  for (int spine = first_spine; spine < first_spine + 16; ++spine)
    EXPECT_EQ(t.out_degree(NodeId(spine)), 32 * 72 / 16);
  expect_sound_reverses(t);
}

// The same of 512 boxes of 8 cards (DGX SuperPOD B200): 4,096 cables on each of three levels,
// switches of 64 ports.
TEST(Clos, has_several_cables_from_spines_to_cores) {
  const Topology t =
      make_topology("clos:pods=16,leaves=8,spines=8,cores=64,hosts=32,uplinks=32,spine-uplinks=32");
  EXPECT_EQ(t.hosts().size(), 4096u);
  EXPECT_EQ(t.switches().size(), 320u);
  EXPECT_EQ(t.cable_count(), 3 * 4096);
  for (const NodeId node : t.switches()) EXPECT_EQ(t.out_degree(node), 64);
  EXPECT_EQ(make_topology("clos:pods=3,leaves=4,spines=2,cores=6,hosts=5,uplinks=2,spine-uplinks=3")
                .hash(),
            make_topology("clos:pods=3,leaves=4,spines=2,cores=6,hosts=5").hash());
}

// Uplinks that are no multiple go round: spines of a place differ by one cable at most.
TEST(Clos, spreads_what_is_left_over) {
  const Topology t =
      make_topology("clos:pods=3,leaves=4,spines=3,cores=6,hosts=2,uplinks=5,spine-uplinks=3");
  const int first_spine = 3 * 4 * 2 + 3 * 4, first_core = first_spine + 9;
  for (int spine = first_spine; spine < first_core; ++spine) {
    EXPECT_GE(t.out_degree(NodeId(spine)), 6 + 3);
    EXPECT_LE(t.out_degree(NodeId(spine)), 7 + 3);
  }
  for (int core = first_core; core < first_core + 6; ++core) {
    EXPECT_GE(t.out_degree(NodeId(core)), 4);
    EXPECT_LE(t.out_degree(NodeId(core)), 5);
  }
  EXPECT_EQ(distance_between_hosts(t), 6);
}

TEST(Clos, joins_like_spines_of_pods_by_their_cores) {
  const Topology t = make_topology("clos:pods=3,leaves=4,spines=2,cores=6,hosts=5");
  EXPECT_EQ(t.hosts().size(), 60u);
  EXPECT_EQ(t.switches().size(), 12u + 6u + 6u);
  std::map<std::set<NodeId>, int> pods_of_cores;  // of each set of cores: spines cabled to it
  for (int node = 60; node < 84; ++node) {
    std::set<NodeId> below, above;
    for (const LinkId link : t.out_links(NodeId(node)))
      (t.head(link).value() < node ? below : above).insert(t.head(link));
    const bool leaf = node < 72, spine = !leaf && node < 78;
    EXPECT_EQ(std::ssize(below), leaf ? 5 : spine ? 4 : 3) << node;
    EXPECT_EQ(std::ssize(above), leaf ? 2 : spine ? 3 : 0) << node;
    EXPECT_EQ(t.out_degree(NodeId(node)), std::ssize(below) + std::ssize(above));
    if (spine) ++pods_of_cores[above];
  }
  EXPECT_EQ(pods_of_cores.size(), 2u);  // planes, apart from each other
  for (const auto& [cores, spines] : pods_of_cores) EXPECT_EQ(spines, 3);
  EXPECT_EQ(distance_between_hosts(t), 6);
}

// Section 2.2: k pods of k/2 + k/2 switches, (k/2)^2 cores, k^3/4 hosts, all switches of k ports.
TEST(FatTreePorts, is_that_of_its_paper) {
  for (const int k : {2, 4, 6, 8}) {
    const Topology t = make_topology("fat-tree-ports:" + std::to_string(k));
    EXPECT_EQ(std::ssize(t.hosts()), k * k * k / 4);
    EXPECT_EQ(std::ssize(t.switches()), k * k + k * k / 4);
    for (const NodeId node : t.switches()) EXPECT_EQ(t.out_degree(node), k);
    EXPECT_EQ(distance_between_hosts(t), 6);
  }
  const Topology large = make_topology("fat-tree-ports:48");  // the paper: 27,648 hosts
  EXPECT_EQ(large.hosts().size(), 27'648u);
  EXPECT_EQ(large.switches().size(), 2'880u);
}

TEST(Clos, leaves_are_groups_of_hosts_also_through_a_file) {
  const std::map<std::string, int> hosts_of_leaf{
      {"leaf-spine:leaves=3,spines=2,hosts=4", 4},
      {"leaf-spine:leaves=3,spines=2,hosts=4,uplinks=6", 4},
      {"clos:pods=2,leaves=3,spines=2,cores=2,hosts=5", 5},
      {"fat-tree-ports:6", 3}};
  for (const auto& [text, size] : hosts_of_leaf) {
    const Topology again = through_file(text);
    const auto groups = as_host_groups(again);
    ASSERT_TRUE(groups) << text;
    EXPECT_EQ(groups->count, std::ssize(again.hosts()) / size) << text;
    for (const NodeId host : again.hosts())
      EXPECT_EQ(groups->of[host], host.value() / size) << text;
    EXPECT_EQ(as_xgft(again).has_value(), as_xgft(make_topology(text)).has_value()) << text;
  }
}

}  // namespace
}  // namespace weft::topology
