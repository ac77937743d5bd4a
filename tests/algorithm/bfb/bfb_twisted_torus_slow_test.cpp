// Zhao et al., section 6.2: twisted tori of up to 10^4 nodes are bandwidth-optimal under BFB.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "weft/algorithm/bfb.hpp"
#include "weft/topology/families/grids/twisted_torus.hpp"

namespace weft::algorithm {
namespace {

constexpr int kMostNodes = 10'000;

struct Kind {
  std::vector<int> multiples;  // of k, by dimension
  int sizes;                   // up to kMostNodes
};

// 2 k^2 <= 10^4 up to k = 70, 2 k^3 up to 17, 4 k^3 up to 13; from k = 2.
const Kind kKinds[] = {{{1, 2}, 69}, {{1, 1, 2}, 16}, {{1, 2, 2}, 12}};

std::vector<int> extents_of(const Kind& kind, int k) {
  std::vector<int> extents;
  for (const int multiple : kind.multiples) extents.push_back(multiple * k);
  return extents;
}

// From every node, whatever the symmetry.
void expect_optimal(const std::vector<int>& extents, int k) {
  const Topology topology = topology::twisted_torus(extents);
  const std::int64_t n = topology.node_count();
  const BfbCost cost =
      bfb_cost(topology, CollectiveKind::allgather, {.symmetries = Symmetries::expand});
  EXPECT_EQ(cost.exact_bandwidth_factor, Rational(n - 1, n)) << topology.name();
  EXPECT_EQ(cost.steps, extents.size() == 2 ? k : 3 * k / 2) << topology.name();
}

std::int64_t size_of(const std::vector<int>& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

TEST(TwistedTorusSlow, of_every_size_to_10000_nodes_is_bandwidth_optimal) {
  for (const Kind& kind : kKinds) {
    int k = 2;
    for (; size_of(extents_of(kind, k)) <= kMostNodes; ++k) expect_optimal(extents_of(kind, k), k);
    EXPECT_EQ(k - 2, kind.sizes);
  }
}

// Other orders of the dimensions number the nodes in another way.
TEST(TwistedTorusSlow, is_bandwidth_optimal_in_any_order_of_dimensions) {
  for (const Kind& kind : kKinds)
    for (int k = 2; size_of(extents_of(kind, k)) <= 500; ++k) {
      std::vector<int> extents = extents_of(kind, k);
      do expect_optimal(extents, k);
      while (std::next_permutation(extents.begin(), extents.end()));
    }
}

}  // namespace
}  // namespace weft::algorithm
