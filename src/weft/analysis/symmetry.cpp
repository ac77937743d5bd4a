// Symmetries of networks.
//
// A multigraph becomes a simple one with coloured nodes: a node's colour is its kind and its number
// of loops, and m > 1 links from u to v become a node of colour "m links" between u and v. The
// automorphisms of the one are those of the other.
#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

#include "weft/analysis/metrics.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/graph/sense.hpp"
#include "weft/graph_solvers/automorphisms.hpp"

namespace weft::analysis {

namespace {

// Kind of a node, 2 for a bundle of parallel links; loops of the node, or links of the bundle.
std::int64_t colour(int kind, int multitude) {
  WEFT_ASSERT(kind >= 0 && multitude >= 0);
  return (static_cast<std::int64_t>(kind) << 32) + multitude;
}

// Parallel links as one.
struct Bundle {
  int from, to, links;

  friend auto operator<=>(const Bundle&, const Bundle&) = default;
};

struct Bundles {
  std::vector<Bundle> between_nodes;  // sorted
  IdVector<NodeId, int> loops;
};

Bundles bundle_links(const Topology& topology, graph::Sense sense) {
  Bundles bundles;
  bundles.loops.assign(topology.node_count(), 0);
  std::vector<Bundle> single;
  for (LinkId link : topology.links()) {
    const NodeId tail = topology.tail(link), head = topology.head(link);
    if (tail == head)
      ++bundles.loops[tail];
    else if (sense == graph::Sense::along)
      single.push_back({tail.value(), head.value(), 1});
    else
      single.push_back({head.value(), tail.value(), 1});
  }
  std::sort(single.begin(), single.end());
  for (const Bundle& link : single) {
    auto& all = bundles.between_nodes;
    if (!all.empty() && all.back().from == link.from && all.back().to == link.to)
      ++all.back().links;
    else
      all.push_back(link);
  }
  return bundles;
}

// As many links from u to v as from v to u, for all u and v.
bool is_symmetric(const Bundles& bundles) {
  for (const Bundle& b : bundles.between_nodes)
    if (!std::binary_search(bundles.between_nodes.begin(), bundles.between_nodes.end(),
                            Bundle{b.to, b.from, b.links}))
      return false;
  return true;
}

graph::ColouredGraph coloured(const Topology& topology, const Bundles& bundles, bool symmetric) {
  graph::ColouredGraph shape;
  for (NodeId node : topology.nodes())
    shape.add_node(colour(topology.is_host(node) ? 0 : 1, bundles.loops[node]));
  for (const Bundle& bundle : bundles.between_nodes) {
    if (bundle.links == 1) {
      shape.add_arc(bundle.from, bundle.to);
    } else if (!symmetric) {
      const int middle = shape.add_node(colour(2, bundle.links));
      shape.add_arc(bundle.from, middle);
      shape.add_arc(middle, bundle.to);
    } else if (bundle.from < bundle.to) {  // one middle for both directions
      const int middle = shape.add_node(colour(2, bundle.links));
      for (int end : {bundle.from, bundle.to}) {
        shape.add_arc(end, middle);
        shape.add_arc(middle, end);
      }
    }
  }
  return shape;
}

std::vector<std::int64_t> sorted_colours(const graph::ColouredGraph& shape) {
  std::vector<std::int64_t> colours = shape.colours();
  std::sort(colours.begin(), colours.end());
  return colours;
}

bool are_alike(const graph::ColouredGraph& a, const graph::ColouredGraph& b) {
  return sorted_colours(a) == sorted_colours(b) &&
         graph::canonical_form(a) == graph::canonical_form(b);
}

// The same for graphs whose arcs all have reverses, where Traces is faster: heads by node, both by
// their places in the canonical order.
std::vector<std::vector<int>> in_canonical_order(const graph::ColouredGraph& shape) {
  const std::vector<int> order = graph::canonical_order(shape);
  WEFT_ASSERT(std::ssize(order) == shape.node_count());
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<int>(i);
  std::vector<std::vector<int>> heads(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const int head : shape.out_ends()[order[i]]) heads[i].push_back(place[head]);
    std::sort(heads[i].begin(), heads[i].end());
  }
  return heads;
}

}  // namespace

bool are_isomorphic(const Topology& a, const Topology& b) {
  if (a.node_count() != b.node_count() || a.link_count() != b.link_count()) return false;
  const Bundles of_a = bundle_links(a, graph::Sense::along),
                of_b = bundle_links(b, graph::Sense::along);
  const bool symmetric = is_symmetric(of_a);
  if (symmetric != is_symmetric(of_b)) return false;
  const graph::ColouredGraph shape_a = coloured(a, of_a, symmetric),
                             shape_b = coloured(b, of_b, symmetric);
  if (!symmetric) return are_alike(shape_a, shape_b);
  return sorted_colours(shape_a) == sorted_colours(shape_b) &&
         in_canonical_order(shape_a) == in_canonical_order(shape_b);
}

bool is_reverse_symmetric(const Topology& topology) {
  const Bundles bundles = bundle_links(topology, graph::Sense::along);
  if (is_symmetric(bundles)) return true;
  return are_alike(coloured(topology, bundles, false),
                   coloured(topology, bundle_links(topology, graph::Sense::against), false));
}

bool is_vertex_transitive(const Topology& topology) {
  const Bundles bundles = bundle_links(topology, graph::Sense::along);
  const bool symmetric = is_symmetric(bundles);
  const auto orbits = graph::automorphism_orbits(
      coloured(topology, bundles, symmetric),
      symmetric ? graph::ArcReverses::all_there : graph::ArcReverses::some_missing);
  const auto core = topology.has_switches() ? topology.switches() : topology.hosts();
  return std::all_of(core.begin(), core.end(), [&](NodeId node) {
    return orbits[node.index()] == orbits[core.front().index()];
  });
}

}  // namespace weft::analysis
