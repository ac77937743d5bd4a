#include "weft/simulation/fluid/alike.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "weft/base/work/time_limit.hpp"
#include "weft/simulation/event_heap.hpp"
#include "weft/simulation/fluid/alike_layout.hpp"
#include "weft/simulation/fluid/flow_clock.hpp"
#include "weft/simulation/reading/step_window.hpp"
#include "weft/simulation/uncontended.hpp"

namespace weft::simulation {

namespace {

constexpr double kRounding = 1e-9;               // of times, relatively
constexpr std::int64_t kFewMessages = 4;         // of an agent in a step, for steps one by one
constexpr std::int64_t kMostAtOnce = 4'000'000;  // messages whose steps are parted at once
constexpr std::int64_t kMostKept = 2'000'000;    // messages of a layout that is kept
constexpr std::int64_t kPasses = 4;              // over messages that finding a layout takes, about
constexpr std::int64_t kMostWork = std::numeric_limits<std::int64_t>::max() / 2;

/// Thrown where a run ends early, see SimulationOptions.
struct EndedEarly {
  double at_s = 0;
  std::int64_t work = 0;  // of the run alone
};

/// An agent of each class, its messages and their links. Messages are numbered by segment, then
/// class.
class AlikeRun {
 public:
  AlikeRun(const AlikeLayout& layout, std::span<const std::int64_t> lengths_B,
           program::Pipeline pipeline, const Network& network, const SimulationOptions& options);

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
  void enter(ClassIndex which);
  void done(ClassIndex which, std::int32_t step);
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
  std::int32_t stride_;
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

AlikeRun::AlikeRun(const AlikeLayout& layout, std::span<const std::int64_t> lengths_B,
                   program::Pipeline pipeline, const Network& network,
                   const SimulationOptions& options)
    : layout_(layout),
      lengths_B_(lengths_B),
      stride_(static_cast<std::int32_t>(pipeline.stride)),
      startup_s_(seconds(network.host().startup_ps)),
      options_(options),
      agents_(layout.agent_classes),
      times_(lengths_B.size()),
      flows_(layout.capacities) {
  const std::int64_t steps = layout.steps() + (pipeline.segments - 1) * pipeline.stride;
  for (AgentState& state : agents_) {
    state.left.resize(steps);
    state.sends.resize(steps);
  }
  for (ClassIndex m = 0; m < std::ssize(times_); ++m) {
    agent(message(m).from).sends[step(m)].push_back(m);
    ++agent(message(m).from).left[step(m)];
    ++agent(message(m).to).left[step(m)];
  }
  count_startups(pipeline.segments,
                 startup_s_ > 0 && network.host().startup_per == StartupPer::message);
}

/// Those of later segments come after those of earlier ones in the same step.
void AlikeRun::count_startups(std::int64_t segments, bool in_turn) {
  const auto classes = static_cast<ClassIndex>(layout_.messages.size());
  std::vector<std::vector<std::int32_t>> before(agents_.size());  // by agent and step
  for (auto& of_agent : before) of_agent.resize(agents_.front().left.size());
  auto after = before;
  startups_.reserve(times_.size());
  for (ClassIndex segment = 0; segment < segments; ++segment) {
    for (ClassIndex v = 0; v < classes; ++v) {
      const auto& [from, to, own_step, own, latency_ps, loads] = layout_.messages[v];
      const std::int32_t at = own_step + segment * stride_;
      startups_.push_back(in_turn && own > 0 ? before[from][at] + own : own);
      after[from][at] = std::max(after[from][at], startups_.back());
    }
    if (in_turn && segments > 1) before = after;
  }
}

std::vector<AlikeRun::Times> AlikeRun::run(double begun_s, std::int64_t spent) {
  flows_.limit_work(options_.most_work - spent);
  try {
    return run_to_end(begun_s, spent);
  } catch (const OutOfWork&) {
    throw EndedEarly{now_, work()};
  }
}

std::vector<AlikeRun::Times> AlikeRun::run_to_end(double begun_s, std::int64_t spent) {
  now_ = begun_s;
  until_ = begun_s * (1 + FlowClock::kSameTime);
  for (ClassIndex agent = 0; agent < layout_.agent_classes; ++agent) enter(agent);
  handle_instant(begun_s);
  while (true) {
    const double event_s = events_.empty() ? FlowClock::kNever : events_.top().time;
    const double next_s = std::min(event_s, flows_.next_finish());
    if (next_s == FlowClock::kNever) return std::move(times_);
    if (next_s > options_.limit_s * (1 + kRounding) || spent + work() > options_.most_work)
      throw EndedEarly{next_s, work()};
    TimeLimit::check();
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
      ++events_handled_;
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
  const double started_s = now_ + startups_[v] * startup_s_;
  if (sent.loads.empty()) return schedule(started_s, EventKind::land, v);
  const double latency_s = options_.release == Release::injected ? 0 : seconds(sent.latency_ps);
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
  if (options_.release == Release::injected)
    schedule(later_s, EventKind::deliver, v);
  else
    deliver(v);
  if (options_.release == Release::acknowledged)
    schedule(later_s, EventKind::release, v);
  else
    release(v);
}

void AlikeRun::deliver(ClassIndex v) {
  times_[v].delivered_s = now_;
  done(message(v).to, step(v));
}

void AlikeRun::release(ClassIndex v) {
  times_[v].released_s = now_;
  done(message(v).from, step(v));
}

/// Its steps one by one, or all at once, and the times of agents.
class AlikeProgram {
 public:
  AlikeProgram(const Program& program, const Network& network, const SimulationOptions& options)
      : program_(program),
        network_(network),
        options_(options),
        pipeline_(program.pipeline()),
        recall_(may_recall() ? options.recall.get() : nullptr),
        finds_once_(recall_ != nullptr && program.has_whole_units()),
        finder_(program, network) {}

  /// The work that this took, nothing found or not, is in `sunk`.
  std::optional<SimulationResult> run(SunkWork& sunk) {
    counted_ = sunk.counted;
    std::optional<SimulationResult> found;
    try {
      found = find();
    } catch (const EndedEarly& end) {
      found = ended_early_at(end.at_s);
      runs_ += end.work;
    } catch (const OutOfWork&) {  // of the finder
      found = ended_early_at(result_.time_s);
      found_here_ += finder_.work() - finding_from_;
    }
    sunk.counted = counted_ + runs_;
    sunk.spent += found_here_ + runs_;
    return found;
  }

 private:
  static constexpr std::int64_t kAllSteps = -1;  // as the number of a layout

  static SimulationResult ended_early_at(double time_s) {
    SimulationResult result;
    result.time_s = time_s;
    result.ended_early = true;
    return result;
  }

  std::optional<SimulationResult> find() {
    const std::int64_t in_steps = program_.agents() * program_.steps();
    const bool pipelined = pipeline_.segments > 1;
    if (!pipelined && program_.message_count() >= kFewMessages * in_steps && step_by_step())
      return std::move(result_);
    if (fits_at_once() && at_once()) return std::move(result_);
    return std::nullopt;
  }

  bool may_recall() const {
    return options_.recall && options_.recall->is_of(network_) &&
           program_.message_count() / pipeline_.segments <= kMostKept;
  }

  /// Segments go the same ways, if that does not hang on what else is under way.
  bool fits_at_once() const {
    return options_.sync == Sync::per_rank &&
           program_.message_count() / pipeline_.segments <= kMostAtOnce &&
           (pipeline_.segments == 1 || !network_.routing().sees_whole_step());
  }

  void begin() {
    result_ = {};
    result_.agent_times_s.resize(program_.agents());
  }

  bool step_by_step() {
    begin();
    for (std::int64_t t = 0; t < program_.steps(); ++t) {
      if (!pass(t, t, t + 1, Beginning::together, {})) return false;
      const auto [first, last] = std::ranges::minmax(result_.agent_times_s);
      const bool together = options_.sync == Sync::lockstep || first == last;
      if (!together && t + 1 < program_.steps()) return false;
      result_.time_s = last;
    }
    return true;
  }

  bool at_once() {
    begin();
    const std::int64_t steps = program_.steps() - (pipeline_.segments - 1) * pipeline_.stride;
    if (!pass(kAllSteps, 0, steps, Beginning::apart, pipeline_)) return false;
    result_.time_s = std::ranges::max(result_.agent_times_s);
    return true;
  }

  /// The steps from `first` up to `end` of a segment, and all others; false without a layout.
  bool pass(std::int64_t number, std::int64_t first, std::int64_t end, Beginning beginning,
            program::Pipeline pipeline) {
    std::shared_ptr<const AlikeLayout> layout;
    if (finds_once_) {
      layout = found_once(number, first, end, beginning);
    } else {
      count_passes(end - first);
      if (recall_ != nullptr) layout = recall_->layout(number);
    }
    auto lengths_B = lengths_in(layout.get(), first, end, pipeline);
    if (!lengths_B && !finds_once_) {
      layout = found(first, end, beginning);
      lengths_B = lengths_in(layout.get(), first, end, pipeline);
      if (lengths_B && recall_ != nullptr) recall_->keep(number, layout);
    }
    if (!lengths_B) return false;
    run(*layout, *lengths_B, pipeline);
    return true;
  }

  std::shared_ptr<const AlikeLayout> found(std::int64_t first, std::int64_t end,
                                           Beginning beginning) {
    finding_from_ = finder_.work();
    finder_.limit_work(finding_from_ + std::min(options_.most_work, kMostWork));
    return finder_.find(first, end, beginning);
  }

  /// Of what is not found once: the same for all runs, whether they recall it or not.
  void count_passes(std::int64_t steps) {
    const std::int64_t messages = program_.message_count() / pipeline_.segments;
    const std::int64_t share =
        kPasses * messages * steps / std::max<std::int64_t>(1, program_.steps());
    counted_ += share;
    found_here_ += share;
    if (counted_ + runs_ > options_.most_work) throw EndedEarly{result_.time_s};
  }

  /// Counts as found by each run, whichever came first. Whether it is found depends on the limit
  /// alone, not on what a run did before.
  std::shared_ptr<const AlikeLayout> found_once(std::int64_t number, std::int64_t first,
                                                std::int64_t end, Beginning beginning) {
    Recall::Entry& entry = recall_->entry(Recall::key(number, program_));
    const std::scoped_lock lock(entry.mutex);
    if (!entry.is_known) {
      entry.layout = found(first, end, beginning);
      entry.work = finder_.work() - finding_from_;
      entry.is_known = true;
      found_here_ += entry.work;
    }
    counted_ += entry.work;
    if (counted_ + runs_ > options_.most_work) throw EndedEarly{result_.time_s};
    return entry.layout;
  }

  std::optional<std::vector<std::int64_t>> lengths_in(const AlikeLayout* layout, std::int64_t first,
                                                      std::int64_t end,
                                                      program::Pipeline pipeline) const {
    if (layout == nullptr || layout->steps() != end - first ||
        std::ssize(layout->messages) * pipeline.segments > kMostAtOnce)
      return std::nullopt;
    return layout->lengths_in(program_, first, pipeline);
  }

  void run(const AlikeLayout& layout, std::span<const std::int64_t> lengths_B,
           program::Pipeline pipeline) {
    AlikeRun run(layout, lengths_B, pipeline, network_, options_);
    auto times = run.run(result_.time_s, counted_ + runs_);
    runs_ += run.work();
    const std::size_t classes = layout.messages.size();
    for (std::size_t m = classes; m < times.size(); ++m) {  // of later segments
      AlikeRun::Times& last = times[m % classes];
      last.released_s = std::max(last.released_s, times[m].released_s);
      last.delivered_s = std::max(last.delivered_s, times[m].delivered_s);
    }
    for (const auto& [from, to, v] : layout.sent) {
      double& sender = result_.agent_times_s[from.index()];
      sender = std::max(sender, times[v].released_s);
      double& receiver = result_.agent_times_s[to.index()];
      receiver = std::max(receiver, times[v].delivered_s);
    }
    result_.messages += std::ssize(layout.sent) * pipeline.segments;
  }

  const Program& program_;
  const Network& network_;
  const SimulationOptions& options_;
  program::Pipeline pipeline_;
  Recall* recall_;
  bool finds_once_;  // what it finds holds for all sizes of its kind
  AlikeFinder finder_;
  SimulationResult result_;
  std::int64_t runs_ = 0;          // work
  std::int64_t counted_ = 0;       // of finding layouts, whoever did
  std::int64_t found_here_ = 0;    // of those found by this run
  std::int64_t finding_from_ = 0;  // the finder's work when it began the last one
};

}  // namespace

std::optional<SimulationResult> simulate_alike(const Program& program, const Network& network,
                                               const SimulationOptions& options, SunkWork& sunk) {
  if (!only_sends(program, network, options) || program.message_count() == 0) return std::nullopt;
  return AlikeProgram(program, network, options).run(sunk);
}

}  // namespace weft::simulation
