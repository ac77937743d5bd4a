// InfiniBand fabrics and forwarding tables. examples/leaf-spine.* are what the real
// ibnetdiscover and dump_fts print of two leaves and two spines, routed by OpenSM's ftree.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "../../src/weft/format/infiniband/devices.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/format/format.hpp"
#include "weft/network/network.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/files.hpp"
#include "weft/topology/forwarding.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/registry.hpp"

namespace weft::format {
namespace {

using topology::node_text;
using Texts = std::vector<std::string>;

std::string data(const std::string& name) {
  return read_file(std::string(WEFT_SOURCE_DIR) + "/examples/" + name);
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

Texts path(const Topology& topology, const Routing& routing, const char* from, const char* to) {
  const topology::NodeNames names(topology);
  RouteTable routes;
  const network::Flow flow{*names.find(from), *names.find(to)};
  routing.route(std::span(&flow, 1), routes);
  Texts nodes{from};
  for (const LinkId link : routes.links(0))
    nodes.push_back(node_text(topology, topology.head(link)));
  return nodes;
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
  EXPECT_EQ(fabric.network.speeds.bandwidth_Bps[(*topology.out_links(NodeId(0)).begin()).index()],
            6'250'000'000);
  EXPECT_EQ(fabric.network.speeds.bandwidth_Bps[(*topology.out_links(NodeId(1)).begin()).index()],
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
  EXPECT_EQ(node_text(topology, NodeId(3)), "S-2");  // blanks: what the vendor calls all of them
  EXPECT_EQ(cables(topology).count("n1[mlx5_1:1]-S-2[1]"), 1u);
  EXPECT_EQ(fabric.remarks.size(), 2u);
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
  const Texts there = path(routed, *routing, "n1", "n2"), back = path(routed, *routing, "n2", "n1");
  EXPECT_EQ(there.size(), 3u);
  EXPECT_EQ(back.size(), 3u);
}

TEST(Infiniband, routes_as_the_tables_say_in_every_hop) {
  const ImportedFabric fabric = read(data("leaf-spine.ibnet"));
  const Topology topology = with_forwarding(fabric, data("leaf-spine.lfts"), "t");
  const auto routing = make_routing("auto", Fabric({topology, {}}, {}));
  EXPECT_EQ(routing->name(), "table");
  // By hand: lid 7 (h2) leaves leaf0 by port 5, lid 8 (h3) by port 6; lid 2 (h0) leaves leaf1 by
  // port 5, lid 5 (h1) by port 6.
  EXPECT_EQ(path(topology, *routing, "h0", "h2"), (Texts{"h0", "leaf0", "spine0", "leaf1", "h2"}));
  EXPECT_EQ(path(topology, *routing, "h1", "h3"), (Texts{"h1", "leaf0", "spine1", "leaf1", "h3"}));
  EXPECT_EQ(path(topology, *routing, "h3", "h0"), (Texts{"h3", "leaf1", "spine0", "leaf0", "h0"}));
  EXPECT_EQ(path(topology, *routing, "h2", "h1"), (Texts{"h2", "leaf1", "spine1", "leaf0", "h1"}));
  EXPECT_EQ(path(topology, *routing, "h0", "h1"), (Texts{"h0", "leaf0", "h1"}));
  EXPECT_TRUE(faults_of(topology, *topology.facets().tables).first.empty());
}

TEST(Infiniband, tables_stay_with_the_network_in_files) {
  const auto folder = std::filesystem::path(testing::TempDir()) / fmt::format("ib-{}", getpid());
  std::filesystem::create_directory(folder);
  const std::string file = (folder / "fabric.json").string();
  const ImportedFabric fabric = read(data("leaf-spine.ibnet"));
  const Topology topology = with_forwarding(fabric, data("leaf-spine.lfts"), "t");
  topology::write_topology({topology, fabric.network.speeds}, file);
  const BuiltTopology again = topology::read_topology(file);
  EXPECT_EQ(cables(again.topology), cables(topology));
  EXPECT_EQ(again.speeds.bandwidth_Bps, fabric.network.speeds.bandwidth_Bps);
  ASSERT_TRUE(again.topology.facets().tables);
  EXPECT_EQ(*again.topology.facets().tables, *topology.facets().tables);
  // What fails makes the manager write others: these do not stay.
  EXPECT_EQ(default_routing(build_topology("without(cable=0, file:" + file + ")").topology),
            "shortest-split");
  const std::string routes = (folder / "fabric.routes").string(), text = read_file(routes);
  const auto refused = [&](const std::string& edited) -> std::string {
    write_file(routes, edited);
    try {
      topology::read_topology(file);
    } catch (const InvalidInput& why) {
      return why.what();
    }
    return "(accepted)";
  };
  EXPECT_EQ(refused(text), "(accepted)");
  EXPECT_NE(refused(text.substr(0, text.size() / 2)).find("is not the file that it names"),
            std::string::npos);
  std::string other = text;
  other[other.find("network ") + 8] ^= 1;
  EXPECT_NE(refused(other).find("of another network"), std::string::npos);
  std::string entry = text;
  entry.replace(entry.find("switches 4\n") + 11, 1, "9");
  EXPECT_NE(refused(entry), "(accepted)");
  // As tables of another manager, of the same network.
  write_file(routes, text);
  const Topology given = build_topology("tables(file=" + routes + ", file:" + file + ")").topology;
  EXPECT_EQ(*given.facets().tables, *topology.facets().tables);
  EXPECT_EQ(default_routing(given), "table");
  std::filesystem::remove_all(folder);
}

TEST(Infiniband, tables_that_lead_nowhere_are_named) {
  const ImportedFabric fabric = read(data("leaf-spine.ibnet"));
  const std::string good = data("leaf-spine.lfts");
  const auto with = [&](std::string_view from, std::string_view to, std::size_t count) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    const std::string was = fmt::format("{} valid lids", count);
    if (to.empty())
      text.replace(text.find(was), was.size(), fmt::format("{} valid lids", count - 1));
    return with_forwarding(fabric, text, "t");
  };
  const auto refused = [&](const Topology& topology, const char* from,
                           const char* to) -> std::string {
    try {
      path(topology, *make_routing("table", Fabric({topology, {}}, {})), from, to);
    } catch (const InvalidInput& why) {
      return why.what();
    }
    return "(accepted)";
  };
  // leaf1, the first table, drops what is for h0 (lid 2).
  const Topology dropped =
      with("0x0002 005 : (Channel Adapter portguid 0x0000000000100001: 'h0')\n", "", 8);
  const auto faults = faults_of(dropped, *dropped.facets().tables);
  EXPECT_EQ(faults.dropped, 1);
  EXPECT_EQ(faults.first, "what is for h0 has no way from switch leaf1");
  EXPECT_NE(refused(dropped, "h2", "h0").find("no way from h2 to h0: switch leaf1 has no entry"),
            std::string::npos);
  EXPECT_EQ(refused(dropped, "h1", "h0"), "(accepted)");
  // spine1 sends what is for h1 (lid 5) to leaf1, which sends it to spine1.
  const Topology looped = with("0x0005 001 : (Channel", "0x0005 002 : (Channel", 0);
  EXPECT_EQ(faults_of(looped, *looped.facets().tables).loops, 1);
  EXPECT_NE(refused(looped, "h2", "h1").find("goes round in a loop"), std::string::npos);
  // leaf1 sends what is for h2 (lid 7) to h3.
  const Topology astray = with("0x0007 001 :", "0x0007 002 :", 0);
  EXPECT_EQ(faults_of(astray, *astray.facets().tables).astray, 2);
  EXPECT_NE(refused(astray, "h3", "h2").find("it ends at h3"), std::string::npos);
}

TEST(Infiniband, tables_of_another_fabric_are_refused) {
  const ImportedFabric fabric = read(data("leaf-spine.ibnet"));
  const std::string good = data("leaf-spine.lfts");
  const auto refused = [&](std::string_view from, std::string_view to) -> std::string {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    try {
      with_forwarding(fabric, text, "t");
    } catch (const InvalidInput& why) {
      return why.what();
    }
    return "(accepted)";
  };
  EXPECT_NE(refused("guid 0x0000000000200001", "guid 0x0000000000900001").find("of another fabric"),
            std::string::npos);
  EXPECT_NE(
      refused("portguid 0x0000000000100001", "portguid 0x0000000000900001").find("t:5: lid 2"),
      std::string::npos);
  EXPECT_NE(refused("0x0002 005", "0x0002 007").find("port 7, in which no cable is"),
            std::string::npos);
  EXPECT_NE(refused("0x0002 005", "0x0042 005").find("lid 66 is of no port"), std::string::npos);
  EXPECT_NE(refused("8 valid lids", "9 valid lids").find("is the file cut off?"),
            std::string::npos);
  EXPECT_NE(refused("0x0002 005", "0x0002 xyz").find("is no lid and port"), std::string::npos);
  EXPECT_NE(refused("Unicast lids", "Multicast mlids").find("t:1: "), std::string::npos);
  EXPECT_NE(refused(good.substr(good.rfind("Unicast")), "").find("has no table"),
            std::string::npos);
}

TEST(Infiniband, broken_fabrics_are_named_by_line) {
  const auto edited = [](std::string_view from, std::string_view to) {
    std::string text = kSmall;
    text.replace(text.find(from), from.size(), to);
    return refusal(text);
  };
  EXPECT_EQ(refusal(kSmall), "(accepted)");
  EXPECT_NE(edited("[2]\t\"H-b\"", "[1]\t\"H-b\"").find("f:5: port 1 of \"S-1\" has two cables"),
            std::string::npos);
  EXPECT_NE(edited("\"S-1\"[2]", "\"S-1\"[1]").find("must agree"), std::string::npos);
  EXPECT_NE(edited("[1](b) \t\"S-1\"[2]", "#").find("does not stand at its other end"),
            std::string::npos);
  EXPECT_NE(edited("\"H-b\"[1](b)", "\"H-z\"[1](b)").find("\"H-z\", which is nowhere"),
            std::string::npos);
  EXPECT_NE(edited("[2]\t\"H-b\"", "[9]\t\"H-b\"").find("\"9\" is no port of its device (1 to 4)"),
            std::string::npos);
  EXPECT_NE(edited("Ca\t1 \"H-b\"", "Ca\t1 \"H-a\"").find("stands there twice"), std::string::npos);
  EXPECT_NE(edited("lid 3 lmc 0", "lid 2 lmc 0").find("lid 2 is also that of another port"),
            std::string::npos);
  EXPECT_NE(edited("lid 3 lmc 0", "lid 2147483647 lmc 3").find("lid 2147483647 is none of a port"),
            std::string::npos);
  EXPECT_NE(edited("Switch\t4", "Hub\t4").find("\"Hub\" is no device"), std::string::npos);
  EXPECT_NE(edited("Switch\t4", "Switch\t400").find("number of ports (1 to 254)"),
            std::string::npos);
  EXPECT_NE(refusal("# nothing\n").find("has no devices"), std::string::npos);
  EXPECT_NE(
      refusal(kHead + "Switch 4 \"S-1\" # \"sw1\" base port 0 lid 1 lmc 0\n").find("has no hosts"),
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
