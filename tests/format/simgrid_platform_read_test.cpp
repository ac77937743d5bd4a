// SimGrid's platforms, read: our own export comes back, and examples of its manual mean what they
// mean there. tests/oracle/simgrid_platform_test.py asks SimGrid itself.
#include <gtest/gtest.h>

#include <map>

#include "support/fabrics.hpp"
#include "support/network_on.hpp"
#include "weft/topology/registry.hpp"

namespace weft::format {
namespace {

using test::cables_of;
using test::example;
using test::GBps;
using test::import;
using test::refusal_of;

constexpr const char* kSimGrid = "simgrid-platform";
using Cables = std::multiset<std::string>;

ImportedFabric read(const std::string& text) {
  return import(kSimGrid, text);
}

std::string platform(const std::string& inner) {
  return "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">\n" + inner +
         "</zone></platform>";
}

std::string cluster(const std::string& attributes) {
  return platform(
      "<cluster id=\"c\" prefix=\"n\" suffix=\"\" speed=\"1Gf\" bw=\"125MBps\" lat=\"50us\" " +
      attributes + "/>");
}

// Links by the numbers of their nodes.
std::multiset<std::pair<int, int>> links_of(const Topology& topology) {
  std::multiset<std::pair<int, int>> links;
  for (const LinkId link : topology.links())
    links.emplace(topology.tail(link).value(), topology.head(link).value());
  return links;
}

std::int64_t latency_ps(const ImportedFabric& fabric, const char* from, const char* to) {
  const topology::NodeNames names(fabric.network.topology);
  const LinkId link = fabric.network.topology.find_link(*names.find(from), *names.find(to)).value();
  return fabric.network.speeds.latency_ps[link].value();
}

TEST(SimGridPlatform, finds_what_lies_between_links) {
  const std::string text = example("simgrid-platform.xml");
  EXPECT_EQ(recognise(text, "f").name, kSimGrid);
  const ImportedFabric fabric = read(text);
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"alice-switch0", "bob-switch0", "switch0-switch1", "carol-switch1"}));
  EXPECT_EQ(GBps(fabric, "switch0", "switch1"), 2.5);
  EXPECT_EQ(latency_ps(fabric, "switch1", "switch0"), 5'000'000);
}

// Hosts alone, where links of each direction join cables, one-way networks, and switches. Where
// several ways are as short, hosts that pass messages on get a switch each, which has tables.
TEST(SimGridPlatform, our_own_export_comes_back) {
  for (const char* expression : {"ring:5", "uniring:6", "kautz:2,2", "complete:4"}) {
    const Topology whole = build_topology(expression).topology;
    const Network network = test::on(expression);
    const auto files = find_format(kSimGrid).write_network(network, {.path = "x.xml"});
    const Topology back = read(files.front().content).network.topology;
    EXPECT_EQ(links_of(back), links_of(whole)) << expression;
  }
  for (const char* expression : {"torus:4x3", "hypercube:3"}) {
    const Topology whole = build_topology(expression).topology;
    const auto files = find_format(kSimGrid).write_network(test::on(expression), {.path = "x.xml"});
    const Topology back = read(files.front().content).network.topology;
    EXPECT_EQ(back.switches().size(), whole.hosts().size()) << expression;
    EXPECT_EQ(back.cable_count(), whole.cable_count() + whole.node_count()) << expression;
  }
  for (const char* expression : {"hosts(2, torus:3x3)", "leaf-spine:leaves=3,spines=2,hosts=2"}) {
    const Topology whole = build_topology(expression).topology;
    const auto files = find_format(kSimGrid).write_network(test::on(expression), {.path = "x.xml"});
    const ImportedFabric back = read(files.front().content);
    EXPECT_EQ(back.network.topology.hosts().size(), whole.hosts().size());
    EXPECT_LE(back.network.topology.switches().size(), whole.switches().size());
    EXPECT_GE(back.network.topology.switches().size(), 3u) << expression;
  }
}

