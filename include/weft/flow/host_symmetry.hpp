// Host symmetry: networks behind switches that look the same from many hosts.
#pragma once

#include <span>
#include <vector>

#include "weft/topology/fabric.hpp"

namespace weft::flow {

/// Motions of a network that keep its links with their bandwidths, where there are any: shifts of
/// digits of the hosts' numbers, as leaves and spines, rails, fat trees and Dragonflies have them.
struct HostSymmetry {
  int order = 1;  // motions that the shifts make together; only the identity keeps any place
  std::vector<std::vector<NodeId>> shifts;  // by node, where it goes
};

/// Of the hosts with ranks and the switches between. O(links log links) for each two factors of the
/// number of places. Precondition: no two places are one.
HostSymmetry host_symmetry(const Fabric& fabric, std::span<const NodeId> places);

}  // namespace weft::flow
