// Which hosts are meshes.
#include "weft/topology/passing.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

// Hosts 0 to 3, each with a cable to switch 4 but the last, links between them as given.
Passing four_hosts(const std::vector<std::pair<int, int>>& links) {
  TopologyBuilder builder(5);
  builder.set_kind(NodeId(4), NodeKind::switch_node);
  for (int host = 0; host < 3; ++host) builder.add_cable(NodeId(host), NodeId(4));
  for (const auto& [from, to] : links) builder.add_link(NodeId(from), NodeId(to));
  return Passing(Fabric(std::move(builder).build({"four", "", {}}), LinkSpeed{}));
}

// Those that reach each other: a ring of one-way links is one, and what hangs on it by a link with
// no way back is not of it.
TEST(Meshes, are_hosts_that_reach_each_other) {
  const Passing ring = four_hosts({{0, 1}, {1, 2}, {2, 0}, {0, 1}, {1, 2}, {2, 0}, {2, 3}, {1, 1}});
  EXPECT_TRUE(ring.passes(NodeId(1), NodeId(0), NodeId(2)));
  EXPECT_FALSE(ring.passes(NodeId(2), NodeId(0), NodeId(3)));
  EXPECT_EQ(ring.step(NodeId(0), NodeId(4), NodeId(2)), Step::none);
  EXPECT_EQ(ring.step(NodeId(4), NodeId(1), NodeId(2)), Step::enter);
  EXPECT_EQ(ring.step(NodeId(1), NodeId(2), NodeId(3)), Step::relay);
  EXPECT_TRUE(ring.passes(NodeId(4), NodeId(0), NodeId(2)));
  const Passing path = four_hosts({{0, 1}, {0, 1}, {1, 2}});
  EXPECT_FALSE(path.passes(NodeId(1), NodeId(0), NodeId(2)));
  EXPECT_EQ(path.step(NodeId(0), NodeId(4), NodeId(2)), Step::plain);
}

// n hosts in a ring, each with a link to a switch: 2 n links carry n (n - 1) messages over mean
// distance n^2 / (4 (n - 1)) (n even), the switch one hop at n each way. Up to 6 hosts the ring is
// as good or better, 2 / (9/5) > 1; from 8 on, 2 / (16/7) < 1, it is not, unless its links are
// faster.
TEST(Meshes, carry_no_more_than_they_can) {
  const auto passes = [](const char* expression, const char* speed) {
    LinkOptions speeds;
    parse_link_option(speed, speeds);
    const Passing passing(Fabric(build_topology(expression), speeds));
    return passing.passes(NodeId(1), NodeId(0), NodeId(2));
  };
  EXPECT_TRUE(passes("boxes(2, ring:6)", "box=12.5GBps,1us"));
  EXPECT_FALSE(passes("boxes(2, ring:8)", "box=12.5GBps,1us"));
  EXPECT_FALSE(passes("boxes(1, ring:64)", "box=50GBps,1us"));
  EXPECT_TRUE(passes("boxes(2, ring:8)", "box=50GBps,1us"));
}

}  // namespace
}  // namespace weft::topology
