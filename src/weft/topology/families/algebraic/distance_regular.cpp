// Distance-regular graphs of degree 4 and Petersen's, each built by its rule: from finite
// geometries, from subsets of a small set, or as an undirected line graph. The incidence graph of a
// geometry numbers its points first, then its lines; a line graph numbers edges by their lower end,
// then the higher.
#include <algorithm>
#include <bit>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "geometries.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

struct Edge {
  int u, v;  // u < v
};

struct Undirected {
  int nodes = 0;
  std::vector<Edge> edges;  // sorted
};

// The graph in which u < v are adjacent where the relation holds.
template <class Relation>
Undirected graph_of(int nodes, Relation adjacent) {
  Undirected graph{nodes, {}};
  for (int u = 0; u < nodes; ++u)
    for (int v = u + 1; v < nodes; ++v)
      if (adjacent(u, v)) graph.edges.push_back({u, v});
  return graph;
}

// Points against lines: adjacent where the point is on the line, or where it is not.
enum class Relation : std::uint8_t { incident, apart };

Undirected incidence_graph(const Geometry& geometry, Relation relation = Relation::incident) {
  const int lines = static_cast<int>(geometry.lines.size());
  return graph_of(geometry.points + lines, [&](int u, int v) {
    if (u >= geometry.points || v < geometry.points) return false;
    const auto& line = geometry.lines[v - geometry.points];
    const bool on_line = std::binary_search(line.begin(), line.end(), u);
    return on_line == (relation == Relation::incident);
  });
}

Undirected line_graph_of(const Undirected& graph) {
  return graph_of(static_cast<int>(graph.edges.size()), [&](int i, int j) {
    const Edge& a = graph.edges[i];
    const Edge& b = graph.edges[j];
    return a.u == b.u || a.u == b.v || a.v == b.u || a.v == b.v;
  });
}

// Subsets of {0, .., size - 1} of `count` elements, as bit sets in increasing order.
std::vector<unsigned> subsets(int size, int count) {
  WEFT_ASSERT(size >= 0 && size < 32 && count >= 0 && count <= size);
  std::vector<unsigned> sets;
  for (unsigned set = 0; set < 1u << size; ++set)
    if (std::popcount(set) == count) sets.push_back(set);
  return sets;
}

// O_k: the (k-1)-subsets of 2k - 1 elements, adjacent where disjoint.
Undirected odd_graph(int k) {
  const auto sets = subsets(2 * k - 1, k - 1);
  return graph_of(static_cast<int>(sets.size()),
                  [&](int u, int v) { return (sets[u] & sets[v]) == 0; });
}

// The (k-1)- and k-subsets of 2k - 1 elements, adjacent where one contains the other.
Undirected doubled_odd_graph(int k) {
  auto sets = subsets(2 * k - 1, k - 1);
  const auto larger = subsets(2 * k - 1, k);
  sets.insert(sets.end(), larger.begin(), larger.end());
  return graph_of(static_cast<int>(sets.size()), [&](int u, int v) {
    const unsigned small = sets[u];
    const unsigned large = sets[v];
    return small != large && std::popcount(small) < std::popcount(large) &&
           (small & large) == small;
  });
}

Undirected octahedron() {
  return graph_of(6, [](int u, int v) { return v != u + 3; });
}
Undirected rooks_graph_3x3() {
  return graph_of(9, [](int u, int v) { return (u % 3 == v % 3) != (u / 3 == v / 3); });
}
Undirected bipartite_less_a_matching() {
  return graph_of(10, [](int u, int v) { return u < 5 && v >= 5 && v != u + 5; });
}
Undirected four_cube() {
  return graph_of(16, [](int u, int v) {
    return std::popcount(static_cast<unsigned>(u) ^ static_cast<unsigned>(v)) == 1;
  });
}

struct Row {
  std::string_view name;
  std::vector<std::string_view> aliases;
  std::function<Undirected()> build;
};

