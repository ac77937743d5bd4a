// What holds of every family of two-way cables, and distances of larger networks.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <queue>
#include <string>
#include <vector>

#include "topology/files/file_helpers.hpp"
#include "topology/structure.hpp"
#include "weft/topology/facets.hpp"

namespace weft::topology {

/// Cables lead both ways, none to its own end; the name builds it again; JSON keeps it, also the
/// facets alone under a name that builds nothing.
inline void expect_a_sound_family(const std::string& text) {
  const BuiltTopology built = build_topology(text);
  const Topology& t = built.topology;
  EXPECT_EQ(t.link_count(), 2 * t.cable_count()) << text;
  EXPECT_FALSE(has_loop(t)) << text;
  expect_sound_reverses(t);
  EXPECT_EQ(make_topology(t.name()).hash(), t.hash()) << text;
  const BuiltTopology again = parse_topology(format_topology(built, TopologyFormat::json),
                                             TopologyFormat::json, "net.json");
  expect_same(built, again);
  EXPECT_EQ(again.topology.name(), t.name());
  EXPECT_EQ(again.topology.facets(), t.facets()) << text;
  EXPECT_EQ(through_file(t.name()).facets(), t.facets()) << text;
}

/// Cables from `from` to every node; -1 where there is no way.
inline std::vector<int> distances_from(const Topology& topology, NodeId from) {
  std::vector<int> distance(topology.node_count(), -1);
  std::queue<NodeId> next({from});
  distance[from.index()] = 0;
  for (; !next.empty(); next.pop())
    for (const LinkId link : topology.out_links(next.front())) {
      int& other = distance[topology.head(link).index()];
      if (other >= 0) continue;
      other = distance[next.front().index()] + 1;
      next.push(topology.head(link));
    }
  return distance;
}

/// The largest distance from a node; -1 where it does not reach all others.
inline int eccentricity(const Topology& topology, NodeId from) {
  const auto distance = distances_from(topology, from);
  const auto [least, most] = std::ranges::minmax(distance);
  return least < 0 ? -1 : most;
}

}  // namespace weft::topology
