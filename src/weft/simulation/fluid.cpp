// The fluid simulator: messages as flows at max-min fair rates.
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
#include <algorithm>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/simulation/event_heap.hpp"
#include "weft/simulation/flow_clock.hpp"
#include "weft/simulation/models.hpp"
#include "weft/simulation/step_window.hpp"

namespace weft::simulation {

namespace {

/// Times that differ by less, relatively, are one instant: rates that are equal in theory differ by
/// rounding in the last digits, and symmetric messages would end one by one.
constexpr double kSameTime = 1e-12;

class FluidSimulator {
 public:
  FluidSimulator(const Program& program, const Network& network, const SimulationOptions& options);
  SimulationResult run() &&;

 private:
  struct AgentState {
    std::int64_t step = -1;
    std::int32_t slot = -1;
    std::int32_t active = 0;  // messages that hold a port
    bool leaving = false;     // has done its step
    double cpu_free_s = 0;    // when its local work is done
  };

  AgentState& state(Agent agent) { return agents_[agent.index()]; }
  bool at_hand(double time) const { return time <= until_; }

  void handle_instant(double time);
  void handle(const Happening& what);
  void enter(Agent agent, std::int64_t step);
  void enter_all(std::int64_t step);
  void do_local_work(Agent agent, LoadedStep& step);
  void leave(Agent agent);
  void check_done(Agent agent, LoadedStep& step);

  void issue(Agent agent);
  void send(std::int32_t slot, std::int32_t transfer);
  void start_flow(std::int32_t slot, std::int32_t transfer);
  void end_flow(std::int32_t slot, std::int32_t transfer);
  void deliver(std::int32_t slot, std::int32_t transfer);
  void release(std::int32_t slot, std::int32_t transfer);
  void schedule(double time, Happening what);

  double weight(const LoadedStep& step, std::int32_t transfer) const;
  void count(const LoadedStep& step);

