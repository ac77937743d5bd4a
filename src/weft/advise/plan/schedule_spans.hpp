// Which schedule takes its turn at which sizes, from one crossover to the next.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weft/calibrate/measured_table.hpp"
#include "weft/evaluate/candidate.hpp"

namespace weft::advise {

/// At a size that was compared a candidate is the fastest, or the MPI's own.
struct Winner {
  std::int64_t size_B = 0;
  const Candidate* candidate = nullptr;  // null: the MPI's own
  double time_s = 0;
};

/// A schedule, and its time at any size.
class ScheduleClock {
 public:
  /// Refers to the network.
  ScheduleClock(schedule::Verified verified, const Candidate& candidate, const Network& network,
                const simulation::SimulationOptions& options);

  const schedule::Verified& verified() const { return verified_; }
  double time_s(std::int64_t size_B) const;

 private:
  schedule::Verified verified_;
  std::shared_ptr<const program::CopyPlan> copies_;
  const Network& network_;
  simulation::SimulationOptions options_;
};

/// Neighbours among the sizes compared that are served by one schedule, made for the first.
struct ScheduleSpan {
  Winner winner;  // at the first
  std::int64_t last_compared_B = 0;
  double last_s = 0;                           // its time there
  std::int64_t first_B = 0;                    // where it takes over
  std::shared_ptr<const ScheduleClock> timed;  // null: the MPI's own
};

/// In the order of sizes, as winners are; the first begins at 0. `native` has the times of the
/// MPI's own where it wins. Where the next takes over is found to one part in 256 of the size, by
/// times as time_for_plan() tells them; where only the number of segments is another one, from 8
/// on, and the size at most twice, it is told by a formula. On all threads; does not depend on
/// their number.
std::vector<ScheduleSpan> spans_of(std::span<const Winner> winners, const MeasuredTable* native,
                                   const Network& network,
                                   const simulation::SimulationOptions& options);

}  // namespace weft::advise
