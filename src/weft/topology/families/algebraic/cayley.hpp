// Cayley graphs: the nodes are the elements of a group, node x has the links x -> x * s.
#pragma once

#include <span>

#include "weft/topology/group/group.hpp"
#include "weft/topology/topology.hpp"

namespace weft::topology {

/// Node x is element x; its k-th out-link leads to x * generators[k]. When the generators are
/// closed under inverses, copies counted, links are paired into cables: the j-th copy of s with the
/// j-th copy of its inverse. Otherwise all links are one-way. A generator may be repeated (parallel
/// links) or the identity (a self-loop, counted in the degree and never paired). Left
/// multiplications are automorphisms. O(order * generators). Throws InvalidInput when the
/// generators do not generate the group, with the number of elements that they reach.
/// Source: Cayley (1878); Godsil, Royle, "Algebraic Graph Theory", 2001, section 3.1.
Topology cayley(const Group& group, std::span<const Group::Element> generators);

/// For every generator the index of the one that leads back (its own for an involution and for the
/// identity); nothing unless they are closed under inverses.
std::vector<std::size_t> inverse_indices(const Group& group,
                                         std::span<const Group::Element> generators);

}  // namespace weft::topology
