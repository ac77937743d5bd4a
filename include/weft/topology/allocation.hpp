// The hosts that a user was given of a larger network, by number or name.
//
//   const std::vector<std::int32_t> hosts = parse_hosts("1-40,52", topology);
//   const Placement placement = place(topology, {.ranks = 16}, hosts);
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/topology/placement.hpp"
#include "weft/topology/topology.hpp"

namespace weft::topology {

/// Reads host numbers, indices into the hosts as in placement files: "1-40,52", also "#1-40,#52",
/// names of hosts where the network has some, "node[01-40],login", or else the name of a file with
/// one or several such numbers, ranges and names a line, commas or blanks between them, and
/// comments behind #. In the order given. Throws InvalidInput, naming file and line, for what is no
/// number or name, a host that the network does not have or that stands there twice, a range that
/// runs downwards, and where there is none; `where` names the text there (--hosts where it is
/// empty). O(hosts).
std::vector<std::int32_t> parse_hosts(const std::string& text, const Topology& topology,
                                      const std::string& where = {});

/// Hosts as parse_hosts() reads them, in their order, rising runs as ranges: "1-40,52".
std::string hosts_text(std::span<const std::int32_t> hosts);
/// Of one network: by their names where some name is a number, so that --hosts takes it for a name.
std::string hosts_text(const Topology& topology, std::span<const std::int32_t> hosts);
/// Of nodes that are hosts, each once.
std::string hosts_text(const Topology& topology, std::span<const NodeId> nodes);
/// The numbers of nodes that are hosts, each once, rising.
std::vector<std::int32_t> host_numbers(const Topology& topology, std::span<const NodeId> nodes);
/// The same of a text for a network that is not known yet; the name of a file stays. Throws
/// InvalidInput as parse_hosts().
std::string canonical_hosts(const std::string& text);

/// place() on these hosts alone: linear in the order given, random among them, the other policies
/// as if the network had no other hosts. Without `ranks` one on each. No hosts: on all. Throws
/// InvalidInput also where a placement file names another host; InvalidField where one of its
/// options is to blame.
Placement place(const Topology& topology, const PlacementOptions& options,
                std::span<const std::int32_t> hosts);

}  // namespace weft::topology
