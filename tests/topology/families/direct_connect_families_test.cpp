#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "support/graphs.hpp"
#include "topology/structure.hpp"
#include "weft/topology/families/circulants/rings.hpp"
#include "weft/topology/families/double_binary_tree.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

std::string join_extents(const std::vector<int>& extents) {
  std::string text;
  for (int extent : extents) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

bool regular(const Topology& t, int degree) {
  for (NodeId node : t.nodes())
    if (t.out_degree(node) != degree || t.in_degree(node) != degree) return false;
  return true;
}

// The largest distance from a node.
int eccentricity(const Topology& t, NodeId from = NodeId(0)) {
  std::vector<int> distance(static_cast<std::size_t>(t.node_count()), -1);
  std::vector<NodeId> reached{from};
  distance[from.index()] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (LinkId link : t.out_links(reached[i])) {
      if (distance[t.head(link).index()] >= 0) continue;
      distance[t.head(link).index()] = distance[reached[i].index()] + 1;
      reached.push_back(t.head(link));
    }
  }
  EXPECT_EQ(reached.size(), distance.size()) << t.name();
  return distance[reached.back().index()];
}

// Is there a relabelling that maps the arcs onto `goal`? Tries all of them: 8 nodes at most.
bool isomorphic_by_trial(const std::vector<Arc>& from, const std::vector<Arc>& goal, int nodes) {
  std::vector<int> label(static_cast<std::size_t>(nodes));
  std::iota(label.begin(), label.end(), 0);
  do {
    std::vector<Arc> image;
    for (const auto& [u, v] : from) image.emplace_back(label[u], label[v]);
    std::sort(image.begin(), image.end());
    if (image == goal) return true;
  } while (std::next_permutation(label.begin(), label.end()));
  return false;
}

bool reverse_symmetric_by_trial(const std::string& text) {
  return isomorphic_by_trial(arcs(make_topology(text)),
                             arcs(make_topology("transpose(" + text + ")")),
                             make_topology(text).node_count());
}

TEST(DirectConnectFamilies, sizes_degrees_and_diameters_follow_their_formulas) {
  const struct {
    const char* text;
    int nodes, links, cables, degree, diameter;
  } cases[] = {
      {"uniring:3,5", 5, 15, 15, 3, 4},           // d n links, diameter n - 1
      {"biring:4,8", 8, 32, 16, 4, 4},            // floor(n / 2)
      {"biring:6,5", 5, 30, 15, 6, 2},            //
      {"shifted-ring:3", 3, 12, 6, 4, 1},         // two triangles
      {"shifted-ring:12", 12, 48, 24, 4, 3},      // jumps 1 and 5: 6 = 5 + 1, 3 = 1 + 1 + 1
      {"directed-circulant:1", 3, 3, 3, 1, 2},    // uniring:3
      {"directed-circulant:4", 6, 24, 24, 4, 2},  // all but the node before in one step
      {"twisted-hypercube:3", 8, 24, 12, 3, 2},   // n - 1
      {"twisted-hypercube:7", 128, 896, 448, 7, 6},
      {"twisted-torus:4x8", 32, 128, 64, 4, 4},  // k
      {"twisted-torus:4x4x8", 128, 768, 384, 6, 6},
      {"twisted-torus:4x8x8", 256, 1536, 768, 6, 6},
      {"diamond", 8, 16, 16, 2, 3},            // the Moore bound: 1 + 2 + 4 < 8
      {"debruijn-mod:2,3", 8, 16, 16, 2, 3},   //
      {"debruijn-mod:2,4", 16, 32, 32, 2, 4},  // its square has diameter 8 in Table 7
      {"debruijn-mod:3,2", 9, 27, 27, 3, 2},   //
      {"debruijn-mod:4,2", 16, 64, 64, 4, 3},  // its line graph has diameter 4 in Table 7
  };
  for (const auto& c : cases) {
    const Topology t = make_topology(c.text);
    EXPECT_EQ(t.node_count(), c.nodes) << c.text;
    EXPECT_EQ(t.link_count(), c.links) << c.text;
    EXPECT_EQ(t.cable_count(), c.cables) << c.text;
    EXPECT_EQ(t.nominal_degree(), c.degree) << c.text;
    EXPECT_TRUE(regular(t, c.degree)) << c.text;
    EXPECT_EQ(diameter(t), c.diameter) << c.text;
    EXPECT_FALSE(has_loop(t)) << c.text;
    EXPECT_EQ(t.name(), c.text);
    expect_sound_reverses(t);
  }
}

