// Whether a device of a cabling plan is a host or a switch, by what it and its ports are called.
#pragma once

#include <optional>
#include <string_view>

#include "weft/topology/topology.hpp"

namespace weft::format::clusters {

/// By the role that the plan gives it: "leaf", "oob-server".
std::optional<NodeKind> kind_by_role(std::string_view role);
/// By the name of a port: "swp1" and "Ethernet4" are those of switches, "eth0" of a host.
std::optional<NodeKind> kind_by_port(std::string_view port);
/// By its own name: "spine1", "server01".
std::optional<NodeKind> kind_by_name(std::string_view name);
/// As Mininet calls hosts and switches: h1 and s1.
std::optional<NodeKind> kind_by_letter(std::string_view name);

}  // namespace weft::format::clusters
