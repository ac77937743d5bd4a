#include "weft/topology/families/algebraic/spectralfly.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "topology/families/family_checks.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

// By trying all: p is a square modulo q.
bool has_root(int p, int q) {
  for (int x = 1; x < q; ++x)
    if ((x * x - p) % q == 0) return true;
  return false;
}

// The sides of a connected graph: 1 or -1 by the parity of distances; all 1 where an odd cycle
// contradicts them.
std::vector<int> sides(const Topology& t) {
  std::vector<int> side = distances_from(t, NodeId(0));
  for (int& each : side) each = each % 2 == 0 ? 1 : -1;
  for (const LinkId link : t.links())
    if (side[t.tail(link).index()] == side[t.head(link).index()])
      return std::vector<int>(side.size(), 1);
  return side;
}

bool is_bipartite(const Topology& t) {
  const std::vector<int> side = sides(t);
  return std::ranges::find(side, -1) != side.end();
}

// Whether all eigenvalues but p + 1 (and -p - 1 of a bipartite one) are at most 2 sqrt(p) in size:
// 4 p I - B^2 has no negative eigenvalue, where B is the adjacency matrix without the part of these
// two. Cholesky's decomposition finds one.
bool is_ramanujan(const Topology& t, int p) {
  const std::size_t n = t.node_count();
  const std::vector<int> side = sides(t);
  const bool bipartite = is_bipartite(t);
  std::vector<double> m(n * n, 0);
  for (const NodeId node : t.nodes())
    for (const LinkId first : t.out_links(node))
      for (const LinkId second : t.out_links(t.head(first)))
        m[node.index() * n + t.head(second).index()] -= 1;
  const double share = (p + 1.0) * (p + 1.0) / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    m[i * n + i] += 4.0 * p + 1e-6;
    for (std::size_t j = 0; j < n; ++j)
      m[i * n + j] += bipartite ? share * (1 + side[i] * side[j]) : share;
  }
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j; i < n; ++i) {
      double sum = m[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= m[i * n + k] * m[j * n + k];
      if (i == j && sum <= 0) return false;
      m[i * n + j] = i == j ? std::sqrt(sum) : sum / m[j * n + j];
    }
  return true;
}

// Nodes and two sides as Lubotzky, Phillips and Sarnak prove them; LPS(11, 7) and LPS(23, 11)
// have diameter 3 in table I of Young et al. (0: the table has none).
TEST(SpectralFly, is_the_graph_of_lubotzky_phillips_and_sarnak) {
  const struct {
    int p, q, nodes, diameter;
  } cases[] = {{3, 5, 120, 0},    {11, 7, 168, 3},  {5, 7, 336, 0},    {3, 7, 336, 0},
               {23, 11, 660, 3},  {5, 11, 660, 0},  {13, 11, 1320, 0}, {29, 13, 1092, 3},
               {53, 17, 2448, 3}, {3, 13, 1092, 0}, {7, 11, 1320, 0},  {19, 11, 1320, 0}};
  for (const auto& c : cases) {
    const std::string text = fmt::format("spectralfly:{},{}", c.p, c.q);
    const Topology t = make_topology(text);
    const bool square = has_root(c.p, c.q);
    EXPECT_EQ(t.node_count(), c.nodes) << text;
    EXPECT_EQ(t.node_count(), c.q * (c.q * c.q - 1) / (square ? 2 : 1)) << text;
    EXPECT_EQ(t.nominal_degree(), c.p + 1) << text;
    for (const NodeId node : t.nodes()) ASSERT_EQ(t.out_degree(node), c.p + 1) << text;
    EXPECT_FALSE(has_double_link(t)) << text;
    EXPECT_FALSE(t.has_switches()) << text;
    const int found = eccentricity(t, NodeId(0));  // all nodes are alike
    EXPECT_GT(found, 0) << text << " is not connected";
    if (c.diameter > 0) {
      EXPECT_EQ(found, c.diameter) << text;
    }
    EXPECT_EQ(is_bipartite(t), !square) << text;
    if (c.nodes <= 700) expect_a_sound_family(text);
    if (c.nodes <= 400) {
      EXPECT_TRUE(is_ramanujan(t, c.p)) << text;
    }
  }
}

// The judge tells others apart: a ring of cliques has large eigenvalues.
TEST(SpectralFly, other_graphs_of_its_degree_are_no_ramanujan_graphs) {
  EXPECT_FALSE(is_ramanujan(make_topology("ring:40 * complete:2"), 2));
  EXPECT_FALSE(is_ramanujan(make_topology("torus:12x12"), 3));
  EXPECT_TRUE(is_ramanujan(make_topology("petersen"), 2));
}

// Every node sees the same: it is a Cayley graph.
TEST(SpectralFly, nodes_see_as_many_others_at_each_distance) {
  for (const char* text : {"spectralfly:11,7", "spectralfly:3,5"}) {
    const Topology t = make_topology(text);
    std::vector<int> first;
    for (const NodeId node : t.nodes()) {
      std::vector<int> distances = distances_from(t, node);
      std::ranges::sort(distances);
      if (first.empty()) first = distances;
      EXPECT_EQ(distances, first) << text;
    }
  }
}

TEST(SpectralFly, takes_hosts) {
  EXPECT_EQ(make_topology("hosts(8, spectralfly:11,7)").hosts().size(), 8u * 168);
}

}  // namespace
}  // namespace weft::topology
