// What each rank does in a schedule, in units: what a plan holds and a process runs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weft/plan_reader/layout.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::plan {

using schedule::Collective;
using schedule::Schedule;
using schedule::Verified;

/// One rank's messages of one segment, by step. Both ends of a message have its units in the same
/// order, and the k-th message from a to b in a step is the k-th of b from a.
struct RankProgram {
  std::vector<layout::Message> sends, receives;
  std::vector<layout::Units> units;

  friend bool operator==(const RankProgram& a, const RankProgram& b);
};

/// A schedule as a plan holds it.
struct PlannedSchedule {
  Collective collective;
  std::string algorithm;
  std::int64_t units_per_block = 1, stored_steps = 0;
  schedule::Segments segments = {};
  bool keeps_order = true;            // serves operations that do not commute
  bool one_association = true;        // gives all ranks the same bits
  bool has_routes = false;            // that MPI cannot choose; they are not in the plan
  std::vector<RankProgram> programs;  // by rank
};

/// Why a process cannot do its part of a schedule; empty where it can: helpers work in switches,
/// and an input may not be written to.
std::string unplannable(const Schedule& schedule);

/// Throws InvalidInput where unplannable() says why.
PlannedSchedule planned(const Verified& verified);

/// The schedule that the ranks' programs make together. Throws InvalidInput where a message has
/// not two ends that agree. What it does is to be verified.
Schedule lift(const PlannedSchedule& planned);

}  // namespace weft::plan
