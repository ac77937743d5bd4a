#include "weft/topology/families/random/xpander.hpp"

#include <gtest/gtest.h>

#include <set>

#include "topology/structure.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

TEST(Xpander, is_a_connected_lift_of_the_complete_graph) {
  for (int d = 3; d <= 6; ++d)
    for (int k : {1, 2, 3, 5, 8})
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Topology t = xpander(d, k, seed);
        ASSERT_EQ(t.node_count(), (d + 1) * k) << t.name();
        EXPECT_EQ(t.nominal_degree(), d);
        for (NodeId node : t.nodes()) {  // one link to a copy of every other node of K_{d+1}
          std::set<int> meta_nodes{node.value() / k};
          for (LinkId link : t.out_links(node)) meta_nodes.insert(t.head(link).value() / k);
          EXPECT_EQ(t.out_degree(node), d) << t.name();
          EXPECT_EQ(static_cast<int>(meta_nodes.size()), d + 1) << t.name();
        }
        EXPECT_LT(diameter(t), t.node_count()) << t.name();
        expect_sound_reverses(t);
      }
}

TEST(Xpander, follows_its_seed) {
  const auto hash = [](const char* text) { return make_topology(text).hash(); };
  EXPECT_EQ(hash("xpander:8,16,seed=7"), hash("xpander:8, 16, SEED=7"));
  EXPECT_NE(hash("xpander:8,16,seed=7"), hash("xpander:8,16,seed=8"));
  EXPECT_EQ(make_topology("xpander:8,16").name(), "xpander:8,16,seed=1");
  EXPECT_EQ(arcs(make_topology("xpander:5,1,seed=3")), arcs(make_topology("complete:6")));
}

}  // namespace
}  // namespace weft::topology