// Zhao et al., Table 7, column D(G), every line.
TEST(DirectConnectFamilies, expansions_have_the_printed_diameters) {
  const std::vector<std::pair<const char*, int>> printed{
      {"line(bipartite:4,4)", 3},
      {"distance-regular:ag-2-4-minus-class", 4},
      {"genkautz:4,64", 3},
      {"line(debruijn-mod:4,2)", 4},
      {"power(2, diamond)", 6},
      {"line^2(bipartite:4,4)", 4},
      {"line(distance-regular:ag-2-4-minus-class)", 5},
      {"biring:2,8 * power(2, uniring:4)", 10},
      {"debruijn:4,4", 4},
      {"line^2(debruijn-mod:4,2)", 5},
      {"line(power(2, diamond))", 7},
      {"power(2, debruijn-mod:2,4)", 8},
      {"line^3(bipartite:4,4)", 5},
      {"line^2(distance-regular:ag-2-4-minus-class)", 6},
      {"line(power(3, uniring:4) * uniring:2)", 11},
      {"power(3, uniring:4) * uniring:8", 16},
      {"genkautz:4,1024", 5},
      {"line^3(circulant:16,3,4)", 6},
      {"line^2(power(2, diamond))", 8},
      {"line(power(2, debruijn-mod:2,4))", 9},
      {"power(2, uniring:4 * uniring:8)", 20},
  };
  for (const auto& [text, expected] : printed) {
    const Topology t = make_topology(text);
    EXPECT_TRUE(regular(t, 4)) << text;
    int largest = 0;
    for (NodeId node : t.nodes()) largest = std::max(largest, eccentricity(t, node));
    EXPECT_EQ(largest, expected) << text;
  }
}

TEST(Rings, of_the_least_degree_are_the_plain_ones) {
  EXPECT_EQ(make_topology("uniring:1,7").name(), "uniring:7");
  EXPECT_EQ(make_topology("biring:2,7").name(), "ring:7");
  EXPECT_TRUE(as_torus(make_topology("biring:2,7")));
  EXPECT_FALSE(as_torus(make_topology("biring:4,7")));
}

TEST(ShiftedRing, has_a_second_ring_of_a_jump_coprime_near_the_square_root) {
  // 9: 2 and 4 are equally near to 3; 6: no number from 2 to 3 is coprime.
  const std::vector<std::pair<int, int>> jumps{{3, 1}, {4, 1},  {5, 2},  {6, 1},  {7, 3},    {8, 3},
                                               {9, 2}, {10, 3}, {12, 5}, {16, 3}, {1024, 31}};
  for (const auto& [nodes, jump] : jumps) EXPECT_EQ(shifted_ring_jump(nodes), jump) << nodes;
  for (int n = 5; n <= 300; ++n) {
    EXPECT_EQ(std::gcd(shifted_ring_jump(n), n), 1);
    EXPECT_EQ(has_double_link(make_topology("shifted-ring:" + std::to_string(n))), n == 6);
  }
  EXPECT_EQ(arcs(make_topology("shifted-ring:12")), arcs(make_topology("circulant:12,1,5")));
}

// Camarero et al.: two points of Z^n are one node where their difference is k times an integer
// vector whose entries have an even sum (k x 2k and k x k x 2k) or are all even or all odd.
TEST(TwistedTorus, is_the_cayley_graph_of_its_lattice) {
  for (const std::vector<int>& extents : std::vector<std::vector<int>>{{2, 4},
                                                                       {3, 6},
                                                                       {8, 4},
                                                                       {2, 2, 4},
                                                                       {3, 6, 3},
                                                                       {8, 4, 4},
                                                                       {2, 4, 4},
                                                                       {6, 3, 6},
                                                                       {8, 8, 4},
                                                                       {5, 5, 10},
                                                                       {5, 10, 10}}) {
    const std::string text = "twisted-torus:" + join_extents(extents);
    const Topology t = make_topology(text);
    const Extents shape{extents};
    const int k = *std::min_element(extents.begin(), extents.end());
    const bool body_centred = std::count(extents.begin(), extents.end(), 2 * k) == 2;
    EXPECT_FALSE(has_double_link(t)) << text;
    for (LinkId link : t.links()) {
      const int place = link.value() - t.out_links(t.tail(link))[0].value();
      auto difference = shape.coordinates(t.head(link).value());
      const auto from = shape.coordinates(t.tail(link).value());
      for (std::size_t d = 0; d < extents.size(); ++d) difference[d] -= from[d];
      difference[place / 2] -= place % 2 == 0 ? 1 : -1;
      int odd = 0;
      for (int& entry : difference) {
        ASSERT_EQ(entry % k, 0) << text;
        odd += entry / k % 2 != 0;
      }
      EXPECT_TRUE(body_centred ? odd == 0 || odd == 3 : odd % 2 == 0) << text;
    }
  }
}

