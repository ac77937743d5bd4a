#include "shape.hpp"

#include <algorithm>
#include <map>

#include "weft/base/error.hpp"

namespace weft::analysis {

Pair ends_of(const Topology& topology, LinkId link) {
  const std::int32_t a = topology.tail(link).value(), b = topology.head(link).value();
  return {std::min(a, b), std::max(a, b)};
}

Pairs cables_of(const Topology& topology) {
  Pairs cables;
  for (const LinkId link : topology.links())
    if (link < topology.reverse(link).value_or(link)) cables.push_back(ends_of(topology, link));
  return cables;
}

bool is_leaf_host(const Topology& topology, NodeId node) {
  return topology.is_host(node) && topology.out_degree(node) == 1 &&
         !topology.is_host(topology.head(*topology.out_links(node).begin()));
}

Shape shape_of(const Topology& topology, const Pairs& cables) {
  Shape shape;
  shape.leaf_hosts.resize(topology.node_count());
  std::vector<int> number(topology.node_count(), -1);
  for (const NodeId host : topology.hosts())
    if (is_leaf_host(topology, host))
      shape.leaf_hosts[topology.head(*topology.out_links(host).begin()).index()].push_back(
          host.value());
  for (const NodeId node : topology.nodes()) {
    if (is_leaf_host(topology, node)) continue;
    number[node.index()] = shape.graph.add_node((topology.is_host(node) ? 0 : kSwitchColour) +
                                                std::ssize(shape.leaf_hosts[node.index()]));
    shape.node_of.push_back(node.value());
  }
  std::map<Pair, std::int64_t> between;
  for (const Pair& cable : cables)
    if (number[cable.first] >= 0 && number[cable.second] >= 0) ++between[cable];
  const auto join = [&](int a, int b) {
    shape.graph.add_arc(a, b);
    shape.graph.add_arc(b, a);
  };
  for (const auto& [ends, count] : between) {
    if (count == 1) {
      join(number[ends.first], number[ends.second]);
      continue;
    }
    const int middle = shape.graph.add_node(2 * kSwitchColour + count);
    shape.node_of.push_back(-1);
    join(number[ends.first], middle);
    join(middle, number[ends.second]);
  }
  WEFT_ASSERT(std::ssize(shape.node_of) == shape.graph.node_count());
  return shape;
}

}  // namespace weft::analysis
