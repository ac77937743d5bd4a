#include "weft/question/calibrate/ways.hpp"

#include <algorithm>
#include <map>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/schedule/route_walk.hpp"
#include "weft/topology/names.hpp"

namespace weft::question {

namespace {

std::vector<network::Flow> flows_of(const MeasuredTable& table, std::span<const NodeId> nodes) {
  std::vector<network::Flow> flows;
  if (table.pattern == Pattern::ring || table.pattern == Pattern::collective) {
    for (std::size_t r = 0; r < nodes.size(); ++r)
      flows.push_back({nodes[r], nodes[(r + 1) % nodes.size()]});
    return flows;
  }
  if (table.pattern == Pattern::listed) {
    for (const RankMessage& message : table.messages)
      flows.push_back({nodes[static_cast<std::size_t>(message.from)],
                       nodes[static_cast<std::size_t>(message.to)]});
    return flows;
  }
  const auto pairs = static_cast<std::size_t>(table.pairs);
  for (std::size_t p = 0; p < pairs; ++p) {
    const bool halves = table.pairing == Pairing::halves;
    const NodeId from = nodes[halves ? p : 2 * p], to = nodes[halves ? p + pairs : 2 * p + 1];
    flows.push_back({from, to});
    if (table.pattern == Pattern::both_ways) flows.push_back({to, from});
  }
  return flows;
}

// Of messages of the table's own list, the most that one rank sends.
double starts_of(const MeasuredTable& table) {
  std::map<std::int32_t, double> sent;
  double most = 1;
  for (const RankMessage& message : table.messages) most = std::max(most, ++sent[message.from]);
  return most;
}

}  // namespace

Ways ways_of(const MeasuredTable& table, std::span<const NodeId> nodes, const Network& network) {
  const Topology& topology = network.topology();
  const std::size_t classes = topology.class_names().size();
  const auto flows = flows_of(table, nodes);
  schedule::RouteWalk walk(network);
  for (const auto& [from, to] : flows) {
    require(from != to,
            "{}: two ranks on {} exchange messages there, which cross no link; say who was where: "
            "{}@HOST,HOST",
            table.path, topology::node_text(topology, from), table.path);
    walk.add(from, to, schedule::kRouted, 0);
  }
  walk.route();
  Ways ways{std::vector<double>(classes), std::vector<double>(classes), starts_of(table)};
  IdVector<LinkId, double> load(topology.link_count());
  for (std::int64_t f = 0; f < walk.size(); ++f) {
    const auto links = walk.links(f);
    const auto shares = walk.shares(f);
    for (std::size_t j = 0; j < links.size(); ++j) {
      const double share = shares.empty() ? 1 : shares[j].to_double();
      ways.hops[topology.link_class(links[j]).index()] += share / static_cast<double>(walk.size());
      load[links[j]] += share;
    }
  }
  for (const LinkId link : topology.links()) {
    double& most = ways.load[topology.link_class(link).index()];
    most = std::max(most, load[link]);
  }
  return ways;
}

}  // namespace weft::question
