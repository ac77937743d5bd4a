// Transforms: schedules made from schedules. Each keeps validity: verified in, verifiable out.
#pragma once

#include <span>

#include "weft/base/rational.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::schedule {

/// All messages of all orbits written out, with the trivial symmetry. O(messages that run /
/// segments). Throws InvalidInput for explicit routes under a symmetry without the topology.
Schedule expand_symmetry(const Schedule& schedule, const Topology* topology = nullptr);

/// The same messages, each of which goes as the network routes it. O(messages and pieces).
Schedule without_routes(const Schedule& schedule);

/// Reversed in time and direction: allgather <-> reduce-scatter, broadcast <-> reduce, scatter <->
/// gather, all-to-all and point-to-point to themselves. Copies become reductions and back. Right
/// when every unit reaches each agent once. Explicit routes become the reverse links of `topology`.
/// Throws InvalidInput for an allreduce, for explicit routes without the topology, and for one-way
/// cables. Source: Zhao et al., "Efficient Direct-Connect Topologies for Collective
/// Communications", Theorem 1, Corollary 1.1.
Schedule transpose(const Schedule& schedule, const Topology* topology = nullptr);

/// One after the other: reduce-scatter + allgather and reduce + broadcast (same root) make an
/// allreduce, scatter + allgather a broadcast, gather + broadcast (same root) an allgather.
/// Symmetries that differ are expanded. Throws InvalidInput for other pairs, other numbers of
/// ranks, segments that differ, or explicit routes or helpers that are placed differently.
Schedule concatenate(const Schedule& first, const Schedule& second);

/// Agent a becomes image[a], its blocks with it. Without a link image agents keep their nodes: the
/// same messages under other names. With one the schedule moves over the network: link l of an
/// explicit route becomes link_image[l], and agent image[a] is where it was placed. The symmetry is
/// expanded. Throws InvalidInput when the image is no permutation that keeps ranks and helpers
/// apart, or when a link of an explicit route has no image.
Schedule relabel(const Schedule& schedule, std::span<const Agent> image,
                 std::span<const LinkId> link_image = {});

/// A schedule on a share of the data.
struct Share {
  Schedule schedule;
  Rational share;  // of every block, > 0
};

/// Several schedules of one collective at once, each on its share of every block, from step 0 on.
/// What multi-dimensional collectives and the conversion from one-way to two-way rings are made
/// of. Throws InvalidInput when the shares do not add up to 1, the collectives, segments or places
/// of explicit routes and helpers differ, or the units per block would exceed the cap.
Schedule merge(std::span<const Share> shares);

}  // namespace weft::schedule

namespace weft {
using schedule::concatenate;
using schedule::expand_symmetry;
using schedule::merge;
using schedule::relabel;
using schedule::Share;
using schedule::transpose;
using schedule::without_routes;
}  // namespace weft
