// Whether a device is a host or a switch, by its role and by what it and its ports are called: the
// words of cabling plans and of graphs with attributes.
#pragma once

#include <optional>
#include <string_view>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// By the role that a file gives it: "leaf", "oob-server".
std::optional<NodeKind> kind_by_role(std::string_view role);
/// By the name of a port: "swp1" and "Ethernet4" are those of switches, "eth0" of a host.
std::optional<NodeKind> kind_by_port(std::string_view port);
/// By its own name: "spine1", "server01".
std::optional<NodeKind> kind_by_name(std::string_view name);
/// As Mininet calls hosts and switches: h1 and s1.
std::optional<NodeKind> kind_by_letter(std::string_view name);

}  // namespace weft::topology
