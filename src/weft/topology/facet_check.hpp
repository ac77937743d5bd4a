// Whether a graph is what facets from outside say of it.
#pragma once

#include <string>

#include "weft/topology/facets.hpp"
#include "weft/topology/topology.hpp"

namespace weft::topology {

/// The facets, complete, once the whole network that each speaks of was built and compared with the
/// topology: nodes and links that are not in it, or that are missing without holes, are refused.
/// Throws InvalidInput, led by `where`. O(nodes + links) memory and links log(degree) time for each
/// facet.
Facets checked_facets(Facets facets, const Topology& topology, const std::string& where);

}  // namespace weft::topology
