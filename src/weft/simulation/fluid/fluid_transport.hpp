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
//
// Several programs share the links and the clock, FluidRun; each has a transport of its own.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/simulation/fluid/flow_clock.hpp"
#include "weft/simulation/fluid/flow_path.hpp"
#include "weft/simulation/fluid/segment_order.hpp"
#include "weft/simulation/transport.hpp"

namespace weft::simulation {

class CallRepeats;
class FluidTransport;
class LeastRest;

/// What spares a run work, of a program that runs alone.
struct Sparing {
  CallRepeats* repeats = nullptr;      // leaves out calls; null: none
  const LeastRest* rest = nullptr;     // how long it takes at least; null: nothing is known
  double limit_s = FlowClock::kNever;  // it may end once it is known to take longer
  std::int64_t most_work = std::numeric_limits<std::int64_t>::max();  // it may end after
};

/// The flows of all programs, and what happens when.
class FluidRun {
 public:
  /// By link; see StepWindow::capacities.
  explicit FluidRun(std::span<const double> capacities) : flows_(capacities) {}

  /// Runs until nothing is left to happen; false where it ended at a limit.
  bool run(const Sparing& sparing = {});
  /// How far it has come.
  double now_s() const { return now_; }
  std::int64_t work() const { return flows_.work() + events_handled_ + loading_; }
  /// So much was done to load a step.
  void add_loading(std::int64_t work) { loading_ += work; }
  /// Flows and events of the only program, seen from the beginning of `step`.
  RunState state(std::int64_t step) const;

 private:
  friend class FluidTransport;
  bool run_to_end(const Sparing& sparing);
  /// Slots of all transports in one row.
  std::int32_t slot(std::int32_t number, std::int32_t slot) const;
  void handle_instant(double time);
  bool advance();
  FluidTransport& transport_of(std::int32_t slot) {
    return *transports_[transports_.size() == 1
                            ? 0
                            : static_cast<std::size_t>(slot) % transports_.size()];
  }
  std::int32_t own(std::int32_t slot) const {
    return transports_.size() == 1 ? slot : slot / static_cast<std::int32_t>(transports_.size());
  }

  std::vector<FluidTransport*> transports_;
  FlowClock flows_;
  EventHeap events_;
  std::vector<std::int64_t> ended_;  // tags of flows
  double now_ = 0, until_ = 0;
  std::int64_t events_handled_ = 0, loading_ = 0;
};

class FluidTransport final : public Transport {
 public:
  FluidTransport(const Network& network, const SimulationOptions& options, StepWindow& window,
                 FluidRun& run);

  /// What it carries the messages of, which begins at `start_s`. Before the run.
  void read(Reading& reading, double start_s) {
    WEFT_ASSERT(start_s >= 0);
    reading_ = &reading;
    start_s_ = start_s;
  }

  double now() const override { return run_.now_; }
  /// Segments follow each other from one agent to another. Before the run.
  void order_segments() { segments_.emplace(); }

  bool at_hand(double time) const override { return time <= run_.until_; }
  void schedule(double time, Happening what) override;
  void send(std::int32_t slot, std::int32_t index, double started) override;

 private:
  friend class FluidRun;
  void begin();
  void handle(const Happening& what);
  void start_flow(std::int32_t slot, std::int32_t index);
  void run_flow(std::int32_t slot, std::int32_t index);
  void end_flow(std::int32_t slot, std::int32_t index);
  void deliver(std::int32_t slot, std::int32_t index);

  const Network& network_;
  SimulationOptions options_;
  StepWindow& window_;
  FluidRun& run_;
  std::int32_t number_;  // among the run's
  Reading* reading_ = nullptr;
  double start_s_ = 0;
  FlowPaths paths_;
  std::optional<SegmentOrder> segments_;
};

}  // namespace weft::simulation
