// The machine that runs an MSCCL++ plan on numbers (mscclpp_runs.hpp).
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include "support/gpu/mscclpp_runs.hpp"

namespace weft::test::plan_runs {

using namespace format::mscclpp;
using schedule::CollectiveKind;

using Value = std::uint64_t;

struct Cell {
  Value value = 0x7777;
  std::int32_t flag = 0;  // of the call that wrote it as a packet; 0: plain
};

struct Thread {
  std::size_t op = 0;
  std::int32_t slice = 0, element = 0;  // of the operation
};

// What a proxy does for a channel: writes, then raises the semaphore.
struct Request {
  std::int32_t source_buffer = 0, source = 0;  // first element
  std::int32_t target_rank = 0, target_buffer = 0, target = 0, count = 0;
  bool is_signal = false;
};

struct GpuState {
  std::vector<std::vector<Cell>> memory;  // by buffer
  std::vector<std::vector<Thread>> blocks;
  std::vector<std::int32_t> semaphores;
  std::vector<std::int32_t> memory_signals, port_signals;  // by channel: raised and not taken
  std::vector<std::deque<Request>> requests;               // by port channel
  std::int32_t call = 1;
};

using State = std::vector<GpuState>;

inline std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9ULL;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

class Machine {
 public:
  Machine(const Plan& plan, const schedule::Collective& collective, const MscclppRun& run)
      : plan_(plan), collective_(collective), run_(run) {
    for (std::int32_t rank = 0; rank < plan.ranks(); ++rank) set_up(rank);
    for (std::int32_t rank = 0; rank < plan.ranks(); ++rank) begin_call(rank);
    for (std::int32_t rank = 0; rank < plan.ranks(); ++rank)
      if (is_over(rank)) end_call(rank);  // it has nothing to do
  }

  std::string run_at_random() {
    std::mt19937_64 random(run_.seed);
    std::vector<Actor> actors = all_actors();
    for (;;) {
      // An actor goes on for a while, so that orders far apart are met too.
      bool moved = false;
      for (std::size_t tries = 0; tries < actors.size() && !moved; ++tries) {
        std::swap(actors[tries], actors[tries + random() % (actors.size() - tries)]);
        for (auto times = random() % 8; go(actors[tries]); --times) {
          moved = true;
          if (times == 0) break;
        }
        if (!error_.empty()) return error_;
      }
      if (!moved) return all_done() ? leftovers() : deadlock();
    }
  }

  std::string explore(std::size_t most_states) {
    std::unordered_set<std::uint64_t> seen;
    std::vector<State> open{state_};
    const std::vector<Actor> actors = all_actors();
    while (!open.empty()) {
      const State from = std::move(open.back());
      open.pop_back();
      bool moved = false;
      for (const Actor& actor : actors) {
        state_ = from;
        if (!go(actor)) continue;
        moved = true;
        if (!error_.empty()) return error_;
        if (!seen.insert(hash()).second) continue;
        if (seen.size() > most_states) return "too many states";
        open.push_back(state_);
      }
      state_ = from;
      if (!moved) {
        const std::string end = all_done() ? leftovers() : deadlock();
        if (!end.empty()) return end;
      }
    }
    return {};
  }

 private:
  struct Actor {
    std::int32_t rank = 0, block = 0, thread = 0;  // of a proxy: block -1, thread is the channel
  };

  std::vector<Actor> all_actors() const {
    std::vector<Actor> actors;
    for (std::int32_t rank = 0; rank < plan_.ranks(); ++rank) {
      const Gpu& one = gpu(rank);
      for (std::int32_t block = 0; block < std::ssize(one.blocks); ++block)
        for (std::int32_t thread = 0; thread < run_.threads; ++thread)
          actors.push_back({rank, block, thread});
      for (std::int32_t channel = 0; channel < std::ssize(one.port_peers); ++channel)
        actors.push_back({rank, -1, channel});
    }
    return actors;
  }

