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
Algorithm pipelined_ring_entry();
Algorithm bidirectional_ring_entry();
Algorithm neighbor_entry();
Algorithm recursive_doubling_entry();
Algorithm recursive_halving_entry();
Algorithm rabenseifner_entry();
Algorithm rabenseifner_nearest_entry();
Algorithm binomial_entry();
Algorithm binomial_nearest_entry();
Algorithm knomial_entry();
Algorithm chain_entry();
Algorithm gather_broadcast_entry();
Algorithm scatter_allgather_entry();
Algorithm scatter_doubling_entry();
Algorithm mpich_entry();
Algorithm double_binary_tree_entry();
Algorithm local_ring_entry();
Algorithm hierarchical_entry();
Algorithm node_lanes_entry();
Algorithm torus_ring_entry();
Algorithm swing_entry();
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
Algorithm packing_entry();
Algorithm flow_entry();
Algorithm switch_tree_entry();
Algorithm multipath_entry();
Algorithm multipath_forward_entry();
Algorithm llf_entry();
Algorithm llf_rerooted_entry();
Algorithm glf_entry();
Algorithm forest_entry();
Algorithm dragonfly_lanes_entry();
Algorithm dragonfly_two_trees_entry();

/// In the order of `weft list algorithms`.
inline constexpr Algorithm (*kEntries[])() = {
    pairwise_entry,
    shift_entry,
    spread_entry,
    lin_entry,
    xor_entry,
    opt_entry,
    bruck_entry,
    ring_entry,
    pipelined_ring_entry,
    bidirectional_ring_entry,
    neighbor_entry,
    recursive_doubling_entry,
    recursive_halving_entry,
    rabenseifner_entry,
    rabenseifner_nearest_entry,
    binomial_entry,
    binomial_nearest_entry,
    knomial_entry,
    chain_entry,
    gather_broadcast_entry,
    scatter_allgather_entry,
    scatter_doubling_entry,
    mpich_entry,
    double_binary_tree_entry,
    local_ring_entry,
    hierarchical_entry,
    node_lanes_entry,
    torus_ring_entry,
    swing_entry,
    multi_ring_entry,
    multi_ring_bfb_entry,
    direct_entry,
    expand_entry,
    bfb_entry,
    dimension_order_entry,
    multi_dimensional_entry,
    mixed_allreduce_entry,
    message_combine_entry,
    dragonfly_combine_entry,
    multitree_entry,
    disjoint_trees_entry,
    packing_entry,
    flow_entry,
    switch_tree_entry,
    multipath_entry,
    multipath_forward_entry,
    llf_entry,
    llf_rerooted_entry,
    glf_entry,
    forest_entry,
    dragonfly_lanes_entry,
    dragonfly_two_trees_entry,
};

}  // namespace weft::algorithm
