// nauty knows simple graphs with coloured nodes: a node is coloured as host or switch, and an arc
// whose capacity is not the commonest passes through a node of its own, coloured by the capacity.
// The automorphisms come as generators; arcs are joined with their images (union-find).
//
// nauty's headers are C; in C++ its name for thread-local storage is missing.
#define _Thread_local thread_local
#include <nauty/traces.h>
#undef _Thread_local

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <set>

#include "weft/base/error.hpp"
#include "weft/base/union_find.hpp"
#include "weft/flow/orbits.hpp"

namespace weft::flow {

namespace {

using Permutation = std::vector<int>;

// nauty keeps state outside its arguments, and hands generators to a plain function.
std::mutex& nauty_mutex() {
  static std::mutex mutex;
  return mutex;
}
std::vector<Permutation>& found_generators() {
  static std::vector<Permutation> generators;
  return generators;
}
void keep_of_traces(int, int* images, int n) {
  found_generators().emplace_back(images, images + n);
}
void keep_of_nauty(int, int* images, int*, int, int, int n) {
  found_generators().emplace_back(images, images + n);
}

struct ColouredGraph {
  std::vector<std::int64_t> colours;  // -2 host, -1 switch, else a capacity
  std::vector<std::vector<int>> out_ends;
  bool symmetric = true;
};

std::int64_t commonest_capacity(const FlowGraph& graph) {
  std::map<std::int64_t, Int> counts;
  for (const std::int64_t capacity : graph.capacity) ++counts[capacity];
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

ColouredGraph coloured(const FlowGraph& graph) {
  ColouredGraph shape;
  for (Int v = 0; v < graph.nodes; ++v) shape.colours.push_back(graph.is_host[v] ? -2 : -1);
  shape.out_ends.resize(graph.nodes);
  const std::int64_t plain = commonest_capacity(graph);
  for (Int e = 0; e < graph.arcs(); ++e) {
    int from = graph.tail[e];
    if (graph.capacity[e] != plain) {
      shape.symmetric = false;
      const int middle = static_cast<int>(shape.colours.size());
      shape.colours.push_back(graph.capacity[e]);
      shape.out_ends[from].push_back(middle);
      shape.out_ends.emplace_back();
      from = middle;
    }
    shape.out_ends[from].push_back(graph.head[e]);
  }
  for (Int v = 0; v < graph.nodes && shape.symmetric; ++v)
    for (const int w : shape.out_ends[v])
      shape.symmetric &= std::binary_search(shape.out_ends[w].begin(), shape.out_ends[w].end(), v);
  return shape;
}

std::vector<Permutation> automorphism_generators(const ColouredGraph& shape) {
  const int n = static_cast<int>(shape.colours.size());
  std::vector<int> labels(n), partition(n), node_orbits(n), degrees, ends;
  std::vector<std::size_t> first;
  std::iota(labels.begin(), labels.end(), 0);
  std::stable_sort(labels.begin(), labels.end(),
                   [&](int u, int v) { return shape.colours[u] < shape.colours[v]; });
  for (int i = 0; i + 1 < n; ++i)
    partition[i] = shape.colours[labels[i]] == shape.colours[labels[i + 1]] ? 1 : 0;
  for (const auto& out : shape.out_ends) {
    first.push_back(ends.size());
    degrees.push_back(static_cast<int>(out.size()));
    ends.insert(ends.end(), out.begin(), out.end());
  }
  sparsegraph sparse{};
  sparse.nv = n;
  sparse.nde = sparse.elen = ends.size();
  sparse.v = first.data();
  sparse.d = degrees.data();
  sparse.e = ends.data();
  sparse.vlen = sparse.dlen = first.size();

  const std::lock_guard lock(nauty_mutex());
  found_generators().clear();
  if (shape.symmetric) {
    DEFAULTOPTIONS_TRACES(options);
    options.defaultptn = FALSE;
    options.userautomproc = keep_of_traces;
    TracesStats stats;
    Traces(&sparse, labels.data(), partition.data(), node_orbits.data(), &options, &stats, nullptr);
  } else {
    DEFAULTOPTIONS_SPARSEDIGRAPH(options);
    options.defaultptn = FALSE;
    options.userautomproc = keep_of_nauty;
    statsblk stats;
    sparsenauty(&sparse, labels.data(), partition.data(), node_orbits.data(), &options, &stats,
                nullptr);
  }
  return std::exchange(found_generators(), {});
}

Int arc_between(const FlowGraph& graph, Int tail, Int head) {
  const auto first = graph.head.begin() + graph.first_out[tail];
  const auto last = graph.head.begin() + graph.first_out[tail + 1];
  const auto at = std::lower_bound(first, last, head);
  WEFT_ASSERT(at != last && *at == head);
  return static_cast<Int>(at - graph.head.begin());
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
  orbits.orbit_of_arc.resize(graph.arcs());
  std::iota(orbits.orbit_of_arc.begin(), orbits.orbit_of_arc.end(), 0);
  for (const Int host : graph.hosts) orbits.sources.push_back({host, 1});
  add_capacities(graph, orbits);
  return orbits;
}

ArcOrbits automorphism_orbits(const FlowGraph& graph) {
  UnionFind nodes(static_cast<std::size_t>(graph.nodes)),
      arcs(static_cast<std::size_t>(graph.arcs()));
  for (const Permutation& image : automorphism_generators(coloured(graph))) {
    for (Int v = 0; v < graph.nodes; ++v) nodes.join(v, image[v]);
    for (Int e = 0; e < graph.arcs(); ++e)
      arcs.join(e, arc_between(graph, image[graph.tail[e]], image[graph.head[e]]));
  }
  ArcOrbits orbits;
  std::vector<Int> number(graph.arcs(), -1);
  for (Int e = 0; e < graph.arcs(); ++e) {
    Int& of_orbit = number[arcs.find(e)];
    if (of_orbit < 0) of_orbit = orbits.count++;
    orbits.orbit_of_arc.push_back(of_orbit);
  }
  std::vector<std::int64_t> weight(graph.nodes, 0);
  for (const Int host : graph.hosts) ++weight[nodes.find(host)];
  for (const Int host : graph.hosts)
    if (weight[host] > 0) orbits.sources.push_back({host, weight[host]});
  add_capacities(graph, orbits);
  return orbits;
}

ArcOrbits transitive_orbits(const FlowGraph& graph, std::vector<Int> orbit_of_arc) {
  ArcOrbits orbits;
  orbits.orbit_of_arc = std::move(orbit_of_arc);
  orbits.count = *std::max_element(orbits.orbit_of_arc.begin(), orbits.orbit_of_arc.end()) + 1;
  orbits.sources = {{graph.hosts[0], static_cast<std::int64_t>(graph.hosts.size())}};
  add_capacities(graph, orbits);
  return orbits;
}

}  // namespace weft::flow