  const Network& network_;
  SimulationOptions options_;
  StepWindow window_;
  FlowClock flows_;
  EventHeap events_;
  std::vector<AgentState> agents_;
  std::vector<Agent> done_;          // agents to move on to their next step, in this instant
  std::vector<std::int64_t> ended_;  // tags of flows
  std::vector<double> shares_;       // scratch of start_flow
  std::int64_t reference_latency_ps_ = 0;
  double now_ = 0, until_ = 0;
  SimulationResult result_;
};

std::vector<double> capacities(const Fabric& fabric) {
  std::vector<double> result;
  for (const LinkId link : fabric.topology().links())
    result.push_back(static_cast<double>(fabric.bandwidth_Bps(link)));
  return result;
}

std::int64_t tag(std::int32_t slot, std::int32_t transfer) {
  return (std::int64_t{slot} << 32) | transfer;
}

FluidSimulator::FluidSimulator(const Program& program, const Network& network,
                               const SimulationOptions& options)
    : network_(network),
      options_(options),
      window_(program, network),
      flows_(capacities(network.fabric())),
      agents_(static_cast<std::size_t>(program.agents())) {
  require(options.sync != Sync::dataflow,
          "the fluid model does not read steps as dataflow yet; use per-rank or lockstep");
  for (const LinkId link : network.topology().links())
    reference_latency_ps_ = std::max(reference_latency_ps_, network.fabric().latency_ps(link));
  if (options.link_statistics)
    result_.link_bytes.resize(static_cast<std::size_t>(network.topology().link_count()));
  result_.agent_times_s.resize(agents_.size());
  window_.on_load([this](const LoadedStep& step) { count(step); });
}

SimulationResult FluidSimulator::run() && {
  if (window_.steps() > 0) enter_all(0);
  handle_instant(0);
  while (true) {
    const double next =
        std::min(events_.empty() ? FlowClock::kNever : events_.top().time, flows_.next_finish());
    if (next == FlowClock::kNever) break;
    handle_instant(next);
  }
  for (const double time : result_.agent_times_s) result_.time_s = std::max(result_.time_s, time);
  return std::move(result_);
}

/// All that happens at `time`, and the rates after it.
void FluidSimulator::handle_instant(double time) {
  now_ = time;
  until_ = time * (1 + kSameTime);
  while (true) {
    ended_.clear();
    flows_.finish(until_, ended_);
    for (const std::int64_t t : ended_)
      end_flow(static_cast<std::int32_t>(t >> 32), static_cast<std::int32_t>(t & 0xffffffff));
    while (!events_.empty() && at_hand(events_.top().time)) handle(events_.pop().happening());
    if (done_.empty()) break;
    for (std::size_t i = 0; i < done_.size(); ++i) leave(done_[i]);  // which may add to the list
    done_.clear();
  }
  if (flows_.unsettled()) flows_.settle(now_);
}

void FluidSimulator::handle(const Happening& what) {
  switch (what.kind) {
    case EventKind::issue:
      return issue(Agent(what.index));
    case EventKind::start:
      return start_flow(what.slot, what.index);
    case EventKind::deliver:
      return deliver(what.slot, what.index);
    case EventKind::release:
      return release(what.slot, what.index);
    case EventKind::leave:
      done_.push_back(Agent(what.index));
      return;
  }
}

void FluidSimulator::schedule(double time, Happening what) {
  if (at_hand(time))
    handle(what);
  else
    events_.push(time, what);
}

/// The agent is in `step` now, or in the first later one in which it has something to do.
void FluidSimulator::enter(Agent agent, std::int64_t step) {
  for (; step < window_.steps(); ++step) {
    const std::int32_t slot = window_.slot(step);
    LoadedStep& loaded = window_.at(slot);
    AgentState& s = state(agent);
    s.step = step;
    s.slot = slot;
    s.leaving = false;
    const LoadedStep::AgentPart& part = loaded.part(agent);
    const bool early_work = loaded.has_work() && loaded.early_work_s[agent.index()] > 0;
    if (part.sends_left > 0 || part.receives_left > 0 || early_work) {
      if (loaded.has_work()) do_local_work(agent, loaded);
      issue(agent);
      return check_done(agent, loaded);
    }
    --loaded.agents_left;
    s.leaving = true;
    if (options_.sync == Sync::lockstep) return;
  }
}

void FluidSimulator::enter_all(std::int64_t step) {
  for (; step < window_.steps(); ++step) {
    for (const Agent agent : ids<Agent>(static_cast<std::int64_t>(agents_.size())))
      enter(agent, step);
    if (options_.sync != Sync::lockstep || window_.at(window_.slot(step)).agents_left > 0) break;
  }
  window_.drop_left();
}

/// Packs what the agent sends, in message order, then unpacks what came too early.
void FluidSimulator::do_local_work(Agent agent, LoadedStep& step) {
  AgentState& s = state(agent);
  const LoadedStep::AgentPart& part = step.part(agent);
  for (std::int32_t i = part.first_send; i < part.first_send + part.sends_left; ++i) {
    const auto transfer = static_cast<std::size_t>(step.send_order[static_cast<std::size_t>(i)]);
    if (step.packing_s[transfer] > 0)
      s.cpu_free_s = std::max(s.cpu_free_s, now_) + step.packing_s[transfer];
    step.packed_at_s[transfer] = step.packing_s[transfer] > 0 ? s.cpu_free_s : now_;
  }
  const double early_s = step.early_work_s[agent.index()];
  if (early_s > 0)
    step.worked_until_s[agent.index()] = s.cpu_free_s = std::max(s.cpu_free_s, now_) + early_s;
}

void FluidSimulator::leave(Agent agent) {
  AgentState& s = state(agent);
  LoadedStep& step = window_.at(s.slot);
  result_.agent_times_s[agent.index()] = now_;
  --step.agents_left;
  if (options_.sync != Sync::lockstep) {
    enter(agent, s.step + 1);
    if (step.agents_left == 0) window_.drop_left();
  } else if (step.agents_left == 0) {
    enter_all(s.step + 1);
  }
}

/// Lets the agent leave its step once all its messages and its local work are done.
void FluidSimulator::check_done(Agent agent, LoadedStep& step) {
  AgentState& s = state(agent);
  const LoadedStep::AgentPart& part = step.part(agent);
  if (s.step != step.step || s.leaving || part.sends_left > 0 || part.receives_left > 0) return;
  s.leaving = true;
  schedule(step.has_work() ? std::max(now_, step.worked_until_s[agent.index()]) : now_,
           {EventKind::leave, 0, agent.value()});
}

/// Sends what the agent's ports and its packing allow.
void FluidSimulator::issue(Agent agent) {
  AgentState& s = state(agent);
  LoadedStep& step = window_.at(s.slot);
  LoadedStep::AgentPart& part = step.part(agent);
  const std::int32_t end = step.agents[agent.index() + 1].first_send;
  const int ports = network_.host().ports;
  while (part.next_send < end) {
    const std::int32_t transfer = step.send_order[static_cast<std::size_t>(part.next_send)];
    const bool on_network = !step.links(transfer).empty();
    if (on_network && ports > 0 && s.active >= ports) return;
    if (step.has_work()) {
      const double packed_at = step.packed_at_s[static_cast<std::size_t>(transfer)];
      if (!at_hand(packed_at)) return events_.push(packed_at, {EventKind::issue, 0, agent.value()});
    }
    ++part.next_send;
    s.active += on_network ? 1 : 0;
    send(s.slot, transfer);
  }
}

/// The message leaves its sender's hands: start-up, and the latency unless it comes last.
void FluidSimulator::send(std::int32_t slot, std::int32_t index) {
  const LoadedStep& step = window_.at(slot);
  const program::Transfer& transfer = step.transfer(index);
  const double startup_s = seconds(network_.host().startup_ps);
  if (step.links(index).empty()) {
    const double copy_s = work_s(transfer.bytes, network_.host().copy_bandwidth_Bps);
    const double wait_s = transfer.from == transfer.to ? 0 : startup_s;
    return schedule(now_ + wait_s + copy_s, {EventKind::deliver, slot, index});
  }
  const double latency_s =
      options_.release == Release::injected ? 0 : seconds(step.latency_ps(index));
  schedule(now_ + startup_s + latency_s, {EventKind::start, slot, index});
}

void FluidSimulator::start_flow(std::int32_t slot, std::int32_t index) {
  const LoadedStep& step = window_.at(slot);
  shares_.clear();
  for (const Rational& share : step.shares(index)) shares_.push_back(share.to_double());
  flows_.start(step.links(index), shares_, weight(step, index),
               static_cast<double>(step.transfer(index).bytes), tag(slot, index));
}

void FluidSimulator::end_flow(std::int32_t slot, std::int32_t index) {
  const double latency_s = seconds(window_.at(slot).latency_ps(index));
  switch (options_.release) {
    case Release::injected:
      schedule(now_ + latency_s, {EventKind::deliver, slot, index});
      return release(slot, index);
    case Release::delivered:
      deliver(slot, index);
      return release(slot, index);
    case Release::acknowledged:
      deliver(slot, index);
      return schedule(now_ + latency_s, {EventKind::release, slot, index});
  }
}

void FluidSimulator::deliver(std::int32_t slot, std::int32_t index) {
  LoadedStep& step = window_.at(slot);
  const Agent to = step.transfer(index).to;
  const double work_s = step.has_work() ? step.unpacking_s[static_cast<std::size_t>(index)] : 0;
  AgentState& s = state(to);
  if (work_s > 0 && s.step == step.step)
    step.worked_until_s[to.index()] = s.cpu_free_s = std::max(s.cpu_free_s, now_) + work_s;
  else if (work_s > 0)
    step.early_work_s[to.index()] += work_s;
  --step.part(to).receives_left;
  check_done(to, step);
  if (step.links(index).empty()) release(slot, index);
}

void FluidSimulator::release(std::int32_t slot, std::int32_t index) {
  LoadedStep& step = window_.at(slot);
  const Agent from = step.transfer(index).from;
  --step.part(from).sends_left;
  if (!step.links(index).empty()) {
    --state(from).active;
    if (network_.host().ports > 0) issue(from);
  }
  check_done(from, step);
}

/// 1, or 1 / latency in units of the longest link's.
double FluidSimulator::weight(const LoadedStep& step, std::int32_t index) const {
  if (options_.sharing == Sharing::max_min || reference_latency_ps_ == 0) return 1;
  const std::int64_t latency_ps = step.latency_ps(index);
  require(latency_ps > 0,
          "a route without latency has no weight under sharing rtt (others have one); give every "
          "link a latency, or none, or use sharing max-min");
  return static_cast<double>(reference_latency_ps_) / static_cast<double>(latency_ps);
}

void FluidSimulator::count(const LoadedStep& step) {
  const auto transfers = static_cast<std::int32_t>(step.program.transfers.size());
  result_.messages += transfers;
  if (!options_.link_statistics) return;
  for (std::int32_t i = 0; i < transfers; ++i) {
    const auto bytes = static_cast<double>(step.transfer(i).bytes);
    const auto links = step.links(i);
    const auto shares = step.shares(i);
    for (std::size_t j = 0; j < links.size(); ++j)
      result_.link_bytes[links[j].index()] += bytes * (shares.empty() ? 1 : shares[j].to_double());
  }
}

}  // namespace

SimulationResult simulate_fluid(const Program& program, const Network& network,
                                const SimulationOptions& options) {
  return FluidSimulator(program, network, options).run();
}

}  // namespace weft::simulation
