// The registry's entries, one from each algorithm's file.
#pragma once

#include "weft/algorithm/algorithm.hpp"

namespace weft::algorithm {

Algorithm pairwise_entry();
Algorithm shift_entry();
Algorithm spread_entry();
Algorithm lin_entry();
Algorithm xor_entry();
Algorithm opt_entry();
Algorithm bruck_entry();
Algorithm ring_entry();
Algorithm bidirectional_ring_entry();
Algorithm neighbor_entry();
Algorithm recursive_doubling_entry();
Algorithm recursive_halving_entry();
Algorithm rabenseifner_entry();
Algorithm binomial_entry();
Algorithm knomial_entry();
Algorithm chain_entry();
Algorithm scatter_allgather_entry();
Algorithm scatter_doubling_entry();
Algorithm mpich_entry();
Algorithm double_binary_tree_entry();
Algorithm local_ring_entry();
Algorithm hierarchical_entry();
Algorithm torus_ring_entry();
Algorithm multi_ring_entry();
Algorithm multi_ring_bfb_entry();
Algorithm direct_entry();
Algorithm expand_entry();
Algorithm bfb_entry();
Algorithm dimension_order_entry();
Algorithm multi_dimensional_entry();
Algorithm mixed_allreduce_entry();
Algorithm message_combine_entry();
Algorithm dragonfly_combine_entry();
Algorithm multitree_entry();
Algorithm disjoint_trees_entry();
Algorithm multipath_entry();
Algorithm multipath_forward_entry();
Algorithm llf_entry();
Algorithm llf_rerooted_entry();
Algorithm glf_entry();
Algorithm forest_entry();
Algorithm dragonfly_lanes_entry();
Algorithm dragonfly_two_trees_entry();

}  // namespace weft::algorithm
