// Several rings at once, each with its share of the data: the baselines of direct-connect networks.
#pragma once

#include "weft/schedule/schedule.hpp"
#include "weft/topology/cayley_view.hpp"

namespace weft::algorithm {

/// N - 1 steps; (N-1)/N. Every generator of the view (a cyclic group's) is a one-way ring through
/// all nodes, which its elements number; rank r is node r. Throws InvalidInput when a generator's
/// order is not N. O(N * degree) stored messages, with explicit routes where links are parallel.
schedule::Schedule multi_ring_allgather(const topology::CayleyView& view);
/// Round the same rings in the same direction.
schedule::Schedule multi_ring_reduce_scatter(const topology::CayleyView& view);
schedule::Schedule multi_ring_allreduce(const topology::CayleyView& view);

/// floor(N / 2) steps; (N-1)/N. As above, but a ring and its inverse are one two-way ring with
/// BFB's schedule (bidirectional_ring.hpp). Throws InvalidInput also when a generator lacks its
/// inverse.
schedule::Schedule multi_ring_bfb_allgather(const topology::CayleyView& view);
schedule::Schedule multi_ring_bfb_reduce_scatter(const topology::CayleyView& view);
schedule::Schedule multi_ring_bfb_allreduce(const topology::CayleyView& view);

}  // namespace weft::algorithm
