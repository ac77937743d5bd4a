#include "weft/evaluate/forwarding_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "weft/schedule/transforms.hpp"
#include "weft/topology/allocation.hpp"

namespace weft::evaluate {

namespace {

// By node: whether it is a host without ranks.
std::vector<char> idle_hosts(const Network& network) {
  std::vector<char> idle(static_cast<std::size_t>(network.topology().node_count()), 0);
  for (const NodeId host : network.topology().hosts()) idle[host.index()] = 1;
  for (const NodeId node : network.placement().nodes) idle[node.index()] = 0;
  return idle;
}

std::vector<NodeId> nodes_of(const std::vector<char>& chosen) {
  std::vector<NodeId> nodes;
  for (std::size_t node = 0; node < chosen.size(); ++node)
    if (chosen[node] != 0) nodes.emplace_back(node);
  return nodes;
}

}  // namespace

std::vector<NodeId> forwarding_hosts(const schedule::Schedule& schedule, const Network& network) {
  const Topology& topology = network.topology();
  std::vector<char> forwards(static_cast<std::size_t>(topology.node_count()), 0);
  const std::vector<char> idle = idle_hosts(network);
  if (schedule.route_count() == 0 || nodes_of(idle).empty()) return {};
  const schedule::Schedule all = schedule::expand_symmetry(schedule, &topology);
  for (std::int64_t step = 0; step < all.stored_steps(); ++step)
    for (const schedule::Message& message : all.messages(step)) {
      if (message.route == schedule::kRouted) continue;
      const auto links = all.route(message.route);
      for (std::size_t i = 0; i + 1 < links.size(); ++i) {
        const std::size_t node = topology.head(links[i]).index();
        forwards[node] = idle[node];
      }
    }
  return nodes_of(forwards);
}

std::vector<NodeId> idle_relays(const Network& network) {
  std::vector<char> idle = idle_hosts(network);
  const Topology& topology = network.topology();
  for (std::size_t node = 0; node < idle.size(); ++node)
    if (topology.out_links(NodeId(node)).size() < 2 || topology.in_links(NodeId(node)).size() < 2)
      idle[node] = 0;
  return nodes_of(idle);
}

std::string note_of_forwarding(const std::string& subject, const std::vector<NodeId>& hosts,
                               const Network& network) {
  if (hosts.empty()) return "";
  constexpr std::size_t kLongest = 200, kMostLeftOut = 8;
  const std::string text = topology::hosts_text(network.topology(), hosts);
  const bool several = hosts.size() > 1;
  std::string left_out;
  for (const NodeId host : std::span(hosts).first(std::min(hosts.size(), kMostLeftOut)))
    left_out += fmt::format("node={},", host.value());
  if (hosts.size() > kMostLeftOut) left_out += "...,";
  return fmt::format(
      "weft: {} sends through {}, which run{} no rank; if hosts cannot forward, leave them out: "
      "-t \"without({}{})\"\n",
      subject,
      text.size() <= kLongest ? fmt::format("host{} {}", several ? "s" : "", text)
                              : fmt::format("{} hosts", hosts.size()),
      several ? "" : "s", left_out, network.topology().name());
}

}  // namespace weft::evaluate
