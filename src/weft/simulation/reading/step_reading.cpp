// Steps read one after the other: with a barrier (lockstep), or each agent for itself (per-rank:
// its sends are released and its receives delivered and worked off before it goes on). An agent
// with nothing to do in a step passes through it at once.
//
// An eager message is out of its sender's hands when it is sent, whatever becomes of it. Where
// receives are posted in their step a message is kept until its receiver is there, too; it takes
// no bandwidth till then, as messages of MPI that wait for their match.
#include <algorithm>
#include <utility>

#include "weft/simulation/reading/readings.hpp"
#include "weft/simulation/reading/step_repeats.hpp"

namespace weft::simulation {

namespace {

class StepReading final : public Reading {
 public:
  StepReading(const ReadingContext& context, Sync sync)
      : in_(context), sync_(sync), agents_(context.window.places().count) {}

  void begin() override {
    if (in_.window.steps() > 0) begin_all(0);
  }
  void handle(const Happening& what) override {
    if (what.kind == EventKind::issue)
      issue(Agent(what.index));
    else if (what.kind == EventKind::let_go)
      let_go(what.slot, what.index);
    else if (what.kind == EventKind::resume)
      repeated_ = what.index;
    else
      done_.push_back(Agent(what.index));
  }
  void delivered(std::int32_t slot, std::int32_t index) override;
  void released(std::int32_t slot, std::int32_t index) override {
    if (!eager(in_.window.at(slot), index)) let_go(slot, index);
  }
  bool finished() const override {
    return in_.window.steps() == 0 || std::ranges::all_of(agents_, [&](const AgentState& s) {
             return s.leaving && s.step + 1 >= in_.window.steps();
           });
  }
  void describe(RunState& run) const override;
  bool advance() override {
    if (repeated_ > 0) {
      resume();
      return true;
    }
    if (done_.empty()) return false;
    if (all_leave_together()) {
      leave_together();
      return true;
    }
    for (std::size_t i = 0; i < done_.size(); ++i) leave(done_[i]);  // which may add to the list
    done_.clear();
    return true;
  }

 private:
  /// A message whose receiver has not asked for it.
  struct HeldMessage {
    std::int32_t slot, index;
    double started;
  };
  struct AgentState {
    std::int64_t step = -1;  // the last one once it has left all
    std::int32_t slot = -1;
    std::int32_t active = 0;        // messages that hold a port
    std::int32_t started = 0;       // its next messages whose start-ups are done with their packing
    bool leaving = false;           // has done its step
    bool issuing = false;           // goes through its sends at the moment
    double cpu_free_s = 0;          // when its local work is done
    std::vector<HeldMessage> kept;  // for it, of later steps than its own
  };

  std::size_t place(Agent agent) const { return in_.window.places().of(agent); }
  AgentState& state(Agent agent) { return agents_[place(agent)]; }
  double now() const { return in_.transport.now(); }
  void enter(Agent agent, std::int64_t step);
  void begin_all(std::int64_t step);
  bool repeats(std::int64_t step);
  void resume();
  bool all_leave_together() const;
  void leave_together();
  void enter_all(std::int64_t step);
  void do_local_work(Agent agent, LoadedStep& step);
  void issue(Agent agent);
  void issue_next(Agent agent);
  double start(Agent agent, const LoadedStep& step, std::int32_t transfer);
  bool eager(const LoadedStep& step, std::int32_t index) const {
    return step.transfer(index).bytes < in_.call.eager_wire_B();
  }
  void send(std::int32_t slot, std::int32_t index, double started);
  void ask_for(Agent agent);
  void let_go(std::int32_t slot, std::int32_t index);
  void check_done(Agent agent, LoadedStep& step);
  void leave(Agent agent);
  void tell_end_of_all(std::int64_t step, double time_s) {
    if (in_.ends != nullptr) in_.ends->left_by_all(step, time_s);
  }

