// Edge connectivity by unit flows from each node to the nodes before it.
//
// Order the nodes v0, v1, ... so that each is near an earlier one. A smallest cut that v0 does not
// leave has a first node vi on its other side; no path from vi to {v0 .. v(i-1)} avoids the cut, so
// the flow from vi to that set is at most the cut, and it is a cut itself. Hence the least of these
// flows, over all i and over both directions of the links, is the edge connectivity (Even's method
// with the earlier nodes merged, S. Even, "An Algorithm for Determining Whether the Connectivity of
// a Graph Is at Least k", 1975). The earlier nodes soon surround vi, so augmenting paths are short,
// and a flow stops as soon as it is as large as the best cut known.
//
// Where every node has as many in-links as out-links, a set has as many links in as out, and one
// direction is enough.
//
// A connected network that looks the same from every node, without loops or parallel links, needs
// no flow: its edge connectivity is its degree (W. Mader, "Minimale n-fach kantenzusammenhaengende
// Graphen", Math. Annalen 191, 1971; for one-way links Y. O. Hamidoune, "Sur les atomes d'un graphe
// oriente", C. R. Acad. Sci. Paris 284, 1977). Parallel links break this: a ring whose cables are
// single and tenfold in turn has degree 11 and falls apart without two.
#include <algorithm>
#include <limits>
#include <vector>

#include "flat_graph.hpp"
#include "transitive.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/base/error.hpp"
#include "weft/base/progress.hpp"
#include "weft/graph/breadth_first.hpp"
#include "weft/graph/max_flow.hpp"
#include "weft/graph/sense.hpp"

namespace weft::analysis {

namespace {

// Links of capacity 1, turned round or not; a loop is in no cut.
graph::MaxFlow unit_flow(const FlatGraph& graph, graph::Sense sense) {
  graph::MaxFlow flow(graph.node_count);
  for (std::int32_t v = 0; v < graph.node_count; ++v)
    for (const std::int32_t head : graph.out(v)) {
      if (head == v) continue;
      if (sense == graph::Sense::along)
        flow.add_arc(v, head, 1);
      else
        flow.add_arc(head, v, 1);
    }
  return flow;
}

// Breadth first from node 0 over links of either direction; nodes that are not reached come last.
std::vector<std::int32_t> nearby_order(const FlatGraph& graph) {
  std::vector<std::int32_t> order;
  std::vector<std::uint8_t> listed(graph.node_count, 0);
  const auto list = [&](std::int32_t v) {
    if (listed.at(static_cast<std::size_t>(v)) != 0) return;
    listed[v] = 1;
    order.push_back(v);
  };
  list(0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::int32_t head : graph.out(order[i])) list(head);
    for (std::int32_t tail : graph.in(order[i])) list(tail);
  }
  for (std::int32_t v = 0; v < graph.node_count; ++v) list(v);
  return order;
}

std::int64_t least_flow(std::span<const std::int32_t> order, graph::MaxFlow flow, std::int64_t best,
                        Progress& progress) {
  WEFT_ASSERT(!order.empty() && best >= 0);
  flow.add_sink(order[0]);
  for (std::int32_t v : order.subspan(1)) {
    best = std::min(best, flow.max_flow(v, best));
    flow.forget_flow();
    flow.add_sink(v);
    progress.advance();
  }
  return best;
}

bool is_balanced(const FlatGraph& graph) {
  for (std::int32_t v = 0; v < graph.node_count; ++v)
    if (graph.in_degree(v) != graph.out_degree(v)) return false;
  return true;
}

bool is_simple_at(const FlatGraph& graph, std::int32_t node) {
  std::vector<std::int32_t> heads(graph.out(node).begin(), graph.out(node).end());
  std::sort(heads.begin(), heads.end());
  return std::adjacent_find(heads.begin(), heads.end()) == heads.end() &&
         !std::binary_search(heads.begin(), heads.end(), node);
}

// In a graph that looks the same from everywhere as many links enter as leave any set: what is
// reached from a node reaches it.
bool is_connected_from(const FlatGraph& graph, std::int32_t node) {
  return graph::BreadthFirst(
             graph.node_count, node,
             [&](std::int32_t at, auto&& reach) { std::ranges::for_each(graph.out(at), reach); })
      .reached_all();
}

// The fewest links whose loss separates two of these nodes.
std::int32_t least_cut_between(const FlatGraph& graph, std::span<const std::int32_t> nodes) {
  WEFT_ASSERT(nodes.size() >= 2);
  const bool balanced = is_balanced(graph);
  Progress progress("edge connectivity", (balanced ? 1 : 2) * (std::ssize(nodes) - 1));
  std::int64_t best = std::numeric_limits<std::int32_t>::max();
  best = least_flow(nodes, unit_flow(graph, graph::Sense::along), best, progress);
  if (!balanced) best = least_flow(nodes, unit_flow(graph, graph::Sense::against), best, progress);
  return static_cast<std::int32_t>(best);
}

}  // namespace

std::int32_t edge_connectivity(const Topology& topology) {
  const FlatGraph graph = flatten_core(topology);
  if (graph.node_count < 2) return 0;
  if (is_simple_at(graph, 0) && is_known_vertex_transitive(topology))
    return is_connected_from(graph, 0) ? graph.out_degree(0) : 0;
  return least_cut_between(graph, nearby_order(graph));
}

std::int32_t host_edge_connectivity(const Topology& topology) {
  const FlatGraph graph = flatten(topology);
  std::vector<std::int32_t> hosts = nearby_order(graph);
  std::erase_if(hosts, [&](std::int32_t v) { return !topology.is_host(NodeId(v)); });
  return hosts.size() < 2 ? 0 : least_cut_between(graph, hosts);
}

}  // namespace weft::analysis
