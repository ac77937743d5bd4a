// d-mod-k and s-mod-k on trees of which something failed, against all ways up and down by brute
// force.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>
#include <tuple>

#include "support/judges/naive_routes.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/network/default_routing.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {
namespace {

// The level of each node of a damaged tree.
std::vector<int> levels_of(const Topology& topology) {
  const auto damaged = *as_damaged_xgft(topology);
  std::vector<int> levels(static_cast<std::size_t>(topology.node_count()));
  for (std::size_t level = 0; level + 1 < damaged.tree.first_of_level.size(); ++level)
    for (auto node = damaged.tree.first_of_level[level];
         node < damaged.tree.first_of_level[level + 1]; ++node)
      if (const auto now = damaged.now[node]; now >= 0) levels[now] = static_cast<int>(level);
  return levels;
}

// Links of the shortest way that goes up and then down, to each node; -1 where there is none.
std::vector<int> up_down_distances(const Topology& topology, const std::vector<int>& levels,
                                   NodeId from) {
  const auto n = static_cast<std::size_t>(topology.node_count());
  std::vector<int> distance(2 * n, -1);  // going up; going down
  std::deque<std::size_t> queue{from.index()};
  distance[from.index()] = 0;
  for (; !queue.empty(); queue.pop_front()) {
    const std::size_t state = queue.front(), node = state % n;
    for (const LinkId link : topology.out_links(NodeId(static_cast<std::int32_t>(node)))) {
      const std::size_t head = topology.head(link).index();
      const bool down = levels[head] < levels[node];
      if (!down && state >= n) continue;
      const std::size_t next = down ? head + n : head;
      if (distance[next] >= 0) continue;
      distance[next] = distance[state] + 1;
      queue.push_back(next);
    }
  }
  std::vector<int> best(n, -1);
  for (std::size_t node = 0; node < n; ++node)
    for (const int each : {distance[node], distance[node + n]})
      if (each >= 0 && (best[node] < 0 || each < best[node])) best[node] = each;
  return best;
}

bool is_up_then_down(const Topology& topology, const std::vector<int>& levels,
                     std::span<const LinkId> links) {
  bool down = false;
  for (const LinkId link : links) {
    const bool falls = levels[topology.head(link).index()] < levels[topology.tail(link).index()];
    if (down && !falls) return false;
    down = falls;
  }
  return true;
}

struct Counts {
  int routed = 0, refused = 0, relayed = 0;
};

// Each pair on its own: routed over a shortest way up and down where there is one, through hosts
// where they alone join it, else refused.
Counts check_all_pairs(const std::string& expression, const char* name) {
  SCOPED_TRACE(expression + " by " + name);
  const Topology topology = make_topology(expression);
  const auto routing = make_routing(name, Fabric(topology, LinkSpeed{}));
  const auto levels = levels_of(topology);
  Counts counts;
  for (const NodeId from : topology.hosts()) {
    const auto distances = up_down_distances(topology, levels, from);
    for (const NodeId to : topology.hosts()) {
      const Flow flow{from, to};
      RouteTable routes;
      const int any_way = test::naive_distances_to(topology, to)[from.index()];
      if (distances[to.index()] < 0 && any_way >= topology.node_count()) {  // through hosts alone
        ++counts.relayed;
        routing->route(std::span(&flow, 1), routes);
        EXPECT_TRUE(std::ranges::equal(routes.links(0), test::naive_shortest(topology, from, to)));
        continue;
      }
      if (distances[to.index()] < 0) {
        ++counts.refused;
        try {
          routing->route(std::span(&flow, 1), routes);
          ADD_FAILURE() << from.value() << " to " << to.value();
        } catch (const InvalidInput& error) {
          const std::string message = error.what();
          const bool is_parted = any_way < 0;  // no other routing helps
          const std::string ends =
              is_parted ? fmt::format("node {} cannot be reached from node {}, ", to.value(),
                                      from.value())
                        : fmt::format("from node {} to node {} ", from.value(), to.value());
          EXPECT_NE(message.find(ends), std::string::npos) << message;
          EXPECT_NE(message.find(is_parted ? "use a connected network" : "use shortest-split"),
                    std::string::npos)
              << message;
        }
        continue;
      }
      ++counts.routed;
      routing->route(std::span(&flow, 1), routes);
      EXPECT_TRUE(test::is_chain(topology, routes.links(0), from, to));
      EXPECT_TRUE(is_up_then_down(topology, levels, routes.links(0)));
      EXPECT_EQ(std::ssize(routes.links(0)), distances[to.index()]);
    }
  }
  return counts;
}

TEST(DamagedTree, routes_every_pair_past_any_dead_cable) {
  for (const std::string tree : {"xgft:2;4,3;1,3", "xgft:3;2,2,2;1,2,2", "xgft:2;2,3;2,2",
                                 "fat-tree:2,3", "xgft:3;2,3,2;1,2,1"}) {
    const Topology whole = make_topology(tree);
    for (std::int64_t cable = 0; cable < whole.cable_count(); ++cable) {
      const std::string damaged = fmt::format("without(cable={}, {})", cable, tree);
      for (const char* routing : {"d-mod-k", "s-mod-k"}) check_all_pairs(damaged, routing);
    }
  }
}

TEST(DamagedTree, routes_past_dead_switches_hosts_and_single_directions) {
  for (const std::string failed : {"node=20", "node=0", "node=16", "node=21, cable=17", "link=33",
                                   "link=32, link=40", "cable=16, cable=17, cable=18"})
    for (const char* routing : {"d-mod-k", "s-mod-k"}) {
      check_all_pairs("without(" + failed + ", xgft:2;4,4;1,4)", routing);
      check_all_pairs("without(" + failed + ", xgft:3;2,2,4;1,2,2)", routing);
    }
  // 20 of 24 dead one after the other, numbers moving up in between.
  const Counts counts =
      check_all_pairs("without(node=16, without(node=16, node=23, xgft:2;4,4;1,4))", "d-mod-k");
  EXPECT_GT(counts.routed, 0);
  EXPECT_GT(counts.refused, 0);  // leaf switches 16 and 17 have failed: their hosts are cut off
}

// Past any dead cable between leaves and spines the destinations of a leaf, or the sources of one,
// share the two spines that are left: two each of four hosts, one each of two.
TEST(DamagedTree, deals_keys_to_the_parents_with_the_fewest) {
  for (const std::string failed : {"", "node=14-15, "})
    for (const char* name : {"d-mod-k", "s-mod-k"})
      for (std::int32_t leaf = 16; leaf < 20; ++leaf)
        for (std::int32_t spine = 20; spine < 23; ++spine) {
          const Topology topology = make_topology(fmt::format(
              "without({}cable={}~{}, leaf-spine:leaves=4,spines=3,hosts=4)", failed, leaf, spine));
          SCOPED_TRACE(topology.name());
          const auto routing = make_routing(name, Fabric(topology, LinkSpeed{}));
          const bool by_source = std::string(name) == "s-mod-k";
          const auto& hosts = topology.hosts();
          // Flows of one end over the links of spines, by that end, the other's leaf and the link.
          std::map<std::tuple<NodeId, NodeId, NodeId>, int> flows;
          for (const NodeId from : hosts)
            for (const NodeId to : hosts) {
              const NodeId up = topology.head(topology.out_links(from)[0]);
              const NodeId down = topology.head(topology.out_links(to)[0]);
              if (up == down) continue;
              const std::int32_t dead = leaf - (failed.empty() ? 0 : 2);
              if (up != NodeId(dead) && down != NodeId(dead)) continue;
              const Flow flow{from, to};
              RouteTable routes;
              routing->route(std::span(&flow, 1), routes);
              const NodeId over = topology.head(routes.links(0)[1]);
              ++flows[by_source ? std::tuple(to, up, over) : std::tuple(from, down, over)];
            }
          for (const auto& [key, count] : flows) {
            const std::int32_t last = failed.empty() ? 20 : 17;  // the leaf of two hosts
            EXPECT_LE(count, std::get<1>(key) == NodeId(last) ? 1 : 2);
          }
        }
}

// Host 1 is behind the dead cable: nothing reaches it, everything else goes on.
// Hosts with a cable into each of two planes: where one has lost its first cable and another its
// second, a third host joins them.
TEST(DamagedTree, joins_planes_through_hosts) {
  const Counts counts = check_all_pairs("without(cable=0, cable=3, xgft:2;4,4;2,2)", "d-mod-k");
  EXPECT_EQ(counts.relayed, 2);  // hosts 0 and 1, either way
  EXPECT_EQ(counts.refused, 0);
}

TEST(DamagedTree, refuses_what_is_cut_off_and_routes_the_rest) {
  const Counts counts = check_all_pairs("without(cable=1, xgft:2;4,4;1,4)", "d-mod-k");
  EXPECT_EQ(counts.refused, 2 * 15);
  EXPECT_EQ(counts.routed, 16 * 16 - 2 * 15);
}

// What does not meet the failure keeps its way, and the living parents take in turn what does:
// cable 16 of xgft:2;4,4;1,4 joins leaf 16 and spine 20.
TEST(DamagedTree, moves_only_what_met_the_failure_and_in_turn) {
  const Topology whole = make_topology("xgft:2;4,4;1,4");
  const Topology damaged = make_topology("without(cable=16, xgft:2;4,4;1,4)");
  const auto flows = test::host_pairs(whole);
  RouteTable before, after;
  make_routing("d-mod-k", Fabric(whole, LinkSpeed{}))->route(flows, before);
  make_routing("d-mod-k", Fabric(damaged, LinkSpeed{}))->route(flows, after);
  const auto nodes = [](const Topology& topology, const RouteTable& routes, std::int64_t flow) {
    std::vector<int> all;
    for (const LinkId link : routes.links(flow)) all.push_back(topology.head(link).value());
    return all;
  };
  int moved = 0;
  for (std::int64_t i = 0; i < before.size(); ++i) {
    auto expected = nodes(whole, before, i);
    const Flow& flow = flows[i];
    const bool met = (flow.from.value() < 4) != (flow.to.value() < 4) && flow.to.value() % 4 == 0;
    if (met) expected[1] = 21 + flow.to.value() / 4 % 3;  // parents 1, 2, 3 in place of parent 0
    moved += met ? 1 : 0;
    EXPECT_EQ(nodes(damaged, after, i), expected);
  }
  EXPECT_EQ(moved, 4 * 3 + 12);
}

// The most messages of an all-to-all on any link of which no end is a host.
int worst_load_between_switches(const Topology& topology, const char* name) {
  RouteTable routes;
  make_routing(name, Fabric(topology, LinkSpeed{}))->route(test::host_pairs(topology), routes);
  std::vector<int> loads(static_cast<std::size_t>(topology.link_count()));
  int worst = 0;
  for (std::int64_t flow = 0; flow < routes.size(); ++flow)
    for (const LinkId link : routes.links(flow))
      if (!topology.is_host(topology.tail(link)) && !topology.is_host(topology.head(link)))
        worst = std::max(worst, ++loads[link.index()]);
  return worst;
}

// m hosts below a leaf and w spines: a spine has m / w hosts of each leaf, and where one of w died
// the others have at most m / (w - 1) of them, rounded up. So it is with two spines, and where all
// that leads to a leaf is one cable less.
TEST(DamagedTree, spreads_what_a_dead_parent_had) {
  struct Case {
    const char* tree;
    const char* failed;
    int hosts, leaves, living;
  };
  for (const Case& c :
       {Case{"xgft:2;8,4;1,4", "node=36", 8, 4, 3}, Case{"xgft:2;16,3;1,8", "node=51", 16, 3, 7},
        Case{"xgft:2;8,4;1,4", "node=36, node=37", 8, 4, 2},
        Case{"xgft:2;8,4;1,4", "node=38, node=36", 8, 4, 2},
        Case{"xgft:2;12,4;1,4", "cable=48", 12, 4, 3}})
    for (const char* routing : {"d-mod-k", "s-mod-k"}) {
      SCOPED_TRACE(fmt::format("{} without {} by {}", c.tree, c.failed, routing));
      const Topology damaged = make_topology(fmt::format("without({}, {})", c.failed, c.tree));
      const int share = (c.hosts + c.living - 1) / c.living;
      EXPECT_EQ(worst_load_between_switches(damaged, routing), share * c.hosts * (c.leaves - 1));
    }
}

// Whether switches join any pair of hosts, both to and fro, but not up and then down.
bool misses_a_pair(const Topology& topology) {
  const auto joined = [&](int distance) {  // relays count as nodes of them
    return distance >= 0 && distance < topology.node_count();
  };
  const auto levels = levels_of(topology);
  for (const NodeId from : topology.hosts()) {
    const auto distances = up_down_distances(topology, levels, from);
    const auto back = test::naive_distances_to(topology, from);
    for (const NodeId to : topology.hosts())
      if (distances[to.index()] < 0 && joined(back[to.index()]) &&
          joined(test::naive_distances_to(topology, to)[from.index()]))
        return true;
  }
  return false;
}

// Against every pair: dead cables (both ways) drawn until some trees have pairs that only a way
// down and up again joins. `auto` then splits over all shortest ways, and refuses no pair.
TEST(DamagedTree, auto_falls_back_where_no_way_up_and_down_is_left) {
  Rng rng(5);
  int kept = 0, fell_back = 0;
  for (const std::string tree :
       {"xgft:2;2,3;1,2", "xgft:2;2,3;2,2", "xgft:3;2,2,2;1,2,2", "xgft:2;2,4;1,3"})
    for (int instance = 0; instance < 80; ++instance) {
      const auto cables = make_topology(tree).cable_count();
      std::set<std::int64_t> failed;
      for (auto more = 1 + rng.below(5); more > 0; --more)
        failed.insert(static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(cables))));
      std::string expression = "without(";
      for (const std::int64_t cable : failed) expression += fmt::format("cable={}, ", cable);
      expression += tree + ")";
      SCOPED_TRACE(expression);
      const Topology topology = make_topology(expression);
      const bool falls_back = misses_a_pair(topology);
      ++(falls_back ? fell_back : kept);
      const auto routing = make_routing("auto", Fabric(topology, LinkSpeed{}));
      EXPECT_EQ(routing->name(), falls_back ? "shortest-split" : "d-mod-k");
      EXPECT_EQ(default_routing_reason(topology).empty(), !falls_back);
      for (const NodeId to : topology.hosts()) {
        const auto distances = test::naive_distances_to(topology, to);
        for (const NodeId from : topology.hosts())
          if (const Flow flow{from, to}; distances[from.index()] >= 0) {
            RouteTable routes;
            EXPECT_NO_THROW(routing->route(std::span(&flow, 1), routes));
          }
      }
    }
  EXPECT_GT(kept, 30);
  EXPECT_GT(fell_back, 20);
}

TEST(DamagedTree, pattern_aware_says_what_goes_round_failures) {
  try {
    make_routing("pattern-aware",
                 Fabric(make_topology("without(cable=16, xgft:2;4,4;1,4)"), LinkSpeed{}));
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("use d-mod-k"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace weft::network
