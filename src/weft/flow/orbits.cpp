// A node is coloured by its ranks, and an arc whose capacity is not the commonest passes
// through a node of its own, coloured by the capacity. The automorphisms come as generators; arcs
// are joined with their images (union-find).
#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/union_find.hpp"
#include "weft/flow/condensed.hpp"
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

// -1 where there is none.
Int arc_between(const FlowGraph& graph, Int tail, Int head) {
  const auto heads = graph.heads[tail];
  const auto at = std::ranges::lower_bound(heads, head);
  if (at == heads.end() || *at != head) return -1;
  return graph.heads.first(tail) + static_cast<Int>(at - heads.begin());
}

// Where every arc has its reverse, of the same capacity.
bool is_symmetric(const FlowGraph& graph) {
  for (Int e = 0; e < graph.arcs(); ++e) {
    const Int back = arc_between(graph, graph.head(e), graph.tail[e]);
    if (back < 0 || graph.capacity[back] != graph.capacity[e]) return false;
  }
  return true;
}

// Of symmetric graphs an arc and its reverse pass through one node.
graph::ColouredGraph coloured(const FlowGraph& graph, bool symmetric) {
  graph::ColouredGraph shape;
  for (Int v = 0; v < graph.nodes; ++v) shape.add_node(colour_of(graph, v));
  const std::int64_t plain = commonest_capacity(graph);
  for (Int e = 0; e < graph.arcs(); ++e) {
    const Int tail = graph.tail[e], head = graph.head(e);
    if (graph.capacity[e] == plain) {
      shape.add_arc(tail, head);
    } else if (!symmetric || tail < head) {
      const int middle = shape.add_node(graph.capacity[e]);
      shape.add_arc(tail, middle);
      shape.add_arc(middle, head);
      if (!symmetric) continue;
      shape.add_arc(head, middle);
      shape.add_arc(middle, tail);
    }
  }
  return shape;
}

void add_capacities(const FlowGraph& graph, ArcOrbits& orbits) {
  WEFT_ASSERT(std::ssize(orbits.orbit_of_arc) == graph.arcs());
  orbits.capacity.assign(orbits.count, 0);
  for (Int e = 0; e < graph.arcs(); ++e)
    orbits.capacity[orbits.orbit_of_arc[e]] += graph.capacity[e];
}

// What automorphisms take to each other.
struct Classes {
  UnionFind nodes, arcs;

  Classes(const FlowGraph& graph, std::span<const std::vector<Int>> automorphisms)
      : nodes(static_cast<std::size_t>(graph.nodes)), arcs(static_cast<std::size_t>(graph.arcs())) {
    for (const std::vector<Int>& image : automorphisms) {
      WEFT_ASSERT(std::ssize(image) == graph.nodes);
      for (Int v = 0; v < graph.nodes; ++v) nodes.join(v, image[v]);
      for (Int e = 0; e < graph.arcs(); ++e) arcs.join(e, image_of(graph, e, image));
    }
  }
};

// Numbers the orbits. of_node and of_arc return the key of the orbit of a node and of an arc.
template <class NodeClass, class ArcClass>
ArcOrbits orbits_of(const FlowGraph& graph, const NodeClass& of_node, const ArcClass& of_arc) {
  ArcOrbits orbits;
  std::map<decltype(of_arc(0)), Int> numbers;
  for (Int e = 0; e < graph.arcs(); ++e)
    orbits.orbit_of_arc.push_back(
        numbers.emplace(of_arc(e), static_cast<Int>(numbers.size())).first->second);
  orbits.count = static_cast<Int>(numbers.size());
  std::map<decltype(of_node(0)), std::size_t> places;
  for (const Int host : graph.hosts) {
    const auto [place, is_new] = places.emplace(of_node(host), orbits.sources.size());
    if (is_new) orbits.sources.push_back({host, 0});
    orbits.sources[place->second].weight += graph.ranks[host];
  }
  add_capacities(graph, orbits);
  return orbits;
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
  const bool symmetric = is_symmetric(graph);
  return graph::automorphism_generators(
      coloured(graph, symmetric),
      symmetric ? graph::ArcReverses::all_there : graph::ArcReverses::some_missing);
}

Int image_of(const FlowGraph& graph, Int arc, std::span<const Int> images) {
  WEFT_ASSERT(std::ssize(images) == graph.nodes && arc >= 0 && arc < graph.arcs());
  const Int image = arc_between(graph, images[graph.tail[arc]], images[graph.head(arc)]);
  WEFT_ASSERT(image >= 0);
  return image;
}

ArcOrbits automorphism_orbits(const FlowGraph& graph, Int most_nodes) {
  Condensed condensed(graph);
  if (condensed.graph().nodes > most_nodes) return trivial_orbits(graph);
  Classes classes(condensed.graph(), automorphisms(condensed.graph()));
  const auto of_node = [&](Int v) { return classes.nodes.find(v); };
  const auto of_arc = [&](Int e) { return classes.arcs.find(e); };
  return orbits_of(
      graph, [&](Int v) { return condensed.node_key(v, of_node); },
      [&](Int e) { return condensed.arc_key(e, of_node, of_arc); });
}

ArcOrbits orbits_under(const FlowGraph& graph, std::span<const std::vector<Int>> automorphisms) {
  Classes classes(graph, automorphisms);
  return orbits_of(
      graph, [&](Int v) { return classes.nodes.find(v); },
      [&](Int e) { return classes.arcs.find(e); });
}

ArcOrbits transitive_orbits(const FlowGraph& graph, std::vector<Int> orbit_of_arc) {
  WEFT_ASSERT(std::ssize(orbit_of_arc) == graph.arcs() && !graph.hosts.empty());
  ArcOrbits orbits;
  orbits.orbit_of_arc = std::move(orbit_of_arc);
  orbits.count = *std::max_element(orbits.orbit_of_arc.begin(), orbits.orbit_of_arc.end()) + 1;
  const Int first = graph.hosts[0];
  orbits.sources = {{first, std::ssize(graph.hosts) * graph.ranks[first]}};
  add_capacities(graph, orbits);
  return orbits;
}

}  // namespace weft::flow
