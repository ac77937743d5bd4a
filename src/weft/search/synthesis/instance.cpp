#include "weft/search/synthesis/instance.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <utility>

#include "weft/base/error.hpp"

namespace weft::search {

namespace {

constexpr int kMaxNodes = 64;
constexpr std::int64_t kMaxWeight = 1024;

/// The rank on each node; every node holds one.
std::vector<int> ranks_of_nodes(const Network& network) {
  const Topology& topology = network.topology();
  require(
      !topology.has_switches(),
      "{} has switches (synthesis is for hosts that are linked to each other); use weft compare",
      topology.name());
  require(topology.node_count() <= kMaxNodes,
          "{} has {} nodes, too many for synthesis (at most {}); use --algorithm bfb",
          topology.name(), topology.node_count(), kMaxNodes);
  require(network.ranks() == topology.node_count(),
          "{} ranks on {} nodes (synthesis needs one rank on each); leave out --ranks",
          network.ranks(), topology.node_count());
  std::vector<int> rank_of(static_cast<std::size_t>(topology.node_count()), -1);
  for (int rank = 0; rank < network.ranks(); ++rank) {
    int& there = rank_of[network.placement().nodes[rank].index()];
    require(there < 0, "ranks {} and {} share a node (synthesis needs one rank on each)", there,
            rank);
    there = rank;
  }
  return rank_of;
}

std::int64_t common_bandwidth(const Fabric& fabric) {
  std::int64_t unit = 0, largest = 0;
  for (LinkId link : fabric.topology().links()) {
    unit = std::gcd(unit, fabric.bandwidth_Bps(link));
    largest = std::max(largest, fabric.bandwidth_Bps(link));
  }
  require(unit > 0, "{} has no links", fabric.topology().name());
  require(largest / unit <= kMaxWeight,
          "link bandwidths are no small multiples of one another (the largest is {} times their "
          "common divisor, at most {}); round them",
          largest / unit, kMaxWeight);
  return unit;
}

std::vector<Arc> bundle_links(const Fabric& fabric, const std::vector<int>& rank_of,
                              graph::Sense sense, std::int64_t unit_Bps) {
  std::map<std::pair<int, int>, Arc> bundles;
  const Topology& topology = fabric.topology();
  for (LinkId link : topology.links()) {
    int tail = rank_of[topology.tail(link).index()], head = rank_of[topology.head(link).index()];
    if (tail == head) continue;
    if (sense == graph::Sense::against) std::swap(tail, head);
    Arc& arc = bundles[{tail, head}];
    arc.tail = tail;
    arc.head = head;
    arc.links.push_back(link);
    arc.link_weights.push_back(fabric.bandwidth_Bps(link) / unit_Bps);
    arc.weight += arc.link_weights.back();
  }
  std::vector<Arc> arcs;
  for (auto& [ends, arc] : bundles) arcs.push_back(std::move(arc));
  return arcs;
}

/// Distances from a node; -1 where there is no way.
std::vector<int> distances_from(const Instance& instance, int source) {
  std::vector<int> distance(static_cast<std::size_t>(instance.nodes), -1);
  distance[source] = 0;
  std::queue<int> queue({source});
  for (; !queue.empty(); queue.pop())
    for (int a : instance.out(queue.front())) {
      int& to = distance[instance.arc(a).head];
      if (to >= 0) continue;
      to = distance[queue.front()] + 1;
      queue.push(instance.arc(a).head);
    }
  return distance;
}

void index_arcs(Instance& instance) {
  instance.in_arcs.resize(static_cast<std::size_t>(instance.nodes));
  instance.out_arcs.resize(static_cast<std::size_t>(instance.nodes));
  for (int a = 0; a < instance.arc_count(); ++a) {
    instance.in_arcs[instance.arc(a).head].push_back(a);
    instance.out_arcs[instance.arc(a).tail].push_back(a);
  }
}

}  // namespace

Instance make_instance(const Network& network, graph::Sense sense) {
  const Fabric& fabric = network.fabric();
  const std::vector<int> rank_of = ranks_of_nodes(network);
  Instance instance;
  instance.nodes = network.ranks();
  if (instance.nodes == 1) return instance;
  const std::int64_t unit_Bps = common_bandwidth(fabric);
  instance.arcs = bundle_links(fabric, rank_of, sense, unit_Bps);
  index_arcs(instance);
  for (int v = 0; v < instance.nodes; ++v) {
    instance.distance.push_back(distances_from(instance, v));
    const auto [least, most] =
        std::minmax_element(instance.distance.back().begin(), instance.distance.back().end());
    require(*least >= 0, "{} is not strongly connected (not every node reaches every other)",
            fabric.topology().name());
    instance.diameter = std::max(instance.diameter, *most);
  }
  instance.round_factor = Rational(fabric.node_egress_Bps(), unit_Bps) / instance.nodes;
  return instance;
}

int Plan::total_rounds() const {
  return std::accumulate(rounds.begin(), rounds.end(), 0);
}

}  // namespace weft::search