TEST(TwistedTorus, is_shorter_than_the_torus) {
  for (int k = 2; k <= 16; ++k) {
    const auto of = [&](const std::string& family, const std::vector<int>& extents) {
      return eccentricity(make_topology(family + ":" + join_extents(extents)));
    };
    EXPECT_EQ(of("twisted-torus", {k, 2 * k}), k);
    EXPECT_EQ(of("torus", {k, 2 * k}), k + k / 2);
    EXPECT_EQ(of("twisted-torus", {k, k, 2 * k}), 3 * k / 2);
    EXPECT_EQ(of("torus", {k, k, 2 * k}), 2 * (k / 2) + k);
    EXPECT_EQ(of("twisted-torus", {k, 2 * k, 2 * k}), 3 * k / 2) << k;
    EXPECT_EQ(of("torus", {k, 2 * k, 2 * k}), k / 2 + 2 * k);
  }
}

TEST(TwistedHypercube, crosses_one_pair_of_edges) {
  for (int n = 3; n <= 8; ++n) {
    const Topology t = make_topology("twisted-hypercube:" + std::to_string(n));
    EXPECT_EQ(diameter(t), n - 1);
    EXPECT_FALSE(has_double_link(t));
    auto expected = arcs(support::binary_cube(n));
    for (const Arc& gone : {Arc{0, 1}, Arc{1, 0}, Arc{2, 3}, Arc{3, 2}})
      expected.erase(std::find(expected.begin(), expected.end(), gone));
    expected.insert(expected.end(), {{0, 3}, {3, 0}, {1, 2}, {2, 1}});
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(arcs(t), expected);
  }
}

TEST(DoubleBinaryTree, is_two_spanning_trees_with_children_in_one) {
  for (int n = 2; n <= 70; ++n) {
    const auto parents = double_binary_tree_parents(n);
    std::vector<std::vector<int>> children(2, std::vector<int>(static_cast<std::size_t>(n), 0));
    for (std::size_t tree : {0u, 1u}) {
      for (int node = 1; node < n; ++node) {
        ++children[tree][parents[tree][node]];
        std::int64_t at = node;
        int steps = 0;
        for (; at != 0 && steps <= 8; ++steps) at = parents[tree][at];
        EXPECT_LE(steps, 7) << n;  // 1 + ceil(log2 n)
      }
    }
    EXPECT_EQ(children[0][0], 1);
    EXPECT_EQ(children[1][0], 1);
    for (std::size_t node = 1; node < static_cast<std::size_t>(n); ++node) {
      EXPECT_LE(children[0][node], 2);
      EXPECT_LE(children[1][node], 2);
      EXPECT_TRUE(children[0][node] == 0 || children[1][node] == 0) << n << " " << node;
    }
    const Topology t = make_topology("double-binary-tree:" + std::to_string(n));
    EXPECT_EQ(t.cable_count(), 2 * (n - 1));
    EXPECT_LE(t.nominal_degree(), 4);
    expect_sound_reverses(t);
  }
}

TEST(Diamond, is_not_its_transpose) {
  EXPECT_FALSE(reverse_symmetric_by_trial("diamond"));
  EXPECT_FALSE(has_double_link(make_topology("diamond")));
}

TEST(ModifiedDebruijn, is_a_debruijn_graph_without_loops_and_two_cycles) {
  for (const char* parameters : {"2,3", "2,4", "2,5", "2,7", "3,3", "3,4", "4,3", "3,2", "4,2"}) {
    const Topology t = make_topology(std::string("debruijn-mod:") + parameters);
    const Topology plain = make_topology(std::string("debruijn:") + parameters);
    const int d = t.nominal_degree();
    EXPECT_TRUE(regular(t, d)) << parameters;
    EXPECT_FALSE(has_loop(t)) << parameters;
    EXPECT_FALSE(has_double_link(t)) << parameters;
    EXPECT_LT(diameter(t), support::kFar) << parameters;
    // d loops and d (d-1) / 2 two-cycles, d^2 links, make way for one cycle of d^2.
    std::vector<Arc> kept, added;
    const auto now = arcs(t), before = arcs(plain);
    std::ranges::set_intersection(now, before, std::back_inserter(kept));
    std::ranges::set_difference(now, before, std::back_inserter(added));
    for (const auto& [u, v] : kept)
      EXPECT_FALSE(std::ranges::binary_search(kept, Arc{v, u})) << parameters;
    EXPECT_GE(kept.size(), before.size() - static_cast<std::size_t>(d * d)) << parameters;
    EXPECT_GT(added.size(), 0u);
  }
}

TEST(ModifiedDebruijn, of_eight_nodes_is_reverse_symmetric) {
  EXPECT_TRUE(reverse_symmetric_by_trial("debruijn-mod:2,3"));  // as Table 9 prints
}

}  // namespace
}  // namespace weft::topology
