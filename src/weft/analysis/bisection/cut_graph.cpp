#include "cut_graph.hpp"

#include <algorithm>
#include <utility>

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
  const auto nodes = static_cast<std::size_t>(topology.node_count());
  graph.first.assign(nodes + 1, 0);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (i > 0 && ends[i] == ends[i - 1]) {
      ++graph.cables.back();
      continue;
    }
    ++graph.first[static_cast<std::size_t>(ends[i].first) + 1];
    graph.ends.push_back(ends[i].second);
    graph.cables.push_back(1);
  }
  for (std::size_t v = 0; v < nodes; ++v) graph.first[v + 1] += graph.first[v];
  const bool no_hosts = topology.hosts().empty();
  for (NodeId node : topology.nodes()) {
    graph.weights.push_back(no_hosts || topology.is_host(node) ? 1 : 0);
    graph.total_weight += graph.weights.back();
  }
  return graph;
}

Contracted contract_leaves(const CutGraph& graph) {
  Contracted result;
  const std::size_t nodes = graph.node_count();
  result.node_of.assign(nodes, -1);
  const auto switch_of_leaf = [&](std::size_t v) -> std::optional<std::size_t> {
    const auto first = static_cast<std::size_t>(graph.first[v]);
    if (graph.weights[v] == 0 || graph.first[v + 1] - graph.first[v] != 1) return std::nullopt;
    const auto end = static_cast<std::size_t>(graph.ends[first]);
    if (graph.cables[first] != 1 || graph.weights[end] != 0) return std::nullopt;
    return end;
  };

  CutGraph& small = result.graph;
  for (std::size_t v = 0; v < nodes; ++v) {
    if (switch_of_leaf(v)) continue;
    result.node_of[v] = static_cast<std::int32_t>(small.weights.size());
    small.weights.push_back(graph.weights[v]);
  }
  for (std::size_t v = 0; v < nodes; ++v) {
    const auto end = switch_of_leaf(v);
    if (!end) continue;
    result.node_of[v] = result.node_of[*end];
    small.weights[result.node_of[v]] += graph.weights[v];
  }
  small.total_weight = graph.total_weight;
  small.first.push_back(0);
  for (std::size_t v = 0; v < nodes; ++v) {
    if (switch_of_leaf(v)) continue;
    for (auto i = static_cast<std::size_t>(graph.first[v]);
         i < static_cast<std::size_t>(graph.first[v + 1]); ++i) {
      const auto end = static_cast<std::size_t>(graph.ends[i]);
      if (switch_of_leaf(end)) continue;
      small.ends.push_back(result.node_of[end]);
      small.cables.push_back(graph.cables[i]);
    }
    small.first.push_back(static_cast<std::int32_t>(small.ends.size()));
  }
  return result;
}

}  // namespace weft::analysis