  ReadingContext in_;
  Sync sync_;
  std::vector<AgentState> agents_;
  std::vector<Agent> done_;  // agents to move on to their next step, in this instant
  StepRepeats repeats_;
  std::int32_t repeated_ = 0;  // steps that passed as the one before them did
};

void StepReading::describe(RunState& run) const {
  for (const AgentState& s : agents_) {
    run.add_step(s.step);
    run.add_number(s.leaving ? 1 : 0);
    run.add_number(s.active);
    run.add_number(s.started);
    run.add_number(std::ssize(s.kept));
    run.add_moment(s.cpu_free_s);
    for (const HeldMessage& message : s.kept) {
      run.add_step(in_.window.at(message.slot).step);
      run.add_number(message.index);
      run.add_moment(message.started);
    }
  }
  const bool may_repeat = repeats_.step() >= in_.window.first();  // else it is of the past
  run.add_number(may_repeat ? 1 : 0);
  if (may_repeat) repeats_.describe(run);
  in_.window.describe(run);
}

/// The agent is in `step` now, or in the first later one in which it has something to do.
void StepReading::enter(Agent agent, std::int64_t step) {
  if (in_.rest != nullptr) in_.rest->enter(place(agent), step, now());
  for (; step < in_.window.steps(); ++step) {
    const std::int32_t slot = in_.window.slot(step);
    LoadedStep& loaded = in_.window.at(slot);
    AgentState& s = state(agent);
    s.step = step;
    s.slot = slot;
    s.leaving = false;
    const LoadedStep::AgentPart& part = loaded.part(agent);
    const bool early_work = loaded.has_work() && loaded.early_work_s[place(agent)] > 0;
    if (part.sends_left > 0 || part.receives_left > 0 || early_work) {
      if (loaded.has_work()) do_local_work(agent, loaded);
      issue(agent);
      ask_for(agent);  // may end its part at once
      return check_done(agent, loaded);
    }
    --loaded.agents_left;
    s.leaving = true;
    if (sync_ == Sync::lockstep) return;
  }
}

/// All agents are ready for the step, and nothing is under way.
void StepReading::begin_all(std::int64_t step) {
  if (step >= in_.window.steps() || repeats(step)) return;
  if (in_.repeats == Repeats::alike)
    repeats_.begin(in_.window.at(in_.window.slot(step)), now(), in_.window.places().count);
  enter_all(step);
}

/// Passes at once over the steps from `step` on that do what the last one did, if it was begun as
/// they are.
bool StepReading::repeats(std::int64_t step) {
  if (repeats_.step() < 0 || repeats_.step() != step - 1) return false;
  std::int32_t count = 0;
  for (; step < in_.window.steps(); ++step, ++count) {
    LoadedStep& next = in_.window.at(in_.window.slot(step));
    if (!repeats_.same(next)) break;
    next.agents_left = 0;
    in_.window.drop_left();
  }
  if (count == 0) return false;
  const double duration_s = now() - repeats_.begun();
  in_.transport.schedule(now() + count * duration_s, {EventKind::resume, 0, count});
  return true;
}

void StepReading::resume() {
  const std::int64_t last = repeats_.step() + std::exchange(repeated_, 0);
  const double duration_s =
      (now() - repeats_.begun()) / static_cast<double>(last - repeats_.step() + 1);
  for (std::int64_t step = repeats_.step() + 1; step <= last; ++step)
    tell_end_of_all(step, now() - static_cast<double>(last - step) * duration_s);
  for (AgentState& s : agents_) s.step = last;
  repeats_.move_to(last, now() - duration_s,
                   [&](std::size_t place, double time) { in_.agent_times_s[place] = time; });
  begin_all(last + 1);
}

bool StepReading::all_leave_together() const {
  return in_.repeats == Repeats::alike && sync_ != Sync::lockstep &&
         done_.size() == agents_.size() && std::ranges::all_of(agents_, [&](const AgentState& s) {
           return s.step == agents_[0].step;
         });
}

void StepReading::leave_together() {
  const std::int64_t step = agents_[0].step;
  for (std::size_t place = 0; place < agents_.size(); ++place) {
    in_.agent_times_s[place] = now();
    repeats_.left(step, place, now());
  }
  tell_end_of_all(step, now());
  done_.clear();
  in_.window.at(agents_[0].slot).agents_left = 0;
  in_.window.drop_left();
  begin_all(step + 1);
}

void StepReading::enter_all(std::int64_t step) {
  for (; step < in_.window.steps(); ++step) {
    const auto& [places, agents_of_one] = in_.window.places();
    for (std::int32_t i = 0; i < places; ++i) enter(Agent(i * agents_of_one), step);
    if (sync_ != Sync::lockstep || in_.window.at(in_.window.slot(step)).agents_left > 0) break;
  }
  in_.window.drop_left();
}

/// Packs what the agent sends, in message order, then unpacks what came too early. Messages that
/// find a port free are started as they are packed, as all are where ports are not limited.
void StepReading::do_local_work(Agent agent, LoadedStep& step) {
  AgentState& s = state(agent);
  const LoadedStep::AgentPart& part = step.part(agent);
  const double startup_s = in_.startups.on_port_s;
  int free_ports = in_.network.host().ports - s.active;
  bool starts = startup_s > 0;
  for (std::int32_t i = part.first_send; i < part.first_send + part.sends_left; ++i) {
    const std::int32_t transfer = step.send_order[i];
    double work_s = step.packing_s[transfer];
    starts = starts && (!step.takes_port(transfer) || --free_ports >= 0);
    if (starts && step.has_startup(transfer)) {
      work_s += startup_s;
      ++s.started;
    }
    if (work_s > 0) s.cpu_free_s = std::max(s.cpu_free_s, now()) + work_s;
    step.packed_at_s[transfer] = work_s > 0 ? s.cpu_free_s : now();
  }
  const double early_s = step.early_work_s[place(agent)];
  if (early_s > 0)
    step.worked_until_s[place(agent)] = s.cpu_free_s = std::max(s.cpu_free_s, now()) + early_s;
}

void StepReading::leave(Agent agent) {
  AgentState& s = state(agent);
  LoadedStep& step = in_.window.at(s.slot);
  in_.agent_times_s[place(agent)] = now();
  repeats_.left(s.step, place(agent), now());
  if (in_.ends != nullptr) in_.ends->left(s.step, place(agent), now());
  --step.agents_left;
  if (sync_ != Sync::lockstep) {
    enter(agent, s.step + 1);
    if (step.agents_left == 0) in_.window.drop_left();
  } else if (step.agents_left == 0) {
    begin_all(s.step + 1);
  }
}

/// Lets the agent leave its step once all its messages and its local work are done.
void StepReading::check_done(Agent agent, LoadedStep& step) {
  AgentState& s = state(agent);
  const LoadedStep::AgentPart& part = step.part(agent);
  if (s.step != step.step || s.leaving || part.sends_left > 0 || part.receives_left > 0) return;
  s.leaving = true;
  in_.transport.schedule(
      step.has_work() ? std::max(now(), step.worked_until_s[place(agent)]) : now(),
      {EventKind::leave, 0, agent.value()});
}

/// Sends what the agent's ports and its packing allow. A message that is let go at once, and with
/// it its port, is one more that may go.
void StepReading::issue(Agent agent) {
  AgentState& s = state(agent);
  if (s.issuing) return;
  s.issuing = true;
  issue_next(agent);
  s.issuing = false;
}

void StepReading::issue_next(Agent agent) {
  AgentState& s = state(agent);
  LoadedStep& step = in_.window.at(s.slot);
  LoadedStep::AgentPart& part = step.part(agent);
  const std::int32_t end = step.agents[place(agent) + 1].first_send;
  const int ports = in_.network.host().ports;
  while (part.next_send < end) {
    const std::int32_t transfer = step.send_order[part.next_send];
    const bool takes_port = step.takes_port(transfer);
    if (takes_port && ports > 0 && s.active >= ports) return;
    if (step.has_work()) {
      const double packed_at = step.packed_at_s[transfer];
      if (!in_.transport.at_hand(packed_at))
        return in_.transport.schedule(packed_at, {EventKind::issue, 0, agent.value()});
    }
    ++part.next_send;
    s.active += takes_port ? 1 : 0;
    send(s.slot, transfer, start(agent, step, transfer));
  }
}

/// Puts the message on its way, or keeps it until its receiver asks for it.
void StepReading::send(std::int32_t slot, std::int32_t index, double started) {
  const LoadedStep& step = in_.window.at(slot);
  AgentState& receiver = state(step.transfer(index).to);
  if (in_.call.receives == Receives::early || receiver.step >= step.step)
    in_.transport.send(slot, index, started);
  else
    receiver.kept.push_back({slot, index, started});
  if (eager(step, index)) in_.transport.schedule(started, {EventKind::let_go, slot, index});
}

/// What was sent to the agent for the step that it has entered leaves now.
void StepReading::ask_for(Agent agent) {
  AgentState& s = state(agent);
  if (s.kept.empty()) return;
  const auto due =
      std::stable_partition(s.kept.begin(), s.kept.end(),
                            [&](const HeldMessage& message) { return message.slot != s.slot; });
  const std::vector<HeldMessage> sent(due, s.kept.end());
  s.kept.erase(due, s.kept.end());
  for (const HeldMessage& message : sent)
    in_.transport.send(message.slot, message.index, std::max(now(), message.started));
}

/// When the start-up of a message that is packed and has its port is done.
double StepReading::start(Agent agent, const LoadedStep& step, std::int32_t transfer) {
  if (!step.has_startup(transfer)) return now();
  if (in_.startups.on_port_s == 0) return now() + in_.startups.delay_s;
  AgentState& s = state(agent);
  if (s.started > 0) {
    --s.started;
    return now();
  }
  return s.cpu_free_s = std::max(s.cpu_free_s, now()) + in_.startups.on_port_s;
}

void StepReading::delivered(std::int32_t slot, std::int32_t index) {
  LoadedStep& step = in_.window.at(slot);
  const Agent to = step.transfer(index).to;
  LoadedStep::AgentPart& part = step.part(to);
  double work_s = step.has_work() ? step.unpacking_s[index] : 0;
  if (--part.receives_left == 0 && part.receives_startup) work_s += in_.startups.last_receive_s;
  AgentState& s = state(to);
  if (work_s > 0 && s.step == step.step)
    step.worked_until_s[place(to)] = s.cpu_free_s = std::max(s.cpu_free_s, now()) + work_s;
  else if (work_s > 0)
    step.early_work_s[place(to)] += work_s;
  check_done(to, step);
}

/// The message is out of its sender's hands.
void StepReading::let_go(std::int32_t slot, std::int32_t index) {
  LoadedStep& step = in_.window.at(slot);
  const Agent from = step.transfer(index).from;
  --step.part(from).sends_left;
  if (step.takes_port(index)) {
    --state(from).active;
    if (in_.network.host().ports > 0) issue(from);
  }
  check_done(from, step);
}

}  // namespace

std::unique_ptr<Reading> read_by_steps(const ReadingContext& context, Sync sync) {
  return std::make_unique<StepReading>(context, sync);
}

}  // namespace weft::simulation
