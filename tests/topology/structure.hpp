// Naive looks at a graph that several tests share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "support/graphs.hpp"
#include "weft/topology/topology.hpp"

namespace weft::topology {

using Arc = std::pair<int, int>;

inline std::vector<Arc> arcs(const Topology& topology) {
  std::vector<Arc> result;
  for (LinkId link : topology.links())
    result.emplace_back(topology.tail(link).value(), topology.head(link).value());
  std::sort(result.begin(), result.end());
  return result;
}

inline int diameter(const Topology& topology) {
  int largest = 0;
  for (const auto& row : support::naive_distances(topology))
    for (int distance : row) largest = std::max(largest, distance);
  return largest;
}

inline bool has_loop(const Topology& topology) {
  for (LinkId link : topology.links())
    if (topology.tail(link) == topology.head(link)) return true;
  return false;
}

inline bool has_double_link(const Topology& topology) {
  const auto all = arcs(topology);
  return std::adjacent_find(all.begin(), all.end()) != all.end();
}

// Every reverse leads back, and reversing is an involution within the cable.
inline void expect_sound_reverses(const Topology& topology) {
  for (LinkId link : topology.links()) {
    const auto reverse = topology.reverse(link);
    if (!reverse) continue;
    EXPECT_EQ(topology.tail(*reverse), topology.head(link));
    EXPECT_EQ(topology.head(*reverse), topology.tail(link));
    EXPECT_EQ(topology.reverse(*reverse), link);
    EXPECT_EQ(topology.cable(*reverse), topology.cable(link));
    EXPECT_EQ(topology.link_class(*reverse), topology.link_class(link));
  }
}

}  // namespace weft::topology
