// Dataflow: a message is sent once what it carries is there.
//
// Each message waits for its sources (the messages that brought what it carries) before it is
// packed and sent, in the order in which messages become ready. It lands when it has arrived and
// what it replaces or adds to has been read and written by the messages before it (until then it
// waits in a buffer of the receiver), and is done after unpacking or reduction. All messages of all
// segments are held in memory, a symmetric schedule expanded.
#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/schedule/dependencies.hpp"
#include "weft/simulation/readings.hpp"

namespace weft::simulation {

namespace {

using schedule::MessageInstance;

/// A message's index over all steps.
using Order = std::int32_t;
constexpr Order kNone = -1;

/// For each message those that wait for it.
class Successors {
 public:
  void add(Order message, Order waiting) { edges_.push_back({message, waiting}); }
  void sort() {
    std::ranges::sort(edges_, {}, [](const Edge& e) { return std::pair(e.message, e.waiting); });
  }
  template <class Visit>
  void each(Order message, Visit&& visit) const {
    auto edge = std::ranges::lower_bound(edges_, message, {}, &Edge::message);
    for (; edge != edges_.end() && edge->message == message; ++edge) visit(edge->waiting);
  }

 private:
  struct Edge {
    Order message, waiting;
  };
  std::vector<Edge> edges_;
};

class DataflowReading final : public Reading {
 public:
  explicit DataflowReading(const ReadingContext& context)
      : in_(context), agents_(static_cast<std::size_t>(context.program.agents())) {
    load();
    connect();
  }

  void begin() override {
    for (Order m = 0; m < static_cast<Order>(messages_.size()); ++m)
      if (at(m).sources_left == 0) ready(m);
  }
  void handle(const Happening& what) override {
    if (what.kind == EventKind::issue)
      queue(order(what.slot, what.index));
    else
      landed_.push_back(order(what.slot, what.index));
  }
  void delivered(std::int32_t slot, std::int32_t index) override {
    const Order m = order(slot, index);
    at(m).arrived = true;
    if (at(m).landings_left == 0) land(m);
  }
  void released(std::int32_t slot, std::int32_t index) override;
  bool finished() const override { return done_ == messages_.size(); }
  bool advance() override {
    if (landed_.empty()) return false;
    for (std::size_t i = 0; i < landed_.size(); ++i) finish(landed_[i]);  // which may add to it
    landed_.clear();
    return true;
  }

 private:
  struct MessageState {
    std::int32_t slot = 0, index = 0;
    std::int32_t sources_left = 0;   // to be done before it is sent
    std::int32_t landings_left = 0;  // to be done or released before it lands
    Order next_in_queue = kNone;
    bool arrived = false;
  };
  struct AgentState {
    std::int32_t active = 0;  // messages that hold a port
    Order first_in_queue = kNone, last_in_queue = kNone;
    double cpu_free_s = 0;
  };

  MessageState& at(Order m) { return messages_[static_cast<std::size_t>(m)]; }
  AgentState& state(Agent agent) { return agents_[agent.index()]; }
  LoadedStep& step_of(Order m) { return in_.window.at(at(m).slot); }
  const program::Transfer& transfer(Order m) { return step_of(m).transfer(at(m).index); }
  Order order(std::int32_t slot, std::int32_t index) const {
    return first_of_slot_[static_cast<std::size_t>(slot)] + index;
  }
  bool takes_port(Order m) {
    return in_.network.host().ports > 0 && step_of(m).on_network(at(m).index);
  }

  void load();
  void connect();
  void connect_landing(Order m, Order before);
  Order find(std::int64_t segment, const MessageInstance& instance, std::int32_t element) const;

  void ready(Order m);
  void queue(Order m);
  void land(Order m);
  void finish(Order m);
  void land_one_less(Order m) {
    if (--at(m).landings_left == 0 && at(m).arrived) land(m);
  }
  double work(Agent agent, double seconds);
  void send(Order m);

