// SimGrid judges how weft reads its platforms: between every two hosts, the links that SimGrid's
// own routing crosses have the latency of the way that weft's messages take, and their narrowest
// one its bandwidth.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <simgrid/s4u.hpp>
#include <sstream>

#include "support/fabrics.hpp"
#include "support/network_on.hpp"
#include "weft/base/parallel.hpp"

namespace weft::format {
namespace {

// SimGrid runs in forks, and a fork inherits the locks that other threads hold at that moment.
const bool kNoOtherThreads = (set_threads(1), true);

struct Way {
  double latency_s = 0, bandwidth_Bps = 0;
};
using Ways = std::map<std::pair<std::string, std::string>, Way>;

// In the child process: a line for each pair of hosts.
void print_routes(const std::string& file, const std::string& target) {
  std::vector<std::string> words{"weft", "--log=root.thresh:error"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  int count = static_cast<int>(arguments.size());
  simgrid::s4u::Engine engine(&count, arguments.data());
  engine.load_platform(file);
  engine.get_netzone_root()->seal();  // as a simulation does first: Floyd's ways are found then
  std::ofstream out(target);
  out.precision(17);
  for (const auto* from : engine.get_all_hosts())
    for (const auto* to : engine.get_all_hosts()) {
      if (from == to) continue;
      std::vector<simgrid::s4u::Link*> links;
      double latency_s = 0, bandwidth_Bps = INFINITY;
      from->route_to(to, links, &latency_s);
      for (const auto* link : links) bandwidth_Bps = std::min(bandwidth_Bps, link->get_bandwidth());
      if (links.empty()) continue;
      out << from->get_name() << '\t' << to->get_name() << '\t' << latency_s << '\t'
          << bandwidth_Bps << '\n';
    }
}

Ways simgrid_ways(const std::string& text) {
  const std::string stem = testing::TempDir() + "/platform-" + std::to_string(getpid());
  std::ofstream(stem + ".xml") << text;
  const pid_t child = fork();
  if (child == 0) {
    try {
      print_routes(stem + ".xml", stem + ".txt");
    } catch (const std::exception& error) {
      std::fputs(error.what(), stderr);
      _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << text;
  Ways ways;
  std::ifstream in(stem + ".txt");
  std::string from, to;
  Way way;
  while (std::getline(in, from, '\t') && std::getline(in, to, '\t') &&
         in >> way.latency_s >> way.bandwidth_Bps >> std::ws)
    ways[{from, to}] = way;
  unlink((stem + ".xml").c_str());
  unlink((stem + ".txt").c_str());
  return ways;
}

// What messages between two hosts take, by the network's usual routing.
Ways own_ways(const ImportedFabric& fabric) {
  const Topology& topology = fabric.network.topology;
  const Fabric speeds(fabric.network);
  const auto routing = make_routing("auto", speeds);
  Ways ways;
  for (const NodeId to : topology.hosts())
    for (const NodeId from : topology.hosts()) {
      if (from == to) continue;
      RouteTable routes;
      const network::Flow flow{from, to};
      routing->route(std::span(&flow, 1), routes);
      Way way{static_cast<double>(routes.latency_ps(0)) * 1e-12, INFINITY};
      for (std::size_t i = 0; i < routes.links(0).size(); ++i) {
        const double share = routes.shares(0).empty()
                                 ? 1
                                 : static_cast<double>(routes.shares(0)[i].numerator()) /
                                       static_cast<double>(routes.shares(0)[i].denominator());
        way.bandwidth_Bps =
            std::min(way.bandwidth_Bps,
                     static_cast<double>(speeds.bandwidth_Bps(routes.links(0)[i])) / share);
      }
      ways[{node_text(topology, from), node_text(topology, to)}] = way;
    }
  return ways;
}

using Pair = std::pair<std::string, std::string>;

void expect_simgrids_routes(const std::string& text) {
  const Ways theirs = simgrid_ways(text);
  const Ways ours = own_ways(test::import("simgrid-platform", text));
  ASSERT_GT(theirs.size(), 1u);
  for (const auto& [pair, way] : theirs) {
    ASSERT_TRUE(ours.contains(pair)) << pair.first << ' ' << pair.second;
    EXPECT_NEAR(ours.at(pair).latency_s, way.latency_s, 1e-6 * way.latency_s)
        << pair.first << ' ' << pair.second;
    EXPECT_NEAR(ours.at(pair).bandwidth_Bps, way.bandwidth_Bps, 1e-6 * way.bandwidth_Bps)
        << pair.first << ' ' << pair.second;
  }
}

std::string platform(const std::string& inner) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
         "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
         "<zone id=\"z\" routing=\"Full\">\n" +
         inner + "</zone>\n</platform>\n";
}

std::string cluster(const std::string& id, const std::string& attributes) {
  return "<cluster id=\"" + id + "\" prefix=\"" + id +
         "-\" suffix=\".x\" speed=\"1Gf\" bw=\"125MBps\" lat=\"50us\" " + attributes + "/>\n";
}

TEST(SimGridPlatforms, example_has_simgrids_routes) {
  expect_simgrids_routes(test::example("simgrid-platform.xml"));
}

TEST(SimGridPlatforms, clusters_have_simgrids_routes) {
  for (const char* attributes :
       {"radical=\"0-5,9\"", "radical=\"0-5\" sharing_policy=\"SHARED\"",
        "radical=\"0-5\" bb_bw=\"100MBps\" bb_lat=\"500us\"",
        "radical=\"0-23\" topology=\"TORUS\" topo_parameters=\"4,3,2\"",
        "radical=\"0-15\" topology=\"FAT_TREE\" topo_parameters=\"2;4,4;1,2;1,2\"",
        "radical=\"0-17\" topology=\"FAT_TREE\" topo_parameters=\"3;3,3,2;1,2,2;1,1,3\""})
    expect_simgrids_routes(platform(cluster("c", attributes)));
}

TEST(SimGridPlatforms, dragonflies_have_simgrids_routes) {
  expect_simgrids_routes(platform(
      cluster("c", "radical=\"0-35\" topology=\"DRAGONFLY\" topo_parameters=\"3,4;2,3;3,1;2\"")));
}

TEST(SimGridPlatforms, limits_of_hosts_have_simgrids_routes) {
  for (const char* attributes :
       {"radical=\"0-5\"", "radical=\"0-5\" bb_bw=\"1GBps\" bb_lat=\"1us\"",
        "radical=\"0-11\" topology=\"TORUS\" topo_parameters=\"4,3\"",
        "radical=\"0-15\" topology=\"FAT_TREE\" topo_parameters=\"2;4,4;1,2;1,2\"",
        "radical=\"0-11\" topology=\"DRAGONFLY\" topo_parameters=\"2,1;1,1;3,1;2\""})
    expect_simgrids_routes(
        platform(cluster("c", std::string(attributes) + " limiter_link=\"100MBps\"")));
}

TEST(SimGridPlatforms, cases_have_simgrids_routes) {
  for (const char* name :
       {"simgrid-shared-link-shortcut", "simgrid-cluster-backbone-inbound", "simgrid-cabinet",
        "simgrid-limiter", "simgrid-host-link-splitduplex", "simgrid-exabytes", "one-wire"})
    expect_simgrids_routes(
        read_file(test::source_dir() + "/tests/data/cases/simgrid/" + name + ".xml"));
}

// Three clusters at one backbone: a link that joins more than two places.
TEST(SimGridPlatforms, zones_at_a_backbone_have_simgrids_routes) {
  std::string inner;
  for (const char* id : {"a", "b", "c"}) inner += cluster(id, "radical=\"0-2\"");
  inner += "<link id=\"bb\" bandwidth=\"100MBps\" latency=\"24us\"/>\n";
  for (const auto& [from, to] : {std::pair("a", "b"), std::pair("b", "c"), std::pair("a", "c")})
    inner += fmt::format(
        "<zoneRoute src=\"{0}\" dst=\"{1}\" gw_src=\"{0}-{0}_router.x\" "
        "gw_dst=\"{1}-{1}_router.x\">"
        "<link_ctn id=\"bb\"/></zoneRoute>\n",
        from, to);
  expect_simgrids_routes(platform(inner));
}

TEST(SimGridPlatforms, our_export_has_simgrids_routes) {
  for (const char* expression : {"torus:3x3", "uniring:4", "leaf-spine:leaves=3,spines=2,hosts=2"})
    expect_simgrids_routes(find_format("simgrid-platform")
                               .write_network(test::on(expression), {.path = "x.xml"})
                               .front()
                               .content);
}

}  // namespace
}  // namespace weft::format
