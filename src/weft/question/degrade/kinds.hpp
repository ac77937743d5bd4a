// Which cables and nodes are of one kind: failures are drawn of each kind.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/network/network.hpp"

namespace weft::question {

/// Numbers that two cables (two nodes) share where a symmetry of the network, with its speeds and
/// its ranks, takes one to the other. What a routing makes of them may differ.
struct KindsOfParts {
  std::vector<std::int32_t> of_cable, of_node;
};

/// By nauty; beyond 50,000 nodes and cables by what can be seen of each alone: class and speed of a
/// cable and what its ends are, links of a node.
KindsOfParts kinds_of_parts(const Network& network);

}  // namespace weft::question
