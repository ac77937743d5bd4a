#include "support/gpu/mscclpp_runs.hpp"

#include <fmt/format.h>

#include <deque>
#include <random>
#include <unordered_set>
#include <vector>

namespace weft::test {

using namespace format::mscclpp;
using schedule::CollectiveKind;

namespace {

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

std::uint64_t mix(std::uint64_t x) {
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
  bool act(const Actor& actor, const Op& op, Thread& self) {
    switch (op.type) {
      case OpType::nop:
        return pass_nop(actor, self);
      case OpType::signal:
      case OpType::relaxed_signal:
        if (mine(actor, self) >= op.channels.size()) return next(self);
        send_signal(actor, op, mine(actor, self));
        return next_of_mine(self);
      case OpType::wait:
      case OpType::relaxed_wait:
        if (mine(actor, self) >= op.channels.size()) return next(self);
        return take_signal(actor, op, mine(actor, self)) && next_of_mine(self);
      case OpType::acquire:
        if (actor.thread < std::ssize(op.semaphores) && !acquire(actor, op)) return false;
        return next(self);
      case OpType::release:
        if (actor.thread < std::ssize(op.semaphores))
          ++at(actor.rank)
                .semaphores[static_cast<std::size_t>(
                    op.semaphores[static_cast<std::size_t>(actor.thread)])];
        return next(self);
      case OpType::put:
      case OpType::put_signal:
      case OpType::put_signal_flush:
        return op.channel_type == ChannelType::port ? request(actor, op, self)
                                                    : each_slice(actor, op, self);
      case OpType::put_packets:
        return each_slice(actor, op, self);
      case OpType::forward_packets:
        return forward(actor, op, self);
      default:
        return each_element(actor, op, self);
    }
  }

  static bool next(Thread& self) {
    self = {.op = self.op + 1};
    return true;
  }
  // Thread i serves the i-th channel; here few threads serve all of them by turns.
  std::size_t mine(const Actor& actor, const Thread& self) const {
    return static_cast<std::size_t>(self.element * run_.threads + actor.thread);
  }
  static bool next_of_mine(Thread& self) {
    ++self.element;
    return true;
  }

  bool pass_nop(const Actor& actor, Thread& self) {
    for (const Thread& other : at(actor.rank).blocks[static_cast<std::size_t>(actor.block)])
      if (other.op < self.op) return false;
    return next(self);
  }

  const Block& block(const Actor& actor) const {
    return gpu(actor.rank).blocks[static_cast<std::size_t>(actor.block)];
  }
  std::int32_t channel(const Actor& actor, const Op& op, std::size_t i) const {
    const auto& list = op.channel_type == ChannelType::port ? block(actor).port_channels
                                                            : block(actor).memory_channels;
    return list[static_cast<std::size_t>(op.channels[i])];
  }

  void send_signal(const Actor& actor, const Op& op, std::size_t i) {
    const std::int32_t one = channel(actor, op, i);
    if (op.channel_type == ChannelType::port)
      at(actor.rank).requests[static_cast<std::size_t>(one)].push_back({.is_signal = true});
    else
      raise(actor.rank, one, false);
  }

  bool take_signal(const Actor& actor, const Op& op, std::size_t i) {
    const std::int32_t one = channel(actor, op, i);
    std::int32_t& count = (op.channel_type == ChannelType::port
                               ? at(actor.rank).port_signals
                               : at(actor.rank).memory_signals)[static_cast<std::size_t>(one)];
    if (count == 0) return false;
    --count;
    return true;
  }

  bool acquire(const Actor& actor, const Op& op) {
    std::int32_t& value = at(actor.rank)
                              .semaphores[static_cast<std::size_t>(
                                  op.semaphores[static_cast<std::size_t>(actor.thread)])];
    if (value <= 0) return false;
    --value;
    return true;
  }

  struct Site {
    std::int32_t rank = 0;
    Buffer buffer = Buffer::input;
    std::int32_t element = 0;
  };
  // Where a slice is; that of packets, or of plain data.
  Site site(const Actor& actor, const Op& op, const Slice& slice, std::int32_t element,
            bool packets) const {
    Site one{actor.rank, slice.buffer, slice.index * run_.elements + element};
    if (slice.kind == Slice::Kind::remote) {
      const auto& list = op.channel_type == ChannelType::port ? block(actor).port_buffers
                                                              : block(actor).memory_buffers;
      const RemoteBuffer& remote =
          gpu(actor.rank)
              .remote_buffers[static_cast<std::size_t>(list[static_cast<std::size_t>(slice.id)])];
      one.rank = remote.rank;
      one.buffer = remote.buffer;
    }
    if (packets) one.element *= 2;
    if (one.buffer == Buffer::scratch) one.element += scratch_offset(one.rank, at(actor.rank).call);
    return one;
  }

  Value plain(const Site& one) { return cell(one.rank, one.buffer, one.element).value; }
  void write_plain(const Site& one, Value value) {
    cell(one.rank, one.buffer, one.element) = {.value = value};
  }
  void write_packet(const Site& one, Value value, std::int32_t flag) {
    for (std::int32_t half = 0; half < 2; ++half)
      cell(one.rank, one.buffer, one.element + half) = {.value = value, .flag = flag};
  }
  bool has_packet(const Site& one, std::int32_t flag) {
    return cell(one.rank, one.buffer, one.element).flag == flag &&
           cell(one.rank, one.buffer, one.element + 1).flag == flag;
  }

  // Threads share packets in pieces of another size than plain data, so that the same data is of
  // other threads there: in reverse order here.
  std::int32_t element_of(const Actor& actor, const Op& op, const Thread& self) const {
    const bool packets = op.type == OpType::put_packets || op.type == OpType::copy_to_packets ||
                         op.type == OpType::unpack_packets || op.type == OpType::reduce_packets;
    return self.element * run_.threads + (packets ? run_.threads - 1 - actor.thread : actor.thread);
  }

  bool each_slice(const Actor& actor, const Op& op, Thread& self) {
    const bool packets = op.type == OpType::put_packets;
    while (self.slice < std::ssize(op.targets)) {
      const Slice& target = op.targets[static_cast<std::size_t>(self.slice)];
      Slice source = op.sources[static_cast<std::size_t>(self.slice)];
      source.buffer = op.sources[0].buffer;  // as the executor has it
      const std::int32_t element = element_of(actor, op, self);
      if (element >= target.size * run_.elements) {
        ++self.slice;
        self.element = 0;
        continue;
      }
      const Value value = plain(site(actor, op, source, element, false));
      const Site to = site(actor, op, target, element, packets);
      packets ? write_packet(to, value, at(actor.rank).call) : write_plain(to, value);
      ++self.element;
      return true;
    }
    return next(self);
  }

  // Thread i asks the proxy for the i-th put.
  bool request(const Actor& actor, const Op& op, Thread& self) {
    const std::size_t i = mine(actor, self);
    if (i >= op.targets.size()) return next(self);
    auto& queue = at(actor.rank).requests[static_cast<std::size_t>(channel(actor, op, i))];
    if (self.slice == 0) {
      queue.push_back(request_of(actor, op, op.sources[i], op.targets[i], false));
      if (op.type != OpType::put) queue.push_back({.is_signal = true});
      if (op.type != OpType::put_signal_flush) return next_of_mine(self);
      self.slice = 1;
      return true;
    }
    if (!queue.empty()) return false;  // a flush
    self.slice = 0;
    return next_of_mine(self);
  }

  Request request_of(const Actor& actor, const Op& op, const Slice& source, const Slice& target,
                     bool packets) const {
    const Site from = site(actor, op, source, 0, packets), to = site(actor, op, target, 0, packets);
    return {.source_buffer = static_cast<std::int32_t>(from.buffer),
            .source = from.element,
            .target_rank = to.rank,
            .target_buffer = static_cast<std::int32_t>(to.buffer),
            .target = to.element,
            .count = target.size * run_.elements * (packets ? 2 : 1)};
  }

  // rppkt through a port: all threads wait for their packets, then thread i asks for the i-th put.
  bool forward(const Actor& actor, const Op& op, Thread& self) {
    const Slice& source = op.sources[0];
    if (self.slice == 0) {
      const std::int32_t element = self.element * run_.threads + actor.thread;
      if (element < source.size * run_.elements) {
        if (!has_packet(site(actor, op, source, element, true), at(actor.rank).call)) return false;
        ++self.element;
        return true;
      }
      self.slice = 1;
      return true;
    }
    for (const Thread& other : at(actor.rank).blocks[static_cast<std::size_t>(actor.block)])
      if (other.op < self.op || (other.op == self.op && other.slice == 0)) return false;
    const auto i = static_cast<std::size_t>(actor.thread);
    for (std::size_t k = i; k < op.targets.size(); k += static_cast<std::size_t>(run_.threads))
      at(actor.rank)
          .requests[static_cast<std::size_t>(channel(actor, op, k))]
          .push_back(request_of(actor, op, source, op.targets[k], true));
    return next(self);
  }

  bool each_element(const Actor& actor, const Op& op, Thread& self) {
    const std::int32_t element = element_of(actor, op, self);
    if (element >= op.sources[0].size * run_.elements) return next(self);
    const std::int32_t flag = at(actor.rank).call;
    const auto source = [&](std::size_t i, bool packets) {
      return site(actor, op, op.sources[i], element, packets);
    };
    const auto target = [&](bool packets) {
      return site(actor, op, op.targets[0], element, packets);
    };
    Value value = 0;
    switch (op.type) {
      case OpType::copy:
        write_plain(target(false), plain(source(0, false)));
        break;
      case OpType::reduce:
        for (std::size_t i = 0; i < op.sources.size(); ++i) value += plain(source(i, false));
        write_plain(target(false), value);
        break;
      case OpType::copy_to_packets:
        write_packet(target(true), plain(source(0, false)), flag);
        break;
      case OpType::unpack_packets:
        if (!has_packet(source(0, true), flag)) return false;
        write_plain(target(false), plain(source(0, true)));
        break;
      case OpType::reduce_packets:
        for (std::size_t i = 1; i < op.sources.size(); ++i) {
          if (!has_packet(source(i, true), flag)) return false;
          value += plain(source(i, true));
        }
        write_plain(target(false), value + plain(source(0, false)));
        break;
      default:
        error_ = fmt::format("no such operation here: {}", name_of(op.type));
    }
    ++self.element;
    return true;
  }

  bool is_over(std::int32_t rank) const {
    const GpuState& one = at(rank);
    for (std::size_t b = 0; b < one.blocks.size(); ++b)
      for (const Thread& thread : one.blocks[b])
        if (thread.op < gpu(rank).blocks[b].ops.size()) return false;
    return true;
  }

  bool all_done() const {
    for (std::int32_t rank = 0; rank < plan_.ranks(); ++rank)
      if (at(rank).call <= run_.calls && !is_over(rank)) return false;
    return true;
  }

  void end_call(std::int32_t rank) {
    check_result(rank);
    ++at(rank).call;
    if (at(rank).call <= run_.calls) {
      begin_call(rank);
      if (is_over(rank)) end_call(rank);
    }
  }

  void check_result(std::int32_t rank) {
    const std::int32_t call = at(rank).call;
    for (std::int32_t e = 0; e < wanted_chunks(rank) * run_.elements; ++e)
      if (cell(rank, Buffer::output, e).value != wanted(rank, call, e)) {
        error_ = fmt::format("rank {} has a wrong chunk {} in its output in call {}", rank,
                             e / run_.elements, call);
        return;
      }
    for (std::int32_t e = 0; !plan_.in_place && e < gpu(rank).input_chunks * run_.elements; ++e)
      if (cell(rank, Buffer::input, e).value != own(call, rank, e))
        error_ = fmt::format("rank {} has its input changed in call {}", rank, call);
  }

  std::int64_t elements_of_block() const {
    const Gpu& first = plan_.gpus[0];
    switch (collective_.kind) {
      case CollectiveKind::allgather:
      case CollectiveKind::gather:
        return first.input_chunks * run_.elements;
      case CollectiveKind::reduce_scatter:
      case CollectiveKind::scatter:
        return first.output_chunks * run_.elements;
      default:
        return first.input_chunks / plan_.ranks() * run_.elements;
    }
  }

  Value wanted(std::int32_t rank, std::int32_t call, std::int64_t e) const {
    const std::int64_t in_block = elements_of_block();
    const auto sum = [&](std::int64_t element) {
      Value total = 0;
      for (std::int32_t r = 0; r < plan_.ranks(); ++r) total += own(call, r, element);
      return total;
    };
    switch (collective_.kind) {
      case CollectiveKind::allgather:
      case CollectiveKind::gather:
        return own(call, static_cast<std::int32_t>(e / in_block), e % in_block);
      case CollectiveKind::reduce_scatter:
        return sum(rank * in_block + e);
      case CollectiveKind::scatter:
        return own(call, collective_.root.value(), rank * in_block + e);
      case CollectiveKind::alltoall:
        return own(call, static_cast<std::int32_t>(e / in_block), rank * in_block + e % in_block);
      case CollectiveKind::broadcast:
        return own(call, collective_.root.value(), e);
      default:
        return sum(e);
    }
  }

  std::int32_t wanted_chunks(std::int32_t rank) const {
    const bool is_root = rank == collective_.root.value();
    const bool at_root =
        collective_.kind == CollectiveKind::gather || collective_.kind == CollectiveKind::reduce;
    return at_root && !is_root ? 0 : gpu(rank).output_chunks;
  }

  std::string leftovers() const {
    for (std::int32_t rank = 0; rank < plan_.ranks(); ++rank) {
      for (const auto* signals : {&at(rank).memory_signals, &at(rank).port_signals})
        for (const std::int32_t count : *signals)
          if (count != 0) return fmt::format("rank {} leaves signals", rank);
      if (at(rank).semaphores != gpu(rank).semaphores)
        return fmt::format("rank {} leaves a semaphore raised", rank);
    }
    return error_;
  }

  std::string deadlock() const {
    for (std::int32_t rank = 0; rank < plan_.ranks(); ++rank)
      for (std::size_t b = 0; b < at(rank).blocks.size(); ++b)
        for (const Thread& thread : at(rank).blocks[b])
          if (thread.op < gpu(rank).blocks[b].ops.size())
            return fmt::format("deadlock in call {}: rank {}, block {}, operation {} waits",
                               at(rank).call, rank, b, thread.op);
    return "deadlock";
  }

  std::uint64_t hash() const {
    std::uint64_t h = 0;
    const auto add = [&](std::uint64_t x) { h = mix(h ^ x) + 0x9E3779B97F4A7C15ULL; };
    for (const GpuState& one : state_) {
      add(static_cast<std::uint64_t>(one.call));
      for (const auto& buffer : one.memory)
        for (const Cell& cell : buffer) add(cell.value + static_cast<std::uint64_t>(cell.flag));
      for (const auto& block : one.blocks)
        for (const Thread& thread : block)
          add(thread.op * 4096 + static_cast<std::uint64_t>(thread.slice * 64 + thread.element));
      for (const auto* list : {&one.semaphores, &one.memory_signals, &one.port_signals})
        for (const std::int32_t value : *list) add(static_cast<std::uint64_t>(value));
      for (const auto& queue : one.requests) {
        add(queue.size());
        for (const Request& request : queue)
          add(static_cast<std::uint64_t>(request.source * 64 + request.target) * 2 +
              (request.is_signal ? 1 : 0));
      }
    }
    return h;
  }

  const Plan& plan_;
  const schedule::Collective& collective_;
  MscclppRun run_;
  State state_;
  std::string error_;
  Cell nowhere_;
};

}  // namespace

std::string run_mscclpp(const Plan& plan, const schedule::Collective& collective,
                        const MscclppRun& run) {
  return Machine(plan, collective, run).run_at_random();
}

std::string explore_mscclpp(const Plan& plan, const schedule::Collective& collective,
                            std::size_t most_states, int calls) {
  return Machine(plan, collective, {.calls = calls, .threads = 2, .elements = 2})
      .explore(most_states);
}

}  // namespace weft::test
