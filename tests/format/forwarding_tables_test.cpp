// Forwarding tables of InfiniBand fabrics, as dump_fts prints them and as weft keeps them.
// examples/leaf-spine.* are what the real ibnetdiscover and dump_fts print of two leaves and two
// spines, routed by OpenSM's ftree.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "support/fabrics.hpp"
#include "weft/network/network.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/files/files.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
#include "weft/topology/registry.hpp"

namespace weft::format {
namespace {

using test::cables_of;
using test::example;
using test::import;
using test::nodes_on_way;
using Texts = std::vector<std::string>;

TEST(ForwardingTables, routes_as_the_tables_say_in_every_hop) {
  const ImportedFabric fabric = import("ibnetdiscover", example("leaf-spine.ibnet"));
  const Topology topology = with_forwarding(fabric, example("leaf-spine.lfts"), "t");
  const auto routing = make_routing("auto", Fabric({topology, {}}, {}));
  EXPECT_EQ(routing->name(), "table");
  // By hand: lid 7 (h2) leaves leaf0 by port 5, lid 8 (h3) by port 6; lid 2 (h0) leaves leaf1 by
  // port 5, lid 5 (h1) by port 6.
  EXPECT_EQ(nodes_on_way(topology, *routing, "h0", "h2"),
            (Texts{"h0", "leaf0", "spine0", "leaf1", "h2"}));
  EXPECT_EQ(nodes_on_way(topology, *routing, "h1", "h3"),
            (Texts{"h1", "leaf0", "spine1", "leaf1", "h3"}));
  EXPECT_EQ(nodes_on_way(topology, *routing, "h3", "h0"),
            (Texts{"h3", "leaf1", "spine0", "leaf0", "h0"}));
  EXPECT_EQ(nodes_on_way(topology, *routing, "h2", "h1"),
            (Texts{"h2", "leaf1", "spine1", "leaf0", "h1"}));
  EXPECT_EQ(nodes_on_way(topology, *routing, "h0", "h1"), (Texts{"h0", "leaf0", "h1"}));
  EXPECT_TRUE(faults_of(topology, *topology.facets().tables).first.empty());
}

TEST(ForwardingTables, stay_with_the_network_in_files) {
  const auto folder = std::filesystem::path(testing::TempDir()) / fmt::format("ib-{}", getpid());
  std::filesystem::create_directory(folder);
  const std::string file = (folder / "fabric.json").string();
  const ImportedFabric fabric = import("ibnetdiscover", example("leaf-spine.ibnet"));
  const Topology topology = with_forwarding(fabric, example("leaf-spine.lfts"), "t");
  topology::write_topology({topology, fabric.network.speeds}, file);
  const BuiltTopology again = topology::read_topology(file);
  EXPECT_EQ(cables_of(again.topology), cables_of(topology));
  EXPECT_EQ(again.speeds.bandwidth_Bps, fabric.network.speeds.bandwidth_Bps);
  ASSERT_TRUE(again.topology.facets().tables);
  EXPECT_EQ(*again.topology.facets().tables, *topology.facets().tables);
  // What lost its way is given another.
  const BuiltTopology left = build_topology("without(cable=leaf0 - spine0, file:" + file + ")");
  EXPECT_EQ(default_routing(left.topology), "table");
  EXPECT_EQ(nodes_on_way(left.topology, *make_routing("auto", Fabric(left)), "h0", "h2"),
            (Texts{"h0", "leaf0", "spine1", "leaf1", "h2"}));
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
  EXPECT_NE(refused(text.substr(0, text.size() / 2))
                .find("is not the file of these tables; import the network again"),
            std::string::npos);
  std::string other = text;
  other[other.find("network ") + 8] ^= 1;
  EXPECT_NE(refused(other).find("the tables belong to another network"), std::string::npos);
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

// The network and its tables are two files. Whoever writes them again may be cut off in between.
TEST(ForwardingTables, in_files_belong_to_their_network_at_any_moment) {
  const auto folder = std::filesystem::path(testing::TempDir()) / fmt::format("ib2-{}", getpid());
  std::filesystem::create_directory(folder);
  const std::string file = (folder / "fabric.json").string();
  const std::string routes = (folder / "fabric.routes").string(), beside = routes + ".new";
  const ImportedFabric fabric = import("ibnetdiscover", example("leaf-spine.ibnet"));
  std::string text = example("leaf-spine.lfts");
  const Topology first = with_forwarding(fabric, text, "t");
  text.replace(text.find("0x0005 001 : (Channel"), 10, "0x0005 002");
  const Topology second = with_forwarding(fabric, text, "t");
  ASSERT_NE(*first.facets().tables, *second.facets().tables);
  topology::write_topology({first, {}}, file);
  const std::string old_json = read_file(file), old_routes = read_file(routes);
  topology::write_topology({second, {}}, file);
  EXPECT_EQ(*topology::read_topology(file).topology.facets().tables, *second.facets().tables);
  EXPECT_FALSE(std::filesystem::exists(beside));
  const std::string new_routes = read_file(routes);
  // The three moments: only the new tables are there, then the network too, before they move.
  write_file(beside, new_routes);
  write_file(routes, old_routes);
  EXPECT_EQ(*topology::read_topology(file).topology.facets().tables, *second.facets().tables);
  write_file(file, old_json);
  EXPECT_EQ(*topology::read_topology(file).topology.facets().tables, *first.facets().tables);
  // Where the network cannot be written the old tables stay.
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  EXPECT_THROW(topology::write_topology({second, {}}, file), InvalidInput);
  EXPECT_EQ(read_file(routes), old_routes);
  std::filesystem::remove_all(folder);
}

TEST(ForwardingTables, that_lead_nowhere_are_named) {
  const ImportedFabric fabric = import("ibnetdiscover", example("leaf-spine.ibnet"));
  const std::string good = example("leaf-spine.lfts");
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
      nodes_on_way(topology, *make_routing("table", Fabric({topology, {}}, {})), from, to);
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
  EXPECT_EQ(faults.first, "data for h0 has no way from switch leaf1");
  EXPECT_NE(refused(dropped, "h2", "h0")
                .find("the forwarding tables have no path from h2 to h0: switch leaf1 has no "
                      "entry for it; import complete tables, or choose another --routing"),
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

TEST(ForwardingTables, of_another_fabric_are_refused) {
  const ImportedFabric fabric = import("ibnetdiscover", example("leaf-spine.ibnet"));
  const std::string good = example("leaf-spine.lfts");
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
  EXPECT_NE(refused("guid 0x0000000000200001", "guid 0x0000000000900001")
                .find("these tables belong to another fabric"),
            std::string::npos);
  EXPECT_NE(
      refused("portguid 0x0000000000100001", "portguid 0x0000000000900001").find("t:5: lid 2"),
      std::string::npos);
  EXPECT_NE(refused("0x0002 005", "0x0002 007").find("by port 7, which has no cable"),
            std::string::npos);
  EXPECT_NE(refused("0x0002 005", "0x0042 005").find("lid 66 does not belong to a"),
            std::string::npos);
  EXPECT_NE(refused("8 valid lids", "9 valid lids")
                .find("the table of switch leaf1 has 8 entries, but states '9 valid lids "
                      "dumped'; the file may be truncated"),
            std::string::npos);
  EXPECT_NE(refused("0x0002 005", "0x0002 xyz").find("is not a lid and port"), std::string::npos);
  EXPECT_NE(refused("Unicast lids", "Multicast mlids").find("t:1: "), std::string::npos);
  EXPECT_NE(refused(good.substr(good.rfind("Unicast")), "").find("has no table"),
            std::string::npos);
}

}  // namespace
}  // namespace weft::format