// SimGrid's platform of two hosts a side and one link between, whose routers are named; and the
// same without their names.
TEST(SimGridPlatform, reads_routers_and_links_without_direction) {
  const std::string hosts =
      "<host id=\"S1\" speed=\"1Gf\"/><host id=\"S2\" speed=\"1Gf\"/>"
      "<host id=\"C1\" speed=\"1Gf\"/><host id=\"C2\" speed=\"1Gf\"/>\n";
  std::string links;
  for (const char* name : {"l1", "l2", "l3", "l4", "l5"})
    links += std::string("<link id=\"") + name +
             "\" bandwidth=\"100MBps\" latency=\"10ms\" sharing_policy=\"FATPIPE\"/>\n";
  const auto route = [](const char* from, const char* to, std::vector<const char*> hops) {
    std::string text = std::string("<route src=\"") + from + "\" dst=\"" + to + "\">";
    for (const char* hop : hops) text += std::string("<link_ctn id=\"") + hop + "\"/>";
    return text + "</route>\n";
  };
  const std::string pairs =
      route("S1", "C1", {"l1", "l2", "l3"}) + route("S2", "C2", {"l4", "l2", "l5"}) +
      route("S1", "C2", {"l1", "l2", "l5"}) + route("C1", "S2", {"l3", "l2", "l4"}) +
      route("S1", "S2", {"l1", "l4"}) + route("C1", "C2", {"l3", "l5"});
  EXPECT_EQ(cables_of(read(platform(hosts + "<router id=\"R1\"/><router id=\"R2\"/>" + links +
                                    pairs + route("S1", "R1", {"l1"}) + route("R2", "R1", {"l2"})))
                          .network.topology),
            (Cables{"R1-S1", "R1-S2", "R1-R2", "C1-R2", "C2-R2"}));
  EXPECT_EQ(cables_of(read(platform(hosts + links + pairs)).network.topology),
            (Cables{"S1-switch0", "S2-switch0", "switch0-switch1", "C1-switch1", "C2-switch1"}));
}

TEST(SimGridPlatform, reads_clusters) {
  const ImportedFabric star = read(cluster("radical=\"0-2,7\""));
  EXPECT_EQ(cables_of(star.network.topology),
            (Cables{"n0-nc_router", "n1-nc_router", "n2-nc_router", "n7-nc_router"}));
  EXPECT_EQ(GBps(star, "n7", "nc_router"), 0.125);
  EXPECT_EQ(latency_ps(star, "nc_router", "n7"), 50'000'000);
  // All of a cluster's messages share its backbone.
  const ImportedFabric backbone =
      read(cluster("radical=\"0-1\" bb_bw=\"2.25GBps\" bb_lat=\"500us\""));
  EXPECT_EQ(
      cables_of(backbone.network.topology),
      (Cables{"n0>c-backbone", "n1>c-backbone", "c-backbone>c-backbone-out", "c-backbone-out>n0",
              "c-backbone-out>n1", "c-backbone-out>nc_router", "nc_router>c-backbone"}));
  EXPECT_EQ(GBps(backbone, "c-backbone", "c-backbone-out"), 2.25);
}

// The manual's own: a torus of 3 x 2 x 2, the fat tree of Figure 1b of the paper on d-mod-k (4
// leaves of 4 hosts, 2 cores, 2 cables from each to each) and a Dragonfly of 3 groups.
TEST(SimGridPlatform, reads_clusters_with_a_topology) {
  const Topology torus =
      read(cluster("radical=\"0-11\" topology=\"TORUS\" topo_parameters=\"3,2,2\""))
          .network.topology;
  EXPECT_EQ(links_of(torus), links_of(build_topology("torus:3x2x2").topology));

  const ImportedFabric tree =
      read(cluster("radical=\"0-15\" topology=\"FAT_TREE\" topo_parameters=\"2;4,4;1,2;1,2\""));
  EXPECT_EQ(tree.network.topology.switches().size(), 6u);
  EXPECT_EQ(tree.network.topology.cable_count(), 16 + 4 * 2 * 2);
  const auto cables = cables_of(tree.network.topology);
  EXPECT_EQ(cables.count("c-level1-0-n3"), 1u);
  EXPECT_EQ(cables.count("c-level1-1-n4"), 1u);
  EXPECT_EQ(cables.count("c-level1-3-c-level2-1"), 2u);

  const ImportedFabric dragonfly =
      read(cluster("radical=\"0-29\" topology=\"DRAGONFLY\" topo_parameters=\"3,4;1,3;5,1;2\""));
  EXPECT_EQ(dragonfly.network.topology.switches().size(), 15u);
  // Of each group C(5, 2) green; C(3, 2) blue; and the hosts'.
  EXPECT_EQ(dragonfly.network.topology.cable_count(), 3 * 10 + 3 + 30);
  EXPECT_EQ(GBps(dragonfly, "c-router1", "c-router5"), 0.5);  // blue: groups 0 and 1
}

