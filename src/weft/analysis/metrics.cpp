#include "weft/analysis/metrics.hpp"

#include <algorithm>

#include "flat_graph.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/union_find.hpp"

namespace weft::analysis {

DegreeRange degree_range(const Topology& topology) {
  const FlatGraph graph = flatten_core(topology);
  WEFT_ASSERT(graph.node_count >= 1);
  DegreeRange range{graph.out_degree(0), 0, graph.in_degree(0), 0};
  for (std::int32_t v = 0; v < graph.node_count; ++v) {
    range.min_out = std::min(range.min_out, graph.out_degree(v));
    range.max_out = std::max(range.max_out, graph.out_degree(v));
    range.min_in = std::min(range.min_in, graph.in_degree(v));
    range.max_in = std::max(range.max_in, graph.in_degree(v));
  }
  WEFT_ASSERT(range.min_out <= range.max_out && range.min_in <= range.max_in);
  return range;
}

bool is_bidirectional(const Topology& topology) {
  for (LinkId link : topology.links())
    if (!topology.reverse(link) && topology.tail(link) != topology.head(link)) return false;
  return true;
}

std::int32_t most_ports(const Topology& topology) {
  IdVector<NodeId, std::int32_t> ports(topology.node_count(), 0);
  for (const LinkId link : topology.links()) {
    const auto reverse = topology.reverse(link);
    const bool counted = reverse && *reverse < link;  // by the other direction
    if (counted || topology.tail(link) == topology.head(link)) continue;
    ++ports[topology.tail(link)];
    ++ports[topology.head(link)];
  }
  return *std::max_element(ports.begin(), ports.end());
}

std::int32_t switch_planes(const Topology& topology) {
  if (!topology.has_switches()) return 0;
  const FlatGraph graph = flatten_core(topology);
  UnionFind planes(static_cast<std::size_t>(graph.node_count));
  for (std::int32_t v = 0; v < graph.node_count; ++v)
    for (const std::int32_t head : graph.out(v)) planes.join(v, head);
  std::int32_t count = 0;
  for (std::int32_t v = 0; v < graph.node_count; ++v) count += planes.find(v) == v;
  return count;
}

}  // namespace weft::analysis
