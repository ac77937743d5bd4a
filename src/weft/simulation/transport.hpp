// Transport: what happens to a message between its sender's hands and its receiver's, and the
// clock.
//
// A message takes start-up, then the latency of its route, then its bytes at the rate that sharing
// allows (the order of SimGrid's CM02: the latency is paid first and loads no link). Where a port
// is free again when a message is injected, the latency comes last instead: the last byte leaves
// the sender when the flow ends and arrives one latency later; otherwise it would be known only
// afterwards when it had left.
//
// Events are ordered by (time, sequence). Those of one instant are handled together, with whatever
// they cause at once, before rates are solved once: a symmetric step costs one solve, not one per
// message.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/simulation/event_heap.hpp"
#include "weft/simulation/flow_clock.hpp"
#include "weft/simulation/step_window.hpp"

namespace weft::simulation {

/// How the steps are read: decides when a message is sent. Messages are named by the slot of their
/// loaded step and their index in it.
class Reading {
 public:
  virtual ~Reading() = default;
  /// Sends what can be sent at time 0.
  virtual void begin() = 0;
  /// An event that it scheduled itself.
  virtual void handle(const Happening& what) = 0;
  virtual void delivered(std::int32_t slot, std::int32_t index) = 0;
  virtual void released(std::int32_t slot, std::int32_t index) = 0;
  /// Whether all messages are through: nothing left to happen before that is a bug of ours.
  virtual bool finished() const = 0;
  /// Goes on with what was done in this instant; whether there was anything.
  virtual bool advance() = 0;
};

class Transport {
 public:
  Transport(const Network& network, const SimulationOptions& options, StepWindow& window);

  /// Runs until nothing is left to happen.
  void run(Reading& reading);

  double now() const { return now_; }
  /// Whether `time` belongs to the instant that is being handled.
  bool at_hand(double time) const { return time <= until_; }
  /// Lets it happen at `time`, or at once when that is now.
  void schedule(double time, Happening what);
  /// Puts the message on its way; delivered() and released() follow.
  void send(std::int32_t slot, std::int32_t index);

 private:
  void handle_instant(double time);
  void handle(const Happening& what);
  void start_flow(std::int32_t slot, std::int32_t index);
  void end_flow(std::int32_t slot, std::int32_t index);
  void deliver(std::int32_t slot, std::int32_t index);
  double weight(const LoadedStep& step, std::int32_t index) const;

  const Network& network_;
  SimulationOptions options_;
  StepWindow& window_;
  Reading* reading_ = nullptr;
  FlowClock flows_;
  EventHeap events_;
  std::vector<std::int64_t> ended_;  // tags of flows
  std::vector<double> shares_;       // scratch of start_flow
  std::int64_t reference_latency_ps_ = 0;
  double now_ = 0, until_ = 0;
};

}  // namespace weft::simulation
