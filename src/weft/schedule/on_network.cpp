#include "weft/schedule/on_network.hpp"

#include <optional>

#include "weft/base/error.hpp"

namespace weft::schedule {

namespace {

constexpr std::int32_t kNoAgent = -1;

// The agent on each node, or nothing when some node holds none or several.
std::optional<std::vector<std::int32_t>> agents_of_nodes(std::span<const NodeId> nodes,
                                                         const Topology& topology) {
  if (nodes.size() != static_cast<std::size_t>(topology.node_count())) return std::nullopt;
  std::vector<std::int32_t> agents(nodes.size(), kNoAgent);
  for (std::size_t a = 0; a < nodes.size(); ++a) {
    std::int32_t& agent = agents[nodes[a].index()];
    if (agent != kNoAgent) return std::nullopt;
    agent = static_cast<std::int32_t>(a);
  }
  return agents;
}

bool has_parallel_links(const Topology& topology) {
  for (const NodeId node : topology.nodes())
    for (const LinkId link : topology.out_links(node))
      if (topology.find_link(node, topology.head(link)) != link) return true;
  return false;
}

}  // namespace

std::vector<NodeId> nodes_of_agents(const Schedule& schedule, const Network& network) {
  const std::int32_t ranks = schedule.collective().ranks;
  require(network.ranks() >= ranks, "the schedule has {} ranks, but only {} are placed on {}",
          ranks, network.ranks(), network.topology().name());
  std::vector<NodeId> nodes(network.placement().nodes.begin(),
                            network.placement().nodes.begin() + ranks);
  const Binding& binding = schedule.binding();
  const bool same_graph = binding.hash == network.topology().hash();
  if (schedule.helpers() > 0) {
    require(same_graph && !binding.nodes.empty(),
            "the schedule's helpers have nodes on {}, not on {}", binding.topology,
            network.topology().name());
    nodes.insert(nodes.end(), binding.nodes.begin() + ranks, binding.nodes.end());
    for (const NodeId node : std::span(nodes).subspan(static_cast<std::size_t>(ranks)))
      require(node.value() >= 0 && node.value() < network.topology().node_count(),
              "the schedule places a helper on node {}; {} has {} nodes", node.value(),
              network.topology().name(), network.topology().node_count());
  }
  require(schedule.route_count() == 0 || (same_graph && binding.nodes == nodes),
          "the schedule has explicit routes for {} and its placement there, not for {}",
          binding.topology, network.topology().name());
  return nodes;
}

Binding binding_to(const Network& network) {
  return {.topology = network.topology().name(),
          .hash = network.topology().hash(),
          .nodes = network.placement().nodes};
}

bool acts_on(const Symmetry& symmetry, std::span<const NodeId> nodes, const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  const auto agents = agents_of_nodes(nodes, topology);
  if (!agents || has_parallel_links(topology)) return false;
  for (const Group::Element generator : symmetry.group().generators()) {
    const auto moved = [&](NodeId node) {
      return nodes[symmetry.apply(generator, Agent((*agents)[node.index()])).index()];
    };
    for (const LinkId link : topology.links()) {
      const auto image = topology.find_link(moved(topology.tail(link)), moved(topology.head(link)));
      if (!image || fabric.speed(*image) != fabric.speed(link)) return false;
    }
  }
  return true;
}

}  // namespace weft::schedule
