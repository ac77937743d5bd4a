// SimGrid judges how weft reads its platforms: between every two hosts, the links that SimGrid's
// own routing crosses have the latency of the nearest way here, and their narrowest one its
// bandwidth. (In these platforms nearest ways of different bandwidth do not exist.)
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <queue>
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
  std::ofstream out(target);
  out.precision(17);
  for (const auto* from : engine.get_all_hosts())
    for (const auto* to : engine.get_all_hosts()) {
      if (from == to) continue;
      std::vector<simgrid::s4u::Link*> links;
      double latency_s = 0, bandwidth_Bps = INFINITY;
      from->route_to(to, links, &latency_s);
      for (const auto* link : links) bandwidth_Bps = std::min(bandwidth_Bps, link->get_bandwidth());
      out << from->get_name() << ' ' << to->get_name() << ' ' << latency_s << ' ' << bandwidth_Bps
          << '\n';
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
  while (in >> from >> to >> way.latency_s >> way.bandwidth_Bps) ways[{from, to}] = way;
  unlink((stem + ".xml").c_str());
  unlink((stem + ".txt").c_str());
  return ways;
}

// The nearest ways from a host, by latency (Dijkstra); hosts forward where no switches do.
Ways nearest_ways(const ImportedFabric& fabric) {
  const Topology& topology = fabric.network.topology;
  const auto& speeds = fabric.network.speeds;
  Ways ways;
  for (const NodeId from : topology.hosts()) {
    std::vector<std::int64_t> latency(static_cast<std::size_t>(topology.node_count()), INT64_MAX);
    std::vector<std::int64_t> width(latency.size(), 0);
    using Entry = std::pair<std::int64_t, std::int32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    latency[from.index()] = 0;
    width[from.index()] = INT64_MAX;
    open.emplace(0, from.value());
    while (!open.empty()) {
      const auto [far, number] = open.top();
      open.pop();
      const NodeId node(number);
      if (far > latency[node.index()]) continue;
      for (const LinkId link : topology.out_links(node)) {
        const std::size_t head = topology.head(link).index();
        const std::int64_t next = far + speeds.latency_ps[link].value();
        if (next >= latency[head]) continue;
        latency[head] = next;
        width[head] = std::min(width[node.index()], speeds.bandwidth_Bps[link].value());
        open.emplace(next, topology.head(link).value());
      }
    }
    for (const NodeId to : topology.hosts())
      if (from != to)
        ways[{node_text(topology, from), node_text(topology, to)}] = {
            static_cast<double>(latency[to.index()]) * 1e-12,
            static_cast<double>(width[to.index()])};
  }
  return ways;
}

using Pair = std::pair<std::string, std::string>;

void expect_simgrids_routes(
    const std::string& text,
    const std::function<bool(const Pair&)>& judged = [](const Pair&) { return true; }) {
  const Ways theirs = simgrid_ways(text);
  const Ways ours = nearest_ways(test::import("simgrid-platform", text));
  ASSERT_GT(theirs.size(), 1u);
  ASSERT_EQ(theirs.size(), ours.size());
  for (const auto& [pair, way] : theirs) {
    if (!judged(pair)) continue;
    ASSERT_TRUE(ours.contains(pair)) << pair.first << ' ' << pair.second;
    EXPECT_NEAR(ours.at(pair).latency_s, way.latency_s, 1e-12) << pair.first << ' ' << pair.second;
    EXPECT_NEAR(ours.at(pair).bandwidth_Bps, way.bandwidth_Bps, 1)
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

// Between two blades of a group SimGrid 3.32 goes on from chassis 0 after the link within the
// sender's own, whichever that is (DragonflyZone::get_local_route), so that its links are no way:
// pairs whose sender is in another chassis are not judged.
TEST(SimGridPlatforms, dragonflies_have_simgrids_routes) {
  struct Place {
    int group, chassis, blade;
  };
  const auto place = [](const std::string& host) {  // c-17.x
    const int number = std::stoi(host.substr(2));
    return Place{number / 12, number / 6 % 2, number / 2 % 3};
  };
  expect_simgrids_routes(
      platform(cluster(
          "c", "radical=\"0-35\" topology=\"DRAGONFLY\" topo_parameters=\"3,4;2,3;3,1;2\"")),
      [&](const Pair& pair) {
        const Place from = place(pair.first), to = place(pair.second);
        return from.group != to.group || from.chassis == 0 || from.blade == to.blade;
      });
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
