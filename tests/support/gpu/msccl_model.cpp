#include "support/gpu/msccl_model.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <tuple>

namespace weft::test {

using namespace format::msccl;

namespace {

// How often each rank's contribution to each chunk is in a value; empty: garbage.
using Value = std::map<std::pair<int, int>, int>;
// A chunk of memory: rank, 0 for the users' buffers that are one or the input, 1 for an output
// apart, 2 for scratch; offset.
using Cell = std::tuple<int, int, int>;

struct Position {
  int step = 0;
  std::uint32_t handled = 0;  // messages of the step, a bit each
  friend auto operator<=>(const Position&, const Position&) = default;
};
using Cut = std::vector<Position>;  // of each thread block

struct Memory {
  std::map<Cell, Value> cells;
  // By the number of the step among those that send on the connection, and that of the message.
  std::map<std::tuple<int, int, int>, std::map<std::pair<int, int>, std::vector<Value>>>
      connections;
  bool wrong_step = false;
  friend bool operator==(const Memory&, const Memory&) = default;
};

class Model {
 public:
  Model(const Algorithm& algorithm, const ModelOptions& options)
      : algorithm_(algorithm), options_(options) {
    for (int g = 0; g < algorithm.ranks(); ++g) {
      first_.push_back(static_cast<int>(blocks_.size()));
      for (const ThreadBlock& block : gpu(g).blocks) blocks_.push_back({g, &block});
    }
  }

  ModelAnswer explore() {
    states_[Cut(blocks_.size())] = begin();
    waiting_.emplace_back(blocks_.size());
    while (!waiting_.empty() && !answer_.given_up) {
      const Cut cut = waiting_.front();
      waiting_.pop_front();
      visit(cut, states_.at(cut));
    }
    answer_.states = states_.size();
    return answer_;
  }

 private:
  struct Block {
    int gpu;
    const ThreadBlock* block;
  };
  struct Move {
    std::size_t block;
    int message;
  };

  const Gpu& gpu(int g) const { return algorithm_.gpus[static_cast<std::size_t>(g)]; }
  int ranks() const { return algorithm_.ranks(); }
  int part() const { return algorithm_.chunks / ranks(); }
  bool is(std::string_view name) const { return algorithm_.collective == name; }
  const Step& step_of(const Cut& cut, std::size_t b) const {
    return blocks_[b].block->steps[static_cast<std::size_t>(cut[b].step)];
  }
  bool done(const Cut& cut, std::size_t b) const {
    return cut[b].step == static_cast<int>(blocks_[b].block->steps.size());
  }
  std::tuple<int, int, int> out(std::size_t b) const {
    return {blocks_[b].gpu, blocks_[b].block->send_peer, blocks_[b].block->channel};
  }
  std::tuple<int, int, int> in(std::size_t b) const {
    return {blocks_[b].block->receive_peer, blocks_[b].gpu, blocks_[b].block->channel};
  }

  Cell cell(int g, Place place, int k) const {
    const int offset = place.offset + k;
    if (place.buffer == Buffer::scratch) return {g, 2, offset};
    if (!options_.in_place) return {g, place.buffer == Buffer::input ? 0 : 1, offset};
    if (is("allgather") && place.buffer == Buffer::input) return {g, 0, g * part() + offset};
    if (is("reduce_scatter") && place.buffer == Buffer::output) return {g, 0, g * part() + offset};
    return {g, 0, offset};
  }

  bool all_hold_input() const { return !is("broadcast"); }
  bool sums() const { return is("allreduce") || is("reduce_scatter") || is("reduce"); }

  // Chunks of sums are named by their place alone, others by rank and place.
  Value of(int rank, int k) const { return {{{rank, k}, 1}}; }

  Memory begin() const {
    Memory memory;
    const int inputs = is("allgather") ? part() : algorithm_.chunks;
    for (int g = 0; options_.values && g < ranks(); ++g)
      for (int k = 0; k < inputs && (all_hold_input() || g == options_.root); ++k)
        memory.cells[cell(g, {Buffer::input, 0}, k)] = of(g, k);
    return memory;
  }

