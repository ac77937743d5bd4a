#include "support/judges/naive_routes.hpp"

#include "weft/base/random.hpp"

namespace weft::test {

int naive_length(const Topology& topology, LinkId link, NodeId target) {
  const NodeId head = topology.head(link);
  const bool relay = head != target && topology.has_switches() && topology.is_host(head);
  return relay ? 1 + static_cast<int>(topology.node_count()) : 1;
}

std::vector<int> naive_distances_to(const Topology& topology, NodeId target) {
  std::vector<int> distance(static_cast<std::size_t>(topology.node_count()), -1);
  distance[target.index()] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (LinkId link : topology.links()) {
      const NodeId head = topology.head(link), tail = topology.tail(link);
      if (distance[head.index()] < 0) continue;
      const int through = distance[head.index()] + naive_length(topology, link, target);
      if (distance[tail.index()] < 0 || through < distance[tail.index()]) {
        distance[tail.index()] = through;
        changed = true;
      }
    }
  }
  return distance;
}

std::vector<LinkId> naive_shortest(const Topology& topology, NodeId from, NodeId to) {
  const std::vector<int> distance = naive_distances_to(topology, to);
  std::vector<LinkId> path;
  if (distance[from.index()] < 0) return path;
  for (NodeId at = from; at != to;) {
    std::optional<LinkId> best;
    for (LinkId link : topology.out_links(at)) {
      const NodeId head = topology.head(link);
      if (distance[head.index()] < 0) continue;
      if (distance[head.index()] + naive_length(topology, link, to) != distance[at.index()])
        continue;
      if (!best || head < topology.head(*best)) best = link;
    }
    path.push_back(*best);
    at = topology.head(*best);
  }
  return path;
}

bool is_chain(const Topology& topology, std::span<const LinkId> links, NodeId from, NodeId to) {
  NodeId at = from;
  for (LinkId link : links) {
    if (topology.tail(link) != at) return false;
    at = topology.head(link);
  }
  return at == to;
}

std::vector<network::Flow> all_pairs(const Topology& topology) {
  std::vector<network::Flow> flows;
  for (NodeId from : topology.nodes())
    for (NodeId to : topology.nodes()) flows.push_back({from, to});
  return flows;
}

std::vector<network::Flow> host_pairs(const Topology& topology) {
  std::vector<network::Flow> flows;
  for (NodeId from : topology.hosts())
    for (NodeId to : topology.hosts()) flows.push_back({from, to});
  return flows;
}

Topology anonymous(const Topology& topology) {
  TopologyBuilder builder(topology.node_count());
  for (NodeId node : topology.nodes()) builder.set_kind(node, topology.kind(node));
  for (LinkId link : topology.links()) builder.add_link(topology.tail(link), topology.head(link));
  for (LinkId link : topology.links())
    if (const auto reverse = topology.reverse(link)) builder.pair(link.value(), reverse->value());
  return std::move(builder).build(Expression{"anonymous", "1", {}, 1});
}

Topology random_graph(std::uint64_t seed, int nodes, int links, Switches switches) {
  Rng rng(seed);
  TopologyBuilder builder(nodes);
  if (switches == Switches::some)
    for (int node = 0; node < nodes; ++node)
      if (rng.below(3) > 0) builder.set_kind(NodeId(node), NodeKind::switch_node);
  for (int i = 0; i < links; ++i) {
    const NodeId tail(rng.below(nodes)), head(rng.below(nodes));
    if (rng.below(2) == 0)
      builder.add_link(tail, head);
    else
      builder.add_cable(tail, head);
  }
  return std::move(builder).build(Expression{"random", std::to_string(seed), {}, 1});
}

}  // namespace weft::test
