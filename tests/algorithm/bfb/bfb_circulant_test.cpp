// Conjecture 1 of Zhao et al. (appendix F.4), that every circulant graph has a bandwidth-optimal
// breadth-first allgather, on the graphs of up to 24 nodes; bfb_circulant_slow_test.cpp goes on.
#include <gtest/gtest.h>

#include "support/circulants.hpp"
#include "support/judges/naive_bfb.hpp"
#include "weft/algorithm/bfb.hpp"
#include "weft/topology/families/circulant.hpp"

namespace weft::algorithm {
namespace {

using Jumps = std::vector<int>;

// Z_8 with two jumps: {1,2} = {3,2}, {1,3}; disconnected or of degree 3 are {2,4}, {1,4} and so on.
TEST(CirculantJumps, are_one_of_each_class) {
  EXPECT_EQ(support::circulant_jumps(8, 2), (std::vector<Jumps>{{1, 2}, {1, 3}}));
  EXPECT_EQ(support::circulant_jumps_and_half(8, 1), (std::vector<Jumps>{{1, 4}}));
  EXPECT_EQ(support::circulant_jumps(7, 3), (std::vector<Jumps>{{1, 2, 3}}));
  // Z_9: 2 and 4 are units, 3 is none; {3} alone does not connect.
  EXPECT_EQ(support::circulant_jumps(9, 1), (std::vector<Jumps>{{1}}));
  EXPECT_EQ(support::circulant_jumps(9, 2), (std::vector<Jumps>{{1, 2}, {1, 3}}));
}

bool meets_bound(int nodes, const Jumps& jumps) {
  return bfb_cost(topology::circulant(nodes, jumps)).exact_bandwidth_factor ==
         Rational(nodes - 1, nodes);
}

// Proved in the paper.
TEST(BfbCirculant, of_degree_4_is_bandwidth_optimal) {
  for (int n = 5; n <= 24; ++n)
    for (const Jumps& jumps : support::circulant_jumps(n, 2))
      EXPECT_TRUE(meets_bound(n, jumps)) << n << ": " << jumps[0] << ", " << jumps[1];
}

struct Exception {
  int nodes;
  Jumps jumps;
  Rational factor;
};

// All exceptions of degree 6 to 24 nodes, their factor by LP (1)'s definition too.
TEST(BfbCirculant, of_degree_6_is_bandwidth_optimal_but_for_eight) {
  const std::vector<Exception> exceptions = {{15, {1, 4, 5}, {1}},      {15, {1, 5, 6}, {1}},
                                             {18, {1, 5, 6}, {13, 12}}, {21, {1, 6, 7}, {8, 7}},
                                             {21, {1, 7, 8}, {8, 7}},   {24, {1, 3, 4}, {47, 48}},
                                             {24, {1, 7, 8}, {19, 16}}, {24, {1, 8, 9}, {19, 16}}};
  std::vector<Jumps> found;
  for (int n = 7; n <= 24; ++n)
    for (const Jumps& jumps : support::circulant_jumps(n, 3))
      if (!meets_bound(n, jumps)) found.push_back(jumps);
  ASSERT_EQ(found.size(), exceptions.size());
  for (std::size_t i = 0; i < exceptions.size(); ++i) {
    const auto& [nodes, jumps, factor] = exceptions[i];
    EXPECT_EQ(found[i], jumps);
    const Topology topology = topology::circulant(nodes, jumps);
    EXPECT_EQ(bfb_cost(topology).exact_bandwidth_factor, factor);
    EXPECT_EQ(support::naive_bfb_factor(Fabric(topology, LinkSpeed{})), factor);
  }
}

}  // namespace
}  // namespace weft::algorithm
