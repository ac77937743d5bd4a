// A node is coloured by its ranks, and an arc whose capacity is not the commonest passes
// through a node of its own, coloured by the capacity. The automorphisms come as generators; arcs
// are joined with their images (union-find).
#include <algorithm>
#include <map>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/union_find.hpp"
#include "weft/flow/orbits.hpp"
#include "weft/graph_solvers/automorphisms.hpp"

namespace weft::flow {

namespace {

// Beside the capacities, which are positive.
std::int64_t colour_of(const FlowGraph& graph, Int node) {
  return -1 - graph.ranks[node];
}

std::int64_t commonest_capacity(const FlowGraph& graph) {
  std::map<std::int64_t, Int> counts;
  for (const std::int64_t capacity : graph.capacity) ++counts[capacity];
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

// Where all capacities are the same, and every arc has its reverse.
bool is_symmetric(const FlowGraph& graph, const graph::ColouredGraph& shape) {
  if (shape.node_count() > graph.nodes) return false;
  const auto& ends = shape.out_ends();
  for (Int v = 0; v < graph.nodes; ++v)
    for (const int w : ends[v])
      if (!std::binary_search(ends[w].begin(), ends[w].end(), v)) return false;
  return true;
}

graph::ColouredGraph coloured(const FlowGraph& graph) {
  graph::ColouredGraph shape;
  for (Int v = 0; v < graph.nodes; ++v) shape.add_node(colour_of(graph, v));
  const std::int64_t plain = commonest_capacity(graph);
  for (Int e = 0; e < graph.arcs(); ++e) {
    int from = graph.tail[e];
    if (graph.capacity[e] != plain) {
      const int middle = shape.add_node(graph.capacity[e]);
      shape.add_arc(from, middle);
      from = middle;
    }
    shape.add_arc(from, graph.head(e));
  }
  return shape;
}

Int arc_between(const FlowGraph& graph, Int tail, Int head) {
  const auto heads = graph.heads[tail];
  const auto at = std::ranges::lower_bound(heads, head);
  WEFT_ASSERT(at != heads.end() && *at == head);
  return graph.heads.first(tail) + static_cast<Int>(at - heads.begin());
}

void add_capacities(const FlowGraph& graph, ArcOrbits& orbits) {
  orbits.capacity.assign(orbits.count, 0);
  for (Int e = 0; e < graph.arcs(); ++e)
    orbits.capacity[orbits.orbit_of_arc[e]] += graph.capacity[e];
}

}  // namespace

ArcOrbits trivial_orbits(const FlowGraph& graph) {
  ArcOrbits orbits;
  orbits.count = graph.arcs();
  orbits.orbit_of_arc.assign(graph.arcs(), 0);
  std::iota(orbits.orbit_of_arc.begin(), orbits.orbit_of_arc.end(), 0);
  for (const Int host : graph.hosts) orbits.sources.push_back({host, graph.ranks[host]});
  add_capacities(graph, orbits);
  return orbits;
}

std::vector<std::vector<Int>> automorphisms(const FlowGraph& graph) {
  const graph::ColouredGraph shape = coloured(graph);
  return graph::automorphism_generators(shape, is_symmetric(graph, shape)
                                                   ? graph::ArcReverses::all_there
                                                   : graph::ArcReverses::some_missing);
}

Int image_of(const FlowGraph& graph, Int arc, std::span<const Int> images) {
  return arc_between(graph, images[graph.tail[arc]], images[graph.head(arc)]);
}

ArcOrbits automorphism_orbits(const FlowGraph& graph) {
  return orbits_under(graph, automorphisms(graph));
}

ArcOrbits orbits_under(const FlowGraph& graph, std::span<const std::vector<Int>> automorphisms) {
  UnionFind nodes(static_cast<std::size_t>(graph.nodes)),
      arcs(static_cast<std::size_t>(graph.arcs()));
  for (const std::vector<Int>& image : automorphisms) {
    for (Int v = 0; v < graph.nodes; ++v) nodes.join(v, image[v]);
    for (Int e = 0; e < graph.arcs(); ++e) arcs.join(e, image_of(graph, e, image));
  }
  ArcOrbits orbits;
  std::vector<Int> number(graph.arcs(), -1);
  for (Int e = 0; e < graph.arcs(); ++e) {
    Int& of_orbit = number[arcs.find(e)];
    if (of_orbit < 0) of_orbit = orbits.count++;
    orbits.orbit_of_arc.push_back(of_orbit);
  }
  std::vector<std::int64_t> weight(graph.nodes, 0);
  for (const Int host : graph.hosts) weight[nodes.find(host)] += graph.ranks[host];
  for (const Int host : graph.hosts)
    if (weight[host] > 0) orbits.sources.push_back({host, weight[host]});
  add_capacities(graph, orbits);
  return orbits;
}

ArcOrbits transitive_orbits(const FlowGraph& graph, std::vector<Int> orbit_of_arc) {
  ArcOrbits orbits;
  orbits.orbit_of_arc = std::move(orbit_of_arc);
  orbits.count = *std::max_element(orbits.orbit_of_arc.begin(), orbits.orbit_of_arc.end()) + 1;
  const Int first = graph.hosts[0];
  orbits.sources = {{first, std::ssize(graph.hosts) * graph.ranks[first]}};
  add_capacities(graph, orbits);
  return orbits;
}

}  // namespace weft::flow
