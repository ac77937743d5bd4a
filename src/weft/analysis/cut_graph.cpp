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

}  // namespace weft::analysis