// SimGrid goes on from chassis 0 after a link within another one, which is no walk: such links end
// at switches of their own, from where arcs of class "bus" lead on.
TEST(SimGridPlatform, dragonflies_with_several_chassis_keep_their_links) {
  const ImportedFabric dragonfly =
      read(cluster("radical=\"0-119\" topology=\"DRAGONFLY\" topo_parameters=\"3,4;4,3;5,1;2\""));
  const Topology& topology = dragonfly.network.topology;
  std::map<std::string, int> links;
  for (const LinkId link : topology.links())
    ++links[topology.class_names()[topology.link_class(link)]];
  // Of each group 4 * C(5, 2) green and 5 * C(4, 2) black; C(3, 2) blue.
  EXPECT_EQ(links["green"], 2 * 3 * 40);
  EXPECT_EQ(links["black"], 2 * 3 * 30);
  EXPECT_EQ(links["blue"], 2 * 3);
}

TEST(SimGridPlatform, joins_zones_at_their_gateways) {
  const std::string two =
      "<cluster id=\"a\" prefix=\"a-\" radical=\"0-1\" suffix=\".x\" speed=\"1Gf\" bw=\"1GBps\" "
      "lat=\"1us\"/>"
      "<cluster id=\"b\" prefix=\"b-\" radical=\"0-1\" suffix=\".x\" speed=\"1Gf\" bw=\"1GBps\" "
      "lat=\"1us\"/>"
      "<link id=\"wan\" bandwidth=\"10Gbps\" latency=\"5ms\"/>"
      "<zoneRoute src=\"a\" dst=\"b\" gw_src=\"a-a_router.x\" gw_dst=\"b-b_router.x\">"
      "<link_ctn id=\"wan\"/></zoneRoute>";
  const ImportedFabric fabric = read(platform(two));
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"a-0.x-a-a_router.x", "a-1.x-a-a_router.x", "b-0.x-b-b_router.x",
                    "b-1.x-b-b_router.x", "wan-in>wan-out", "a-a_router.x>wan-in",
                    "b-b_router.x>wan-in", "wan-out>a-a_router.x", "wan-out>b-b_router.x"}));
  EXPECT_EQ(GBps(fabric, "wan-in", "wan-out"), 1.25);
}

// One backbone between three clusters, as of Grid'5000's: all their messages share it.
TEST(SimGridPlatform, a_link_between_more_than_two_places_is_a_bus) {
  std::string text = "<link id=\"bb\" bandwidth=\"1GBps\" latency=\"24us\"/>\n";
  for (const char* name : {"a", "b", "c"})
    text += std::string("<host id=\"") + name + "\" speed=\"1\"/>";
  for (const char* ends : {"src=\"a\" dst=\"b\"", "src=\"b\" dst=\"c\"", "src=\"a\" dst=\"c\""})
    text += std::string("<route ") + ends + "><link_ctn id=\"bb\"/></route>";
  const ImportedFabric fabric = read(platform(text));
  EXPECT_EQ(cables_of(fabric.network.topology),
            (Cables{"bb-in>bb-out", "a>bb-in", "b>bb-in", "c>bb-in", "bb-out>a", "bb-out>b",
                    "bb-out>c"}));
  EXPECT_EQ(GBps(fabric, "bb-in", "bb-out"), 1);
  EXPECT_EQ(latency_ps(fabric, "bb-in", "bb-out"), 24'000'000);
  EXPECT_EQ(latency_ps(fabric, "a", "bb-in"), 0);
}

