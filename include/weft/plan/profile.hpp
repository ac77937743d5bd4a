// Profiles: what WEFT_PROFILE counted of an MPI program's collectives, and what a plan would make
// of them.
//
//   const Profile profile = read_profile("job.profile");
//   for (const CallSummary& calls : summarise(profile))
//     if (const auto there = prediction(plan, calls)) ...
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/plan/plan.hpp"

namespace weft::plan {

/// A line: what a rank did of one collective, in one class of sizes, in one way.
struct ProfiledCalls {
  std::int32_t rank = 0;
  std::string communicator;  // its name
  std::int32_t members = 0;  // of it
  std::string collective;    // "MPI_Allreduce"
  std::int64_t from_B = 0;   // sizes in [from_B, 2 from_B), as --size counts; 0: no data
  std::int64_t calls = 0;    // at least 1
  std::int64_t bytes = 0;    // of all calls' sizes
  double time_s = 0;         // in them, waiting for others too
  std::string ran;           // a schedule of the plan, or "native (why)"
};

struct Profile {
  std::int32_t ranks = 0;
  std::vector<ProfiledCalls> lines;
};

/// Throws InvalidInput, which names the line, for what is no profile or was cut off.
Profile read_profile(const std::string& path);

/// Calls of one collective on communicators of one name and number of members in one class of
/// sizes, as the mean over the ranks that made them.
struct CallSummary {
  std::string communicator;
  std::int32_t members = 0;
  std::string collective;
  std::int64_t from_B = 0;
  std::int64_t mean_B = 0;  // of a call
  double calls = 0;         // of a rank
  double time_s = 0;        // of a rank, in all of them
  std::string ran;          // in what way most calls ran

  double each_s() const { return time_s / calls; }
};

/// The longest first.
std::vector<CallSummary> summarise(const Profile& profile);

struct Prediction {
  std::string algorithm;
  double time_s = 0;  // of one call, on the plan's network
};

/// What a plan says of such a call: of root 0 where there is one, its time between the sizes that
/// were timed in proportion to the size. Nothing where the plan is for other ranks, or has no
/// schedule for it. A barrier is an allreduce of one byte.
std::optional<Prediction> prediction(const Plan& plan, const CallSummary& calls);

}  // namespace weft::plan
