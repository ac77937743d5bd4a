#include "weft/simulation/fluid/alike_run.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/simulation/fluid/max_min.hpp"
#include "weft/simulation/reading/step_window.hpp"

namespace weft::simulation {

namespace {

constexpr double kRounding = 1e-9;  // of times, relatively

}  // namespace

AlikeRun::AlikeRun(const AlikeLayout& layout, std::span<const AlikeLayout::Content> contents,
                   program::Pipeline pipeline, const Network& network, std::int64_t reduce_Bps,
                   const SimulationOptions& options)
    : layout_(layout),
      contents_(contents),
      stride_(static_cast<std::int32_t>(pipeline.stride)),
      reduce_Bps_(reduce_Bps),
      host_(network.host()),
      startup_s_(seconds(host_.send_ps())),
      options_(options),
      agents_(layout.agent_classes),
      times_(contents.size()),
      flows_(layout.capacities) {
  WEFT_ASSERT(pipeline.segments >= 1 && reduce_Bps >= 0 && !agents_.empty());
  WEFT_ASSERT(std::ssize(contents) == std::ssize(layout.messages) * pipeline.segments);
  const std::int64_t steps = layout.steps() + (pipeline.segments - 1) * pipeline.stride;
  for (AgentState& state : agents_) {
    state.left.resize(steps);
    state.sends.resize(steps);
    if (has_sums()) state.summed_s.resize(steps);
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
      const AlikeLayout::Message& message = layout_.messages[v];
      const std::int32_t at = message.step + segment * stride_, own = message.startups;
      startups_.push_back(in_turn && own > 0 ? before[message.from][at] + own : own);
      after[message.from][at] = std::max(after[message.from][at], startups_.back());
    }
    if (in_turn && segments > 1) before = after;
  }
  WEFT_ASSERT(startups_.size() == times_.size());
  if (!in_turn || !has_sums()) return;
  for (std::size_t a = 0; a < agents_.size(); ++a) agents_[a].started = std::move(after[a]);
}

std::vector<AlikeRun::Times> AlikeRun::run(double begun_s, std::int64_t spent) {
  WEFT_ASSERT(begun_s >= 0 && spent >= 0);
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
  for (; state.step < std::ssize(state.left); ++state.step) {
    if (has_sums()) sum_early(state);
    if (state.left[state.step] > 0) break;
    if (has_sums() && state.summed_s[state.step] > now_)
      return schedule(state.summed_s[state.step], EventKind::leave, which);
  }
  if (state.step == std::ssize(state.left)) return;
  for (const ClassIndex v : state.sends[state.step]) send(v);
}

/// Before it sums what came too early, its processor starts what it sends.
void AlikeRun::sum_early(AgentState& state) {
  const std::int32_t now_in = state.step;
  if (!state.started.empty() && state.started[now_in] > 0)
    state.cpu_free_s = std::max(state.cpu_free_s, now_) + state.started[now_in] * startup_s_;
  const auto due = std::stable_partition(state.early.begin(), state.early.end(),
                                         [&](ClassIndex v) { return step(v) != now_in; });
  if (due == state.early.end()) return;
  state.cpu_free_s = std::max(state.cpu_free_s, now_);
  for (auto v = due; v != state.early.end(); ++v) state.cpu_free_s += sums_s(*v);
  for (auto v = due; v != state.early.end(); ++v) times_[*v].delivered_s = state.cpu_free_s;
  state.summed_s[now_in] = state.cpu_free_s;
  state.early.erase(due, state.early.end());
}

/// Of all of the class that an agent receives.
double AlikeRun::sums_s(ClassIndex v) const {
  return message(v).received * work_s(contents_[v].reduced_B, reduce_Bps_);
}

/// A send or a receive of the agent is.
void AlikeRun::done(ClassIndex which, std::int32_t step) {
  AgentState& state = agent(which);
  if (--state.left[step] > 0 || state.step != step) return;
  if (has_sums()) return schedule(state.summed_s[step], EventKind::leave, which);
  leaving_.push_back(which);
}

/// From when a message leaves until its first byte arrives.
double AlikeRun::wait_s(ClassIndex v) const {
  return seconds(message(v).latency_ps + host_.message_ps(contents_[v].bytes));
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
    case EventKind::leave:
      return leaving_.push_back(v);
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
  flows_.start(links_, takes_, 1, static_cast<double>(contents_[v].bytes), v);
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
  AgentState& receiver = agent(message(v).to);
  if (contents_[v].reduced_B > 0 && has_sums()) {
    if (receiver.step == step(v)) {
      receiver.cpu_free_s = std::max(receiver.cpu_free_s, now_) + sums_s(v);
      receiver.summed_s[step(v)] = times_[v].delivered_s = receiver.cpu_free_s;
    } else {
      receiver.early.push_back(v);
    }
  }
  done(message(v).to, step(v));
}

void AlikeRun::release(ClassIndex v) {
  times_[v].released_s = now_;
  done(message(v).from, step(v));
}

}  // namespace weft::simulation
