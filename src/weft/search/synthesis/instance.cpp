#include "weft/search/synthesis/instance.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/union_find.hpp"
#include "weft/flow/host_symmetry.hpp"
#include "weft/topology/cayley_view.hpp"
#include "weft/topology/names.hpp"

namespace weft::search {

namespace {

constexpr std::int64_t kMaxWeight = 1024;

/// The rank on each host, every one of which holds one, and the number of each switch after these.
IdVector<NodeId, int> vertices_of_nodes(const Network& network, const InstanceLimits& limits) {
  const Topology& topology = network.topology();
  require(limits.switches || !topology.has_switches(),
          "{} has switches, but synthesis needs hosts with direct links between them; use weft "
          "compare",
          topology.name());
  const auto hosts = std::ssize(topology.hosts());
  require(hosts <= limits.nodes,
          "{} has {} nodes, too many for synthesis (at most {}); use --algorithm bfb",
          topology.name(), hosts, limits.nodes);
  require(network.ranks() == hosts,
          "{} ranks on {} nodes (synthesis needs one rank on each); remove --ranks",
          network.ranks(), hosts);
  IdVector<NodeId, int> vertices(topology.node_count(), -1);
  for (int rank = 0; rank < network.ranks(); ++rank) {
    int& there = vertices[network.placement().nodes[rank]];
    require(there < 0, "ranks {} and {} share a node (synthesis needs one rank on each)", there,
            rank);
    there = rank;
  }
  int next = network.ranks();
  for (int& vertex : vertices)
    if (vertex < 0) vertex = next++;
  return vertices;
}

std::int64_t common_bandwidth(const Fabric& fabric) {
  std::int64_t unit = 0, largest = 0;
  for (LinkId link : fabric.topology().links()) {
    unit = std::gcd(unit, fabric.bandwidth_Bps(link));
    largest = std::max(largest, fabric.bandwidth_Bps(link));
  }
  require(unit > 0, "{} has no links", fabric.topology().name());
  require(largest / unit <= kMaxWeight,
          "link bandwidths are not small multiples of each other (the largest is {} times "
          "their common divisor, at most {}); round them",
          largest / unit, kMaxWeight);
  return unit;
}

std::vector<Arc> bundle_links(const Fabric& fabric, const IdVector<NodeId, int>& vertices,
                              graph::Sense sense, std::int64_t unit_Bps) {
  std::map<std::pair<int, int>, Arc> bundles;
  const Topology& topology = fabric.topology();
  for (LinkId link : topology.links()) {
    int tail = vertices[topology.tail(link)], head = vertices[topology.head(link)];
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

void check_hosts_are_ends(const Instance& instance, const Topology& topology) {
  if (instance.switches == 0) return;
  for (int v = 0; v < instance.nodes; ++v)
    require(instance.in(v).size() == 1 && instance.out(v).size() == 1 &&
                instance.arc(instance.in(v)[0]).tail == instance.arc(instance.out(v)[0]).head,
            "node {} of {} has several neighbours as well as switches",
            topology::node_text(topology, topology.hosts()[v]), topology.name());
}

/// The arcs into nodes on the way from a node to each vertex; -1 where there is none.
std::vector<int> distances_from(const Instance& instance, int source) {
  WEFT_ASSERT(source >= 0 && source < instance.vertices());
  std::vector<int> distance(instance.vertices(), -1);
  std::vector<int> last{source}, next;
  for (int steps = 0; !last.empty(); ++steps, last = std::exchange(next, {})) {
    for (std::size_t i = 0; i < last.size(); ++i) {  // grows by switches
      if (distance[last[i]] >= 0) continue;
      distance[last[i]] = steps;
      for (const int a : instance.out(last[i])) {
        const int head = instance.arc(a).head;
        if (distance[head] < 0) (instance.is_switch(head) ? last : next).push_back(head);
      }
    }
  }
  return distance;
}

// A class of arcs for each generator.
std::optional<std::vector<int>> classes_by_generator(const Instance& instance,
                                                     const topology::CayleyView& view) {
  std::vector<int> classes;
  std::vector<std::int64_t> weight(view.degree(), 0);
  for (const Arc& arc : instance.arcs) {
    const auto& generators = view.generators();  // of parallel links the first
    const auto generator = generators[view.generator(arc.links.front())];
    const auto first =
        static_cast<int>(std::ranges::find(generators, generator) - generators.begin());
    if (weight[first] == 0) weight[first] = arc.weight;
    if (weight[first] != arc.weight) return std::nullopt;
    classes.push_back(first);
  }
  return classes;
}

// Where motions of vertices take each other: the first vertex, and the first arc, of each orbit.
Instance seen_by_motions(Instance instance, const std::vector<std::vector<int>>& motions) {
  UnionFind sources(static_cast<std::size_t>(instance.vertices())),
      arcs(static_cast<std::size_t>(instance.arc_count()));
  std::map<std::pair<int, int>, int> between;
  for (int a = 0; a < instance.arc_count(); ++a)
    between[{instance.arc(a).tail, instance.arc(a).head}] = a;
  for (const std::vector<int>& image : motions) {
    for (int v = 0; v < instance.vertices(); ++v) sources.join(v, image[v]);
    for (int a = 0; a < instance.arc_count(); ++a)
      arcs.join(a, between.at({image[instance.arc(a).tail], image[instance.arc(a).head]}));
  }
  std::erase_if(instance.sources, [&](int source) { return sources.find(source) != source; });
  for (int a = 0; a < instance.arc_count(); ++a) instance.arc_class[a] = arcs.find(a);
  return instance;
}

}  // namespace

Instance make_instance(const Network& network, graph::Sense sense, const InstanceLimits& limits) {
  const Fabric& fabric = network.fabric();
  const IdVector<NodeId, int> vertices = vertices_of_nodes(network, limits);
  Instance instance;
  instance.nodes = network.ranks();
  instance.switches = static_cast<int>(std::ssize(vertices)) - instance.nodes;
  if (instance.nodes == 1) return instance;
  const std::int64_t unit_Bps = common_bandwidth(fabric);
  instance.arcs = bundle_links(fabric, vertices, sense, unit_Bps);
  const auto itself = [](int a) { return a; };
  instance.sources.resize(instance.nodes);
  std::iota(instance.sources.begin(), instance.sources.end(), 0);
  instance.classes = instance.arc_count();
  instance.arc_class.resize(instance.classes);
  std::iota(instance.arc_class.begin(), instance.arc_class.end(), 0);
  const auto by = [&](int Arc::*end) {
    return graph::rows_by<int>(
        instance.vertices(), instance.arc_count(), [&](int a) { return instance.arc(a).*end; },
        itself);
  };
  instance.in_arcs = by(&Arc::head);
  instance.out_arcs = by(&Arc::tail);
  check_hosts_are_ends(instance, fabric.topology());
  for (int v = 0; v < instance.nodes; ++v) {
    instance.distance.push_back(distances_from(instance, v));
    for (int to = 0; to < instance.nodes; ++to) {
      require(instance.distance_between(v, to) >= 0,
              "{} is not strongly connected (not every node reaches every other)",
              fabric.topology().name());
      instance.diameter = std::max(instance.diameter, instance.distance_between(v, to));
    }
  }
  instance.round_factor = Rational(fabric.node_egress_Bps(), unit_Bps) / instance.nodes;
  return instance;
}

Instance seen_by_symmetry(Instance instance, const Network& network) {
  if (instance.nodes == 1) return instance;
  if (instance.switches == 0) {  // elsewhere the group is of routers
    const auto view = topology::as_cayley(network.topology());
    if (!view) return instance;
    if (auto classes = classes_by_generator(instance, *view)) {
      instance.sources = {0};
      instance.arc_class = *std::move(classes);
      instance.classes = view->degree();
      instance.order = instance.nodes;
    }
    return instance;
  }
  const flow::HostSymmetry symmetry =
      flow::host_symmetry(network.fabric(), network.placement().nodes);
  const IdVector<NodeId, int> vertices =
      vertices_of_nodes(network, {.nodes = instance.nodes, .switches = true});
  std::vector<std::vector<int>> motions;
  for (const std::vector<NodeId>& images : symmetry.shifts) {
    motions.emplace_back(vertices.size());
    for (std::size_t node = 0; node < images.size(); ++node)
      motions.back()[vertices[NodeId(node)]] = vertices[images[node]];
  }
  instance.order = symmetry.order;
  return seen_by_motions(std::move(instance), motions);
}

int Plan::total_rounds() const {
  return std::accumulate(rounds.begin(), rounds.end(), 0);
}

}  // namespace weft::search
