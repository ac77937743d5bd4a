// Families that are another name for a family or an expression: they build the same graph link by
// link, with its facets, under a name of their own.
#include <gtest/gtest.h>

#include "topology/families/family_checks.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

TEST(OtherNames, build_the_graphs_that_they_stand_for) {
  const struct {
    const char *text, *meaning;
    int hosts, switches, cables;
  } cases[] = {
      {"megafly:l=4,s=4,p=4,h=2,g=9", "dragonfly-plus:l=4,s=4,p=4,h=2,g=9", 144, 72,
       144 + 9 * 16 + 36},  // hosts, leaves to spines, a cable between any two groups
      {"megafly:l=2,s=3,p=1,h=2,g=4", "dragonfly-plus:l=2,s=3,p=1,h=2,g=4", 8, 20, 8 + 24 + 12},
      {"jellyfish:16,4,3,seed=1", "hosts(3, random-regular:16,4,seed=1)", 48, 16, 48 + 32},
      {"jellyfish:20,5,2,seed=7", "hosts(2, random-regular:20,5,seed=7)", 40, 20, 40 + 50},
      {"jellyfish:2,1,3,seed=1", "hosts(3, random-regular:2,1,seed=1)", 6, 2, 7},
      // Kim et al., figure 1: the 4-ary 2-flat has 4 routers of radix 7, the 2-ary 4-flat 8
      {"flattened-butterfly:4,2", "hosts(4, hamming:4)", 16, 4, 16 + 6},
      {"flattened-butterfly:2,4", "hosts(2, hamming:2x2x2)", 16, 8, 16 + 12},
      {"flattened-butterfly:3,3", "hosts(3, hamming:3x3)", 27, 9, 27 + 18},
      {"petersen", "distance-regular:petersen", 10, 0, 15},
  };
  for (const auto& c : cases) {
    const Topology t = make_topology(c.text), meant = make_topology(c.meaning);
    EXPECT_EQ(t.name(), c.text);
    EXPECT_EQ(t.hash(), meant.hash()) << c.text;
    EXPECT_EQ(t.nominal_degree(), meant.nominal_degree()) << c.text;
    EXPECT_TRUE(std::ranges::equal(t.class_names(), meant.class_names())) << c.text;
    EXPECT_EQ(t.facets(), meant.facets()) << c.text;
    EXPECT_EQ(std::ssize(t.hosts()), c.hosts) << c.text;
    EXPECT_EQ(std::ssize(t.switches()), c.switches) << c.text;
    EXPECT_EQ(t.cable_count(), c.cables) << c.text;
    EXPECT_FALSE(has_double_link(t)) << c.text;
    expect_a_sound_family(c.text);
  }
}

TEST(OtherNames, have_the_views_of_what_they_stand_for) {
  EXPECT_TRUE(as_dragonfly_plus(make_topology("megafly:l=2,s=2,p=1,h=1,g=2")));
  const auto flat = as_hamming(make_topology("flattened-butterfly:3,3"));
  ASSERT_TRUE(flat);
  EXPECT_EQ(flat->extents, (std::vector<int>{3, 3}));
}

// Routers of a k-ary n-flat have n (k - 1) + 1 ports, and its diameter is n - 1.
TEST(OtherNames, flattened_butterflies_have_the_radix_of_their_paper) {
  for (const auto& [k, n] : {std::pair{4, 2}, {2, 4}, {3, 3}, {5, 3}, {8, 2}}) {
    const Topology t = make_topology(fmt::format("flattened-butterfly:{},{}", k, n));
    for (const NodeId node : t.switches()) EXPECT_EQ(t.out_degree(node), n * (k - 1) + 1);
    EXPECT_EQ(eccentricity(t, t.hosts()[0]), n - 1 + 2) << t.name();
  }
}

TEST(OtherNames, jellyfish_takes_its_seed_with_or_without_its_name) {
  const Topology t = make_topology("jellyfish:16,4,3,seed=7");
  EXPECT_EQ(make_topology("jellyfish:16, 4, 3, 7").hash(), t.hash());
  EXPECT_EQ(make_topology("jellyfish:16,4,3,7").name(), t.name());
  EXPECT_EQ(make_topology("jellyfish:16,4,3").name(), "jellyfish:16,4,3,seed=1");
}

TEST(OtherNames, a_megafly_has_as_many_groups_as_its_ports_reach) {
  EXPECT_EQ(make_topology("megafly:l=2,s=2,p=1,h=1").name(), "megafly:l=2,s=2,p=1,h=1,g=3");
}

}  // namespace
}  // namespace weft::topology
