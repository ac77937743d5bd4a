// Networks of BookSim's anynet.
#include <gtest/gtest.h>

#include "support/fabrics.hpp"
#include "support/network_on.hpp"
#include "weft/topology/files/files.hpp"

namespace weft::format {
namespace {

using test::cables_of;
using test::import;

constexpr const char* kAnynet = "booksim-anynet";
using Cables = std::multiset<std::string>;

Network network(const BuiltTopology& built, const std::vector<std::string>& links) {
  LinkOptions options;
  for (const std::string& link : links) topology::parse_link_option(link, options);
  const Fabric fabric(built, options);
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric)};
}

std::vector<File> written(std::string_view expression, std::vector<std::string> links = {}) {
  return find_format(kAnynet).write_network(network(build_topology(expression), links),
                                            {.path = "out/net.txt"});
}

std::string why_not(std::string_view expression, std::vector<std::string> links = {}) {
  try {
    written(expression, std::move(links));
  } catch (const InvalidInput& why) {
    return why.what();
  }
  return "(written)";
}

std::int64_t latency_ps(const ImportedFabric& fabric, const char* from, const char* to) {
  const topology::NodeNames names(fabric.network.topology);
  const LinkId link = fabric.network.topology.find_link(*names.find(from), *names.find(to)).value();
  return fabric.network.speeds.latency_ps[link].value();
}

// 1 us is 1000 cycles of 1 ns, in which 12.5 GB/s move 12.5 bytes. A host of a direct network has
// its own router.
TEST(Anynet, writes_routers_nodes_and_the_cycle) {
  const auto files = written("ring:3");
  ASSERT_EQ(files.size(), 2);
  EXPECT_EQ(files[0].path, "out/net.txt");
  EXPECT_EQ(files[0].content,
            "router 0 node 0 1 router 1 1000 router 2 1000\n"
            "router 1 node 1 1 router 0 1000 router 2 1000\n"
            "router 2 node 2 1 router 0 1000 router 1 1000\n");
  EXPECT_EQ(files[1].path, "out/net.txt.config");
  EXPECT_NE(files[1].content.find("A cycle is 1000 ps."), std::string::npos) << files[1].content;
  EXPECT_NE(files[1].content.find("a flit is 12.5 bytes"), std::string::npos) << files[1].content;
  EXPECT_NE(files[1].content.find("network_file = net.txt;"), std::string::npos);
}

// 250 ps is the longest time up to 1 ns of which 0.75 ns and 2 ns are multiples.
TEST(Anynet, counts_latencies_in_whole_cycles) {
  const auto files = written("hosts(1, ring:3)", {"100Gbps,2ns", "terminal=100Gbps,750ps"});
  EXPECT_EQ(files[0].content,
            "router 0 node 0 3 router 1 8 router 2 8\nrouter 1 node 1 3 router 0 8 router 2 8\n"
            "router 2 node 2 3 router 0 8 router 1 8\n");
  EXPECT_NE(files[1].content.find("A cycle is 250 ps."), std::string::npos);
}

TEST(Anynet, refuses_what_booksim_would_change) {
  EXPECT_EQ(why_not("uniring:3").substr(0, 59),
            "link 0 from 0 to 1 is one-way, but every channel of BookSim");
  TopologyBuilder builder(2);
  for (int i = 0; i < 2; ++i) builder.add_cable(NodeId(0), NodeId(1));
  const BuiltTopology twice{std::move(builder).build(topology::file_expression("twice")), {}};
  try {
    find_format(kAnynet).write_network(network(twice, {}), {.path = "f"});
    ADD_FAILURE() << "parallel links are written";
  } catch (const InvalidInput& why) {
    EXPECT_EQ(std::string(why.what()).substr(0, 57),
              "link 1 from 0 to 1 is parallel to link 0, but BookSim has");
  }
  EXPECT_NE(why_not("hosts(1, ring:3)", {"100Gbps,1us", "terminal=200Gbps,1us"})
                .find("all channels of BookSim have the same rate, so give all links"),
            std::string::npos);
  EXPECT_NE(why_not("ring:3", {"100Gbps,0s"}).find("has no latency"), std::string::npos);
}

TEST(Anynet, reads_channels_of_each_direction) {
  const ImportedFabric fabric = import(kAnynet,
                                       "router 0 node 0 5 router 1 15 router 2\n\n"
                                       "node 1 router 1\nrouter 2 node 2 2 router 0 1\n");
  EXPECT_EQ(fabric.network.topology.hosts().size(), 3);
  EXPECT_EQ(fabric.network.topology.switches().size(), 3);
  // From router 1 back to router 0 it takes a cycle, since no line has it.
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"node0-router0", "node1-router1", "node2-router2", "router0-router2",
                    "router0>router1", "router1>router0"}));
  EXPECT_EQ(latency_ps(fabric, "router0", "router1"), 15'000);
  EXPECT_EQ(latency_ps(fabric, "router1", "router0"), 1'000);
  EXPECT_EQ(latency_ps(fabric, "node0", "router0"), 5'000);
  EXPECT_EQ(latency_ps(fabric, "router0", "node0"), 5'000);
  EXPECT_EQ(latency_ps(fabric, "router2", "router0"), 1'000);
}

TEST(Anynet, comes_back_as_it_was) {
  const ImportedFabric fabric = import(kAnynet, test::example("anynet.txt"));
  EXPECT_EQ(fabric.network.topology.hosts().size(), 5);
  const Network back = network(fabric.network, {});
  EXPECT_EQ(find_format(kAnynet).write_network(back, {.path = "f"})[0].content,
            test::example("anynet.txt"));
  EXPECT_EQ(recognise(test::example("anynet.txt"), "f").name, kAnynet);
}

TEST(Anynet, refuses_what_is_no_network) {
  const auto why = [](const std::string& text) { return test::refusal_of(kAnynet, text); };
  EXPECT_EQ(why("router 0 node 0 router 1\nswitch 1 node 1\n"),
            "f:2: unexpected 'switch' (expected router or node)");
  EXPECT_EQ(why("node 0 node 1"),
            "f:1: node 0 and node 1 are connected directly, but BookSim connects nodes to routers");
  EXPECT_EQ(why("router 0 node 0 router 0"), "f:1: router 0 is connected to itself");
  EXPECT_EQ(why("router 0 node 0 router 2\nrouter 2 node 1"),
            "f:1: router 2 exists but router 1 does not; number them from 0 without gaps");
  EXPECT_EQ(why("router 0 node 1 router 1"),
            "f:1: node 1 exists but node 0 does not; number them from 0 without gaps");
  EXPECT_EQ(why("router 0 node 0 router 1\nrouter 1 node 0"),
            "f:2: node 0 is on router 1 at 1 cycles, and in line 1 on router 0 at 1; a node has "
            "one router");
  EXPECT_EQ(why("router 0 node 0 router 1 router 1 5"),
            "f:1: the channel from router 0 to router 1 is also in line 1; BookSim has one "
            "channel, so remove one");
  EXPECT_EQ(why("router 0 node 0 0"), "f:1: latency in cycles 0 is out of range (1 to 2147483647)");
  EXPECT_EQ(why("router 0 node"), "f:1: the number is missing");
  EXPECT_EQ(why(""), "f has no routers; a line is router 0 node 0 router 1");
}

}  // namespace
}  // namespace weft::format