TEST(SimGridPlatform, reads_zones_of_routing_cluster) {
  const ImportedFabric fabric = read(
      "<platform version=\"4.1\"><zone id=\"z\" routing=\"Cluster\"><router id=\"r\"/>"
      "<host id=\"h1\" speed=\"1\"/><host id=\"h2\" speed=\"1\"/>"
      "<link id=\"u\" bandwidth=\"1GBps\"/><link id=\"d\" bandwidth=\"2GBps\"/>"
      "<link id=\"l\" bandwidth=\"3GBps\" sharing_policy=\"SPLITDUPLEX\"/>"
      "<host_link id=\"h1\" up=\"u\" down=\"d\"/><host_link id=\"h2\" up=\"l_UP\" down=\"l_DOWN\"/>"
      "</zone></platform>");
  EXPECT_EQ(cables_of(fabric.network.topology), (Cables{"h1>r", "r>h1", "h2-r"}));
  EXPECT_EQ(GBps(fabric, "h1", "r"), 1);
  EXPECT_EQ(GBps(fabric, "r", "h1"), 2);
}

TEST(SimGridPlatform, reads_units) {
  const auto with = [](const std::string& bandwidth, const std::string& latency) {
    return platform(
        "<host id=\"a\" speed=\"1\"/><host id=\"b\" speed=\"1\"/><link id=\"l\" bandwidth=\"" +
        bandwidth + "\" latency=\"" + latency +
        "\"/>\n<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>");
  };
  struct Case {
    const char *bandwidth, *latency;
    double GBps;
    std::int64_t ps;
  };
  for (const Case& each :
       {Case{"1.25e9", "0", 1.25, 0}, Case{"8Gbps", "1ms", 1, 1'000'000'000},
        Case{"1GiBps", "2.5us", 1.073741824, 2'500'000}, Case{"1000kBps", "1e-6", 0.001, 1'000'000},
        Case{"1TBps", "15ps", 1000, 15}, Case{"1ZBps", "1d", 1e9, 86'400'000'000'000'000}}) {
    const ImportedFabric fabric = read(with(each.bandwidth, each.latency));
    EXPECT_DOUBLE_EQ(GBps(fabric, "l-in", "l-out"), each.GBps) << each.bandwidth;
    EXPECT_EQ(latency_ps(fabric, "l-in", "l-out"), each.ps) << each.latency;
  }
  EXPECT_EQ(refusal_of(kSimGrid, with("fast", "0")),
            "f:2: bandwidth 'fast' is not a quantity such as 125MBps");
  EXPECT_EQ(refusal_of(kSimGrid, with("0", "0")),
            "f:2: bandwidth is 0, but links need more than 0");
  EXPECT_EQ(refusal_of(kSimGrid, with("1MBps", "-1s")).substr(0, 24), "f:2: latency '-1s' is no");
}

TEST(SimGridPlatform, refuses_what_no_cables_can_be) {
  const auto why = [](const std::string& inner) { return refusal_of(kSimGrid, platform(inner)); };
  const std::string hosts =
      "<host id=\"a\" speed=\"1\"/><host id=\"b\" speed=\"1\"/><host id=\"c\" "
      "speed=\"1\"/><link id=\"l\" bandwidth=\"1\"/>\n";
  EXPECT_EQ(why(hosts + "<host_link id=\"a\" up=\"l\" down=\"l\"/>"),
            "f:3: <host_link> must be in a zone with routing Cluster");
  EXPECT_EQ(why(hosts + "<route src=\"a\" dst=\"x\"><link_ctn id=\"l\"/></route>"),
            "f:3: dst 'x' is not a host or router of the platform");
  EXPECT_EQ(why(hosts + "<route src=\"a\" dst=\"b\"><link_ctn id=\"m\"/></route>"),
            "f:3: link 'm' is not in the platform");
  EXPECT_EQ(why(hosts + "<route src=\"a\" dst=\"b\"/>"), "f:3: the route has no <link_ctn>");
  EXPECT_EQ(why(hosts + "<host id=\"a\" speed=\"1\"/>"),
            "f:3: host or router a is repeated, first at f:2");
  EXPECT_EQ(why(hosts + "<cluster id=\"c\" prefix=\"b\" suffix=\"\" radical=\"0-1\" bw=\"1\" "
                        "lat=\"0\"/>\n<router id=\"b1\"/>"),
            "f:4: host or router b1 is repeated, first at f:3");
  EXPECT_EQ(why(hosts).substr(0, 28), "f has 3 devices but no cable");
  EXPECT_EQ(why("<peer id=\"p\"/>").substr(0, 44), "f:2: <peer> belongs to zones with routing Vi");
  EXPECT_EQ(refusal_of(kSimGrid, "<platform>\n<zone id=\"z\" routing=\"Vivaldi\"/></platform>")
                .substr(0, 36),
            "f:2: zones with routing Vivaldi have");
  EXPECT_EQ(refusal_of(kSimGrid, cluster("radical=\"0-4294967295\"")).substr(0, 33),
            "f:2: radical '0-4294967295' is no");
  EXPECT_EQ(
      refusal_of(kSimGrid, cluster("radical=\"0-4\" topology=\"TORUS\" topo_parameters=\"2,2\"")),
      "f:2: topo_parameters make 4 hosts, but radical 5");
}

// By simgrid.dtd, as SimGrid's own parser ("Bad attribute `bandwith' in `link' element start tag").
TEST(SimGridPlatform, refuses_what_the_document_type_lacks) {
  const auto why = [](const std::string& last) {
    return refusal_of(
        kSimGrid, platform("<host id=\"a\" speed=\"1\"/><host id=\"b\" speed=\"1\"/>"
                           "<link id=\"l\" bandwidth=\"1\"><prop id=\"x\" value=\"y\"/></link>\n"
                           "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>\n" +
                           last));
  };
  EXPECT_EQ(why("<prop id=\"x\" value=\"y\"/>"), "(accepted)");
  EXPECT_EQ(why("<route src=\"b\" dst=\"a\">\n<linkctn id=\"l\"/><link_ctn id=\"l\"/></route>"),
            "f:5: unexpected <linkctn> in <route>; did you mean link_ctn?");
  EXPECT_EQ(why("<hots id=\"c\" speed=\"1\"/>"),
            "f:4: unexpected <hots> in <zone>; did you mean host?");
  EXPECT_EQ(why("<link_ctn id=\"l\"/>").substr(0, 36), "f:4: unexpected <link_ctn> in <zone>");
  EXPECT_EQ(why("<link id=\"m\" bandwidth=\"1\" lateny=\"1s\"/>"),
            "f:4: <link> has no attribute lateny; did you mean latency?");
  EXPECT_EQ(why("<link id=\"m\" bandwidth=\"1\" bandwidth=\"2\"/>"),
            "f:4: bandwidth of <link> is repeated; remove one");
  EXPECT_EQ(why("SwitchName=leaf1 Nodes=n1\n"),
            "f:4: text in <zone>, which can have only elements; check that this is one file");
  EXPECT_EQ(why("<route src=\"a\" dst=\"b\" symmetrical=\"maybe\"/>"),
            "f:4: invalid symmetrical 'maybe' (expected YES or NO)");
  EXPECT_EQ(refusal_of(kSimGrid, cluster("radical=\"0-1\" bb_bw=\"1\" bb_lat=\"0\" "
                                         "bb_sharing_policy=\"FATPIP\"")),
            "f:2: unknown bb_sharing_policy 'FATPIP'; known: SHARED, FATPIPE");
  EXPECT_EQ(refusal_of(kSimGrid, cluster("radical=\"0-1\" sharing_policy=\"SHERED\"")),
            "f:2: unknown sharing_policy 'SHERED'; known: SPLITDUPLEX, SHARED, FATPIPE");
}

}  // namespace
}  // namespace weft::format
