// AlikeRun: a run of classes of messages instead of messages; see alike.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/simulation/event_heap.hpp"
#include "weft/simulation/fluid/alike_layout.hpp"
#include "weft/simulation/fluid/flow_clock.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

/// Thrown where a run ends early, see SimulationOptions.
struct EndedEarly {
  double at_s = 0;
  std::int64_t work = 0;  // of the run alone
};

/// An agent of each class, its messages and their links. Messages are numbered by segment, then
/// class.
class AlikeRun {
 public:
  /// Sums take as long as `reduce_Bps` says; 0: no time.
  AlikeRun(const AlikeLayout& layout, std::span<const AlikeLayout::Content> contents,
           program::Pipeline pipeline, const Network& network, std::int64_t reduce_Bps,
           const SimulationOptions& options);

  /// What is summed is delivered when its receiver has summed it.
  struct Times {
    double released_s = 0, delivered_s = 0;
  };
  /// When messages of each class are through, all agents having begun the first step at `begun_s`.
  /// Throws EndedEarly by the limits of the options, `spent` being the work before it.
  std::vector<Times> run(double begun_s, std::int64_t spent);
  std::int64_t work() const { return flows_.work() + events_handled_; }

 private:
  struct AgentState {
    std::int32_t step = 0;
    std::vector<std::int32_t> left;              // by step: sends and receives
    std::vector<std::vector<ClassIndex>> sends;  // by step
    std::vector<std::int32_t> started;           // by step: start-ups, one after the other
    double cpu_free_s = 0;                       // when start-ups and sums are done
    std::vector<double> summed_s;                // by step: when what came in it is summed
    std::vector<ClassIndex> early;               // messages to sum in later steps
  };
  const AlikeLayout::Message& message(ClassIndex m) const {
    return layout_.messages[static_cast<std::size_t>(m) % layout_.messages.size()];
  }
  std::int32_t step(ClassIndex m) const {
    const auto segment = m / static_cast<ClassIndex>(layout_.messages.size());
    return message(m).step + segment * stride_;
  }
  AgentState& agent(ClassIndex agent) { return agents_[agent]; }

  std::vector<Times> run_to_end(double begun_s, std::int64_t spent);
  void count_startups(std::int64_t segments, bool in_turn);
  bool has_sums() const { return reduce_Bps_ > 0; }
  double sums_s(ClassIndex v) const;
  void sum_early(AgentState& state);
  void enter(ClassIndex which);
  void done(ClassIndex which, std::int32_t step);
  double wait_s(ClassIndex v) const;
  void send(ClassIndex v);
  void schedule(double time, EventKind kind, ClassIndex v);
  void handle(EventKind kind, ClassIndex v);
  void start_flow(ClassIndex v);
  void end_flow(ClassIndex v);
  void deliver(ClassIndex v);
  void release(ClassIndex v);
  void handle_instant(double time);

  const AlikeLayout& layout_;
  std::span<const AlikeLayout::Content> contents_;
  std::int32_t stride_;
  std::int64_t reduce_Bps_;
  const HostParameters& host_;
  double startup_s_;
  const SimulationOptions& options_;
  std::vector<AgentState> agents_;      // by class
  std::vector<std::int32_t> startups_;  // by message
  std::vector<Times> times_;            // likewise
  FlowClock flows_;
  EventHeap events_;
  std::vector<ClassIndex> leaving_;  // agents, in this instant
  std::vector<std::int64_t> ended_;
  std::vector<LinkId> links_;  // scratch of start_flow
  std::vector<double> takes_;  // likewise
  double now_ = 0, until_ = 0;
  std::int64_t events_handled_ = 0;
};

}  // namespace weft::simulation
