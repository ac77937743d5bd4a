// The rows of the table of families, one from each file of this folder.
#pragma once

#include "weft/topology/parameters.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {

/// A row whose topology is built from parameters alone.
Family make_family(std::string name, std::string parameters, std::string summary,
                   std::string example, std::function<Topology(const Parameters&)> build);

Family kautz_family();
Family generalized_kautz_family();
Family debruijn_family();
Family two_dimensional_fully_connected_family();
Family hamming_family();
Family torus_family();
Family mesh_family();
Family hypercube_family();
Family ring_family();
Family uniring_family();
Family complete_family();
Family bipartite_family();
Family circulant_family();
Family shifted_ring_family();
Family biring_family();
Family directed_circulant_family();
Family twisted_torus_family();
Family twisted_hypercube_family();
Family diamond_family();
Family modified_debruijn_family();
Family double_binary_tree_family();
Family distance_regular_family();
Family cayley_family();
Family lift_family();
Family random_regular_family();
Family dragonfly_family();
Family dragonfly_plus_family();
Family hyperx_family();
Family xpander_family();
Family slimfly_family();
Family polarfly_family();
Family xgft_family();
Family fat_tree_family();
Family file_family();

}  // namespace weft::topology
