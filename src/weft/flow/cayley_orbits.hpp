// The orbits of a Cayley network: its generators, and the terminal links of attached hosts.
#pragma once

#include <optional>

#include "weft/flow/orbits.hpp"
#include "weft/topology/cayley_view.hpp"

namespace weft::flow {

/// Whether taking inverses of elements is an automorphism of the network: the group is commutative,
/// and every generator's inverse is one, too.
bool inverts(const topology::CayleyView& view);

/// One orbit for each generator (with its inverse where inverts()). Where every
/// switch of a Cayley network has equally many hosts, also one for the links from hosts and one for
/// those to hosts, since the hosts of a switch may change places. Nothing where the network has no
/// such view, or links of one orbit differ in capacity.
std::optional<ArcOrbits> cayley_orbits(const Topology& topology, const FlowGraph& graph);

}  // namespace weft::flow
