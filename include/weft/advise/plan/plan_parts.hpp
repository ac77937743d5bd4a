// What a plan runs at which sizes, as tables of parts: for the command and for rows of studies.
#pragma once

#include <vector>

#include "weft/answer/columns.hpp"
#include "weft/answer/part.hpp"
#include "weft/plan/plan.hpp"

namespace weft::advise {

/// In the place of an algorithm's name: the MPI runs its own.
inline constexpr const char* kNative = "native";

/// A range of sizes, in its plan.
struct AnsweredRange {
  const plan::Plan& of;
  const plan::PlannedRange& range;

  /// Null where the MPI runs its own.
  const plan::PlannedSchedule* schedule() const {
    return range.schedule ? &of.schedules[*range.schedule] : nullptr;
  }
};
std::vector<AnsweredRange> ranges_of(const plan::Plan& plan);

answer::Parts<AnsweredRange> range_parts();
answer::Parts<plan::PlannedSchedule> planned_schedule_parts();

/// The table of a row of a study, which is of the range of one size, and its columns.
answer::Parts<AnsweredRange> range_row_parts();
std::vector<answer::Column> range_row_columns();

}  // namespace weft::advise
