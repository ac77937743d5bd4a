#include "weft/simulation/fluid/alike.hpp"

#include <algorithm>
#include <vector>

#include "weft/simulation/event_heap.hpp"
#include "weft/simulation/fluid/alike_layout.hpp"
#include "weft/simulation/fluid/flow_clock.hpp"
#include "weft/simulation/reading/step_window.hpp"
#include "weft/simulation/uncontended.hpp"

namespace weft::simulation {

namespace {

constexpr std::int64_t kFewMessages = 4;         // of an agent in a step, for steps one by one
constexpr std::int64_t kMostAtOnce = 4'000'000;  // messages whose steps are parted at once

/// An agent of each class, its messages and their links.
class AlikeRun {
 public:
  /// `lengths_B` by class of messages.
  AlikeRun(const AlikeLayout& layout, std::span<const std::int64_t> lengths_B,
           const Network& network, Release release);

  struct Times {
    double released_s = 0, delivered_s = 0;
  };
  /// When messages of each class are through, all agents having begun the first step at `begun_s`.
  std::vector<Times> run(double begun_s) &&;

 private:
  struct AgentState {
    std::int32_t step = 0;
    std::vector<std::int32_t> left;              // by step: sends and receives
    std::vector<std::vector<ClassIndex>> sends;  // by step
  };
  const AlikeLayout::Message& message(ClassIndex v) const { return layout_.messages[v]; }
  AgentState& agent(ClassIndex agent) { return agents_[agent]; }

  void enter(ClassIndex agent);
  void done(ClassIndex agent, std::int32_t step);
  void send(ClassIndex v);
  void schedule(double time, EventKind kind, ClassIndex v);
  void handle(EventKind kind, ClassIndex v);
  void start_flow(ClassIndex v);
  void end_flow(ClassIndex v);
  void deliver(ClassIndex v);
  void release(ClassIndex v);
  void handle_instant(double time);

  const AlikeLayout& layout_;
  std::span<const std::int64_t> lengths_B_;
  double startup_s_;
  Release release_;
  std::vector<AgentState> agents_;  // by class
  std::vector<Times> times_;        // by class of messages
  FlowClock flows_;
  EventHeap events_;
  std::vector<ClassIndex> leaving_;  // agents, in this instant
  std::vector<std::int64_t> ended_;
  std::vector<LinkId> links_;  // scratch of start_flow
  std::vector<double> takes_;  // likewise
  double now_ = 0, until_ = 0;
};

AlikeRun::AlikeRun(const AlikeLayout& layout, std::span<const std::int64_t> lengths_B,
                   const Network& network, Release release)
    : layout_(layout),
      lengths_B_(lengths_B),
      startup_s_(seconds(network.host().startup_ps)),
      release_(release),
      agents_(static_cast<std::size_t>(layout.agent_classes)),
      times_(layout.messages.size()),
      flows_(layout.capacities) {
  for (AgentState& state : agents_) {
    state.left.resize(static_cast<std::size_t>(layout.steps()));
    state.sends.resize(static_cast<std::size_t>(layout.steps()));
  }
  for (std::size_t v = 0; v < times_.size(); ++v) {
    const AlikeLayout::Message& sent = layout.messages[v];
    agent(sent.from).sends[sent.step].push_back(static_cast<ClassIndex>(v));
    ++agent(sent.from).left[sent.step];
    ++agent(sent.to).left[sent.step];
  }
}

std::vector<AlikeRun::Times> AlikeRun::run(double begun_s) && {
  now_ = begun_s;
  until_ = begun_s * (1 + FlowClock::kSameTime);
  for (ClassIndex agent = 0; agent < layout_.agent_classes; ++agent) enter(agent);
  handle_instant(begun_s);
  while (true) {
    const double event_s = events_.empty() ? FlowClock::kNever : events_.top().time;
    const double next_s = std::min(event_s, flows_.next_finish());
    if (next_s == FlowClock::kNever) return std::move(times_);
    handle_instant(next_s);
  }
}

/// All that happens at `time`, and the rates after it.
void AlikeRun::handle_instant(double time) {
  now_ = time;
  until_ = time * (1 + FlowClock::kSameTime);
  do {
    while (!leaving_.empty()) {
      const ClassIndex next = leaving_.back();
      leaving_.pop_back();
      ++agent(next).step;
      enter(next);
    }
    ended_.clear();
    flows_.finish(until_, ended_);
    for (const std::int64_t v : ended_) end_flow(static_cast<ClassIndex>(v));
    while (!events_.empty() && events_.top().time <= until_) {
      const Happening what = events_.pop().happening();
      handle(what.kind, what.index);
    }
  } while (!leaving_.empty());
  if (flows_.unsettled()) flows_.settle(now_);
}

/// The agent is in its step now, or in the first later one in which it has something to do.
void AlikeRun::enter(ClassIndex which) {
  AgentState& state = agent(which);
  while (state.step < std::ssize(state.left) && state.left[state.step] == 0) ++state.step;
  if (state.step == std::ssize(state.left)) return;
  for (const ClassIndex v : state.sends[state.step]) send(v);
}

/// A send or a receive of the agent is.
void AlikeRun::done(ClassIndex which, std::int32_t step) {
  AgentState& state = agent(which);
  if (--state.left[step] == 0 && state.step == step) leaving_.push_back(which);
}

void AlikeRun::send(ClassIndex v) {
  const AlikeLayout::Message& sent = message(v);
  const double started_s = now_ + sent.startups * startup_s_;
  if (sent.loads.empty()) return schedule(started_s, EventKind::land, v);
  const double latency_s = release_ == Release::injected ? 0 : seconds(sent.latency_ps);
  schedule(started_s + latency_s, EventKind::start, v);
}

void AlikeRun::schedule(double time, EventKind kind, ClassIndex v) {
  if (time <= until_) return handle(kind, v);
  events_.push(time, {kind, 0, v});
}

void AlikeRun::handle(EventKind kind, ClassIndex v) {
  switch (kind) {
    case EventKind::start:
      return start_flow(v);
    case EventKind::deliver:
      return deliver(v);
    case EventKind::release:
      return release(v);
    default:  // within a node
      deliver(v);
      return release(v);
  }
}

void AlikeRun::start_flow(ClassIndex v) {
  links_.clear();
  takes_.clear();
  for (const auto& [link, load] : message(v).loads) {
    links_.emplace_back(link);
    takes_.push_back(load);
  }
  flows_.start(links_, takes_, 1, static_cast<double>(lengths_B_[v]), v);
}

void AlikeRun::end_flow(ClassIndex v) {
  const double later_s = now_ + seconds(message(v).latency_ps);
  if (release_ == Release::injected)
    schedule(later_s, EventKind::deliver, v);
  else
    deliver(v);
  if (release_ == Release::acknowledged)
    schedule(later_s, EventKind::release, v);
  else
    release(v);
}

void AlikeRun::deliver(ClassIndex v) {
  times_[v].delivered_s = now_;
  done(message(v).to, message(v).step);
}

void AlikeRun::release(ClassIndex v) {
  times_[v].released_s = now_;
  done(message(v).from, message(v).step);
}

/// Its steps one by one, or all at once, and the times of agents.
class AlikeProgram {
 public:
  AlikeProgram(const Program& program, const Network& network, const SimulationOptions& options)
      : program_(program),
        network_(network),
        options_(options),
        recall_(options.recall && options.recall->is_of(network) &&
                        program.message_count() <= kMostAtOnce
                    ? options.recall.get()
                    : nullptr),
        finder_(program, network) {}

