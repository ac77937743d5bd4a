// SimGrid's platform files, DTD 4.1: hosts, links, and the route of each pair of hosts as our
// routing gives it. Each direction of a cable is a link by itself. A host that several ranks share
// is called by the first of them; SimGrid gives it a loopback.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "simgrid/network.hpp"
#include "weft/base/error.hpp"
#include "weft/format/format.hpp"
#include "xml_file.hpp"

namespace weft::format {

namespace {

void add_route(const Network& network, std::size_t from, std::size_t to, bool shared_cables,
               std::string& xml) {
  const auto& nodes = network.placement().nodes;
  const network::Flow flow{nodes[from], nodes[to]};
  network::RouteTable route;
  network.routing().route(std::span(&flow, 1), route);
  require(route.shares(0).empty(),
          "{} splits messages over several paths, which a platform file cannot describe; use "
          "another routing, such as shortest",
          network.routing().name());
  fmt::format_to(std::back_inserter(xml),
                 "<route src=\"rank{}\" dst=\"rank{}\" symmetrical=\"NO\">", from, to);
  for (const LinkId link : route.links(0)) {
    const auto back = network.topology().reverse(link);
    const LinkId named = shared_cables && back ? std::min(link, *back) : link;
    fmt::format_to(std::back_inserter(xml), "<link_ctn id=\"link{}\"/>", named.value());
  }
  xml += "</route>\n";
}

/// By rank, the first rank of its host.
std::vector<std::size_t> first_ranks(const Network& network) {
  std::map<NodeId, std::size_t> first;
  std::vector<std::size_t> of_ranks;
  for (const NodeId node : network.placement().nodes)
    of_ranks.push_back(first.try_emplace(node, of_ranks.size()).first->second);
  return of_ranks;
}

/// The hosts, by their first ranks, that each host sends to.
std::map<std::size_t, std::set<std::size_t>> ways(const std::vector<std::size_t>& hosts,
                                                  const NetworkTarget& target) {
  std::map<std::size_t, std::set<std::size_t>> targets;
  for (std::size_t from = 0; from < hosts.size(); ++from) {
    std::set<std::size_t>& of_host = targets[hosts[from]];
    if (target.peers)
      for (const std::int32_t to : (*target.peers)[from])
        of_host.insert(hosts[static_cast<std::size_t>(to)]);
    else if (hosts[from] == from)
      of_host.insert(hosts.begin(), hosts.end());
    of_host.erase(hosts[from]);
  }
  return targets;
}

std::vector<File> write(const Network& network, const NetworkTarget& target) {
  std::string xml =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n<zone id=\"zone\" routing=\"Full\">\n";
  std::string host_list;
  const std::vector<std::size_t> hosts = first_ranks(network);
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    if (hosts[rank] == rank) xml += fmt::format("<host id=\"rank{}\" speed=\"100Gf\"/>\n", rank);
    host_list += fmt::format("rank{}\n", hosts[rank]);
  }
  for (const LinkId link : network.topology().links())
    xml += fmt::format("<link id=\"link{}\" bandwidth=\"{}Bps\" latency=\"{}ps\"/>\n", link.value(),
                       network.fabric().bandwidth_Bps(link), network.fabric().latency_ps(link));
  for (const auto& [from, targets] : ways(hosts, target))
    for (const std::size_t to : targets) add_route(network, from, to, target.shared_cables, xml);
  return {{target.path, xml + "</zone>\n</platform>\n"}, {target.path + ".hosts", host_list}};
}

}  // namespace

Format simgrid_platform() {
  return {
      .name = "simgrid-platform",
      .summary =
          "platform file of SimGrid (XML) with the route of each pair of ranks, and "
          "FILE.hosts for smpirun -hostfile",
      .loses =
          "the structure of the network, of which its routes are left; when read, speeds of hosts",
      .write_network = write,
      .read_fabric = simgrid::read_network,
      .recognises = [](std::string_view text) { return begins_with_element(text, "platform"); }};
}

}  // namespace weft::format
