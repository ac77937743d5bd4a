// Voltage lifts: graphs with a group acting freely, in a few orbits.
#pragma once

#include <cstdint>
#include <span>

#include "weft/topology/group/group.hpp"
#include "weft/topology/topology.hpp"

namespace weft::topology {

/// An arc of the base: from orbit `tail` to orbit `head`, with an element of the group.
struct LiftArc {
  int tail = 0;
  int head = 0;
  Group::Element voltage = 0;

  friend bool operator==(const LiftArc&, const LiftArc&) = default;
};

/// Node (orbit o, element x) is number o * order + x; every arc o -> p with voltage g gives the
/// links (o, x) -> (p, x g), so that multiplying from the left is an automorphism. A node's links
/// stand in the order of the arcs. When every arc has a reverse arc p -> o with g^-1 (itself for a
/// loop whose voltage is an involution), links are paired with theirs and the graph is
/// bidirectional. Orbits are numbered from 0, without a gap among the tails. Throws InvalidInput.
/// O(order * arcs). Source: Gross, Tucker, "Topological Graph Theory", 1987, section 2.1.
Topology lift(const Group& group, std::span<const LiftArc> arcs);

}  // namespace weft::topology