  ReadingContext in_;
  std::vector<AgentState> agents_;
  std::vector<MessageState> messages_;
  std::vector<Order> first_of_slot_;
  std::vector<Order> instances_;  // (segment, stored message, element) -> order, or kNone
  Successors after_done_, landing_after_done_, landing_after_release_;
  std::vector<Order> landed_;  // in this instant
  std::size_t done_ = 0;
};

void DataflowReading::load() {
  const schedule::Schedule& schedule = in_.program.schedule();
  require(schedule.message_count() < std::int64_t{1} << 31,
          "{} messages are too many to read as dataflow (they are all held in memory); use "
          "per-rank or lockstep",
          schedule.message_count());
  instances_.assign(static_cast<std::size_t>(schedule.message_count()), kNone);
  for (std::int64_t t = 0; t < in_.window.steps(); ++t) {
    const std::int32_t slot = in_.window.slot(t);
    WEFT_ASSERT(slot == t);
    first_of_slot_.push_back(static_cast<Order>(messages_.size()));
    const auto& transfers = in_.window.at(slot).program.transfers;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      const std::int64_t instance =
          (transfers[i].segment * schedule.stored_messages() + transfers[i].message) *
              schedule.symmetry().order() +
          transfers[i].element;
      instances_[static_cast<std::size_t>(instance)] = static_cast<Order>(messages_.size());
      messages_.push_back({.slot = slot, .index = static_cast<std::int32_t>(i)});
    }
  }
}

/// The translate by `element` of an instance, in a segment; kNone when it carries nothing.
Order DataflowReading::find(std::int64_t segment, const MessageInstance& instance,
                            std::int32_t element) const {
  const schedule::Schedule& schedule = in_.program.schedule();
  const schedule::Symmetry& symmetry = schedule.symmetry();
  return instances_[static_cast<std::size_t>(
      (segment * schedule.stored_messages() + instance.message) * symmetry.order() +
      symmetry.multiply(element, instance.element))];
}

void DataflowReading::connect() {
  const schedule::Dependencies dependencies = find_dependencies(in_.program.verified());
  for (Order m = 0; m < static_cast<Order>(messages_.size()); ++m) {
    const program::Transfer& t = transfer(m);
    for (const MessageInstance& source : dependencies.sources(t.message)) {
      const Order before = find(t.segment, source, t.element);
      if (before == kNone) continue;
      after_done_.add(before, m);
      ++at(m).sources_left;
    }
    for (const MessageInstance& instance : dependencies.before_landing(t.message)) {
      const Order before = find(t.segment, instance, t.element);
      if (before != kNone && before != m) connect_landing(m, before);
    }
  }
  after_done_.sort();
  landing_after_done_.sort();
  landing_after_release_.sort();
}

/// A message that wrote must be done; a send that read must be out of its sender's hands.
void DataflowReading::connect_landing(Order m, Order before) {
  if (transfer(before).to == transfer(m).to)
    landing_after_done_.add(before, m);
  else
    landing_after_release_.add(before, m);
  ++at(m).landings_left;
}

/// Serial work of an agent that is asked for now; when it is done.
double DataflowReading::work(Agent agent, double seconds) {
  if (seconds == 0) return in_.transport.now();
  double& free = state(agent).cpu_free_s;
  return free = std::max(free, in_.transport.now()) + seconds;
}

void DataflowReading::ready(Order m) {
  const LoadedStep& step = step_of(m);
  const double packing_s =
      step.has_work() ? step.packing_s[static_cast<std::size_t>(at(m).index)] : 0;
  in_.transport.schedule(work(transfer(m).from, packing_s),
                         {EventKind::issue, at(m).slot, at(m).index});
}

void DataflowReading::queue(Order m) {
  AgentState& s = state(transfer(m).from);
  if (!takes_port(m)) return send(m);
  if (s.active < in_.network.host().ports) {
    ++s.active;
    return send(m);
  }
  if (s.first_in_queue == kNone)
    s.first_in_queue = m;
  else
    at(s.last_in_queue).next_in_queue = m;
  s.last_in_queue = m;
}

void DataflowReading::send(Order m) {
  const bool starts = step_of(m).has_startup(at(m).index);
  const double started = work(transfer(m).from, starts ? in_.startups.on_port_s : 0);
  in_.transport.send(at(m).slot, at(m).index, started + (starts ? in_.startups.delay_s : 0));
}

void DataflowReading::released(std::int32_t slot, std::int32_t index) {
  const Order m = order(slot, index);
  const Agent from = transfer(m).from;
  in_.agent_times_s[from.index()] = in_.transport.now();
  if (takes_port(m)) {
    AgentState& s = state(from);
    --s.active;
    if (const Order next = s.first_in_queue; next != kNone) {
      s.first_in_queue = at(next).next_in_queue;
      queue(next);
    }
  }
  landing_after_release_.each(m, [&](Order waiting) { land_one_less(waiting); });
}

/// Its data takes effect: receiver's start-up, unpacking or reduction, then it is done. Without
/// steps each message waits for a start-up per step, beside the others.
void DataflowReading::land(Order m) {
  const LoadedStep& step = step_of(m);
  const double unpacking_s =
      step.has_work() ? step.unpacking_s[static_cast<std::size_t>(at(m).index)] : 0;
  const double wait_s = step.has_startup(at(m).index) ? in_.startups.last_receive_s : 0;
  in_.transport.schedule(work(transfer(m).to, unpacking_s) + wait_s,
                         {EventKind::land, at(m).slot, at(m).index});
}

void DataflowReading::finish(Order m) {
  ++done_;
  in_.agent_times_s[transfer(m).to.index()] = in_.transport.now();
  after_done_.each(m, [&](Order waiting) {
    if (--at(waiting).sources_left == 0) ready(waiting);
  });
  landing_after_done_.each(m, [&](Order waiting) { land_one_less(waiting); });
}

}  // namespace

std::unique_ptr<Reading> read_as_dataflow(const ReadingContext& context) {
  return std::make_unique<DataflowReading>(context);
}

}  // namespace weft::simulation
