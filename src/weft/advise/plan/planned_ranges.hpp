// The ranges of one collective and root: who is compared, and what that comes to.
#pragma once

#include <string>
#include <vector>

#include "weft/advise/plan/plan_choice.hpp"

namespace weft::advise {

struct PlannedRanges {
  std::vector<plan::PlannedRange> ranges;  // with the places of schedules among these:
  std::vector<plan::PlannedSchedule> schedules;
  std::vector<std::vector<NodeId>> forwarding_hosts;  // by schedule
  std::vector<std::string> remarks;
  std::vector<LeftOut> left_out;
  bool has_candidates = false;  // otherwise all is the MPI's own
};

/// Builds each algorithm once. `unequal`: the blocks, a range for each of its sizes; null if all
/// have one size. On all threads; does not depend on their number.
PlannedRanges planned_ranges(const Collective& collective, const Network& network,
                             const PlanOptions& options, const UnequalCalls* unequal);

}  // namespace weft::advise
