#include "support/judges/naive_routes.hpp"

#include "weft/base/random.hpp"

namespace weft::test {

namespace {

bool joins_hosts(const Topology& topology, LinkId link) {
  return topology.is_host(topology.tail(link)) && topology.is_host(topology.head(link));
}

// Links between hosts from a host to all others, by node; -1 where none lead.
std::vector<int> host_distances(const Topology& topology, NodeId from) {
  std::vector<int> distance(static_cast<std::size_t>(topology.node_count()), -1);
  distance[from.index()] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (LinkId link : topology.links()) {
      const int before = distance[topology.tail(link).index()];
      int& after = distance[topology.head(link).index()];
      if (!joins_hosts(topology, link) || before < 0 || (after >= 0 && after <= before + 1))
        continue;
      after = before + 1;
      changed = true;
    }
  }
  return distance;
}

}  // namespace

NaiveLengths::NaiveLengths(const Topology& topology, NodeId target)
    : topology_(topology),
      target_(target),
      mesh_(static_cast<std::size_t>(topology.node_count()), 0) {
  if (!topology.has_switches() || !topology.is_host(target)) return;
  const auto there = host_distances(topology, target);
  int own = 0, to_switches = 0, pairs = 0, sum = 0;
  for (NodeId host : topology.hosts())
    mesh_[host.index()] =
        there[host.index()] >= 0 && host_distances(topology, host)[target.index()] >= 0 ? 1 : 0;
  for (LinkId link : topology.links()) {
    if (mesh_[topology.tail(link).index()] == 0) continue;
    own += mesh_[topology.head(link).index()];
    to_switches += topology.is_host(topology.head(link)) ? 0 : 1;
  }
  for (NodeId from : topology.hosts()) {
    if (mesh_[from.index()] == 0) continue;
    const auto distance = host_distances(topology, from);
    for (NodeId to : topology.hosts())
      if (from != to && mesh_[to.index()] != 0) {
        ++pairs;
        sum += distance[to.index()];
      }
  }
  if (own * pairs < to_switches * sum) mesh_.assign(mesh_.size(), 0);
}

int NaiveLengths::operator()(LinkId link, int rest) const {
  const NodeId head = topology_.head(link);
  const bool mesh = mesh_[head.index()] != 0;
  if (mesh_[topology_.tail(link).index()] != 0) return mesh ? 1 : kNever;
  if (head == target_ || !topology_.has_switches() || !topology_.is_host(head)) return 1;
  return 1 + static_cast<int>(topology_.node_count()) * (mesh ? rest : 1);
}

std::vector<int> naive_distances_to(const Topology& topology, NodeId target) {
  std::vector<int> distance(static_cast<std::size_t>(topology.node_count()), -1);
  distance[target.index()] = 0;
  const NaiveLengths lengths(topology, target);
  for (bool changed = true; changed;) {
    changed = false;
    for (LinkId link : topology.links()) {
      const NodeId head = topology.head(link), tail = topology.tail(link);
      const int length = lengths(link, distance[head.index()]);
      if (distance[head.index()] < 0 || length == NaiveLengths::kNever) continue;
      const int through = distance[head.index()] + length;
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
  const NaiveLengths lengths(topology, to);
  std::vector<LinkId> path;
  if (distance[from.index()] < 0) return path;
  for (NodeId at = from; at != to;) {
    std::optional<LinkId> best;
    for (LinkId link : topology.out_links(at)) {
      const NodeId head = topology.head(link);
      const int length = lengths(link, distance[head.index()]);
      if (distance[head.index()] < 0 || length == NaiveLengths::kNever) continue;
      if (distance[head.index()] + length != distance[at.index()]) continue;
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
