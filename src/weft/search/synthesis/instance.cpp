#include "weft/search/synthesis/instance.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/graph/breadth_first.hpp"
#include "weft/topology/cayley_view.hpp"

namespace weft::search {

namespace {

constexpr std::int64_t kMaxWeight = 1024;

/// The rank on each node; every node holds one.
std::vector<int> ranks_of_nodes(const Network& network, int most_nodes) {
  const Topology& topology = network.topology();
  require(
      !topology.has_switches(),
      "{} has switches (synthesis is for hosts that are linked to each other); use weft compare",
      topology.name());
  require(topology.node_count() <= most_nodes,
          "{} has {} nodes, too many for synthesis (at most {}); use --algorithm bfb",
          topology.name(), topology.node_count(), most_nodes);
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

}  // namespace

Instance make_instance(const Network& network, graph::Sense sense, int most_nodes) {
  const Fabric& fabric = network.fabric();
  const std::vector<int> rank_of = ranks_of_nodes(network, most_nodes);
  Instance instance;
  instance.nodes = network.ranks();
  if (instance.nodes == 1) return instance;
  const std::int64_t unit_Bps = common_bandwidth(fabric);
  instance.arcs = bundle_links(fabric, rank_of, sense, unit_Bps);
  const auto itself = [](int a) { return a; };
  instance.sources.resize(static_cast<std::size_t>(instance.nodes));
  std::iota(instance.sources.begin(), instance.sources.end(), 0);
  instance.classes = instance.arc_count();
  instance.arc_class.resize(static_cast<std::size_t>(instance.classes));
  std::iota(instance.arc_class.begin(), instance.arc_class.end(), 0);
  const auto by = [&](int Arc::*end) {
    return graph::rows_by<int>(
        instance.nodes, instance.arc_count(), [&](int a) { return instance.arc(a).*end; }, itself);
  };
  instance.in_arcs = by(&Arc::head);
  instance.out_arcs = by(&Arc::tail);
  for (int v = 0; v < instance.nodes; ++v) {
    const graph::BreadthFirst search(instance.nodes, v, [&](int at, auto&& reach) {
      for (const int a : instance.out(at)) reach(instance.arc(a).head);
    });
    require(search.reached_all(),
            "{} is not strongly connected (not every node reaches every other)",
            fabric.topology().name());
    instance.distance.push_back(search.distances());
    instance.diameter = std::max(instance.diameter, search.distances()[search.order().back()]);
  }
  instance.round_factor = Rational(fabric.node_egress_Bps(), unit_Bps) / instance.nodes;
  return instance;
}

Instance seen_by_symmetry(Instance instance, const Network& network) {
  const auto view = topology::as_cayley(network.topology());
  if (!view || instance.nodes == 1) return instance;
  std::vector<int> class_of_arc;
  std::vector<std::int64_t> weight(static_cast<std::size_t>(view->degree()), 0);
  for (const Arc& arc : instance.arcs) {
    const auto& generators = view->generators();  // of parallel links the first
    const auto generator = generators[view->generator(arc.links.front())];
    const auto first =
        static_cast<int>(std::ranges::find(generators, generator) - generators.begin());
    if (weight[first] == 0) weight[first] = arc.weight;
    if (weight[first] != arc.weight) return instance;
    class_of_arc.push_back(first);
  }
  instance.sources = {0};
  instance.arc_class = std::move(class_of_arc);
  instance.classes = view->degree();
  return instance;
}

int Plan::total_rounds() const {
  return std::accumulate(rounds.begin(), rounds.end(), 0);
}

}  // namespace weft::search
