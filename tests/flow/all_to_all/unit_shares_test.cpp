// Flows as paths, shares as units, ways as short as they can be.
#include "weft/flow/all_to_all/unit_shares.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "support/graphs.hpp"
#include "weft/flow/all_to_all/shorter_paths.hpp"

namespace {

using namespace weft;
using flow::FlowPath;
using flow::LoadClasses;
using flow::SharedPath;

LinkId link(const Topology& topology, int from, int to) {
  return *topology.find_link(NodeId(from), NodeId(to));
}

LoadClasses each_link(const Topology& topology) {
  LoadClasses classes;
  classes.of_link.resize(static_cast<std::size_t>(topology.link_count()));
  std::iota(classes.of_link.begin(), classes.of_link.end(), 0);
  classes.capacity.assign(classes.of_link.size(), 1);
  return classes;
}

// Of 0's flow round a ring of four 2 has half by either way; a circle 1 -> 2 -> 1 is nobody's.
TEST(FlowPaths, take_a_flow_apart) {
  const Topology ring = support::cycle(4);
  const flow::FlowGraph graph = flow::flow_graph(ring, {});
  std::vector<std::int64_t> parts(static_cast<std::size_t>(ring.link_count()), 0);
  parts[link(ring, 0, 1).index()] = parts[link(ring, 0, 3).index()] = 3;
  parts[link(ring, 1, 2).index()] = 2;
  parts[link(ring, 2, 1).index()] = 1;
  parts[link(ring, 3, 2).index()] = 1;
  std::int64_t to_2 = 0, all = 0;
  for (const FlowPath& path : flow::paths_of(graph, ring, 0, 2, parts)) {
    all += path.parts;
    if (path.to == NodeId(2)) {
      to_2 += path.parts;
      EXPECT_EQ(path.links.size(), 2U);
    }
  }
  EXPECT_EQ(to_2, 2);
  EXPECT_EQ(all, 6);
}

// Thirds and halves need six.
TEST(UnitShares, are_whole_in_the_least_common_multiple) {
  const NodeId a(0), b(1), c(2);
  const std::vector<FlowPath> paths{
      {a, b, 10, {}}, {a, b, 20, {}}, {a, c, 7, {}}, {b, c, 4, {}}, {b, c, 4, {}}};
  EXPECT_EQ(flow::exact_units(paths, 100), 6);
  EXPECT_EQ(flow::exact_units(paths, 5), 0);
}

// Two pairs with halves of three units each: what is left over goes to different links.
TEST(UnitShares, keep_links_even) {
  const Topology ring = support::cycle(4);
  const auto way = [&](int from, int by, int to) {
    return FlowPath{NodeId(from), NodeId(to), 1, {link(ring, from, by), link(ring, by, to)}};
  };
  const std::vector<FlowPath> paths{way(0, 1, 2), way(0, 3, 2), way(0, 1, 2), way(0, 3, 2)};
  std::vector<FlowPath> pairs = paths;
  pairs[2].from = pairs[3].from = NodeId(1);  // another pair over the same links
  const flow::UnitShares shares = flow::shares_in_units(pairs, each_link(ring), 3);
  EXPECT_EQ(shares.units[0] + shares.units[1], 3);
  EXPECT_EQ(shares.units[2] + shares.units[3], 3);
  EXPECT_EQ(shares.units[0] + shares.units[2], 3);
  EXPECT_EQ(shares.largest_load, 1);
}

// The long way round was free, since another link is fuller; the direct one has room, too.
TEST(ShorterPaths, take_ways_that_have_room) {
  const Topology ring = support::cycle(4);
  const auto go = [&](std::vector<int> nodes, std::int64_t units) {
    SharedPath path{NodeId(nodes.front()), NodeId(nodes.back()), units, {}};
    for (std::size_t i = 1; i < nodes.size(); ++i)
      path.links.push_back(link(ring, nodes[i - 1], nodes[i]));
    return path;
  };
  const auto units_by_links = [&](std::int64_t direct, std::int64_t of_other) {
    std::vector<std::int64_t> units(4, 0);
    for (const SharedPath& path : flow::shorter_paths(
             ring, each_link(ring), {go({0, 3, 2, 1}, direct), go({2, 3}, of_other)}))
      if (path.to == NodeId(1)) units[path.links.size()] += path.units;
    return units;
  };
  EXPECT_EQ(units_by_links(1, 5), (std::vector<std::int64_t>{0, 1, 0, 0}));
  EXPECT_EQ(units_by_links(5, 2), (std::vector<std::int64_t>{0, 5, 0, 0}));  // makes no link fuller
}

}  // namespace
