#include <gtest/gtest.h>

#include <string>

#include "support/process/source_dir.hpp"
#include "topology/files/file_helpers.hpp"
#include "weft/topology/files/files.hpp"

namespace weft::topology {
namespace {

TEST(EdgeList, reads_the_dgx1_with_its_unequal_links) {
  const BuiltTopology built = read_topology(test::source_dir() + "/examples/dgx1.edges");
  // 8 GPUs with 4 NVLink neighbours each, two of them over two links: 6 x 25 GB/s.
  EXPECT_EQ(built.topology.node_count(), 8);
  EXPECT_EQ(built.topology.cable_count(), 16);
  for (NodeId node : built.topology.nodes()) {
    EXPECT_EQ(built.topology.out_degree(node), 4);
    std::int64_t egress = 0;
    for (LinkId link : built.topology.out_links(node))
      egress += built.speeds.bandwidth_Bps[link].value();
    EXPECT_EQ(egress, 150'000'000'000);
  }
}

TEST(EdgeList, reads_comments_blanks_and_columns) {
  const BuiltTopology built =
      parse_topology("# a\r\n\n 0\t1 10Gbps 2us # fast\n1 2\n", TopologyFormat::edges, "net.edges");
  EXPECT_EQ(built.topology.cable_count(), 2);
  const LinkId back = *built.topology.find_link(NodeId(1), NodeId(0));
  EXPECT_EQ(built.speeds.bandwidth_Bps[back], 1'250'000'000);
  EXPECT_EQ(built.speeds.latency_ps[back], 2'000'000);
  EXPECT_FALSE(built.speeds.bandwidth_Bps[*built.topology.find_link(NodeId(1), NodeId(2))]);
}

TEST(EdgeList, arcs_are_one_way_even_when_both_are_there) {
  const Topology topology =
      parse_topology("0 1\n1 0\n0 0\n0 1\n", TopologyFormat::arcs, "net.arcs").topology;
  EXPECT_EQ(topology.link_count(), 4);
  EXPECT_EQ(topology.cable_count(), 4);
}

TEST(EdgeList, bad_lines_are_named) {
  const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"", "net has no links"},
      {"# nothing\n", "net has no links"},
      {"0 1\n1\n", "net:2: the line has 1 columns"},
      {"0 1 1Gbps 1us 3\n", "net:1: the line has 5 columns"},
      {"0 1\n\n1 x\n", "net:3: 'x' is not a node number"},
      {"0 1.5\n", "net:1: '1.5' is not a node number"},
      {"0 -1\n", "net:1: node -1 is negative"},
      {"0 99999999999\n", "net:1: node 99999999999 is out of range"},
      {"0 1\n0 2000000000\n", "net:2: node 2000000000 is too large for 2 lines"},
      {"1 2\n2 3\n", "node 0 has no line, but node"},
      {"0 1\n1 0\n", "net:2: 1 0 repeats line 1 (a line is both"},
      {"0 1\n1 1\n", "net:2: node 1 is linked to itself"},
      {"0 1 100\n", "net:1: "},
      {"0 1 1Gbps 5\n", "net:1: "},
      {"0 1 0Gbps\n", "net:1: "},
  };
  for (const auto& c : cases)
    EXPECT_NE(message(c.text, TopologyFormat::edges).find(c.expected), std::string::npos)
        << c.text << "\n"
        << message(c.text, TopologyFormat::edges);
}

TEST(EdgeList, round_trips_structure_and_speeds) {
  const BuiltTopology dgx1 = read_topology(test::source_dir() + "/examples/dgx1.edges");
  const BuiltTopology again = parse_topology(format_topology(dgx1, TopologyFormat::edges),
                                             TopologyFormat::edges, "net.edges");
  EXPECT_EQ(structure(dgx1.topology), structure(again.topology));
  for (LinkId link : dgx1.topology.links()) {
    const auto twin = again.topology.find_link(dgx1.topology.tail(link), dgx1.topology.head(link));
    EXPECT_EQ(dgx1.speeds.bandwidth_Bps[link], again.speeds.bandwidth_Bps[*twin]);
  }
  const BuiltTopology kautz = build_topology("kautz:3,3");
  expect_same(kautz, parse_topology(format_topology(kautz, TopologyFormat::arcs),
                                    TopologyFormat::arcs, "net.arcs"));
}

TEST(EdgeList, refuses_what_it_cannot_hold) {
  EXPECT_THROW(format_topology(build_topology("kautz:2,2"), TopologyFormat::edges), InvalidInput);
  EXPECT_THROW(format_topology(build_topology("hosts(1, ring:3)"), TopologyFormat::edges),
               InvalidInput);
}

}  // namespace
}  // namespace weft::topology
