// Distance-regular graphs: their intersection arrays and their names.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "topology/structure.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

struct Array {
  std::vector<int> b, c;
};

// Counts, for every ordered pair at distance i, the neighbours of the second that are farther from
// the first and nearer to it; fails where two pairs at one distance differ.
Array counted_intersection_array(const Topology& t) {
  const auto distance = support::naive_distances(t);
  std::map<int, std::set<int>> farther, nearer;
  for (NodeId u : t.nodes()) {
    for (NodeId v : t.nodes()) {
      const int i = distance[u.index()][v.index()];
      int above = 0, below = 0;
      for (LinkId link : t.out_links(v)) {
        const int j = distance[u.index()][t.head(link).index()];
        above += j == i + 1;
        below += j == i - 1;
      }
      farther[i].insert(above);
      nearer[i].insert(below);
    }
  }
  Array array;
  for (const auto& [i, counts] : farther) {
    EXPECT_EQ(counts.size(), 1u) << t.name() << " at distance " << i;
    if (*counts.begin() > 0) array.b.push_back(*counts.begin());
  }
  for (const auto& [i, counts] : nearer) {
    EXPECT_EQ(counts.size(), 1u) << t.name() << " at distance " << i;
    if (i > 0) array.c.push_back(*counts.begin());
  }
  return array;
}

// Nodes and diameters as Zhao et al., Table 8, prints them, after Petersen's graph; the arrays are
// those of the tables in Brouwer, Cohen, Neumaier, "Distance-Regular Graphs", 1989.
TEST(DistanceRegular, graphs_have_the_printed_sizes_diameters_and_intersection_arrays) {
  const struct {
    const char* name;
    int nodes, diameter;
    std::vector<int> b, c;
  } cases[] = {
      {"petersen", 10, 2, {3, 2}, {1, 1}},
      {"octahedron", 6, 2, {4, 1}, {1, 4}},
      {"paley-9", 9, 2, {4, 2}, {1, 2}},
      {"k5-5-minus-matching", 10, 3, {4, 3, 1}, {1, 3, 4}},
      {"heawood-distance-3", 14, 3, {4, 3, 2}, {1, 2, 4}},
      {"line-petersen", 15, 3, {4, 2, 1}, {1, 1, 4}},
      {"4-cube", 16, 4, {4, 3, 2, 1}, {1, 2, 3, 4}},
      {"line-heawood", 21, 3, {4, 2, 2}, {1, 1, 2}},
      {"pg-2-3", 26, 3, {4, 3, 3}, {1, 1, 4}},
      {"ag-2-4-minus-class", 32, 4, {4, 3, 3, 1}, {1, 1, 3, 4}},
      {"odd-4", 35, 3, {4, 3, 3}, {1, 1, 2}},
      {"line-tutte-8-cage", 45, 4, {4, 2, 2, 2}, {1, 1, 1, 2}},
      {"doubled-odd-4", 70, 7, {4, 3, 3, 2, 2, 1, 1}, {1, 1, 2, 2, 3, 3, 4}},
      {"gq-3-3", 80, 4, {4, 3, 3, 3}, {1, 1, 1, 4}},
      {"line-tutte-12-cage", 189, 6, {4, 2, 2, 2, 2, 2}, {1, 1, 1, 1, 1, 2}},
      {"gh-3-3", 728, 6, {4, 3, 3, 3, 3, 3}, {1, 1, 1, 1, 1, 4}},
  };
  for (const auto& expected : cases) {
    const Topology t = make_topology(std::string("distance-regular:") + expected.name);
    EXPECT_EQ(t.node_count(), expected.nodes) << expected.name;
    EXPECT_EQ(t.nominal_degree(), expected.b.front());  // of the start all neighbours are farther
    EXPECT_EQ(2 * t.cable_count(), expected.b.front() * expected.nodes);
    EXPECT_FALSE(has_double_link(t)) << expected.name;
    expect_sound_reverses(t);
    const Array counted = counted_intersection_array(t);
    EXPECT_EQ(std::ssize(counted.b), expected.diameter) << expected.name;
    EXPECT_EQ(counted.b, expected.b) << expected.name;
    EXPECT_EQ(counted.c, expected.c) << expected.name;
  }
}

TEST(DistanceRegular, aliases_name_the_same_graph) {
  const struct {
    const char* name;
    std::vector<const char*> aliases;
  } cases[] = {
      {"petersen", {"o3", "odd-3"}},
      {"octahedron", {"j4-2", "j(4,2)"}},
      {"paley-9", {"p9", "h2-3", "h(2,3)"}},
      {"k5-5-minus-matching", {"k5,5-i", "k5-5-i"}},
      {"heawood-distance-3", {"co-heawood"}},
      {"line-petersen", {"l-petersen"}},
      {"4-cube", {"q4", "h4-2", "h(4,2)"}},
      {"line-heawood", {"l-heawood"}},
      {"pg-2-3", {"pg(2,3)"}},
      {"ag-2-4-minus-class", {"ag(2,4)", "ag-2-4"}},
      {"odd-4", {"o4"}},
      {"line-tutte-8-cage", {"l-tutte-8"}},
      {"doubled-odd-4", {"d(o4)", "do4"}},
      {"gq-3-3", {"gq(3,3)"}},
      {"line-tutte-12-cage", {"l-tutte-12"}},
      {"gh-3-3", {"gh(3,3)"}},
  };
  for (const auto& [name, aliases] : cases)
    for (const char* alias : aliases)
      EXPECT_EQ(make_topology(std::string("distance-regular:") + alias).name(),
                std::string("distance-regular:") + name);
  EXPECT_EQ(make_topology("distance-regular:J(4,2)").name(), "distance-regular:octahedron");
  EXPECT_EQ(make_topology("line(distance-regular:AG(2,4))").name(),
            "line(distance-regular:ag-2-4-minus-class)");
}

TEST(DistanceRegular, known_graphs_come_out) {
  EXPECT_EQ(arcs(make_topology("distance-regular:4-cube")), arcs(make_topology("hypercube:4")));
  EXPECT_EQ(arcs(make_topology("distance-regular:paley-9")), arcs(make_topology("hamming:3x3")));
}

}  // namespace
}  // namespace weft::topology
