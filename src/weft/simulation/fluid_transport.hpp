// FluidTransport: messages as flows, and the clock.
//
// A started message takes the latency of its route, then its bytes at the rate that sharing
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

#include "weft/simulation/flow_clock.hpp"
#include "weft/simulation/transport.hpp"

namespace weft::simulation {

class FluidTransport final : public Transport {
 public:
  FluidTransport(const Network& network, const SimulationOptions& options, StepWindow& window);

  /// Runs until nothing is left to happen.
  void run(Reading& reading);

  double now() const override { return now_; }
  bool at_hand(double time) const override { return time <= until_; }
  void schedule(double time, Happening what) override;
  void send(std::int32_t slot, std::int32_t index, double started) override;

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
