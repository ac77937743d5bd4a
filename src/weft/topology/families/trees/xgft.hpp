// Extended generalised fat trees.
#pragma once

#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// XGFT(h; m1..mh; w1..wh): hosts at level 0, switches at levels 1..h; a node at level i has m_i
/// children and a node at level i - 1 has w_i parents. Nodes are numbered level by level, hosts
/// first. A node at level l is a string of digits (w-digits 1..l, m-digits l+1..h), digit 1
/// counting fastest, and its parents differ from it in digit l + 1 alone. Links of a node go to its
/// children in order, then to its parents in order. Host links are of class "terminal", links
/// between levels l and l + 1 "level1", "level2", ... by l. The nominal degree is the largest
/// number of links between switches. `children` and `parents` are as long, entries >= 1. Throws
/// InvalidInput. Source: Ohring, Ibel, Das, Kumar, "On Generalized Fat Trees", IPPS 1995.
Topology xgft(const std::vector<int>& children, const std::vector<int>& parents);

/// The same tree under the name of a family of its own, the hosts of a leaf switch a group.
Topology xgft_of_racks(const std::vector<int>& children, const std::vector<int>& parents,
                       Expression name);

/// The k-ary n-tree: k^n hosts under n levels of k^(n-1) switches, XGFT(n; k, .., k; 1, k, .., k).
/// arity >= 2, levels >= 1. Throws InvalidInput. Source: Petrini, Vanneschi, "k-ary n-trees: High
/// Performance Networks for Massively Parallel Architectures", IPPS 1997.
Topology fat_tree(int arity, int levels);

}  // namespace weft::topology
