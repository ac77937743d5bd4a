#include "weft/topology/joined.hpp"

#include <gtest/gtest.h>

#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

std::vector<std::int64_t> lowest(const char* expression) {
  std::vector<std::int64_t> values;
  for (const NodeId node : lowest_joined(make_topology(expression))) values.push_back(node.value());
  return values;
}

TEST(Joined, hosts_join_hosts_and_switches_join_switches) {
  EXPECT_EQ(lowest("uniring:3"), (std::vector<std::int64_t>{0, 0, 0}));  // one way will do
  // Hosts of switches have no links of their own; the switches are one ring.
  EXPECT_EQ(lowest("hosts(1, ring:3)"), (std::vector<std::int64_t>{0, 0, 0, 3, 4, 5}));
}

// Two leaves under a spine, twice: two planes that hosts alone join.
TEST(Joined, planes_are_apart) {
  const Topology planes = make_topology("planes(2, leaf-spine:leaves=2,spines=1,hosts=1)");
  const auto joined = lowest_joined(planes);
  std::vector<NodeId> sets;
  for (const NodeId node : planes.switches())
    if (joined[node] == node) sets.push_back(node);
  EXPECT_EQ(sets.size(), 2u);
  for (const NodeId node : planes.hosts()) EXPECT_EQ(joined[node], node);
}

}  // namespace
}  // namespace weft::topology
