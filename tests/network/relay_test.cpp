// Ways through hosts, where no others are: two boxes and more of cards on rails that no spine
// joins.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "support/judges/naive_max_min.hpp"
#include "support/judges/naive_routes.hpp"
#include "weft/network/relay_search.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/expression.hpp"

namespace weft::network {
namespace {

// Card i of each box on rail i: hosts first, then a switch for each box, then one for each rail.
Topology rail_only(int boxes, int cards) {
  const int hosts = boxes * cards;
  topology::TopologyBuilder builder(hosts + boxes + cards);
  for (int node = hosts; node < hosts + boxes + cards; ++node)
    builder.set_kind(NodeId(node), topology::NodeKind::switch_node);
  for (int host = 0; host < hosts; ++host) {
    builder.add_cable(NodeId(host), NodeId(hosts + host / cards));
    builder.add_cable(NodeId(host), NodeId(hosts + boxes + host % cards));
  }
  return std::move(builder).build(topology::parse_expression("file:rails.json"));
}

using Path = std::vector<LinkId>;

// All paths of at most `most` links, no node twice.
void collect(const Topology& topology, NodeId at, NodeId to, std::size_t most, Path& path,
             std::set<NodeId>& seen, std::vector<Path>& all) {
  if (at == to) {
    all.push_back(path);
    return;
  }
  if (path.size() == most) return;
  for (const LinkId link : topology.out_links(at)) {
    if (!seen.insert(topology.head(link)).second) continue;
    path.push_back(link);
    collect(topology, topology.head(link), to, most, path, seen, all);
    path.pop_back();
    seen.erase(topology.head(link));
  }
}

// Those of the fewest hosts on the way, then of the fewest links.
std::vector<Path> best_paths(const Topology& topology, NodeId from, NodeId to) {
  std::vector<Path> all;
  Path path;
  std::set<NodeId> seen{from};
  collect(topology, from, to, 6, path, seen, all);
  const auto length = [&](const Path& each) {
    const auto relays = std::count_if(each.begin() + 1, each.end(), [&](LinkId link) {
      return topology.is_host(topology.tail(link));
    });
    return std::pair(relays, each.size());
  };
  const auto least = length(*std::ranges::min_element(all, {}, length));
  std::erase_if(all, [&](const Path& each) { return length(each) != least; });
  return all;
}

// Explicit paths, each with an equal share, against the routing: the same rates by max-min.
TEST(Relays, share_links_as_their_explicit_paths_do) {
  for (const auto& [boxes, cards] : {std::pair(2, 2), std::pair(3, 2), std::pair(2, 3)}) {
    const Topology topology = rail_only(boxes, cards);
    const auto routing = make_routing("auto", Fabric(topology, LinkSpeed{}));
    EXPECT_EQ(routing->name(), "shortest-split");
    std::vector<test::NaiveFlow> routed, wanted;
    std::int64_t relayed = 0;
    for (const Flow& flow : test::host_pairs(topology)) {
      if (flow.from == flow.to) continue;
      RouteTable routes;
      routing->route(std::span(&flow, 1), routes);
      test::NaiveFlow by_routing, by_paths;
      std::vector<double> load(static_cast<std::size_t>(topology.link_count()), 0), given = load;
      for (std::size_t i = 0; i < routes.links(0).size(); ++i)
        load[routes.links(0)[i].index()] += routes.shares(0)[i].to_double();
      const auto paths = best_paths(topology, flow.from, flow.to);
      for (const Path& path : paths)
        for (const LinkId link : path) given[link.index()] += 1 / static_cast<double>(paths.size());
      for (std::size_t link = 0; link < load.size(); ++link) {
        EXPECT_NEAR(load[link], given[link], 1e-12);
        if (load[link] > 0) {
          by_routing.links.push_back(static_cast<std::int32_t>(link));
          by_routing.shares.push_back(load[link]);
        }
        if (given[link] > 0) {
          by_paths.links.push_back(static_cast<std::int32_t>(link));
          by_paths.shares.push_back(given[link]);
        }
      }
      routed.push_back(by_routing);
      wanted.push_back(by_paths);
      relayed += paths.front().size() > 2 ? 1 : 0;
    }
    const std::vector<double> capacities(static_cast<std::size_t>(topology.link_count()), 1);
    const auto rates = test::naive_max_min(capacities, routed),
               expected = test::naive_max_min(capacities, wanted);
    for (std::size_t i = 0; i < rates.size(); ++i) EXPECT_NEAR(rates[i], expected[i], 1e-12);
    const auto hosts = topology.hosts();
    EXPECT_EQ(relayed_pairs(Fabric(topology, LinkSpeed{}),
                            std::vector<NodeId>(hosts.begin(), hosts.end())),
              relayed);
    // Every pair of another box and another rail.
    EXPECT_EQ(relayed, boxes * cards * (boxes - 1) * (cards - 1));
  }
}

// On random networks: pairs whose naive distance counts a relay; several ranks may share a host.
TEST(Relays, are_counted_as_naively) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto switches = seed % 4 == 0 ? test::Switches::none : test::Switches::some;
    const Topology topology = test::random_graph(seed, 3 + static_cast<int>(seed % 12),
                                                 static_cast<int>(seed * 5 % 30), switches);
    std::vector<NodeId> ranks;
    for (const NodeId host : topology.hosts())
      for (int i = 0; i <= host.value() % 2; ++i) ranks.push_back(host);
    std::int64_t expected = 0;
    for (const NodeId to : ranks) {
      const auto distance = test::naive_distances_to(topology, to);
      for (const NodeId from : ranks)
        expected += topology.has_switches() && distance[from.index()] >= topology.node_count();
    }
    EXPECT_EQ(relayed_pairs(Fabric(topology, LinkSpeed{}), ranks), expected) << topology.name();
  }
}

}  // namespace
}  // namespace weft::network
