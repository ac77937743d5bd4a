// What no plan can beat: rounds per chunk, for any number of steps and for a given one.
#pragma once

#include "weft/search/synthesis/annealing.hpp"
#include "weft/search/synthesis/instance.hpp"

namespace weft::search {

/// The fewest rounds per chunk in any number of steps: the largest ratio, over sets S of nodes, of
/// the shards that come from outside S to the bandwidth of the arcs into S. It is what packing
/// trees reaches with enough chunks. Exact, by maximum flows to each node; O(nodes) flows for each
/// of the few ratios tried.
Rational cut_bound(const Instance& instance);

/// A bound on rounds per chunk in this many steps, whatever the number of chunks: never above the
/// truth, and equal to the linear relaxation where that was solved to its end.
struct StepBound {
  Rational rounds;            // per chunk
  bool relaxed_fully = true;  // false: the deadline came first
};

/// By linear programming: x[s, a, t] of s's shard crosses arc a in step t, at most rounds[t] *
/// weight in all, and each cut between (s, before the first step) and (v, after the last) of the
/// network expanded in time carries a shard. Cuts come from minimum cuts, as long as one is
/// violated. The bound is recomputed from rounded dual prices in exact arithmetic, so that the
/// solver's floating point is not trusted. Precondition: steps >= diameter.
StepBound step_bound(const Instance& instance, int steps, Clock::time_point deadline);

}  // namespace weft::search