// Petersen's graph, then the fifteen of Zhao et al., Table 8, by size.
const std::vector<Row>& rows() {
  static const std::vector<Row> table{
      // Odd graph O_3: pairs of 5, adjacent where disjoint
      {"petersen", {"o3", "odd-3"}, [] { return odd_graph(3); }},
      // K_6 less a perfect matching
      {"octahedron", {"j4-2", "j(4,2)"}, octahedron},
      // Pairs over 3 letters that differ in one place
      {"paley-9", {"p9", "h2-3", "h(2,3)"}, rooks_graph_3x3},
      // K_5,5 less a perfect matching
      {"k5-5-minus-matching", {"k5,5-i", "k5-5-i"}, bipartite_less_a_matching},
      // Points and lines of PG(2,2) that are apart
      {"heawood-distance-3",
       {"co-heawood"},
       [] { return incidence_graph(projective_plane(2), Relation::apart); }},
      {"line-petersen", {"l-petersen"}, [] { return line_graph_of(odd_graph(3)); }},
      {"4-cube", {"q4", "h4-2", "h(4,2)"}, four_cube},
      // Flags of PG(2,2)
      {"line-heawood",
       {"l-heawood"},
       [] { return line_graph_of(incidence_graph(projective_plane(2))); }},
      {"pg-2-3", {"pg(2,3)"}, [] { return incidence_graph(projective_plane(3)); }},
      {"ag-2-4-minus-class",
       {"ag(2,4)", "ag-2-4"},
       [] { return incidence_graph(affine_plane_4_less_a_class()); }},
      // Odd graph O_4: 3-subsets of 7, adjacent where disjoint
      {"odd-4", {"o4"}, [] { return odd_graph(4); }},
      // Flags of the generalized quadrangle W(2)
      {"line-tutte-8-cage",
       {"l-tutte-8"},
       [] { return line_graph_of(incidence_graph(symplectic_quadrangle(2))); }},
      // 3- and 4-subsets of 7, adjacent by inclusion
      {"doubled-odd-4", {"d(o4)", "do4"}, [] { return doubled_odd_graph(4); }},
      {"gq-3-3", {"gq(3,3)"}, [] { return incidence_graph(symplectic_quadrangle(3)); }},
      // Flags of the split Cayley hexagon H(2)
      {"line-tutte-12-cage",
       {"l-tutte-12"},
       [] { return line_graph_of(incidence_graph(split_cayley_hexagon(2))); }},
      {"gh-3-3", {"gh(3,3)"}, [] { return incidence_graph(split_cayley_hexagon(3)); }},
  };
  return table;
}

const Row& find_graph(std::string_view name) {
  const std::string key = lower(trim(name));
  std::vector<std::string> names;
  for (const Row& row : rows()) {
    const auto& aliases = row.aliases;
    if (row.name == key || std::find(aliases.begin(), aliases.end(), key) != aliases.end())
      return row;
    names.emplace_back(row.name);
  }
  if (key.empty()) reject("the name of the distance-regular graph is missing; for example odd-4");
  reject_unknown({"distance-regular graph", key}, names);
}

// "octahedron (j4-2, j(4,2)), paley-9 (...)".
std::string list_of_names() {
  std::string text;
  for (const Row& row : rows()) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} ({})", row.name, row.aliases.front());
  }
  return text;
}

Topology build_row(const Row& row, Expression name) {
  const Undirected graph = row.build();
  TopologyBuilder builder(graph.nodes);
  for (const Edge& edge : graph.edges) builder.add_cable(NodeId(edge.u), NodeId(edge.v));
  return std::move(builder).build(std::move(name));
}

}  // namespace

Family distance_regular_family() {
  return make_family("distance-regular", "NAME",
                     "distance-regular graphs of degree 4, petersen of 3: " + list_of_names(),
                     "distance-regular:odd-4", [](const Parameters& parameters) {
                       const Row& row = find_graph(parameters.text());
                       return build_row(row, {"distance-regular", std::string(row.name), {}});
                     });
}

Family petersen_family() {
  return make_family("petersen", "",
                     "Petersen's graph: 10 nodes, degree 3, diameter 2; distance-regular:petersen "
                     "by its name",
                     "petersen", [](const Parameters& parameters) {
                       if (!parameters.text().empty())
                         parameters.fail("petersen has no parameters");
                       return build_row(find_graph("petersen"), {"petersen", {}, {}});
                     });
}

}  // namespace weft::topology
