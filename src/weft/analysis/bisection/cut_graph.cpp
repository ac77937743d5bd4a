#include "cut_graph.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "weft/base/error.hpp"

namespace weft::analysis {

CutGraph cut_graph(const Topology& topology) {
  std::vector<std::pair<std::int32_t, std::int32_t>> ends;
  for (LinkId link : topology.links()) {
    const auto reverse = topology.reverse(link);
    if (reverse && *reverse < link) continue;  // one of the two stands for the cable
    const std::int32_t u = topology.tail(link).value(), v = topology.head(link).value();
    if (u == v) continue;
    ends.emplace_back(u, v);
    ends.emplace_back(v, u);
  }
  std::sort(ends.begin(), ends.end());

  CutGraph graph;
  auto next = ends.begin();
  for (std::int32_t v = 0; v < topology.node_count(); ++v) {
    for (; next != ends.end() && next->first == v; ++next) {
      if (next != ends.begin() && *next == *std::prev(next)) {
        ++graph.cables.back();
        continue;
      }
      graph.ends.add(next->second);
      graph.cables.push_back(1);
    }
    graph.ends.end_row();
  }
  const bool no_hosts = topology.hosts().empty();
  for (NodeId node : topology.nodes()) {
    graph.weights.push_back(no_hosts || topology.is_host(node) ? 1 : 0);
    graph.total_weight += graph.weights.back();
  }
  WEFT_ASSERT(graph.cables.size() == graph.ends.values().size());
  return graph;
}

Contracted contract_leaves(const CutGraph& graph) {
  Contracted result;
  const std::int32_t nodes = graph.ends.size();
  WEFT_ASSERT(std::ssize(graph.weights) == nodes);
  result.node_of.assign(nodes, -1);
  const auto switch_of_leaf = [&](std::int32_t v) -> std::optional<std::int32_t> {
    if (graph.weights[v] == 0 || graph.ends.length(v) != 1) return std::nullopt;
    const std::int32_t end = graph.ends[v].front();
    if (graph.cables[graph.ends.first(v)] != 1 || graph.weights[end] != 0) return std::nullopt;
    return end;
  };

  CutGraph& small = result.graph;
  for (std::int32_t v = 0; v < nodes; ++v) {
    if (switch_of_leaf(v)) continue;
    result.node_of[v] = static_cast<std::int32_t>(small.weights.size());
    small.weights.push_back(graph.weights[v]);
  }
  for (std::int32_t v = 0; v < nodes; ++v) {
    const auto end = switch_of_leaf(v);
    if (!end) continue;
    result.node_of[v] = result.node_of[*end];
    small.weights[result.node_of[v]] += graph.weights[v];
  }
  small.total_weight = graph.total_weight;
  for (std::int32_t v = 0; v < nodes; ++v) {
    if (switch_of_leaf(v)) continue;
    std::int32_t place = graph.ends.first(v);
    for (const std::int32_t end : graph.ends[v]) {
      const std::int32_t cables = graph.cables[place++];
      if (switch_of_leaf(end)) continue;
      small.ends.add(result.node_of[end]);
      small.cables.push_back(cables);
    }
    small.ends.end_row();
  }
  return result;
}

}  // namespace weft::analysis
