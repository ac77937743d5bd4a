// simulate_driven: messages on a network whose sending someone else decides while they run, such as
// the timeline of a training step, which goes on with whatever a message has brought.
//
//   class Relay : public Driver {  // 0 sends to 1, which computes a millisecond and answers
//     void begin(DrivenRun& run) override { (run_ = &run)->send(0); }
//     void delivered(std::int32_t message) override {
//       if (message == 0) run_->wake(run_->now_s() + 1e-3, 7);
//     }
//     void woken(std::int32_t) override { run_->send(1); }
//     ...
//   };
//   const auto result = simulate_driven(messages, network, relay, options);
#pragma once

#include <cstdint>
#include <span>

#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

struct DrivenMessage {
  std::int32_t from = 0, to = 0;  // ranks of the network
  std::int64_t bytes = 0;         // > 0
};

/// The run as its driver sees it.
class DrivenRun {
 public:
  virtual ~DrivenRun() = default;
  virtual double now_s() const = 0;
  /// Hands a message, by its index, to its sender now; each once.
  virtual void send(std::int32_t message) = 0;
  /// Calls woken(what) at `time_s`, not before now.
  virtual void wake(double time_s, std::int32_t what) = 0;
};

/// Decides when messages are sent. No call comes within another.
class Driver {
 public:
  virtual ~Driver() = default;
  /// At time 0. The run outlives all other calls.
  virtual void begin(DrivenRun& run) = 0;
  virtual void woken(std::int32_t what) = 0;
  /// It has arrived and its receiver's start-up is over.
  virtual void delivered(std::int32_t message) = 0;
  /// The sender's part is over; see Release.
  virtual void released(std::int32_t message) = 0;
  /// All that ends at this instant has been told, but what the driver lets happen now; called as
  /// often as it lets something happen. For choices among what has come at once.
  virtual void settled() {}
  /// Whether nothing is left to do: a run that ends before that is a bug of the driver.
  virtual bool finished() const = 0;
};

/// Runs the messages that the driver sends, under any model: they share links, buffers and ports
/// with those that are under way at the time. The alpha-beta model knows of no other traffic; there
/// each takes a start-up, the latency of its route and the time of its most loaded link. Routings
/// that look at a whole pattern see all messages as one. Deterministic. Throws InvalidInput for
/// messages of ranks that there are not, without bytes, and as simulate() does. O(messages) memory,
/// and their routes.
SimulationResult simulate_driven(std::span<const DrivenMessage> messages, const Network& network,
                                 Driver& driver, const SimulationOptions& options = {});

}  // namespace weft::simulation
