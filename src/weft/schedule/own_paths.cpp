#include "weft/schedule/own_paths.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "weft/schedule/on_network.hpp"
#include "weft/schedule/route_walk.hpp"

namespace weft::schedule {

namespace {

bool is_same_path(std::span<const LinkId> own, const network::RouteTable& routes,
                  std::int64_t flow) {
  const std::span<const LinkId> links = routes.links(flow);
  return std::ranges::equal(own, links) &&
         std::ranges::all_of(routes.shares(flow), [](const Rational& share) { return share == 1; });
}

}  // namespace

bool routes_are_networks(const Schedule& schedule, const Network& network) {
  if (network.routing().sees_whole_step()) return schedule.route_count() == 0;
  // Most messages of a link have one route, so that few of them are looked at.
  std::set<std::tuple<RouteId, Agent, Agent>> ways;
  for (std::int64_t m = 0; m < schedule.stored_messages(); ++m)
    if (const Message& message = schedule.message(m); message.route != kRouted)
      ways.emplace(message.route, message.from, message.to);
  const std::vector<NodeId> nodes = nodes_of_agents(schedule, network);
  const Symmetry& symmetry = schedule.symmetry();
  const auto explicit_ways = explicit_routes(schedule, nodes, network);
  for (std::int32_t element = 0; element < symmetry.order(); ++element) {
    RouteWalk own(network, explicit_ways);
    std::vector<network::Flow> flows;
    for (const auto& [route, from, to] : ways) {
      flows.push_back({nodes[symmetry.apply(element, from).index()],
                       nodes[symmetry.apply(element, to).index()]});
      own.add(flows.back().from, flows.back().to, route, element);
    }
    network::RouteTable routed;
    network.routing().route(flows, routed);
    for (std::int64_t i = 0; i < own.size(); ++i)
      if (!is_same_path(own.links(i), routed, i)) return false;
  }
  return true;
}

}  // namespace weft::schedule