  const Gpu& gpu(std::int32_t rank) const { return plan_.gpus[static_cast<std::size_t>(rank)]; }
  GpuState& at(std::int32_t rank) { return state_[static_cast<std::size_t>(rank)]; }
  const GpuState& at(std::int32_t rank) const { return state_[static_cast<std::size_t>(rank)]; }

  // Element e of chunk k of what a rank gives in a call.
  Value own(std::int32_t call, std::int32_t rank, std::int64_t element) const {
    return mix(mix(static_cast<std::uint64_t>(call) * 1000003 + static_cast<std::uint64_t>(rank)) +
               static_cast<std::uint64_t>(element));
  }

  void set_up(std::int32_t rank) {
    GpuState& one = state_.emplace_back();
    const Gpu& of = gpu(rank);
    const std::int32_t scratches = (plan_.packets ? 2 : 1) * (plan_.double_scratch ? 2 : 1);
    for (const std::int32_t chunks :
         {of.input_chunks, of.output_chunks, of.scratch_chunks * scratches})
      one.memory.emplace_back(static_cast<std::size_t>(chunks * run_.elements));
    one.semaphores = of.semaphores;
    one.memory_signals.assign(of.memory_peers.size(), 0);
    one.port_signals.assign(of.port_peers.size(), 0);
    one.requests.resize(of.port_peers.size());
  }

  void begin_call(std::int32_t rank) {
    GpuState& one = at(rank);
    one.blocks.assign(gpu(rank).blocks.size(),
                      std::vector<Thread>(static_cast<std::size_t>(run_.threads)));
    if (!plan_.in_place)
      for (Cell& cell : one.memory[1]) cell = {.value = 0x5555};
    for (std::int32_t e = 0; e < gpu(rank).input_chunks * run_.elements; ++e)
      cell(rank, Buffer::input, e) = {.value = own(one.call, rank, e)};
  }

  Cell& cell(std::int32_t rank, Buffer buffer, std::int32_t element) {
    const Gpu& one = gpu(rank);
    if (plan_.in_place && buffer == Buffer::input && one.input_chunks < one.output_chunks) {
      buffer = Buffer::output;
      element += rank * one.input_chunks * run_.elements;
    } else if (plan_.in_place && buffer == Buffer::output &&
               one.output_chunks <= one.input_chunks) {
      buffer = Buffer::input;
      if (one.output_chunks < one.input_chunks) element += rank * one.output_chunks * run_.elements;
    }
    auto& cells = at(rank).memory[static_cast<std::size_t>(buffer)];
    if (element < 0 || static_cast<std::size_t>(element) >= cells.size()) {
      error_ = fmt::format("rank {} has no element {} in {}", rank, element,
                           format::msccl::name_of(buffer));
      return nowhere_;
    }
    return cells[static_cast<std::size_t>(element)];
  }

  // The second half of a double scratch is that of calls with an even flag.
  std::int32_t scratch_offset(std::int32_t rank, std::int32_t call) const {
    if (!plan_.double_scratch || call % 2 != 0) return 0;
    return static_cast<std::int32_t>(at(rank).memory[2].size() / 2);
  }

  bool go(const Actor& actor) {
    return actor.block < 0 ? serve(actor.rank, actor.thread) : go_on(actor);
  }

  bool serve(std::int32_t rank, std::int32_t channel) {
    auto& queue = at(rank).requests[static_cast<std::size_t>(channel)];
    if (queue.empty()) return false;
    const Request request = queue.front();
    queue.pop_front();
    if (request.is_signal) {
      raise(rank, channel, true);
      return true;
    }
    for (std::int32_t i = 0; i < request.count; ++i)
      cell(request.target_rank, static_cast<Buffer>(request.target_buffer), request.target + i) =
          cell(rank, static_cast<Buffer>(request.source_buffer), request.source + i);
    return true;
  }

