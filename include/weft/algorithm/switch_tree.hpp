// switch-tree: collectives that switches take part in, combining what goes up and copying what
// comes down (SHARP, NVLS).
#pragma once

#include <cstdint>

#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

struct SwitchTreeOptions {
  std::int64_t segments = 1;
  std::int64_t most_trees = 64;  // each with an equal share of the data; fewer where more bring
                                 // nothing
};

/// A broadcast, reduce or allreduce over trees of switches, whose switches are helpers, bound to
/// the network. Ranks that share a host combine first, and one of them sends. Throws InvalidInput
/// for other collectives, options below 1, and networks whose switches do not join the ranks'
/// hosts. O(trees * switches * links). Source: Graham et al., "Scalable Hierarchical Aggregation
/// Protocol (SHArP)", COMHPC 2016.
schedule::Schedule switch_tree(const Network& network, const schedule::Collective& collective,
                               const SwitchTreeOptions& options = {});

}  // namespace weft::algorithm
