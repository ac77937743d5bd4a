// What weft plan says of a plan: one that it made, one that it shows, one that it checks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/advise/plan/plan_choice.hpp"
#include "weft/answer/part.hpp"
#include "weft/plan/plan.hpp"

namespace weft::cli {

/// A plan that was made.
struct MadePlan {
  const Network& network;
  const GivenFields& said;
  const advise::ChosenPlan& chosen;
  const std::string& output;  // its file
  std::size_t file_B = 0;
  const std::vector<std::string>& remarks;
  std::vector<NodeId> forwarding_hosts;  // of all schedules
};
answer::Parts<MadePlan> made_plan_parts();

/// A plan from a file.
struct ReadPlan {
  const plan::Plan& plan;
  const std::string& path;
};
answer::Parts<ReadPlan> shown_plan_parts();

/// A schedule that does not do what its plan states, and why.
struct PlanFault {
  const plan::PlannedSchedule& schedule;
  std::string text;
};
struct CheckedPlan {
  const ReadPlan& read;
  std::vector<PlanFault> faults;
};
answer::Parts<CheckedPlan> checked_plan_parts();

/// A line for each range of sizes.
Table table_of(const plan::Plan& plan);

/// What is in the file.
int show_plan(const ReadPlan& read, const OutputOptions& common, Streams& streams);
/// Proves again what its programs do together. kNo where one does not do what the plan says.
int check_plan(const ReadPlan& read, const OutputOptions& common, Streams& streams);

}  // namespace weft::cli
