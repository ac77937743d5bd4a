#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "topology/structure.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

TEST(RandomRegular, is_simple_connected_and_regular_for_every_small_size) {
  for (int n = 2; n <= 13; ++n) {
    for (int d = n == 2 ? 1 : 2; d < n; ++d) {
      if (n * d % 2 == 1) continue;
      for (int seed = 0; seed < 4; ++seed) {
        const Topology t = make_topology(fmt::format("random-regular:{},{},seed={}", n, d, seed));
        EXPECT_FALSE(has_loop(t)) << t.name();
        EXPECT_FALSE(has_double_link(t)) << t.name();
        EXPECT_LT(diameter(t), n) << t.name();
        for (NodeId node : t.nodes()) EXPECT_EQ(t.out_degree(node), d) << t.name();
      }
    }
  }
}

TEST(RandomRegular, follows_its_seed) {
  const auto hash = [](const char* text) { return make_topology(text).hash(); };
  EXPECT_EQ(hash("random-regular:64,8,seed=7"), hash("random-regular:64, 8, SEED=7"));
  EXPECT_NE(hash("random-regular:64,8,seed=7"), hash("random-regular:64,8,seed=8"));
  EXPECT_EQ(make_topology("random-regular:64,8").name(), "random-regular:64,8,seed=1");
}

TEST(RandomRegular, hundred_thousand_nodes_are_connected) {
  for (const char* text : {"random-regular:100000,8,seed=3", "random-regular:100000,2,seed=3"}) {
    const Topology t = make_topology(text);
    std::vector<char> seen(100'000, 0);
    std::vector<NodeId> stack{NodeId(0)};
    seen[0] = 1;
    std::int64_t reached = 0;
    while (!stack.empty()) {
      const NodeId u = stack.back();
      stack.pop_back();
      ++reached;
      for (LinkId link : t.out_links(u))
        if (!std::exchange(seen[t.head(link).index()], 1)) stack.push_back(t.head(link));
    }
    EXPECT_EQ(reached, 100'000) << text;
    EXPECT_FALSE(has_double_link(t)) << text;
  }
}

}  // namespace
}  // namespace weft::topology