  Value wanted(int g, int k) const {
    Value value;
    if (is("allgather")) return of(k / part(), k % part());
    if (is("broadcast")) return of(options_.root, k);
    if (is("alltoall")) return of(k / part(), g * part() + k % part());
    for (int rank = 0; rank < ranks(); ++rank)
      value[{rank, is("reduce_scatter") ? g * part() + k : k}] = 1;
    return value;
  }

  void judge(const Memory& memory) {
    const int outputs = is("reduce_scatter") ? part() : algorithm_.chunks;
    for (int g = 0; g < ranks(); ++g)
      for (int k = 0; k < outputs && (!is("reduce") || g == options_.root); ++k) {
        const auto found = memory.cells.find(cell(g, {Buffer::output, 0}, k));
        if (found == memory.cells.end() || found->second != wanted(g, k))
          answer_.wrong_result = true;
      }
  }

  int messages(const Step& step) const {
    return std::max(1, (step.count + options_.group - 1) / options_.group);
  }

  // Of the step that a thread block is at: its number among those that send, or receive.
  std::pair<int, int> message(const Cut& cut, const Move& move, bool (*counts)(StepType)) const {
    const auto& steps = blocks_[move.block].block->steps;
    const auto before = std::span(steps).first(static_cast<std::size_t>(cut[move.block].step));
    const auto number = std::ranges::count_if(
        before, [&](const Step& step) { return step.count > 0 && counts(step.type); });
    return {static_cast<int>(number), move.message};
  }

  bool enabled(const Cut& cut, const Memory& memory, const Move& move) const {
    const std::size_t b = move.block;
    const Step& step = step_of(cut, b);
    if (cut[b].handled == 0 && step.depends_on.exists()) {
      const auto on = static_cast<std::size_t>(first_[static_cast<std::size_t>(blocks_[b].gpu)] +
                                               step.depends_on.block);
      if (cut[on].step <= step.depends_on.step) return false;
    }
    if (step.count == 0) return true;
    if (receives(step.type)) {
      const auto queue = memory.connections.find(in(b));
      if (queue == memory.connections.end() ||
          !queue->second.contains(message(cut, move, receives)))
        return false;
    }
    if (!sends(step.type)) return true;
    const auto queue = memory.connections.find(out(b));
    return queue == memory.connections.end() || std::ssize(queue->second) < options_.depth;
  }

  // What thread block b may do next, waits aside.
  std::vector<Move> moves(const Cut& cut, std::size_t b) const {
    std::vector<Move> result;
    if (done(cut, b)) return result;
    for (int m = 0; m < messages(step_of(cut, b)); ++m) {
      if ((cut[b].handled >> m & 1U) != 0) continue;
      result.push_back({b, m});
      if (!options_.any_order) break;
    }
    return result;
  }

  // Callers of a reduce may pass no output but at the root.
  bool is_absent(int g, Place place) const {
    return is("reduce") && !options_.in_place && g != options_.root &&
           place.buffer == Buffer::output;
  }

  static Value load(Memory& memory, const Cell& at) {
    const auto found = memory.cells.find(at);
    if (found != memory.cells.end()) return found->second;
    memory.wrong_step = true;
    return {};
  }

  Value add(Memory& memory, const Value& a, const Value& b) const {
    Value value = a;
    for (const auto& [key, count] : b) value[key] += count;
    const auto chunk = [&](const auto& entry) {
      return sums() ? std::pair(0, entry.first.second) : entry.first;
    };
    for (const auto& entry : value)
      if (entry.second > 1 || chunk(entry) != chunk(*value.begin())) memory.wrong_step = true;
    return value;
  }

