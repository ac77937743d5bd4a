// A cable is a node of its own between its ends, coloured by class and speeds, so that orbits of
// nodes are those of cables too.
#include "weft/question/degrade/kinds.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "weft/graph_solvers/automorphisms.hpp"

namespace weft::question {

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

}  // namespace

KindsOfParts kinds_of_parts(const Network& network) {
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
  const std::vector<int> orbits = graph::automorphism_orbits(shape, reverses);
  const auto cables = orbits.begin() + topology.node_count();
  return {.of_cable = {cables, orbits.end()}, .of_node = {orbits.begin(), cables}};
}

}  // namespace weft::question
