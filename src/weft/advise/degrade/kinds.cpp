// A cable is a node of its own between its ends, coloured by class and speeds, so that orbits of
// nodes are those of cables too. Messages of a step that have one size are arcs of a colour of
// their own: from a copy of the sender to a copy of the receiver, made for them, each joined to
// what it is a copy of. The same messages in several steps are put down once; of more than half of
// all pairs the others are, which the same symmetries keep: all-to-all of one size takes nothing.
#include "weft/advise/degrade/kinds.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "weft/advise/degrade/traffic_layers.hpp"
#include "weft/graph_solvers/automorphisms.hpp"

namespace weft::advise {

namespace {

constexpr std::int64_t kMostSearched = 50'000;

// Class, then bandwidths and latencies of a cable's links, those of one way first.
using Look = std::tuple<int, std::vector<std::pair<std::int64_t, std::int64_t>>>;

std::vector<std::vector<LinkId>> links_of_cables(const Topology& topology) {
  std::vector<std::vector<LinkId>> links(static_cast<std::size_t>(topology.cable_count()));
  for (const LinkId link : topology.links()) links[topology.cable(link).index()].push_back(link);
  return links;
}

Look look_of(const Fabric& fabric, const std::vector<LinkId>& links) {
  Look look{static_cast<int>(fabric.topology().link_class(links.front()).index()), {}};
  for (const LinkId link : links)
    std::get<1>(look).emplace_back(fabric.bandwidth_Bps(link), fabric.latency_ps(link));
  std::ranges::sort(std::get<1>(look));
  return look;
}

template <class Key>
std::int32_t number_of(std::map<Key, std::int32_t>& numbers, const Key& key) {
  return numbers.try_emplace(key, static_cast<std::int32_t>(numbers.size())).first->second;
}

// -1 for switches, else how many ranks are there.
std::vector<std::int64_t> ranks_at(const Network& network) {
  std::vector<std::int64_t> ranks(static_cast<std::size_t>(network.topology().node_count()), -1);
  for (const NodeId host : network.topology().hosts()) ranks[host.index()] = 0;
  for (const NodeId node : network.placement().nodes) ++ranks[node.index()];
  return ranks;
}

KindsOfParts by_looks(const Network& network, const std::vector<std::int32_t>& looks,
                      const std::vector<std::vector<LinkId>>& links) {
  const Topology& topology = network.topology();
  const std::vector<std::int64_t> ranks = ranks_at(network);
  KindsOfParts kinds;
  std::map<std::array<std::int64_t, 3>, std::int32_t> of_node, of_cable;
  for (const NodeId node : topology.nodes())
    kinds.of_node.push_back(
        number_of(of_node, {ranks[node.index()], std::ssize(topology.out_links(node)),
                            std::ssize(topology.in_links(node))}));
  for (std::size_t cable = 0; cable < links.size(); ++cable) {
    const LinkId link = links[cable].front();
    const auto [low, high] = std::minmax(kinds.of_node[topology.tail(link).index()],
                                         kinds.of_node[topology.head(link).index()]);
    kinds.of_cable.push_back(number_of(of_cable, {looks[cable], low, high}));
  }
  return kinds;
}

KindsOfParts kinds_with(const Network& network, const std::vector<TrafficLayer>& layers) {
  const Topology& topology = network.topology();
  const auto links = links_of_cables(topology);
  std::map<Look, std::int32_t> numbers;
  std::vector<std::int32_t> looks;
  for (const auto& of_cable : links)
    looks.push_back(number_of(numbers, look_of(network.fabric(), of_cable)));
  if (topology.node_count() + std::ssize(links) > kMostSearched)
    return by_looks(network, looks, links);
  graph::ColouredGraph shape;
  for (const std::int64_t ranks : ranks_at(network)) shape.add_node(ranks - 1);  // -2: a switch
  auto reverses = graph::ArcReverses::all_there;
  for (std::size_t cable = 0; cable < links.size(); ++cable) {
    const int middle = shape.add_node(topology.node_count() + looks[cable]);
    if (links[cable].size() == 1) reverses = graph::ArcReverses::some_missing;
    for (const LinkId link : links[cable]) {
      shape.add_arc(topology.tail(link).value(), middle);
      shape.add_arc(middle, topology.head(link).value());
    }
  }
  add_layers(layers, topology.node_count() + std::ssize(numbers), shape);
  const std::vector<int> orbits = graph::automorphism_orbits(shape, reverses);
  const auto nodes_end = orbits.begin() + topology.node_count();
  return {.of_cable = {nodes_end, nodes_end + std::ssize(links)},
          .of_node = {orbits.begin(), nodes_end}};
}

// By the most that a link of a cable has, and by what the links of a node have together.
KindsOfParts kinds_by_load(const Topology& topology, const IdVector<LinkId, double>& loads) {
  std::vector<double> of_cable(static_cast<std::size_t>(topology.cable_count()), 0);
  std::vector<double> of_node(static_cast<std::size_t>(topology.node_count()), 0);
  for (const LinkId link : topology.links()) {
    double& most = of_cable[topology.cable(link).index()];
    most = std::max(most, loads[link]);
    of_node[topology.tail(link).index()] += loads[link];
    of_node[topology.head(link).index()] += loads[link];
  }
  return {levels(of_cable), levels(of_node)};
}

}  // namespace

KindsOfParts kinds_of_parts(const Network& network) {
  return kinds_with(network, {});
}

std::optional<KindsOfParts> kinds_under(const Program& program, const Network& network) {
  const Topology& topology = network.topology();
  if (topology.node_count() + topology.cable_count() > kMostSearched) return std::nullopt;
  const auto traffic = traffic_of(program, network);
  if (!traffic) return std::nullopt;
  KindsOfParts kinds = kinds_with(network, traffic->layers);
  for (const IdVector<LinkId, double>* loads : {&traffic->bytes, &traffic->places})
    kinds = kinds_of_both(kinds, kinds_by_load(topology, *loads));
  return kinds;
}

KindsOfParts kinds_of_both(const KindsOfParts& one, const KindsOfParts& other) {
  const auto both = [](const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> numbers;
    std::vector<std::int32_t> kinds;
    for (std::size_t i = 0; i < a.size(); ++i)
      kinds.push_back(number_of(numbers, std::pair(a[i], b[i])));
    return kinds;
  };
  return {both(one.of_cable, other.of_cable), both(one.of_node, other.of_node)};
}

}  // namespace weft::advise
