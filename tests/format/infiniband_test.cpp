// InfiniBand fabrics. examples/leaf-spine.* are what the real ibnetdiscover and dump_fts print of
// two leaves and two spines, routed by OpenSM's ftree.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "../../src/weft/format/infiniband/devices.hpp"
#include "format/import_cases.hpp"
#include "support/fabrics.hpp"
#include "support/process/source_dir.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/format/format.hpp"
#include "weft/network/network.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/registry.hpp"

namespace weft::format {
namespace {

using test::nodes_on_way;
using topology::node_text;
using Texts = std::vector<std::string>;

std::string data(const std::string& name) {
  return read_file(test::source_dir() + "/examples/" + name);
}

ImportedFabric read(const std::string& text, const char* format = "ibnetdiscover") {
  return find_format(format).read_fabric({text, "f"});
}

std::string refusal(const std::string& text, const char* format = "ibnetdiscover") {
  try {
    read(text, format);
  } catch (const InvalidInput& why) {
    return why.what();
  }
  return "(accepted)";
}

// "a[1]-b[2]", both ways, of every link.
std::multiset<std::string> cables(const Topology& topology) {
  std::multiset<std::string> all;
  for (const LinkId link : topology.links())
    all.insert(fmt::format("{}[{}]-{}[{}]", node_text(topology, topology.tail(link)),
                           port_of(topology, link), node_text(topology, topology.head(link)),
                           port_of(topology, *topology.reverse(link))));
  return all;
}

const std::string kHead = "vendid=0x0\nswitchguid=0x1(1)\n";
const std::string kSmall = kHead +
                           "Switch\t4 \"S-1\"\t\t# \"sw1\" base port 0 lid 1 lmc 0\n"
                           "[1]\t\"H-a\"[1](a) \t\t# \"b10\" lid 2 4xEDR\n"
                           "[2]\t\"H-b\"[1](b) \t\t# \"b9\" lid 3 1xHDR\n\n"
                           "caguid=0xa\nCa\t1 \"H-a\"\t\t# \"b10\"\n"
                           "[1](a) \t\"S-1\"[1]\t\t# lid 2 lmc 0 \"sw1\" lid 1 4xEDR\n\n"
                           "caguid=0xb\nCa\t1 \"H-b\"\t\t# \"b9\"\n"
                           "[1](b) \t\"S-1\"[2]\t\t# lid 3 lmc 0 \"sw1\" lid 1 1xHDR\n";

TEST(Infiniband, reads_what_ibnetdiscover_prints) {
  const std::string text = data("leaf-spine.ibnet");
  EXPECT_EQ(recognise(text, "f").name, "ibnetdiscover");
  const ImportedFabric fabric = read(text);
  const Topology& topology = fabric.network.topology;
  ASSERT_EQ(topology.node_count(), 8);
  EXPECT_EQ(topology.cable_count(), 8);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(node_text(topology, NodeId(i)), fmt::format("h{}", i));
  const auto all = cables(topology);
  for (const char* cable :
       {"h0[1]-leaf0[1]", "h1[1]-leaf0[2]", "h2[1]-leaf1[1]", "h3[1]-leaf1[2]",
        "leaf0[5]-spine0[1]", "leaf0[6]-spine1[1]", "leaf1[5]-spine0[2]", "leaf1[6]-spine1[2]"})
    EXPECT_EQ(all.count(cable), 1u) << cable;
  // 4 lanes of 2.5 Gb/s, 8 of 10 bits of which are data: 1 GB/s.
  for (const auto& bandwidth : fabric.network.speeds.bandwidth_Bps)
    EXPECT_EQ(bandwidth, 1'000'000'000);
}

TEST(Infiniband, counts_hosts_as_people_do_and_knows_speeds) {
  const ImportedFabric fabric = read(kSmall);
  const Topology& topology = fabric.network.topology;
  EXPECT_EQ(node_text(topology, NodeId(0)), "b9");
  EXPECT_EQ(node_text(topology, NodeId(1)), "b10");
  // 1xHDR is 50 Gb/s, 4xEDR 100.
  EXPECT_EQ(fabric.network.speeds.bandwidth_Bps[(*topology.out_links(NodeId(0)).begin())],
            6'250'000'000);
  EXPECT_EQ(fabric.network.speeds.bandwidth_Bps[(*topology.out_links(NodeId(1)).begin())],
            12'500'000'000);
}

// The roadmap of the InfiniBand Trade Association: 10, 20, 40, 56, 100, 200, 400 and 800 Gb/s on
// four lanes, before the line code (8 of 10 bits up to QDR, 64 of 66 in FDR).
TEST(Infiniband, rates_are_those_of_data) {
  using infiniband::data_rate_Bps;
  EXPECT_EQ(data_rate_Bps("4xDDR"), 16'000'000'000 / 8);
  EXPECT_EQ(data_rate_Bps("4xQDR"), 32'000'000'000 / 8);
  EXPECT_EQ(data_rate_Bps("4xFDR10"), 40'000'000'000 / 8);
  EXPECT_EQ(data_rate_Bps("4xFDR"), 6'818'181'818);  // 56.25 * 64 / 66 Gb/s
  EXPECT_EQ(data_rate_Bps("4xHDR"), 200'000'000'000 / 8);
  EXPECT_EQ(data_rate_Bps("2xNDR"), 200'000'000'000 / 8);
  EXPECT_EQ(data_rate_Bps("4xXDR"), 800'000'000'000 / 8);
  for (const char* none : {"", "4x", "xEDR", "0xEDR", "99xEDR", "4xedr", "4xABC"})
    EXPECT_EQ(data_rate_Bps(none), std::nullopt) << none;
}

TEST(Infiniband, adapters_of_a_host_are_one_node) {
  const std::string two =
      "switchguid=0x1(1)\nSwitch 4 \"S-1\" # \"MF0;rail1:MQM8700/U1\" enhanced port 0 lid 1 lmc 0\n"
      "[1] \"H-a\"[1](a) # \"n1 mlx5_0\" lid 2 4xHDR\n"
      "[2] \"H-c\"[1](c) # \"n2 mlx5_0\" lid 4 4xHDR\n"
      "[4] \"H-x\"[1](e) # \"Mellanox Technologies Aggregation Node\" lid 9 4xHDR\n"
      "switchguid=0x2(2)\nSwitch 4 \"S-2\" # \"Quantum Mellanox Technologies\" base port 0 lid 6 "
      "lmc 0\n"
      "[1] \"H-b\"[1](b) # \"n1 mlx5_1\" lid 3 4xHDR\n"
      "[2][ext 7] \"H-d\"[1](d) # \"n2 mlx5_1\" lid 5 4xHDR\n"
      "Ca 1 \"H-a\" # \"n1 mlx5_0\"\n[1](a) \"S-1\"[1] # lid 2 lmc 0 \"x\" lid 1 4xHDR\n"
      "Ca 1 \"H-b\" # \"n1 mlx5_1\"\n[1](b) \"S-2\"[1] # lid 3 lmc 0 \"x\" lid 1 4xHDR\n"
      "Ca 1 \"H-c\" # \"n2 mlx5_0\"\n[1](c) \"S-1\"[2] # lid 4 lmc 0 \"x\" lid 1 4xHDR\n"
      "Ca 1 \"H-d\" # \"n2 mlx5_1\"\n[1](d) \"S-2\"[2] # lid 5 lmc 0 \"x\" lid 1 4xHDR\n"
      "Ca 1 \"H-x\" # \"Mellanox Technologies Aggregation Node\"\n"
      "[1](e) \"S-1\"[4] # lid 9 lmc 0 \"x\" lid 1 4xHDR\n";
  const ImportedFabric fabric = read(two);
  const Topology& topology = fabric.network.topology;
  EXPECT_EQ(topology.hosts().size(), 2u);
  EXPECT_EQ(node_text(topology, NodeId(2)), "MF0;rail1:MQM8700/U1");
  EXPECT_EQ(node_text(topology, NodeId(3)), "Quantum Mellanox Technologies");
  EXPECT_EQ(cables(topology).count("n1[mlx5_1:1]-Quantum Mellanox Technologies[1]"), 1u);
  EXPECT_TRUE(test::has_note(fabric, "1 aggregation node of switches is left out"));
  EXPECT_TRUE(test::has_note(fabric, "n1 (mlx5_0, mlx5_1), n2 (mlx5_0, mlx5_1)"));
  // Each rail routes its own addresses; hosts use both.
  const std::string tables =
      "Unicast lids [0x0-0x9] of switch Lid 1 guid 0x0000000000000001 (rail1):\n"
      "0x0002 001 : (Channel Adapter portguid 0xa: 'n1 mlx5_0')\n"
      "0x0004 002 : (Channel Adapter portguid 0xc: 'n2 mlx5_0')\n"
      "0x0009 004 : (Channel Adapter portguid 0xe: 'Mellanox Technologies Aggregation Node')\n"
      "3 valid lids dumped\n"
      "Unicast lids [0x0-0x9] of switch Lid 6 guid 0x0000000000000002 (rail2):\n"
      "0x0003 001 : (Channel Adapter portguid 0xb: 'n1 mlx5_1')\n"
      "0x0005 002 : (Channel Adapter portguid 0xd: 'n2 mlx5_1')\n"
      "2 valid lids dumped\n";
  const Topology routed = with_forwarding(fabric, tables, "t");
  const auto routing = make_routing("auto", Fabric({routed, fabric.network.speeds}, {}));
  EXPECT_EQ(routing->name(), "table");
  const Texts there = nodes_on_way(routed, *routing, "n1", "n2"),
              back = nodes_on_way(routed, *routing, "n2", "n1");
  EXPECT_EQ(there.size(), 3u);
  EXPECT_EQ(back.size(), 3u);
}

// A leaf and adapters with these descriptions, 4xEDR each.
std::string star(const Texts& adapters) {
  std::string text = fmt::format(
      "switchguid=0x1(1)\nSwitch {} \"S-1\" # \"sw1\" base port 0 lid 1 "
      "lmc 0\n",
      adapters.size());
  for (std::size_t i = 1; i <= adapters.size(); ++i)
    text += fmt::format("[{0}] \"H-{0}\"[1] # \"{1}\" lid {2} 4xEDR\n", i, adapters[i - 1], i + 1);
  for (std::size_t i = 1; i <= adapters.size(); ++i)
    text += fmt::format(
        "Ca 1 \"H-{0}\" # \"{1}\"\n[1] \"S-1\"[{0}] # lid {2} lmc 0 \"sw1\" lid 1 "
        "4xEDR\n",
        i, adapters[i - 1], i + 1);
  return text;
}

TEST(Infiniband, says_which_hosts_have_several_adapters) {
  const ImportedFabric fabric = read(star({"n1 HCA-1", "n2 HCA-1", "n1 HCA-2"}));
  EXPECT_EQ(fabric.network.topology.hosts().size(), 2u);
  ASSERT_EQ(fabric.remarks.size(), 1u);
  EXPECT_TRUE(test::has_note(
      fabric, "adapters with the same node name belong to one host: n1 (HCA-1, HCA-2)"));
}

// Two adapters HCA-1 are of two hosts, whatever both are called.
TEST(Infiniband, hosts_that_share_a_name_stay_apart) {
  const ImportedFabric fabric =
      read(star({"localhost HCA-1", "localhost HCA-1", "n1 HCA-1", "n2", "n2"}));
  const Topology& topology = fabric.network.topology;
  ASSERT_EQ(topology.hosts().size(), 5u);
  Texts names;
  for (const NodeId host : topology.hosts()) names.push_back(node_text(topology, host));
  EXPECT_EQ(names, (Texts{"H-1", "H-2", "H-4", "H-5", "n1"}));
  EXPECT_TRUE(
      test::has_note(fabric, "\"localhost HCA-1\" to H-1 (line 8), \"localhost HCA-1\" to H-2"));
  EXPECT_TRUE(test::has_note(fabric, "renamed, because several devices have the name"));
}

TEST(Infiniband, broken_fabrics_are_named_by_line) {
  const auto edited = [](std::string_view from, std::string_view to) {
    std::string text = kSmall;
    text.replace(text.find(from), from.size(), to);
    return refusal(text);
  };
  EXPECT_EQ(refusal(kSmall), "(accepted)");
  EXPECT_NE(edited("[2]\t\"H-b\"", "[1]\t\"H-b\"").find("f:5: port 1 of 'S-1' has two cables"),
            std::string::npos);
  EXPECT_NE(edited("\"S-1\"[2]", "\"S-1\"[1]").find("must agree"), std::string::npos);
  EXPECT_NE(edited("[1](b) \t\"S-1\"[2]", "#")
                .find("is missing at its other end; the file may be truncated or edited"),
            std::string::npos);
  EXPECT_NE(edited("\"H-b\"[1](b)", "\"H-z\"[1](b)").find(": the cable leads to 'H-z', which"),
            std::string::npos);
  EXPECT_NE(edited("[2]\t\"H-b\"", "[9]\t\"H-b\"").find("'9' is not a port of its device (1 to 4)"),
            std::string::npos);
  EXPECT_NE(edited("Ca\t1 \"H-b\"", "Ca\t1 \"H-a\"").find("is repeated, first at"),
            std::string::npos);
  EXPECT_NE(edited("lid 3 lmc 0", "lid 2 lmc 0").find("lid 2 is also that of another port"),
            std::string::npos);
  EXPECT_NE(edited("lid 3 lmc 0", "lid 2147483647 lmc 3")
                .find("lid 2147483647 is not valid for a port (1 to"),
            std::string::npos);
  EXPECT_NE(edited("Switch\t4", "Hub\t4").find("unexpected 'Hub' (expected Switch, Ca or [PORT])"),
            std::string::npos);
  EXPECT_NE(edited("Switch\t4", "Switch\t400").find("number of ports (1 to 254)"),
            std::string::npos);
  EXPECT_EQ(edited("4xEDR", "4xFOO").substr(0, 63),
            "f:4: '4xFOO' is not a width and speed; expected one of 1x, 2x, ");
  EXPECT_NE(edited("1xHDR", "3xHDR").find("f:5: '3xHDR' is not a width"), std::string::npos);
  EXPECT_EQ(edited("4xEDR", "4x??"), "(accepted)");  // what the tools print of what they don't know
  EXPECT_EQ(edited("caguid=0xb", "caguid=0xbz"),
            "f:11: '0xbz' is not a GUID, such as 0x2c90300a1b2c3");
  EXPECT_EQ(refusal(kSmall + "Switch 2 \"S-2\" # \"sw2\" base port 0 lid 9 lmc 0\n"), "(accepted)");
  EXPECT_NE(refusal("# nothing\n").find("has no devices"), std::string::npos);
  EXPECT_NE(
      refusal(kHead + "Switch 4 \"S-1\" # \"sw1\" base port 0 lid 1 lmc 0\n").find("but no cable"),
      std::string::npos);
  for (std::size_t size = kHead.size() + 20; size < kSmall.size(); size += 7)
    (void)refusal(kSmall.substr(0, size));  // whatever is said, nothing breaks
}

// What is written for ibsim is read back as the same cables, by names and ports.
TEST(Infiniband, nets_of_ibsim_come_back) {
  for (const char* expression : {"fat-tree:4,2", "hosts(2, torus:3x3)", "hosts(1, hyperx:3x3,2,1)",
                                 "dragonfly:a=2,p=1,h=1,g=3", "xgft:3;2,2,3;1,2,2"}) {
    const BuiltTopology built = build_topology(expression);
    const Fabric fabric(built.topology, {.bandwidth_Bps = 4'000'000'000});
    const Network network(fabric, place(built.topology, {}), {}, make_routing("auto", fabric));
    const auto files = find_format("ibsim").write_network(network, {.path = "tree.net"});
    ASSERT_EQ(files.size(), 1u);
    EXPECT_EQ(recognise(files[0].content, "f").name, "ibsim");
    const ImportedFabric again = read(files[0].content, "ibsim");
    EXPECT_EQ(again.network.topology.hosts().size(), built.topology.hosts().size());
    EXPECT_EQ(again.network.topology.cable_count(), built.topology.cable_count());
    const auto ends = [](const Topology& topology) {
      std::multiset<std::string> all;
      for (const LinkId link : topology.links()) {
        const auto name = [&](NodeId node) {
          const std::string& own = name_of(topology, node);
          return own.empty()
                     ? fmt::format("{}{}", topology.is_host(node) ? "host" : "switch", node.value())
                     : own;
        };
        all.insert(name(topology.tail(link)) + " " + name(topology.head(link)));
      }
      return all;
    };
    EXPECT_EQ(ends(again.network.topology), ends(built.topology)) << expression;
    for (const auto& bandwidth : again.network.speeds.bandwidth_Bps)
      EXPECT_EQ(bandwidth, 4'000'000'000);  // 4xQDR
  }
}

}  // namespace
}  // namespace weft::format
