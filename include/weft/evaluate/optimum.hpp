// Optimum: the least T_B that schedules of a collective have on a network, with the cut or the
// prices that prove it, and how near schedules come.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "weft/algorithm/options.hpp"
#include "weft/evaluate/contender.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/flow/allreduce_trees.hpp"
#include "weft/flow/rank_trees.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::evaluate {

struct Optimum {
  /// T_B*, in units of M / B; nothing where it is only known to be between the two below.
  std::optional<Rational> bandwidth_factor = {};
  double least = 0;  // no schedule has less, by the certificate or by the bounds of all networks
  double certified = 0;                // by the certificate
  std::optional<double> reached = {};  // and some schedule comes as near as one likes to this
  Among among = Among::all_schedules;
  /// Of also_copying_switches: T_B of the best trees without copies; nothing where it is not known.
  std::optional<Rational> without_copies = {};
  bool in_time = true;  // no time limit came before what was wanted was proven
  /// Bytes that a proof would take, if these are too many to look for one: then `least` is the
  /// greatest lower bound known.
  std::optional<double> proof_memory_B = {};
  /// Of a cut: what crosses it, at its bandwidth, takes as long. Of reduce-scatter, reduce and
  /// scatter the data leaves the nodes inside, of the others it enters.
  /// Of an allreduce on a large network the bounds on all schedules: two halves of equal shares
  /// reach the greatest of these, or nothing better is known.
  std::variant<flow::RankCut, flow::AllreduceTrees, flow::Throughput, LowerBounds> certificate = {};

  /// Seconds of a call of --size, at least.
  double time_s(const Collective& collective, const Network& network, std::int64_t size_B) const;
};

struct OptimumOptions {
  double time_limit_s = 60;  // of allreduce and all-to-all
  /// Bytes that the proof of an allreduce may take; by itself half of what is available.
  std::optional<double> memory_B = {};
};

/// Whether its optimum may be known as an interval only: allreduce and all-to-all.
bool is_solved_in_time(schedule::CollectiveKind kind);

/// Throws InvalidInput for a collective of which no optimum is known.
void require_known_optimum(schedule::CollectiveKind kind);

/// On networks where hosts without a rank pass nothing on beside switches: of allgather,
/// reduce-scatter, broadcast and reduce, whose cuts are reached by trees (Edmonds;
/// algorithm/packing.hpp) but where switches' links in and out differ, of scatter and gather, whose
/// cuts are reached by a flow, and of allreduce by flow/allreduce_trees.hpp: the best of the
/// schedules that add each byte up at one rank, of all schedules where a lower bound on these meets
/// it. Of all-to-all by flow/throughput.hpp. Throws InvalidInput for other collectives, ranks that
/// do not reach each other, and ranks on one node. As many small flows as hosts with ranks, a few
/// times over. An allreduce of more than 512 hosts is first asked whether halves of equal shares
/// meet a bound, which takes no memory to speak of; otherwise its proof takes memory by the square
/// of the hosts (flow::allreduce_trees_memory_B()).
Optimum optimum(const Collective& collective, const Network& network,
                const OptimumOptions& options = {});

/// Whether a host without a rank could pass data on, but does not: beside switches, with cables to
/// two neighbours or more. Routes may lead through it, and then schedules beat the optimum.
bool have_idle_relays(const Network& network);

/// Whether all hosts pass data on: those without a rank do not where there are switches.
bool all_hosts_pass(const Network& network);

/// The optimum where a second is enough: of what a cut tells, on tens of thousands of hosts; of an
/// allreduce where its halves meet a bound, and on some hundred hosts; of all-to-all on a hundred.
/// Nothing elsewhere, and where all ranks are on one node. Precondition: the bounds are of this
/// collective with their cut.
std::optional<KnownOptimum> quick_optimum(const Collective& collective, const Network& network,
                                          const LowerBounds& bounds);

/// The optimum of a collective of which a cut tells it: all that optimum() knows but allreduce and
/// all-to-all. Nothing for others, and where ranks are on one node or do not reach each other.
std::optional<Rational> optimum_by_cut(const Collective& collective, const Network& network);

struct PricedSchedule {
  std::string schedule;  // "packing", "packing (64 segments)"
  std::int64_t steps = 0;
  Rational bandwidth_factor;
  Combining combining = Combining::at_ranks;
};

/// What is held against the optimum where nobody says: packing, where it serves, else all
/// algorithms that apply; of all-to-all flow, too.
std::vector<std::string> usual_algorithms(const Collective& collective, const Network& network);

struct PricedSchedules {
  std::vector<PricedSchedule> rows;
  /// Algorithms without one here: their exact cost outgrows 128 bits, they would send where no way
  /// leads, or the caller's TimeLimit came first. Each once.
  std::vector<Dropped> left_out;
};

/// The schedule of each algorithm, with the options that it takes. Pipelined algorithms have a
/// second one, of `segments` segments. Throws InvalidInput for an algorithm that does not fit.
PricedSchedules priced_schedules(const std::vector<std::string>& algorithms,
                                 const Collective& collective, const Network& network,
                                 std::int64_t segments,
                                 const algorithm::AlgorithmOptions& options = {});

/// And the schedule of the lowest T_B of all algorithms that apply, where it is lower than these;
/// of equal ones that of the fewest steps. None above 128 ranks.
PricedSchedules with_better(PricedSchedules priced, const Collective& collective,
                            const Network& network, std::int64_t segments);

}  // namespace weft::evaluate

namespace weft {
using evaluate::Optimum;
using evaluate::OptimumOptions;
using evaluate::PricedSchedule;
using evaluate::PricedSchedules;
}  // namespace weft
