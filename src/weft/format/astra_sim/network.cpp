// ASTRA-sim's analytical network: a YAML file with a line of building blocks for each dimension.
//
//   topology: [ Ring, Switch ]     Ring, FullyConnected or Switch
//   npus_count: [ 8, 4 ]           the first dimension varies fastest
//   bandwidth: [ 50.0, 12.5 ]      GiB/s of each direction of a link
//   latency: [ 500, 1000 ]         ns of a link
//
// A network is written only if it is such a product, so that nothing is lost: rings and complete
// graphs without switches (torus, hamming, hypercube, ...), or hosts on switches so that the hosts
// of each switch are a line of the product (one switch; cards of boxes in rails). The backend reads
// "GB/s" as 2^30 bytes a second, so bandwidths are divided by that.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "read_network.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/format/format.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/views.hpp"

namespace weft::format {

namespace {

struct BuildingBlock {
  std::string_view name;
  std::int64_t npus = 0, stride = 0;
  std::optional<topology::LinkSpeed> speed = {};
};
using Blocks = std::vector<BuildingBlock>;

[[noreturn]] void refuse(const Network& network, std::string_view why) {
  reject(
      "the analytical network of ASTRA-sim does not support {}: {}; it supports products "
      "of Ring, FullyConnected and Switch (torus:4x4, hamming:8x8, hosts on one switch)",
      network.topology().name(), why);
}

// All links of a dimension must have one speed.
void add_speed(const Network& network, BuildingBlock& block, LinkId link) {
  const topology::LinkSpeed speed = network.fabric().speed(link);
  if (block.speed.value_or(speed) != speed)
    refuse(network,
           fmt::format("links of one dimension ({}:{}) differ in speed", block.name, block.npus));
  block.speed = speed;
}

std::string_view block_of(const Network& network, const topology::Dimension& dimension) {
  using topology::LineShape;
  if (dimension.parallel != 1) refuse(network, "it has parallel cables");
  // A ring of two would have each link twice.
  if (dimension.is(LineShape::complete)) return "FullyConnected";
  if (dimension.is(LineShape::ring)) return "Ring";
  refuse(network, "a dimension is a path without wrap-around");
}

// The dimension in which two nodes differ, if it is one alone.
std::size_t dimension_of(const Network& network, const Blocks& blocks, NodeId a, NodeId b) {
  std::optional<std::size_t> found;
  for (std::size_t d = 0; d < blocks.size(); ++d) {
    const auto at = [&](NodeId node) { return node.value() / blocks[d].stride % blocks[d].npus; };
    if (at(a) == at(b)) continue;
    if (found) refuse(network, "a link leads across two dimensions");
    found = d;
  }
  if (!found) refuse(network, "a link leads from a node to itself");
  return *found;
}

Blocks direct_blocks(const Network& network) {
  const Topology& topology = network.topology();
  const auto* coordinates = topology.facets().find<topology::Coordinates>();
  if (coordinates == nullptr)
    refuse(network, "it is not a product of two-way rings and complete graphs");
  if (topology.facets().holes) refuse(network, "some of its nodes or cables failed");
  Blocks blocks;
  std::int64_t stride = 1;
  for (const topology::Dimension& dimension : coordinates->dimensions) {
    if (dimension.extent == 1) continue;
    blocks.push_back({block_of(network, dimension), dimension.extent, stride});
    stride *= dimension.extent;
  }
  for (const LinkId link : topology.links()) {
    if (!topology.reverse(link)) refuse(network, "its links are one-way");
    const std::size_t d = dimension_of(network, blocks, topology.tail(link), topology.head(link));
    add_speed(network, blocks[d], link);
  }
  return blocks;
}

// The hosts of a switch, ascending, each by one cable.
std::vector<std::int64_t> hosts_of_switch(const Network& network, NodeId node) {
  const Topology& topology = network.topology();
  std::vector<std::int64_t> hosts;
  for (const LinkId link : topology.out_links(node)) {
    if (!topology.is_host(topology.head(link)))
      refuse(network, "some switches are connected by cables");
    hosts.push_back(topology.head(link).value());
  }
  std::ranges::sort(hosts);
  if (std::ranges::adjacent_find(hosts) != hosts.end()) refuse(network, "it has parallel cables");
  return hosts;
}

Blocks switch_blocks(const Network& network) {
  const Topology& topology = network.topology();
  std::map<std::int64_t, BuildingBlock> by_stride;
  std::map<std::int64_t, std::set<std::int64_t>> lines;  // first hosts, by stride
  const NodeId first_host = topology.hosts().front();
  for (const NodeId node : topology.switches()) {
    const std::vector<std::int64_t> hosts = hosts_of_switch(network, node);
    if (hosts.size() < 2) refuse(network, "a switch has fewer than two hosts");
    const std::int64_t stride = hosts[1] - hosts[0];
    for (std::size_t i = 0; i < hosts.size(); ++i)
      if (hosts[i] != hosts[0] + static_cast<std::int64_t>(i) * stride)
        refuse(network, "the hosts of a switch are not a line of a product");
    const auto npus = static_cast<std::int64_t>(hosts.size());
    BuildingBlock& block =
        by_stride.try_emplace(stride, BuildingBlock{"Switch", npus, stride}).first->second;
    if (block.npus != npus || (hosts[0] - first_host.value()) / stride % npus != 0)
      refuse(network, "the hosts of a switch are not a line of a product");
    if (!lines[stride].insert(hosts[0]).second)
      refuse(network, "several switches have the same hosts");
    for (const LinkId link : topology.out_links(node)) {
      if (!topology.reverse(link)) refuse(network, "its links are one-way");
      add_speed(network, block, link);
      add_speed(network, block, *topology.reverse(link));
    }
  }
  const auto hosts = static_cast<std::int64_t>(topology.hosts().size());
  if (topology.hosts().back().value() - first_host.value() != hosts - 1)
    refuse(network, "its hosts do not have consecutive numbers");
  Blocks blocks;
  std::int64_t stride = 1;
  for (const auto& [of, block] : by_stride) {
    if (of != stride || std::ssize(lines[of]) != hosts / block.npus)
      refuse(network, "its switches are not lines of a product");
    stride *= block.npus;
    blocks.push_back(block);
  }
  if (stride != hosts) refuse(network, "its switches are not lines of a product");
  for (const LinkId link : topology.links())
    if (topology.is_host(topology.tail(link)) && topology.is_host(topology.head(link)))
      refuse(network, "it has switches and cables between hosts");
  return blocks;
}

// Ranks are ASTRA-sim's NPUs, which it numbers as the product does.
void require_own_order(const Network& network) {
  const auto& nodes = network.placement().nodes;
  const auto hosts = network.topology().hosts();
  if (!std::ranges::equal(nodes, hosts))
    reject(
        "the analytical network of ASTRA-sim numbers the hosts itself, with one rank each; "
        "remove --placement, --ranks and --hosts");
}

template <class Value>
std::string list_of(const Blocks& blocks, const Value& value) {
  std::string out;
  for (const BuildingBlock& block : blocks)
    out += fmt::format("{}{}", out.empty() ? "" : ", ", value(block));
  return "[ " + out + " ]\n";
}

std::vector<File> write_network(const Network& network, const NetworkTarget& target) {
  require(!target.shared_cables,
          "--cables has no effect, because ASTRA-sim has one bandwidth for each direction; "
          "leave it out");
  require_own_order(network);
  const Blocks blocks =
      network.topology().has_switches() ? switch_blocks(network) : direct_blocks(network);
  if (blocks.empty()) refuse(network, "it has a single node");
  constexpr double kGibibyte = 1 << 30;
  return {{target.path,
           "topology: " + list_of(blocks, [](const auto& block) { return block.name; }) +
               "npus_count: " + list_of(blocks, [](const auto& block) { return block.npus; }) +
               "bandwidth: " +
               list_of(blocks,
                       [](const auto& block) {
                         return static_cast<double>(block.speed->bandwidth_Bps) / kGibibyte;
                       }) +
               "latency: " + list_of(blocks, [](const auto& block) {
                 return static_cast<double>(block.speed->latency_ps) / 1000;
               })}};
}

}  // namespace

Format astra_sim_network() {
  return {.name = "astra-sim-network",
          .summary =
              "ASTRA-sim's analytical networks, a YAML file: products of Ring, "
              "FullyConnected and Switch",
          .loses = "routing and placement; networks that are no such product are refused",
          .write_network = write_network,
          .read_fabric = read_astra_sim_network,
          .recognises = is_astra_sim_network};
}

}  // namespace weft::format
