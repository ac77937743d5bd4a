#include "weft/evaluate/forwarding_hosts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <regex>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/topology/allocation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::evaluate {
namespace {

using Nodes = std::vector<NodeId>;

Network network(std::string_view expression, const std::vector<int>& hosts,
                std::string_view routing = "shortest") {
  const Fabric fabric(build_topology(expression));
  Placement placement;
  for (const int host : hosts) placement.nodes.emplace_back(host);
  return {fabric, placement, {}, make_routing(routing, fabric)};
}

Nodes relays_of(const char* algorithm, const Network& on) {
  const schedule::Schedule schedule =
      build_schedule(algorithm, schedule::allgather(on.ranks()), &on);
  return forwarding_hosts(schedule::verify_own(schedule, &on.topology()), on);
}

// The network that a note advises, with its ranks.
Network pasted(const std::string& note) {
  std::smatch found;
  EXPECT_TRUE(std::regex_search(note, found, std::regex("-t \"(.*)\" --hosts ([0-9,-]+)"))) << note;
  const Fabric fabric(build_topology(found[1].str()));
  const auto hosts = topology::parse_hosts(found[2].str(), fabric.topology());
  return {
      fabric, topology::place(fabric.topology(), {}, hosts), {}, make_routing("shortest", fabric)};
}

// Each of 8 GPUs has a link to every other: two ranks have 1 link between them and 6 ways of two
// links through the others, and the optimum takes all 7.
TEST(ForwardingHosts, are_all_idle_ones_of_a_box_of_all_to_all_links) {
  const Network two = network("complete:8", {0, 1});
  const Nodes others{NodeId(2), NodeId(3), NodeId(4), NodeId(5), NodeId(6), NodeId(7)};
  EXPECT_EQ(relays_of("packing", two), others);
  EXPECT_EQ(idle_relays(two), others);
  const std::string note = note_of_forwarding("packing", others, two);
  EXPECT_NE(note.find("packing sends through hosts 2-7, which run no rank"), std::string::npos)
      << note;
  EXPECT_NE(note.find("-t \"without(node=2-7, complete:8)\" --hosts 0-1"), std::string::npos)
      << note;
}

TEST(ForwardingHosts, are_none_where_all_have_ranks_or_one_link) {
  const Network all = network("complete:4", {0, 1, 2, 3});
  EXPECT_EQ(relays_of("packing", all), Nodes());
  EXPECT_EQ(idle_relays(all), Nodes());
  EXPECT_EQ(note_of_forwarding("packing", {}, all), "");
  const Network leaves = network("xgft:1;4;1", {0, 1});
  EXPECT_EQ(relays_of("packing", leaves), Nodes());
  EXPECT_EQ(idle_relays(leaves), Nodes());
  EXPECT_EQ(relays_of("ring", network("complete:8", {0, 1})), Nodes());
}

// From 0 to 2 leads 1; from 3 back to 0 lead 2, which has a rank, and 1.
TEST(ForwardingHosts, are_those_on_the_routes_of_the_network) {
  EXPECT_EQ(relays_of("ring", network("ring:8", {0, 2, 3})), Nodes{NodeId(1)});
  EXPECT_EQ(relays_of("ring", network("ring:8", {0, 1, 2})), Nodes());
  // Between opposite corners of a square lead both others.
  const Nodes both{NodeId(1), NodeId(2)};
  EXPECT_EQ(relays_of("ring", network("mesh:2x2", {0, 3}, "shortest-split")), both);
}

// In the cube mesh of a DGX-1 GPU 0 has links to 1 to 4, 5 to 1, 4, 6 and 7, and 6 to 2, 4, 5, 7:
// from 0 to 5 lead 1 and 4, from 6 to 0 lead 2 and 4.
TEST(ForwardingHosts, are_named_where_ranks_cannot_do_without) {
  const Network box = network("network:dgx-1", {0, 5, 6}, "shortest-split");
  const Nodes relays{NodeId(1), NodeId(2), NodeId(4)};
  EXPECT_EQ(relays_of("ring", box), relays);
  const std::string note = note_of_forwarding("ring", relays, box);
  EXPECT_NE(
      note.find("ring sends through hosts 1-2,4, which run no rank; these ranks need the relays"),
      std::string::npos)
      << note;
  EXPECT_EQ(note.find("-t"), std::string::npos) << note;
}

// Between 0 and 2, which have no cable, lead 1 and 3, where 3 has a rank; without 1 hosts 2 and 3
// are 1 and 2, and the ranks keep their order.
TEST(ForwardingHosts, come_with_a_network_to_paste_that_has_none) {
  const Network square = network("without(cable=0~2, complete:4)", {3, 0, 2}, "shortest-split");
  const Nodes relays = relays_of("ring", square);
  EXPECT_EQ(relays, Nodes{NodeId(1)});
  const std::string note = note_of_forwarding("ring", relays, square);
  EXPECT_NE(note.find("--hosts 2,0-1"), std::string::npos) << note;
  const Network left = pasted(note);
  EXPECT_EQ(left.topology().node_count(), 3);
  EXPECT_EQ(left.placement().nodes, (Nodes{NodeId(2), NodeId(0), NodeId(1)}));
  EXPECT_EQ(idle_relays(left), Nodes());
  EXPECT_FALSE(algorithm::ranks_apart(schedule::allgather(3), left));
}

// Every other of 64 hosts has a rank: all 32 others are told in a range.
TEST(ForwardingHosts, are_left_out_by_a_text_that_is_whole_however_many_they_are) {
  std::vector<int> even;
  for (int host = 0; host < 64; host += 2) even.push_back(host);
  const Network half = network("complete:64", even);
  const std::string note = note_of_forwarding("packing", idle_relays(half), half);
  EXPECT_EQ(note.find("..."), std::string::npos) << note;
  EXPECT_EQ(pasted(note).ranks(), 32);
  EXPECT_EQ(pasted(note).topology().node_count(), 32);
}

TEST(ForwardingHosts, are_named_for_every_subject) {
  const Network two = network("complete:8", {0, 1});
  const Nodes one{NodeId(2)}, other{NodeId(3)};
  const std::array all{Forwarded{"a", one}, Forwarded{"b", {}}, Forwarded{"c", other},
                       Forwarded{"d", one}, Forwarded{"a", one}};
  const std::string note = note_of_forwarding(all, two);
  EXPECT_NE(note.find("a and d send through host 2; c sends through host 3, which run no rank"),
            std::string::npos)
      << note;
}

}  // namespace
}  // namespace weft::evaluate
