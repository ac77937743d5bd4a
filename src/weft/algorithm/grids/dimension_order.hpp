// Dimension order (DO): collectives on Hamming networks, one dimension after the other.
#pragma once

#include <vector>

#include "weft/schedule/schedule.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {

/// One step for each dimension of more than one node, in `order` (a permutation of the dimensions;
/// empty: first to last; reductions and gathers go the other way), all that has the same next hop
/// in one message; an allreduce is two such passes. Rank r is the node r. With extents m_i, N their
/// product and d = sum (m_i - 1): all-to-all loads a link of dimension i with N / m_i blocks, an
/// allgather one of the t-th dimension with m_1 ... m_(t-1). Serves all but point-to-point.
/// Throws InvalidInput when the ranks are not the nodes, for an order that is no permutation and
/// for point-to-point. O(n N) stored pieces, O(N) messages when rooted.
schedule::Schedule dimension_order(const topology::HammingView& hamming,
                                   const schedule::Collective& collective,
                                   std::vector<int> order = {});

}  // namespace weft::algorithm
