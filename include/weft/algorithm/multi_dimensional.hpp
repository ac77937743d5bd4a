// Multi-dimensional (MD): dimension order in all rotations at once, on Hamming networks.
#pragma once

#include <vector>

#include "weft/base/rational.hpp"
#include "weft/schedule/schedule.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {

/// The share of every block that rotation r (dimensions r, r + 1, ..., r - 1 in this order) takes;
/// they add up to 1, and are 0 for dimensions of one node. Closed forms: multi_dimensional.cpp.
/// All-to-all and the allgather family (reduce-scatter, allreduce).
std::vector<Rational> rotation_shares(const topology::HammingView& hamming,
                                      schedule::CollectiveKind kind);

/// As many steps as dimension_order, all dimensions busy in each. All-to-all meets its bound
/// d / min(m_i) on any extents; allgather and reduce-scatter meet (N-1)/N on equal ones. Serves
/// all-to-all, allgather, reduce-scatter and allreduce; throws InvalidInput otherwise and as
/// dimension_order does.
schedule::Schedule multi_dimensional(const topology::HammingView& hamming,
                                     const schedule::Collective& collective);

/// Allreduce as a dimension-order reduce-scatter and a multi-dimensional allgather, which the
/// source advises where packing costs more than links.
schedule::Schedule mixed_allreduce(const topology::HammingView& hamming,
                                   const schedule::Collective& collective);

}  // namespace weft::algorithm
