// Kautz digraphs and their generalisation to any number of nodes.
#pragma once

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// K(degree, diameter): degree^diameter + degree^(diameter-1) nodes, links u -> -(degree u + j) mod
/// n for j = 1..degree, one-way, no self-loops. degree >= 2, diameter >= 1. Throws InvalidInput.
/// Source: Imase, Itoh, "A Design for Directed Graphs with Minimum Diameter", IEEE ToC C-32(8),
/// 1983.
Topology kautz(int degree, int diameter);

/// The same arithmetic for any number of nodes from degree + 1: diameter at most ceil(log_degree
/// nodes). Self-loops may occur; they are kept and count in the nominal degree. degree >= 1
/// (degree 1 gives u -> -(u + 1), which falls apart above two nodes, so 2 or more). Throws
/// InvalidInput.
Topology generalized_kautz(int degree, int nodes);

}  // namespace weft::topology
