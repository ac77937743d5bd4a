// A naive BFB allgather: every node takes equal shares of a block from all in-links that it comes
// nearer by.
#pragma once

#include "weft/schedule/schedule.hpp"

namespace weft::test {

/// Rank v on node v, in as many steps as the diameter. Optimal on distance-regular networks such as
/// complete, bipartite and Hamming ones and rings. O(nodes^3).
schedule::Schedule even_bfb(const Topology& topology);

}  // namespace weft::test
