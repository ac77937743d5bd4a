// What a network is fit for, beyond the cost of its BFB allgather.
#pragma once

#include <span>
#include <vector>

#include "weft/algorithm/expansion_algebra.hpp"
#include "weft/topology/topology.hpp"

namespace weft::search {

/// All facts of BFB on the network, those of its transpose for `reversible`; `tight` where every
/// best BFB schedule is. `roots` holds one node of each orbit of a group of automorphisms; empty:
/// every node. degree in [1, 16]. O(roots * nodes * degree), and for tight O(nodes * degree^2 *
/// steps) or more. Throws InvalidInput where the network is not regular or not strongly connected.
algorithm::Prediction bfb_facts(const Topology& topology, std::span<const std::int32_t> roots = {});

/// What the links alone tell: nodes, degree, self-loops, parallel links, branching. O(links).
algorithm::Prediction link_facts(const Topology& topology);

}  // namespace weft::search