  // Performs a message of a thread block, or as many chunks if its step sends none.
  void perform(Cut& cut, Memory& memory, const Move& move) const {
    const std::size_t b = move.block;
    const Step& step = step_of(cut, b);
    const int from = move.message * options_.group;
    const int end = from + std::min(step.count - from, options_.group);
    std::vector<Value> received, sent;
    if (step.count > 0 && receives(step.type)) {
      auto& queue = memory.connections[in(b)];
      received = queue.extract(message(cut, move, receives)).mapped();
      if (queue.empty()) memory.connections.erase(in(b));
    }
    const int g = blocks_[b].gpu;
    if (step.count > 0 && ((reads_source(step.type) && is_absent(g, step.source)) ||
                           (writes_target(step.type) && is_absent(g, step.target))))
      memory.wrong_step = true;
    for (int k = from; options_.values && k < end && step.type != StepType::nop; ++k) {
      Value value;
      if (reads_source(step.type)) value = load(memory, cell(blocks_[b].gpu, step.source, k));
      if (!received.empty()) {
        const Value& come = received[static_cast<std::size_t>(k - from)];
        value = reads_source(step.type) ? add(memory, come, value) : come;
      }
      if (step.type == StepType::reduce)
        value = add(memory, value, load(memory, cell(blocks_[b].gpu, step.target, k)));
      if (writes_target(step.type)) memory.cells[cell(blocks_[b].gpu, step.target, k)] = value;
      sent.push_back(value);
    }
    if (step.count > 0 && sends(step.type))
      memory.connections[out(b)][message(cut, move, sends)] = sent;
    cut[b].handled |= 1U << move.message;
    if (std::popcount(cut[b].handled) == messages(step)) cut[b] = {cut[b].step + 1, 0};
  }

  struct Accesses {
    std::set<Cell> reads, writes;
  };
  Accesses accesses(const Cut& cut, const Move& move) const {
    Accesses all;
    const std::size_t b = move.block;
    const Step& step = step_of(cut, b);
    const int from = move.message * options_.group;
    const int end = from + std::min(step.count - from, options_.group);
    for (int k = from; k < end; ++k) {
      if (reads_source(step.type)) all.reads.insert(cell(blocks_[b].gpu, step.source, k));
      if (writes_target(step.type)) all.writes.insert(cell(blocks_[b].gpu, step.target, k));
    }
    // A copy onto itself writes the value that is there.
    if (step.type == StepType::copy && all.reads == all.writes) all.writes.clear();
    return all;
  }

  static bool conflict(const Accesses& a, const Accesses& b) {
    return std::ranges::any_of(
               a.writes,
               [&](const Cell& at) { return b.reads.contains(at) || b.writes.contains(at); }) ||
           std::ranges::any_of(a.reads, [&](const Cell& at) { return b.writes.contains(at); });
  }

  void find_races(const Cut& cut, const std::vector<Move>& next) {
    for (const Move& a : next)
      for (const Move& b : next)
        if (a.block < b.block && blocks_[a.block].gpu == blocks_[b.block].gpu &&
            conflict(accesses(cut, a), accesses(cut, b)))
          answer_.race = true;
  }

  void visit(const Cut& cut, const Memory& memory) {
    std::vector<Move> next;
    bool finished = true;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      for (const Move& move : moves(cut, b))
        if (enabled(cut, memory, move)) next.push_back(move);
      if (!done(cut, b)) finished = false;
    }
    if (memory.wrong_step) answer_.wrong_step = true;
    if (finished) judge(memory);
    if (next.empty() && !finished) answer_.deadlock = true;
    if (options_.values) find_races(cut, next);
    for (const Move& move : next) {
      Cut to = cut;
      Memory after = memory;
      perform(to, after, move);
      const auto [found, fresh] = states_.emplace(to, after);
      if (fresh) waiting_.push_back(to);
      if (found->second != after) answer_.differs = true;
    }
    if (states_.size() > options_.most_states) answer_.given_up = true;
  }

  const Algorithm& algorithm_;
  const ModelOptions& options_;
  std::vector<int> first_;
  std::vector<Block> blocks_;
  std::map<Cut, Memory> states_;
  std::deque<Cut> waiting_;
  ModelAnswer answer_;
};

}  // namespace

ModelAnswer explore(const Algorithm& algorithm, const ModelOptions& options) {
  return Model(algorithm, options).explore();
}

}  // namespace weft::test
