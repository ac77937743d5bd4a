// SimGrid's routes decide which links a pair uses. Expected times follow from the files' own
// routes; tests/oracle/simgrid/platform_test.cpp asks SimGrid itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "support/fabrics.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/names.hpp"

namespace weft::format {
namespace {

ImportedFabric read(const std::string& text, topology::ImportOptions options = {}) {
  return find_format("simgrid-platform")
      .read_fabric({.text = text, .file = "f", .options = std::move(options)});
}
ImportedFabric read_case(const std::string& name) {
  return read(read_file(test::source_dir() + "/tests/data/cases/simgrid/" + name));
}

std::string platform(const std::string& inner, const std::string& routing = "Full") {
  return "<platform version=\"4.1\"><zone id=\"z\" routing=\"" + routing + "\">\n" + inner +
         "</zone></platform>";
}
std::string host(const std::string& name) {
  return "<host id=\"" + name + "\" speed=\"1Gf\"/>";
}
std::string link(const std::string& name, const std::string& bandwidth, const std::string& latency,
                 const std::string& policy = "SHARED") {
  return "<link id=\"" + name + "\" bandwidth=\"" + bandwidth + "\" latency=\"" + latency +
         "\" sharing_policy=\"" + policy + "\"/>";
}
std::string route(const std::string& from, const std::string& to,
                  const std::vector<std::string>& links, const std::string& tag = "route") {
  std::string text = "<" + tag + " src=\"" + from + "\" dst=\"" + to + "\">";
  for (const std::string& each : links) text += "<link_ctn id=\"" + each + "\"/>";
  return text + "</" + tag + ">\n";
}

// What messages take between hosts by name, by the network's usual routing.
class Ways {
 public:
  explicit Ways(const ImportedFabric& imported)
      : fabric_(imported.network),
        names_(imported.network.topology),
        routing_(make_routing("auto", fabric_)) {}

  std::vector<LinkId> links(const char* from, const char* to) const {
    RouteTable routes;
    const network::Flow flow{*names_.find(from), *names_.find(to)};
    routing_->route(std::span(&flow, 1), routes);
    for (const Rational& share : routes.shares(0)) EXPECT_EQ(share, Rational(1));
    return {routes.links(0).begin(), routes.links(0).end()};
  }
  double latency_s(const char* from, const char* to) const {
    std::int64_t sum = 0;
    for (const LinkId each : links(from, to)) sum += fabric_.latency_ps(each);
    return static_cast<double>(sum) * 1e-12;
  }
  /// Of a message of that many bytes, alone.
  double time_s(const char* from, const char* to, double bytes) const {
    std::int64_t narrowest = std::numeric_limits<std::int64_t>::max();
    for (const LinkId each : links(from, to))
      narrowest = std::min(narrowest, fabric_.bandwidth_Bps(each));
    return latency_s(from, to) + bytes / static_cast<double>(narrowest);
  }
  bool share(const char* a, const char* b, const char* c, const char* d) const {
    const auto one = links(a, b), other = links(c, d);
    return std::ranges::any_of(
        one, [&](LinkId each) { return std::ranges::find(other, each) != other.end(); });
  }

