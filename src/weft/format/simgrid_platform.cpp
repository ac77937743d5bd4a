// SimGrid's platform files, DTD 4.1: hosts, links, and the route of each pair of hosts as our
// routing gives it. Each direction of a cable is a link by itself.
#include <fmt/format.h>

#include <algorithm>

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
          "{} splits messages over several paths, which a platform file cannot say; use another "
          "routing, such as shortest",
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

std::vector<File> write(const Network& network, const NetworkTarget& target) {
  std::string xml =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n<zone id=\"zone\" routing=\"Full\">\n";
  std::string hosts;
  const auto ranks = static_cast<std::size_t>(network.ranks());
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    xml += fmt::format("<host id=\"rank{}\" speed=\"100Gf\"/>\n", rank);
    hosts += fmt::format("rank{}\n", rank);
  }
  for (const LinkId link : network.topology().links())
    xml += fmt::format("<link id=\"link{}\" bandwidth=\"{}Bps\" latency=\"{}ps\"/>\n", link.value(),
                       network.fabric().bandwidth_Bps(link), network.fabric().latency_ps(link));
  for (std::size_t from = 0; from < ranks; ++from) {
    if (target.peers) {
      for (const std::int32_t to : (*target.peers)[from])
        add_route(network, from, static_cast<std::size_t>(to), target.shared_cables, xml);
      continue;
    }
    for (std::size_t to = 0; to < ranks; ++to)
      if (network.placement().nodes[from] != network.placement().nodes[to])
        add_route(network, from, to, target.shared_cables, xml);
  }
  return {{target.path, xml + "</zone>\n</platform>\n"}, {target.path + ".hosts", hosts}};
}

}  // namespace

Format simgrid_platform() {
  return {
      .name = "simgrid-platform",
      .summary =
          "platform file of SimGrid (XML) with the route of each pair of ranks, and "
          "FILE.hosts for smpirun -hostfile",
      .write_network = write,
      .read_fabric = simgrid::read_network,
      .recognises = [](std::string_view text) { return begins_with_element(text, "platform"); }};
}

}  // namespace weft::format
