// A timeline and its messages on the network, each waiting for the other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/simulation/driver.hpp"
#include "weft/workload/timeline_run.hpp"

namespace weft::training {

/// A message that a task sends as it starts. Of one task with a receiver there are no others.
struct TimelineMessage {
  simulation::DrivenMessage sent;
  std::int32_t send = 0;
  /// The task that waits until it has arrived, whereas the one that sends it goes on once the
  /// sender's part is over; nothing: that goes on once all that it sends have arrived.
  std::optional<std::int32_t> receive = {};
};

/// When tasks ran, and messages arrived.
struct DrivenTimes {
  std::vector<workload::Ran> ran;
  std::vector<std::int64_t> arrived_ps;  // by message
  std::vector<double> link_bytes;        // by link; of no messages none
};

/// Runs the timeline; tasks that send nothing end after their durations. Precondition: the messages
/// of a task stand together.
DrivenTimes run_on(const Network& network, const workload::Timeline& timeline,
                   std::span<const TimelineMessage> messages,
                   const simulation::SimulationOptions& options);

}  // namespace weft::training
