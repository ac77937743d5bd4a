#include "weft/schedule/on_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "weft/base/error.hpp"
#include "weft/schedule/route_walk.hpp"

namespace weft::schedule {

std::vector<NodeId> nodes_of_agents(const Schedule& schedule, const Network& network) {
  return place_agents({.ranks = schedule.collective().ranks,
                       .helpers = schedule.helpers(),
                       .has_routes = schedule.route_count() > 0,
                       .binding = schedule.binding()},
                      network);
}

std::vector<NodeId> place_agents(const AgentsToPlace& agents, const Network& network) {
  WEFT_ASSERT(agents.ranks >= 0 && agents.helpers >= 0);
  const std::int32_t ranks = agents.ranks;
  require(network.ranks() >= ranks, "the {} has {} ranks, but only {} are placed on {}",
          agents.what, ranks, network.ranks(), network.topology().name());
  std::vector<NodeId> nodes(network.placement().nodes.begin(),
                            network.placement().nodes.begin() + ranks);
  const Binding& binding = agents.binding;
  const bool same_graph = binding.hash == network.topology().hash();
  if (agents.helpers > 0) {
    require(same_graph && !binding.nodes.empty(), "the {} has helpers on nodes of {}, not of {}",
            agents.what, binding.topology, network.topology().name());
    nodes.insert(nodes.end(), binding.nodes.begin() + ranks, binding.nodes.end());
    for (const NodeId node : std::span(nodes).subspan(static_cast<std::size_t>(ranks)))
      require(node.value() >= 0 && node.value() < network.topology().node_count(),
              "the {} places a helper on node {}, but {} has {} nodes", agents.what, node.value(),
              network.topology().name(), network.topology().node_count());
  }
  require(!agents.has_routes || (same_graph && binding.nodes == nodes),
          "the {} has explicit routes for {} and its placement, not for {}", agents.what,
          binding.topology, network.topology().name());
  return nodes;
}

Binding binding_to(const Network& network) {
  return {.topology = network.topology().name(),
          .hash = network.topology().hash(),
          .nodes = network.placement().nodes};
}

std::optional<std::string> binding_fault(const Schedule& schedule, const Topology& topology) {
  const Binding& binding = schedule.binding();
  if (binding.hash != topology.hash())
    return fmt::format("it was made for a graph {} of hash {:016x}; {} has the hash {:016x}",
                       binding.topology, binding.hash, topology.name(), topology.hash());
  for (std::size_t agent = 0; agent < binding.nodes.size(); ++agent) {
    const NodeId node = binding.nodes[agent];
    if (node.value() < 0 || node.value() >= topology.node_count())
      return fmt::format("agent {} is placed on node {}; {} has the nodes 0 to {}", agent,
                         node.value(), topology.name(), topology.node_count() - 1);
  }
  for (const RouteId route : ids<RouteId>(schedule.route_count()))
    for (const LinkId link : schedule.route(route))
      if (link.value() < 0 || link.value() >= topology.link_count())
        return fmt::format("route {} crosses link {}; {} has {}", route.value(), link.value(),
                           topology.name(),
                           topology.link_count() == 0
                               ? std::string("no links")
                               : fmt::format("the links 0 to {}", topology.link_count() - 1));
  return std::nullopt;
}

namespace {

bool all_speeds_are_equal(const Fabric& fabric) {
  for (const LinkId link : fabric.topology().links())
    if (fabric.speed(link) != fabric.speed(LinkId(0))) return false;
  return true;
}

}  // namespace

std::optional<LinkAction> link_action(const Symmetry& symmetry, std::span<const NodeId> nodes,
                                      const Fabric& fabric) {
  auto action = LinkAction::of(symmetry, nodes, fabric.topology());
  if (!action || all_speeds_are_equal(fabric)) return action;
  for (const Group::Element generator : symmetry.group().generators())
    for (const LinkId link : fabric.topology().links())
      if (fabric.speed(action->translate(generator, link)) != fabric.speed(link))
        return std::nullopt;
  return action;
}

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
