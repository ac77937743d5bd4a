// Dataflow: a message is sent once what it carries is there.
//
// Each end of a message, and each operation of its own, waits for others (Program::waits): a
// message for those that brought what it carries before it is packed and sent, in the order in
// which messages become ready. It lands when it has arrived and what it replaces or adds to has
// been read and written by the messages before it (until then it waits in a buffer of the
// receiver), and is done after unpacking or reduction. A program that is written out says itself
// what waits for what, and has copies, reductions and computation of its own, each on one of its
// agent's two streams. All messages of all segments are held in memory, a symmetric program
// expanded. Where a driver sends the messages, it is told what has ended in place of what waits.
#include <algorithm>
#include <array>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/simulation/reading/readings.hpp"

namespace weft::simulation {

namespace {

/// A message's index over all steps.
using Order = std::int32_t;
constexpr Order kNone = -1;
/// An end of a message or an own operation; see program::Wait.
using Node = std::uint32_t;

/// For each node those that wait for it, in increasing order.
class Successors {
 public:
  Successors() = default;
  Successors(const std::vector<program::Wait>& waits, std::size_t nodes) : first_(nodes + 1) {
    for (const program::Wait& wait : waits) ++first_[wait.before + std::size_t{1}];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    waiting_.resize(waits.size());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (const program::Wait& wait : waits) waiting_[next[wait.before]++] = wait.waiting;
    for (std::size_t n = 0; n < nodes; ++n)
      std::sort(waiting_.begin() + static_cast<std::ptrdiff_t>(first_[n]),
                waiting_.begin() + static_cast<std::ptrdiff_t>(first_[n + 1]));
  }
  std::span<const Node> of(Node node) const {
    return std::span(waiting_).subspan(first_[node], first_[node + std::size_t{1}] - first_[node]);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<Node> waiting_;
};

class DataflowReading final : public Reading, private DrivenRun {
 public:
  explicit DataflowReading(const ReadingContext& context)
      : in_(context), agents_(context.program.agents()) {
    load();
    connect();
  }

  void begin() override {
    if (in_.driver != nullptr) return in_.driver->begin(*this);
    for (Order m = 0; m < static_cast<Order>(messages_.size()); ++m)
      if (left_[sent(m)] == 0) ready(m);
    for (std::size_t w = 0; w < own_.size(); ++w)
      if (left_[node_of_own(w)] == 0) do_own(w);
  }
  void handle(const Happening& what) override {
    if (what.kind == EventKind::issue)
      queue(order(what.slot, what.index));
    else if (what.kind == EventKind::work)
      ended_.push_back(node_of_own(static_cast<std::size_t>(what.index)));
    else
      ended_.push_back(landed(order(what.slot, what.index)));
  }
  void delivered(std::int32_t slot, std::int32_t index) override {
    const Order m = order(slot, index);
    at(m).arrived = true;
    if (left_[landed(m)] == 0) land(m);
  }
  void released(std::int32_t slot, std::int32_t index) override;
  bool finished() const override {
    return in_.driver != nullptr ? in_.driver->finished() : done_ == messages_.size() + own_.size();
  }
  bool takes_whole_instants() const override { return in_.driver != nullptr; }
  bool advance() override {
    if (ended_.empty()) return false;
    for (std::size_t i = 0; i < ended_.size(); ++i) {  // which may add to it
      if (in_.driver != nullptr)
        tell(ended_[i]);
      else
        finish(ended_[i]);
    }
    ended_.clear();
    if (in_.driver != nullptr) in_.driver->settled();
    return true;
  }

 private:
  struct MessageState {
    std::int32_t slot = 0, index = 0;
    Order next_in_queue = kNone;
    bool arrived = false;
    bool started = false;  // has its port, if it needs one, and its start-up goes with its packing
  };
  struct AgentState {
    std::int32_t active = 0;   // messages that hold a port
    std::int32_t waiting = 0;  // messages that are ready and hold none
    Order first_in_queue = kNone, last_in_queue = kNone;
    std::array<double, 2> free_s{};  // by stream: when its work is done
  };

  MessageState& at(Order m) { return messages_[m]; }
  AgentState& state(Agent agent) { return agents_[agent.index()]; }
  LoadedStep& step_of(Order m) { return in_.window.at(at(m).slot); }
  const program::Transfer& transfer(Order m) { return step_of(m).transfer(at(m).index); }
  Order order(std::int32_t slot, std::int32_t index) const { return first_of_slot_[slot] + index; }
  Node sent(Order m) const { return static_cast<Node>(m); }
  Node landed(Order m) const { return static_cast<Node>(messages_.size()) + sent(m); }
  Node node_of_own(std::size_t work) const {
    return static_cast<Node>(2 * messages_.size() + work);
  }
  double now_s() const override { return in_.transport.now(); }
  void send(std::int32_t message) override { ready(message); }
  void wake(double time_s, std::int32_t what) override {
    in_.transport.schedule(time_s, {EventKind::work, 0, what});
  }

  bool takes_port(Order m) {
    return in_.network.host().ports > 0 && step_of(m).takes_port(at(m).index);
  }

  void load();
  void connect();

  void ready(Order m);
  void queue(Order m);
  void land(Order m);
  void do_own(std::size_t index);
  void finish(Node node);
  void pass(Node done);
  void tell(Node node);
  double work(Agent agent, double seconds, program::Stream stream = program::Stream::communication);
  void send_off(Order m);

