// Which cables and nodes are of one kind: failures are drawn of each kind, and where messages are
// alike too, what is found past one holds for all of its kind.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/program/program.hpp"

namespace weft::advise {

/// Numbers that two cables (two nodes) share where a symmetry of the network, with its speeds and
/// its ranks, takes one to the other. What a routing makes of them may differ.
struct KindsOfParts {
  std::vector<std::int32_t> of_cable, of_node;
};

/// By nauty; beyond 50,000 nodes and cables by what can be seen of each alone: class and speed of a
/// cable and what its ends are, links of a node.
KindsOfParts kinds_of_parts(const Network& network);

/// Likewise where the symmetry takes the messages of the program to each other, too, steps to
/// themselves, and the network's routes put as much on both, as far along their ways: a kept
/// schedule is slowed alike past two of a kind, but where the routing of what is left goes by the
/// numbers of nodes. Bytes count as the same within 0.1 %. Nothing where several agents share a
/// node, messages have routes of their own or are routed by whole steps, or there is too much to
/// search. O(messages of the program) and a search by nauty.
std::optional<KindsOfParts> kinds_under(const Program& program, const Network& network);

/// Of one kind where both are.
KindsOfParts kinds_of_both(const KindsOfParts& one, const KindsOfParts& other);

}  // namespace weft::advise