 private:
  Fabric fabric_;
  topology::NodeNames names_;
  std::shared_ptr<const Routing> routing_;
};

// Four links of 1 ms and 10 MB/s; the fast link of the client is no way for others.
TEST(SimGridRoutes, a_shared_link_is_no_shortcut) {
  const ImportedFabric fabric = read_case("simgrid-shared-link-shortcut.xml");
  const Ways ways(fabric);
  EXPECT_NEAR(ways.time_s("a", "e", 1e9), 100.004, 1e-9);
  EXPECT_NEAR(ways.latency_s("a", "e"), 4e-3, 1e-15);
  EXPECT_NEAR(ways.time_s("client", "e", 1e9), 1.00001, 1e-9);
  EXPECT_NEAR(ways.latency_s("b", "a"), 1e-3, 1e-15);
  EXPECT_TRUE(ways.share("a", "b", "b", "a"));  // one link for both directions
  // The file has no route: others' links serve, with a note that answers repeat.
  EXPECT_NEAR(ways.latency_s("b", "d"), 1e-5, 1e-15);
  ASSERT_EQ(fabric.remarks.size(), 1u);
  EXPECT_EQ(fabric.remarks[0].text.substr(0, 46), "10 pairs of hosts have no route in the file; t");
  EXPECT_EQ(fabric.remarks[0].kind, topology::NoteKind::answer);
}

// Two links of 10 us, the backbones of 100 us at either side, and the wire of 1 us.
TEST(SimGridRoutes, traffic_into_a_cluster_crosses_its_backbone) {
  const Ways ways(read_case("simgrid-cluster-backbone-inbound.xml"));
  EXPECT_NEAR(ways.latency_s("l0", "r0"), 221e-6, 1e-15);
  EXPECT_NEAR(ways.latency_s("l0", "l1"), 120e-6, 1e-15);
}

TEST(SimGridRoutes, reads_cabinets) {
  const ImportedFabric fabric = read_case("simgrid-cabinet.xml");
  const Topology& topology = fabric.network.topology;
  EXPECT_EQ(topology.hosts().size(), 8u);
  EXPECT_EQ(topology.link_count(), 16 + 1);
  const Ways ways(fabric);
  EXPECT_NEAR(ways.time_s("n1", "n8", 125e6), 1 + 600e-6, 1e-12);
}

TEST(SimGridRoutes, a_limiter_limits) {
  const Ways ways(read_case("simgrid-limiter.xml"));
  EXPECT_NEAR(ways.time_s("n0", "n1", 1e9), 10.00001, 1e-9);
  EXPECT_NEAR(ways.time_s("n0", "n2", 1e9), 10.00002, 1e-9);
  EXPECT_TRUE(ways.share("n0", "n1", "n1", "n0"));  // what is sent and what is received
}

// 1 GB each way: 1 s on the host's links, which are two, and as much on the backbone of 2 GB/s.
TEST(SimGridRoutes, split_links_of_hosts_have_two_directions) {
  const ImportedFabric fabric = read_case("simgrid-host-link-splitduplex.xml");
  const Ways ways(fabric);
  EXPECT_NEAR(ways.time_s("a", "b", 1e9), 1.00012, 1e-9);
  const auto there = ways.links("a", "b"), back = ways.links("b", "a");
  std::int64_t shared_Bps = 0;
  for (const LinkId each : there)
    if (std::ranges::find(back, each) != back.end())
      shared_Bps = *fabric.network.speeds.bandwidth_Bps[each];
  EXPECT_EQ(shared_Bps, 2'000'000'000);
}

TEST(SimGridRoutes, loopbacks_faster_than_can_be_counted_are_left_out) {
  const Ways ways(read_case("simgrid-exabytes.xml"));
  EXPECT_NEAR(ways.time_s("a", "b", 5e12), 1, 1e-9);
}

TEST(SimGridRoutes, names_with_blanks_stay) {
  const Ways ways(read_case("one-wire.xml"));
  EXPECT_NEAR(ways.time_s("desk 0", "desk 3", 625'000), 1, 1e-9);
  EXPECT_TRUE(ways.share("desk 0", "desk 1", "desk 2", "desk 3"));
}

// Two routes to one target part at a switch that both pass: each keeps its own way.
TEST(SimGridRoutes, ways_depend_on_the_source_where_routes_do) {
  const std::string text = platform(
      host("a") + host("b") + host("c") + link("la", "1GBps", "1us") + link("lb", "1GBps", "1us") +
      link("core", "1GBps", "1us") + link("near", "1GBps", "1us") + link("far", "1GBps", "50us") +
      "\n" + route("a", "c", {"la", "core", "near"}) + route("b", "c", {"lb", "core", "far"}) +
      route("a", "b", {"la", "lb"}));
  const ImportedFabric fabric = read(text);
  const Ways ways(fabric);
  EXPECT_NEAR(ways.latency_s("a", "c"), 3e-6, 1e-15);
  EXPECT_NEAR(ways.latency_s("b", "c"), 52e-6, 1e-15);
  EXPECT_NEAR(ways.latency_s("c", "b"), 52e-6, 1e-15);
  EXPECT_NEAR(ways.latency_s("a", "b"), 2e-6, 1e-15);
  EXPECT_NE(fabric.network.topology.facets().tables, nullptr);
}

// Floyd and Dijkstra count links, not time.
TEST(SimGridRoutes, floyd_and_dijkstra_count_links) {
  for (const char* routing : {"Floyd", "Dijkstra", "DijkstraCache"}) {
    const ImportedFabric fabric = read(
        platform(host("a") + host("b") + "<router id=\"r\"/>" + link("slow", "1GBps", "1s") +
                     link("x", "1GBps", "1us") + link("y", "1GBps", "1us") + "\n" +
                     route("a", "b", {"slow"}) + route("a", "r", {"x"}) + route("r", "b", {"y"}),
                 routing));
    EXPECT_NEAR(Ways(fabric).latency_s("a", "b"), 1, 1e-12) << routing;
  }
}

TEST(SimGridRoutes, a_bypass_overrides_the_route) {
  const std::string things = host("a") + host("b") + host("c") + link("l", "1GBps", "1ms") +
                             link("direct", "1GBps", "1us") + "\n" + route("a", "b", {"l"}) +
                             route("b", "c", {"l"}) + route("a", "c", {"l"});
  const Ways ways(read(platform(things + route("a", "b", {"direct"}, "bypassRoute"))));
  EXPECT_NEAR(ways.latency_s("a", "b"), 1e-6, 1e-15);
  EXPECT_NEAR(ways.latency_s("b", "a"), 1e-3, 1e-15);
}

// A cluster of 50,000 hosts is a star, and no table is kept for it.
TEST(SimGridRoutes, large_clusters_stay_stars) {
  const ImportedFabric fabric = read(
      "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-49999\" "
      "speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"/></platform>");
  EXPECT_EQ(fabric.network.topology.cable_count(), 50'000);
  EXPECT_EQ(fabric.network.topology.facets().tables, nullptr);
}

TEST(SimGridRoutes, what_cannot_be_kept_is_refused) {
  const auto why = [](const std::string& text) {
    return test::refusal_of("simgrid-platform", text);
  };
  const std::string hosts =
      host("a") + host("b") + link("l", "1GBps", "1us") + link("m", "1GBps", "1us") + "\n";
  EXPECT_EQ(why(platform(hosts + route("a", "b", {"l", "m", "l"}))),
            "f: the routes of 2 pairs of hosts cross a link twice, which messages in a network "
            "never do; change these routes");
  EXPECT_EQ(why("<platform version=\"4.1\">\n<actor host=\"a\" function=\"f\"/></platform>"),
            "f:1: the file is a SimGrid deployment (which actor runs where); import its platform "
            "file");
  EXPECT_EQ(why(platform(link("w", "1GBps", "0s", "WIFI"))).substr(0, 37),
            "f:2: link w is a Wi-Fi link, which is");
  EXPECT_EQ(why(platform(hosts + route("a", "b", {"l"}) + route("b", "a", {"m"}))),
            "f:4: the route from b to a is repeated (routes are symmetrical unless "
            "symmetrical=\"NO\")");
}

// 1,600 hosts of a Dragonfly with four chassis, where SimGrid's ways are no walks.
TEST(SimGridRoutes, too_many_hosts_for_tables_are_refused_with_their_number) {
  const std::string why = test::refusal_of(
      "simgrid-platform",
      platform("<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-1599\" speed=\"1Gf\" "
               "bw=\"1GBps\" lat=\"1us\" topology=\"DRAGONFLY\" "
               "topo_parameters=\"4,1;4,1;10,1;10\"/>"));
  EXPECT_NE(
      why.find("f: the routes of 1600 hosts need tables, which weft supports up to 1500 hosts"),
      std::string::npos)
      << why;
  EXPECT_NE(why.find("pairs that were compared would take other links"), std::string::npos) << why;
}

}  // namespace
}  // namespace weft::format
