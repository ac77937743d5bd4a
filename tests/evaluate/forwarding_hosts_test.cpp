#include "weft/evaluate/forwarding_hosts.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/topology/registry.hpp"

namespace weft::evaluate {
namespace {

using Nodes = std::vector<NodeId>;

Network network(std::string_view expression, const std::vector<int>& hosts) {
  const Fabric fabric(build_topology(expression));
  Placement placement;
  for (const int host : hosts) placement.nodes.emplace_back(host);
  return {fabric, placement, {}, make_routing("shortest", fabric)};
}

schedule::Schedule packing(const Network& on) {
  return build_schedule("packing", schedule::allgather(on.ranks()), &on);
}

// Each of 8 GPUs has a link to every other: two ranks have 1 link between them and 6 ways of two
// links through the others, and the optimum takes all 7.
TEST(ForwardingHosts, are_all_idle_ones_of_a_box_of_all_to_all_links) {
  const Network two = network("complete:8", {0, 1});
  const Nodes others{NodeId(2), NodeId(3), NodeId(4), NodeId(5), NodeId(6), NodeId(7)};
  EXPECT_EQ(forwarding_hosts(packing(two), two), others);
  EXPECT_EQ(idle_relays(two), others);
  const std::string note = note_of_forwarding("packing", others, two);
  EXPECT_NE(note.find("2-7"), std::string::npos) << note;
  EXPECT_NE(note.find("without(node=2,node=3,node=4,node=5,node=6,node=7,complete:8)"),
            std::string::npos)
      << note;
}

TEST(ForwardingHosts, are_none_where_all_have_ranks_or_one_link) {
  const Network all = network("complete:4", {0, 1, 2, 3});
  EXPECT_EQ(forwarding_hosts(packing(all), all), Nodes());
  EXPECT_EQ(idle_relays(all), Nodes());
  EXPECT_EQ(note_of_forwarding("packing", {}, all), "");
  const Network leaves = network("xgft:1;4;1", {0, 1});
  EXPECT_EQ(forwarding_hosts(packing(leaves), leaves), Nodes());
  EXPECT_EQ(idle_relays(leaves), Nodes());
  const Network ring = network("complete:8", {0, 1});
  EXPECT_EQ(forwarding_hosts(build_schedule("ring", schedule::allgather(2), &ring), ring), Nodes());
}

}  // namespace
}  // namespace weft::evaluate
