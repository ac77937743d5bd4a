// Optimum: the least T_B that any schedule of a collective has on a network, with the cut that
// proves it, and how near schedules come.
#pragma once

#include <string>
#include <vector>

#include "weft/flow/rank_trees.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::question {

struct Optimum {
  Rational bandwidth_factor;  // in units of M / B
  /// What crosses it, at its bandwidth, takes as long. Of reduce-scatter, reduce and scatter the
  /// data leaves the nodes inside, of the others it enters.
  flow::RankCut cut;

  /// Seconds of a call of --size.
  double time_s(const Collective& collective, const Network& network, std::int64_t size_B) const;
};

/// Throws InvalidInput for a collective of which no optimum is known.
void require_known_optimum(schedule::CollectiveKind kind);

/// Of allgather, reduce-scatter, broadcast and reduce, whose cuts are reached by trees (Edmonds;
/// algorithm/packing.hpp), and of scatter and gather, whose cuts are reached by a flow, on networks
/// where hosts without a rank pass nothing on beside switches.
/// Throws InvalidInput for other collectives, ranks that do not reach each other, and ranks on one
/// node. As many small flows as hosts with ranks, a few times over.
Optimum optimum(const Collective& collective, const Network& network);

struct PricedSchedule {
  std::string schedule;  // "packing", "packing (64 segments)"
  std::int64_t steps = 0;
  Rational bandwidth_factor;
};

/// What is held against the optimum where nobody says: packing, where it serves, else all
/// algorithms that apply.
std::vector<std::string> usual_algorithms(const Collective& collective, const Network& network);

/// Each algorithm's schedule, and where it is pipelined that in so many segments, too. Throws
/// InvalidInput for an algorithm that does not fit.
std::vector<PricedSchedule> priced_schedules(const std::vector<std::string>& algorithms,
                                             const Collective& collective, const Network& network,
                                             std::int64_t segments);

}  // namespace weft::question
