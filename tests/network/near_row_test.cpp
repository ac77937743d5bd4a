// Searches from both ends, against rows of whole networks.
#include "../../src/weft/network/near_row.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/judges/naive_routes.hpp"
#include "weft/topology/registry.hpp"

namespace weft::network {
namespace {

template <class Row>
std::vector<std::int32_t> next_edges(const CoreGraph& graph, const Row& row, CoreGraph::Core at) {
  std::vector<std::int32_t> edges;
  each_next_edge(graph, row, at, [&](std::int32_t edge) { edges.push_back(edge); });
  return edges;
}

// All nodes of all ways from the source have the same distance and the same next edges in both.
void expect_same_ways(const CoreGraph& graph, const DistanceRow& whole, const NearRow& near,
                      CoreGraph::Core source) {
  std::vector<char> seen(static_cast<std::size_t>(graph.node_count()), 0);
  std::vector<CoreGraph::Core> open{source};
  while (!open.empty()) {
    const CoreGraph::Core at = open.back();
    open.pop_back();
    if (seen[static_cast<std::size_t>(at)] != 0) continue;
    seen[static_cast<std::size_t>(at)] = 1;
    ASSERT_EQ(near[at], whole[at]);
    if (at == whole.target()) continue;
    const auto edges = next_edges(graph, whole, at);
    ASSERT_EQ(next_edges(graph, near, at), edges);
    for (const std::int32_t edge : edges) open.push_back(graph.head(edge));
  }
}

struct Found {
  int ways = 0, refused = 0;
};

Found compare_all_pairs(const Topology& topology) {
  const Fabric fabric(topology, LinkSpeed{});
  const Access access(topology);
  const CoreGraph graph(fabric, access);
  Found count;
  NearRow near;
  for (CoreGraph::Core target = 0; target < graph.node_count(); ++target) {
    const DistanceRow whole(graph, target);
    for (CoreGraph::Core source = 0; source < graph.node_count(); ++source) {
      if (source == target) continue;
      if (near.search(graph, source, target, std::int64_t{1} << 40)) {
        expect_same_ways(graph, whole, near, source);
        ++count.ways;
        continue;
      }
      ++count.refused;
      const bool in_one_mesh =
          graph.place(source) >= 0 && graph.place(source) == graph.place(target);
      // Where a host has to pass it on, that counts more than all links.
      EXPECT_TRUE(in_one_mesh || whole[source] > static_cast<std::uint32_t>(graph.node_count()))
          << topology.name() << ": " << source << " to " << target;
    }
  }
  return count;
}

TEST(NearRow, has_the_ways_of_a_whole_row_on_random_networks) {
  Found all;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto switches = seed % 2 == 0 ? test::Switches::some : test::Switches::none;
    const Found found = compare_all_pairs(test::random_graph(
        seed, 2 + static_cast<int>(seed % 23), static_cast<int>(seed * 7 % 80), switches));
    all.ways += found.ways;
    all.refused += found.refused;
  }
  EXPECT_GT(all.ways, 1000);
  EXPECT_GT(all.refused, 1000);
}

TEST(NearRow, has_the_ways_of_a_whole_row_on_boxes_and_rails) {
  for (const char* name :
       {"boxes(4, network:dgx-h100, clos:pods=2,leaves=2,spines=2,hosts=8,cores=2)",
        "boxes(4, complete:4, leaf-spine:leaves=2,spines=2,hosts=8)",
        "boxes(3, ring:4, leaf-spine:leaves=4,spines=3,hosts=3)", "torus:4x4x3", "kautz:2,4",
        "without(cable=7, leaf-spine:leaves=4,spines=3,hosts=2)"})
    EXPECT_GT(compare_all_pairs(topology::make_topology(name)).ways, 0) << name;
}

TEST(NearRow, gives_up_once_it_looked_at_so_many_edges) {
  const Topology topology = topology::make_topology("torus:8x8");
  const Fabric fabric(topology, LinkSpeed{});
  const CoreGraph graph(fabric, Access(topology));
  NearRow near;
  EXPECT_FALSE(near.search(graph, 0, 36, 40));  // eight links away
  EXPECT_TRUE(near.search(graph, 0, 36, 1000));
  EXPECT_EQ(near[0], 8U);
  EXPECT_TRUE(near.search(graph, 0, 1, 40));
}

}  // namespace
}  // namespace weft::network
