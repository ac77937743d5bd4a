// Which schedule a plan runs at which size: the winners of comparisons, from one crossover to the
// next.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/advise/comparison.hpp"
#include "weft/advise/schedule/counts.hpp"
#include "weft/calibrate/measured_table.hpp"
#include "weft/network/network.hpp"
#include "weft/plan/plan.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::advise {

/// Calls whose blocks have sizes of their own, at sizes that share them out. The plan serves only
/// calls with exactly these blocks.
struct UnequalCalls {
  CollectiveKind kind = CollectiveKind::allgather;
  Counts counts;
  std::vector<std::int64_t> sizes_B = {};  // increasing
};

struct PlanOptions {
  std::vector<CollectiveKind> collectives = {};  // in this order
  std::vector<UnequalCalls> unequal = {};        // after these
  std::vector<std::int64_t> sizes_B = {};        // --size that is compared at; increasing
  std::vector<std::string> algorithms = {};      // as CompareOptions; those that fit are compared
  algorithm::AlgorithmOptions algorithm = {};    // an algorithm gets those that it takes
  simulation::SimulationOptions simulation = {};
  /// Times of the MPI's own collectives on this network, which stays where it is the faster one:
  /// a table of a collective at most, as native_times() gives them.
  std::vector<MeasuredTable> native = {};
  /// The time of the range that holds this --size is for it, and no estimate by a few segments.
  std::optional<std::int64_t> timed_B = {};
  bool all_roots = false;              // of rooted collectives; else root 0 alone
  bool allows_different_bits = false;  // of floating-point results on different ranks
};

/// The collectives of a list: names with commas, and "all" for all others with blocks of one size.
struct PlannedNames {
  std::vector<CollectiveKind> equal, unequal;
};
/// Throws InvalidInput, also for point-to-point.
PlannedNames planned_names(const std::string& list);

/// A file of --measured.
struct MeasuredFile {
  std::string path;  // as the user named it
  MeasuredTables measured;
};

/// Times of the MPI's own, a table of a collective at most.
struct NativeTimes {
  std::vector<MeasuredTable> tables;
  std::vector<std::string> remarks;  // what the files have that is not used, and why
};

/// Those of the tables that are of planned collectives on so many ranks, or on ranks that a table
/// does not tell, which is remarked. Throws InvalidInput where nothing of a file is used, or a
/// collective has two.
NativeTimes native_times(std::vector<MeasuredFile> files, std::int32_t ranks,
                         std::span<const CollectiveKind> planned);

/// Seconds at a size: straight lines between what was measured; below, the time of the least size,
/// above, that of the greatest in proportion. Precondition: the table has rows.
double measured_s(const MeasuredTable& table, std::int64_t size_B);

/// An algorithm that a collective was planned without, because it takes long here or no process can
/// follow its paths.
struct LeftOut {
  std::string collective;  // its name
  Dropped what;
};

struct ChosenPlan {
  plan::Plan plan;  // without facts of the text header
  /// What the user should know: algorithms that no process can run, ranges that stay native.
  std::vector<std::string> remarks;
  std::vector<LeftOut> left_out;
  /// By schedule of the plan: the hosts without ranks that its messages pass, in increasing order.
  std::vector<std::vector<NodeId>> forwarding_hosts;
};

/// At each size the fastest schedule that MPI processes can run. Between two sizes with other
/// schedules the later one takes over where it becomes the faster one, found to one part in 256 of
/// the size (by a formula where only the number of segments, from 8 on, is another one); a third
/// that would be faster only in between is not looked for. Times of 16 segments and more are right
/// to 2 %, and so are choices and crossovers by them. The first range begins at 0 and the last has
/// no end. Throws InvalidInput for one rank, for no sizes, and where there is nothing to plan:
/// where a named algorithm serves none of the collectives.
ChosenPlan choose_plan(const Network& network, const PlanOptions& options);

}  // namespace weft::advise
