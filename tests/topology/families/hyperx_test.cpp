#include "weft/topology/families/grids/hyperx.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "topology/structure.hpp"
#include "weft/topology/cayley_view.hpp"
#include "weft/topology/families/grids/hamming.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

// Cables between two nodes, by the definition.
int naive_cables(const HyperxView& view, int u, int v) {
  int differing = 0, cables = 0;
  for (int d = 0; d < view.dimensions(); ++d) {
    if (view.coordinate(u, d) == view.coordinate(v, d)) continue;
    ++differing;
    cables = view.parallel[d];
  }
  return differing == 1 ? cables : 0;
}

TEST(HyperX, has_as_many_links_as_its_counts_say) {
  for (const char* text : {"hyperx:4x3,2,3", "hyperx:5,3", "hyperx:2x3x4,3,1,2", "hyperx:2x2,2",
                           "hosts(2, hyperx:3x4,1,2)", "hyperx:4x4", "hamming:3x2"}) {
    const Topology t = make_topology(text);
    const auto view = as_hyperx(t);
    ASSERT_TRUE(view) << text;
    ASSERT_EQ(view->extents.size(), view->parallel.size());
    int degree = 0;
    for (std::size_t d = 0; d < view->extents.size(); ++d)
      degree += view->parallel[d] * (view->extents[d] - 1);
    EXPECT_EQ(t.nominal_degree(), degree) << text;
    for (int u = 0; u < view->size(); ++u)
      for (int v = 0; v < view->size(); ++v) {
        int links = 0;
        for (LinkId link : t.out_links(NodeId(u))) links += t.head(link) == NodeId(v);
        EXPECT_EQ(links, naive_cables(*view, u, v)) << text << ": " << u << " " << v;
      }
    expect_sound_reverses(t);
  }
}

TEST(HyperX, every_link_has_a_reverse_of_its_own) {
  const Topology t = hyperx({4, 3}, {3, 2});
  EXPECT_EQ(t.cable_count() * 2, t.link_count());
  EXPECT_EQ(diameter(t), 2);
}

TEST(HyperX, names_a_count_for_each_dimension) {
  EXPECT_EQ(make_topology("hyperx:4X3x2").name(), "hyperx:4x3x2,1,1,1");
  EXPECT_EQ(make_topology("hyperx: 4x3x2, 2").name(), "hyperx:4x3x2,2,2,2");
  EXPECT_EQ(make_topology("hyperx:4x3,1,2").name(), "hyperx:4x3,1,2");
}

TEST(HyperX, of_single_links_is_the_hamming_network_link_by_link) {
  const Topology t = make_topology("hyperx:4x3x2");
  EXPECT_EQ(t.hash(), hamming({4, 3, 2}).hash());
  ASSERT_TRUE(as_hamming(t));
  EXPECT_EQ(as_hamming(t)->extents, (std::vector<int>{4, 3, 2}));
  EXPECT_FALSE(as_hamming(make_topology("hyperx:4x3,1,2")));
  EXPECT_FALSE(as_hyperx(make_topology("torus:4x4")));
}

TEST(HyperX, is_a_cayley_graph_whatever_its_counts) {
  const auto view = as_cayley(make_topology("hyperx:4x3,2,3"));
  ASSERT_TRUE(view);
  EXPECT_EQ(view->degree(), 2 * 3 + 3 * 2);
}

}  // namespace
}  // namespace weft::topology
