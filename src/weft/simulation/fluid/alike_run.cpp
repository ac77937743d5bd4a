#include "weft/simulation/fluid/alike_run.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/work/time_limit.hpp"
#include "weft/simulation/fluid/max_min.hpp"
#include "weft/simulation/reading/step_window.hpp"

namespace weft::simulation {

namespace {

constexpr double kRounding = 1e-9;  // of times, relatively

}  // namespace

AlikeRun::AlikeRun(const AlikeLayout& layout, std::span<const std::int64_t> lengths_B,
                   program::Pipeline pipeline, const Network& network,
                   const SimulationOptions& options)
    : layout_(layout),
      lengths_B_(lengths_B),
      stride_(static_cast<std::int32_t>(pipeline.stride)),
      host_(network.host()),
      startup_s_(seconds(host_.startup_ps)),
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

/// From when a message leaves until its first byte arrives.
double AlikeRun::wait_s(ClassIndex v) const {
  return seconds(message(v).latency_ps + host_.message_ps(lengths_B_[v]));
}

void AlikeRun::send(ClassIndex v) {
  const AlikeLayout::Message& sent = message(v);
  const double started_s = now_ + startups_[v] * startup_s_;
  if (sent.loads.empty()) return schedule(started_s, EventKind::land, v);
  const double latency_s = options_.release == Release::injected ? 0 : wait_s(v);
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
  const double later_s = now_ + wait_s(v);
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

}  // namespace weft::simulation