  // The k-th channel of a to b is the k-th one of b to a.
  void raise(std::int32_t rank, std::int32_t channel, bool by_port) {
    const auto& peers = by_port ? gpu(rank).port_peers : gpu(rank).memory_peers;
    const std::int32_t peer = peers[static_cast<std::size_t>(channel)];
    const auto number = std::count(peers.begin(), peers.begin() + channel, peer);
    const auto& theirs = by_port ? gpu(peer).port_peers : gpu(peer).memory_peers;
    std::ptrdiff_t seen = 0;
    for (std::size_t k = 0; k < theirs.size(); ++k)
      if (theirs[k] == rank && seen++ == number) {
        ++(by_port ? at(peer).port_signals : at(peer).memory_signals)[k];
        return;
      }
    error_ = fmt::format("channel {} of rank {} has no other end", channel, rank);
  }

  const std::vector<Op>& ops(const Actor& actor) const {
    return gpu(actor.rank).blocks[static_cast<std::size_t>(actor.block)].ops;
  }
  Thread& thread(const Actor& actor) {
    return at(actor.rank)
        .blocks[static_cast<std::size_t>(actor.block)][static_cast<std::size_t>(actor.thread)];
  }

  bool go_on(const Actor& actor) {
    Thread& self = thread(actor);
    if (self.op >= ops(actor).size()) return false;
    const Op& op = ops(actor)[self.op];
    if (!act(actor, op, self)) return false;
    if (error_.empty() && is_over(actor.rank)) end_call(actor.rank);
    return true;
  }

  // One atomic action of a thread; false if it has to wait.
  bool act(const Actor& actor, const Op& op, Thread& self);

  static bool next(Thread& self);
  // Thread i serves the i-th channel; here few threads serve all of them by turns.
  std::size_t mine(const Actor& actor, const Thread& self) const;
  static bool next_of_mine(Thread& self);

  bool pass_nop(const Actor& actor, Thread& self);

  const Block& block(const Actor& actor) const;
  std::int32_t channel(const Actor& actor, const Op& op, std::size_t i) const;

  void send_signal(const Actor& actor, const Op& op, std::size_t i);

  bool take_signal(const Actor& actor, const Op& op, std::size_t i);

  bool acquire(const Actor& actor, const Op& op);

  struct Site {
    std::int32_t rank = 0;
    Buffer buffer = Buffer::input;
    std::int32_t element = 0;
  };
  // Where a slice is; that of packets, or of plain data.
  Site site(const Actor& actor, const Op& op, const Slice& slice, std::int32_t element,
            bool packets) const;

  Value plain(const Site& one) { return cell(one.rank, one.buffer, one.element).value; }
  void write_plain(const Site& one, Value value);
  void write_packet(const Site& one, Value value, std::int32_t flag);
  bool has_packet(const Site& one, std::int32_t flag);

  // Threads share packets in pieces of another size than plain data, so that the same data is of
  // other threads there: in reverse order here.
  std::int32_t element_of(const Actor& actor, const Op& op, const Thread& self) const;

  bool each_slice(const Actor& actor, const Op& op, Thread& self);

  // Thread i asks the proxy for the i-th put.
  bool request(const Actor& actor, const Op& op, Thread& self);

  Request request_of(const Actor& actor, const Op& op, const Slice& source, const Slice& target,
                     bool packets) const;

  // rppkt through a port: all threads wait for their packets, then thread i asks for the i-th put.
  bool forward(const Actor& actor, const Op& op, Thread& self);

  bool each_element(const Actor& actor, const Op& op, Thread& self);

  bool is_over(std::int32_t rank) const;

  bool all_done() const;

  void end_call(std::int32_t rank);

  void check_result(std::int32_t rank);

  std::int64_t elements_of_block() const;

  Value wanted(std::int32_t rank, std::int32_t call, std::int64_t e) const;

  std::int32_t wanted_chunks(std::int32_t rank) const;

  std::string leftovers() const;

  std::string deadlock() const;

  std::uint64_t hash() const;

  const Plan& plan_;
  const schedule::Collective& collective_;
  MscclppRun run_;
  State state_;
  std::string error_;
  Cell nowhere_;
};

}  // namespace weft::test::plan_runs
