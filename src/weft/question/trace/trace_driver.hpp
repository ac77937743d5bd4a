// The timeline of a trace and its messages on the network, each waiting for the other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/simulation/driver.hpp"
#include "weft/workload/timeline_run.hpp"

namespace weft::question {

/// A message of the network that is sent by one task and awaited by another.
struct TraceMessage {
  simulation::DrivenMessage sent;
  std::int32_t send = 0, receive = 0;  // tasks; the second waits for the first
};

/// When tasks ran, and messages arrived.
struct DrivenTimes {
  std::vector<workload::Ran> ran;
  std::vector<std::int64_t> arrived_ps;  // by message
  std::vector<double> link_bytes;        // by link
};

/// Runs the timeline: a task that sends goes on until its sender's part is over, and whoever
/// receives waits until the message has arrived; all others end after their durations.
DrivenTimes run_on(const Network& network, const workload::Timeline& timeline,
                   std::span<const TraceMessage> messages,
                   const simulation::SimulationOptions& options);

}  // namespace weft::question
