// Rings along the dimensions of a torus: the schedule that torus machines traditionally run.
#pragma once

#include "weft/schedule/schedule.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {

/// sum (m_i - 1) steps on a torus of extents m_i; (N-1)/N where all extents are equal and above 2.
/// Rank r is the node r of the torus. O(N * dimensions^2) stored pieces.
schedule::Schedule torus_ring_allgather(const topology::TorusView& torus);
/// The transpose.
schedule::Schedule torus_ring_reduce_scatter(const topology::TorusView& torus);
/// Twice the steps.
schedule::Schedule torus_ring_allreduce(const topology::TorusView& torus);

}  // namespace weft::algorithm
