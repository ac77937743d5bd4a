// Which schedule a plan runs at which size: the winners of comparisons, from one crossover to the
// next.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/plan/plan.hpp"
#include "weft/question/calibrate/measured_table.hpp"
#include "weft/question/comparison.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::question {

struct PlanOptions {
  std::vector<CollectiveKind> collectives = {};  // in this order
  std::vector<std::int64_t> sizes_B = {};        // --size that is compared at; increasing
  std::vector<std::string> algorithms = {};      // as CompareOptions; those that fit are compared
  simulation::SimulationOptions simulation = {};
  /// Times of the MPI's own collectives on this network, which stays where it is the faster one:
  /// a table of a collective at most, as measured_collectives() gives them.
  std::vector<MeasuredTable> native = {};
  bool all_roots = false;              // of rooted collectives; else root 0 alone
  bool allows_different_bits = false;  // of floating-point results on different ranks
};

/// The collectives of a list: "all", or names with commas. Throws InvalidInput, also for
/// point-to-point.
std::vector<CollectiveKind> planned_collectives(const std::string& list);

/// Those of a file's tables that are of collectives. Throws InvalidInput where none is, one is of
/// another number of ranks, or a collective has two.
std::vector<MeasuredTable> measured_collectives(MeasuredTables measured, std::int32_t ranks);

/// Seconds at a size: straight lines between what was measured; below, the time of the least size,
/// above, that of the greatest in proportion. Precondition: the table has rows.
double measured_s(const MeasuredTable& table, std::int64_t size_B);

struct ChosenPlan {
  plan::Plan plan;  // without facts of the text header
  /// What the user should know: algorithms that no process can run, ranges that stay native.
  std::vector<std::string> remarks;
};

/// At each size the fastest schedule that MPI processes can run. Between two sizes with other
/// schedules the later one takes over where it becomes the faster one, found by halves to one part
/// in 256 of the size (in 8 where both are of one algorithm); a third that would be faster only in
/// between is not looked for. The first range begins at 0 and the last has no end. Throws
/// InvalidInput for one rank, for no sizes, and where a named algorithm serves none of the
/// collectives.
ChosenPlan choose_plan(const Network& network, const PlanOptions& options);

}  // namespace weft::question