  ReadingContext in_;
  std::vector<AgentState> agents_;
  std::vector<MessageState> messages_;
  std::vector<Order> first_of_slot_;
  std::vector<program::OwnWork> own_;
  std::vector<std::int32_t> left_;  // by node: what it still waits for
  Successors successors_;
  std::vector<Node> ended_;  // in this instant
  std::size_t done_ = 0;
};

void DataflowReading::load() {
  require(in_.program.message_count() < std::int64_t{1} << 31,
          "{} messages are too many for --sync dataflow, which keeps all of them in memory; "
          "use per-rank or lockstep",
          in_.program.message_count());
  for (std::int64_t t = 0; t < in_.window.steps(); ++t) {
    const std::int32_t slot = in_.window.slot(t);
    const program::StepProgram& step = in_.window.at(slot).program;
    own_.insert(own_.end(), step.own.begin(), step.own.end());
    if (step.transfers.empty()) {  // a stride of segments can leave millions of steps empty
      in_.window.reuse_last_slot();
      continue;
    }
    WEFT_ASSERT(slot == std::ssize(first_of_slot_));
    first_of_slot_.push_back(static_cast<Order>(messages_.size()));
    for (std::size_t i = 0; i < step.transfers.size(); ++i)
      messages_.push_back({.slot = slot, .index = static_cast<std::int32_t>(i)});
  }
}

void DataflowReading::connect() {
  const auto waits =
      in_.program.waits(static_cast<std::int32_t>(messages_.size()),
                        [this](Order m) -> const program::Transfer& { return transfer(m); });
  const std::size_t nodes = 2 * messages_.size() + own_.size();
  left_.assign(nodes, 0);
  for (const program::Wait& wait : waits) ++left_[wait.waiting];
  successors_ = Successors(waits, nodes);
}

/// Serial work of an agent that is asked for now; when it is done.
double DataflowReading::work(Agent agent, double seconds, program::Stream stream) {
  if (seconds == 0) return in_.transport.now();
  double& free = state(agent).free_s[static_cast<std::size_t>(stream)];
  return free = std::max(free, in_.transport.now()) + seconds;
}

void DataflowReading::ready(Order m) {
  const LoadedStep& step = step_of(m);
  double work_s = step.has_work() ? step.packing_s[at(m).index] : 0;
  AgentState& s = state(transfer(m).from);
  // As where ports are not limited, unless others wait for one.
  at(m).started = !takes_port(m) || (s.waiting == 0 && s.active < in_.network.host().ports);
  if (at(m).started && step.has_startup(at(m).index)) work_s += in_.startups.on_port_s;
  if (takes_port(m)) ++(at(m).started ? s.active : s.waiting);
  in_.transport.schedule(work(transfer(m).from, work_s),
                         {EventKind::issue, at(m).slot, at(m).index});
}

void DataflowReading::queue(Order m) {
  AgentState& s = state(transfer(m).from);
  if (at(m).started) return send_off(m);
  if (s.active < in_.network.host().ports) {
    ++s.active;
    --s.waiting;
    return send_off(m);
  }
  if (s.first_in_queue == kNone)
    s.first_in_queue = m;
  else
    at(s.last_in_queue).next_in_queue = m;
  s.last_in_queue = m;
}

void DataflowReading::send_off(Order m) {
  const bool starts = step_of(m).has_startup(at(m).index);
  const bool pays = starts && !at(m).started;
  const double started = work(transfer(m).from, pays ? in_.startups.on_port_s : 0);
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
  if (in_.driver != nullptr)
    ended_.push_back(sent(m));
  else
    pass(sent(m));
}

/// Its data takes effect: receiver's start-up, unpacking or reduction, then it is done. Without
/// steps each message waits for a start-up per step, beside the others.
void DataflowReading::land(Order m) {
  const LoadedStep& step = step_of(m);
  const double unpacking_s = step.has_work() ? step.unpacking_s[at(m).index] : 0;
  const double wait_s = step.has_receive_startup(at(m).index) ? in_.startups.last_receive_s : 0;
  in_.transport.schedule(work(transfer(m).to, unpacking_s) + wait_s,
                         {EventKind::land, at(m).slot, at(m).index});
}

void DataflowReading::do_own(std::size_t index) {
  const program::OwnWork& own = own_[index];
  const double seconds = own_work_s(own, in_.network.host());
  in_.transport.schedule(work(own.at, seconds, own.stream),
                         {EventKind::work, 0, static_cast<std::int32_t>(index)});
}

void DataflowReading::finish(Node node) {
  ++done_;
  const std::size_t messages = messages_.size();
  const Agent at = node < 2 * messages ? transfer(static_cast<Order>(node - messages)).to
                                       : own_[node - 2 * messages].at;
  in_.agent_times_s[at.index()] = in_.transport.now();
  pass(node);
}

/// The driver goes on with it.
void DataflowReading::tell(Node node) {
  const auto messages = static_cast<Node>(messages_.size());
  if (node >= 2 * messages)
    return in_.driver->woken(static_cast<std::int32_t>(node - 2 * messages));
  const auto m = static_cast<Order>(node % messages);
  if (node < messages) return in_.driver->released(m);
  in_.agent_times_s[transfer(m).to.index()] = in_.transport.now();
  in_.driver->delivered(m);
}

/// What waited for nothing but this starts.
void DataflowReading::pass(Node done) {
  const std::size_t messages = messages_.size();
  for (const Node node : successors_.of(done)) {
    if (--left_[node] > 0) continue;
    if (node < messages)
      ready(static_cast<Order>(node));
    else if (node >= 2 * messages)
      do_own(node - 2 * messages);
    else if (at(static_cast<Order>(node - messages)).arrived)
      land(static_cast<Order>(node - messages));
  }
}

}  // namespace

std::unique_ptr<Reading> read_as_dataflow(const ReadingContext& context) {
  return std::make_unique<DataflowReading>(context);
}

}  // namespace weft::simulation