  std::optional<SimulationResult> run() {
    const std::int64_t in_steps = program_.agents() * program_.steps();
    if (program_.message_count() >= kFewMessages * in_steps && step_by_step())
      return std::move(result_);
    if (options_.sync == Sync::per_rank && program_.message_count() <= kMostAtOnce && at_once())
      return std::move(result_);
    return std::nullopt;
  }

 private:
  static constexpr std::int64_t kAllSteps = -1;  // as the number of a layout

  void begin() {
    result_ = {};
    result_.agent_times_s.resize(static_cast<std::size_t>(program_.agents()));
  }

  bool step_by_step() {
    begin();
    for (std::int64_t t = 0; t < program_.steps(); ++t) {
      if (!pass(t, t, t + 1, Beginning::together)) return false;
      const auto [first, last] = std::ranges::minmax(result_.agent_times_s);
      const bool together = options_.sync == Sync::lockstep || first == last;
      if (!together && t + 1 < program_.steps()) return false;
      result_.time_s = last;
    }
    return true;
  }

  bool at_once() {
    begin();
    if (!pass(kAllSteps, 0, program_.steps(), Beginning::apart)) return false;
    result_.time_s = std::ranges::max(result_.agent_times_s);
    return true;
  }

  /// The steps from `first` up to `end`; false where they have no layout.
  bool pass(std::int64_t number, std::int64_t first, std::int64_t end, Beginning beginning) {
    std::shared_ptr<const AlikeLayout> layout = recall_ ? recall_->layout(number) : nullptr;
    auto lengths_B = layout ? layout->lengths_in(program_, first, end) : std::nullopt;
    if (!lengths_B) {
      layout = finder_.find(first, end, beginning);
      if (!layout) return false;
      lengths_B = layout->lengths_in(program_, first, end);
      if (recall_) recall_->keep(number, layout);
    }
    const auto times =
        AlikeRun(*layout, *lengths_B, network_, options_.release).run(result_.time_s);
    for (const auto& [from, to, v] : layout->sent) {
      double& sender = result_.agent_times_s[from.index()];
      sender = std::max(sender, times[v].released_s);
      double& receiver = result_.agent_times_s[to.index()];
      receiver = std::max(receiver, times[v].delivered_s);
    }
    result_.messages += std::ssize(layout->sent);
    return true;
  }

  const Program& program_;
  const Network& network_;
  const SimulationOptions& options_;
  Recall* recall_;
  AlikeFinder finder_;
  SimulationResult result_;
};

}  // namespace

std::optional<SimulationResult> simulate_alike(const Program& program, const Network& network,
                                               const SimulationOptions& options) {
  if (!only_sends(program, network, options) || program.message_count() == 0) return std::nullopt;
  return AlikeProgram(program, network, options).run();
}

}  // namespace weft::simulation
