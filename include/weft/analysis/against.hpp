// Is it wired as designed? Two networks compared by the names of their nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/topology/fabric.hpp"

namespace weft::analysis {

/// One thing that is not as planned; an empty text where there is nothing of it.
struct Deviation {
  enum class Kind : std::uint8_t {
    node_missing,   // planned, and not there
    node_extra,     // there, and not planned
    cable_missing,  // the same of cables
    cable_extra,
    cable_moved,  // in the right port at one end, and in another at its other end
    cable_slower  // where it belongs, at less than the planned bandwidth
  };
  Kind kind;
  std::string planned, found;  // a node, "leaf1[5] - spine0[2]", or with its bandwidth
};

std::string_view name_of(Deviation::Kind kind);

/// What of the network is not as the plan has it, nodes first, then cables in the plan's order.
/// Nodes are known by name, or as host3 and switch7 by their number where they have none; cables by
/// their ports at each node where both networks say those of all its cables, else by the node: so
/// also at a host with one cable, whose port has many names, and at one of whose ports the two have
/// no name in common. Bandwidths are compared where both files give them. O(links log links).
std::vector<Deviation> deviations(const BuiltTopology& network, const BuiltTopology& plan);

}  // namespace weft::analysis
