// What weft optimum answers, as a table of parts: for the command and for rows of studies.
#pragma once

#include <vector>

#include "weft/answer/columns.hpp"
#include "weft/answer/part.hpp"
#include "weft/design/bounds/certificate.hpp"
#include "weft/design/bounds/optimum_question.hpp"

namespace weft::design {

/// An answer and what it is of.
struct AnsweredOptimum {
  const OptimumQuestion& asked;
  const OptimumAnswer& found;
  OptimumProof proof;
  std::vector<NodeId> relays = {};  // hosts without a rank that pass nothing on

  bool is_solved_in_time() const { return evaluate::is_solved_in_time(proof.collective.kind); }
  bool also_copies() const { return found.best.among == evaluate::Among::also_copying_switches; }
};

/// A schedule next to the optimum.
struct ComparedSchedule {
  const evaluate::PricedSchedule& priced;
  const OptimumProof& proof;

  bool in_network() const { return priced.combining == evaluate::Combining::in_network; }
  /// T_B over the optimum, or over what is proven of it. Of a schedule that combines in switches:
  /// over the lower bound for such schedules.
  double over_optimum() const;
};
std::vector<ComparedSchedule> schedules_of(const AnsweredOptimum& answered);

answer::Parts<AnsweredOptimum> optimum_parts();
answer::Parts<ComparedSchedule> compared_schedule_parts();

/// Columns of a row of a study: of the optimum, and of the schedule with the lowest T_B.
std::vector<answer::Column> optimum_row_columns();
std::vector<answer::Column> best_schedule_columns();

}  // namespace weft::design
