// MSCCL++ plans to operations.
//
// Thread blocks run side by side as far as they can, each operation after the one before it in its
// thread block. (Operations that no nop separates are concurrent; one after another is one of their
// orders.) Each thread block knows, for every other one, the last operation that is complete: what
// it puts is received after that.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>

#include "../msccl/rows.hpp"
#include "weft/base/error.hpp"
#include "weft/format/mscclpp_program.hpp"
#include "weft/program/operations.hpp"

namespace weft::format::mscclpp {

using program::ByteRange;
using program::OperationSpec;
using schedule::Agent;

namespace {

constexpr std::int64_t kSignal_B = 8;
constexpr std::int64_t kMostOperations = 20'000'000;

/// The buffers of a plan, as those of an MSCCL file.
msccl::Algorithm shell_of(const Plan& plan) {
  msccl::Algorithm algorithm;
  algorithm.name = plan.name;
  algorithm.collective = plan.collective;
  algorithm.in_place = plan.in_place;
  algorithm.out_of_place = !plan.in_place;
  algorithm.file = plan.file;
  const auto collective = msccl::collective_of(plan.collective, plan.ranks());
  const bool by_block = collective && (collective->kind == schedule::CollectiveKind::gather ||
                                       collective->kind == schedule::CollectiveKind::scatter);
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  for (const Gpu& gpu : plan.gpus) {
    algorithm.gpus.emplace_back();
    algorithm.gpus.back().input_chunks = gpu.input_chunks;
    algorithm.gpus.back().output_chunks = gpu.output_chunks;
    algorithm.gpus.back().scratch_chunks = gpu.scratch_chunks;
    algorithm.chunks = std::max({algorithm.chunks, gpu.input_chunks, gpu.output_chunks});
    least = std::min({least, gpu.input_chunks, gpu.output_chunks});
  }
  if (by_block) algorithm.chunks = least;
  return algorithm;
}

/// An operation, or what an iteration of a pipeline does of it.
struct Run {
  const Op* op = nullptr;
  std::int64_t offset_B = 0, most_B = std::numeric_limits<std::int64_t>::max();
};

class PlanRun {
 public:
  PlanRun(const Plan& plan, const msccl::Rows& rows, std::int64_t chunk_B, ProgramBuilder& builder,
          std::int32_t packets, Signals signals)
      : plan_(plan),
        rows_(rows),
        chunk_B_(chunk_B),
        builder_(builder),
        packets_(packets),
        signals_(signals) {
    for (std::int32_t rank = 0; rank < plan.ranks(); ++rank) set_up(rank);
    for (Block& one : blocks_) one.known.assign(blocks_.size(), -1);
  }

  void run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (Block& block : blocks_)
        while (block.next < block.runs.size() && step(block)) moved = true;
    }
    for (const Block& block : blocks_)
      if (block.next < block.runs.size())
        reject("{}: rank {}, thread block {} waits for ever at a {}; give --verify", plan_.file,
               block.rank, block.index, name_of(block.runs[block.next].op->type));
  }

 private:
  using Known = std::vector<std::int32_t>;  // by thread block: its last complete operation
  using Pending = std::map<std::int32_t, std::vector<std::int32_t>>;  // by rank: receptions there

  struct Block {
    std::int32_t rank = 0, index = 0;
    std::size_t number = 0;
    const mscclpp::Block* block = nullptr;
    std::vector<Run> runs = {};
    std::size_t next = 0;
    std::vector<std::int32_t> after = {};  // what the next operation waits for
    Known known = {};
    Pending pending = {};  // puts that no signal tells of yet
    bool at_barrier = false;
  };
  struct Event {
    std::vector<std::int32_t> done;  // at the rank that takes it
    Known known;
    Pending pending;
  };
  struct Written {
    std::int64_t begin_B = 0, end_B = 0;
    std::int32_t operation = 0;
  };

  void set_up(std::int32_t rank) {
    const Gpu& gpu = plan_.gpus[static_cast<std::size_t>(rank)];
    for (std::size_t b = 0; b < gpu.blocks.size(); ++b) {
      Block& one = blocks_.emplace_back();
      one.rank = rank;
      one.index = static_cast<std::int32_t>(b);
      one.number = blocks_.size() - 1;
      one.block = &gpu.blocks[b];
      for (const Op& op : gpu.blocks[b].ops) add_runs(op, one.runs);
    }
    memory_.emplace_back(gpu.memory_peers.size());
    port_.emplace_back(gpu.port_peers.size());
    auto& semaphores = semaphores_.emplace_back(gpu.semaphores.size());
    for (std::size_t s = 0; s < semaphores.size(); ++s)
      semaphores[s].resize(static_cast<std::size_t>(std::min(gpu.semaphores[s], 1 << 20)));
    written_.emplace_back();
  }

  void add_runs(const Op& op, std::vector<Run>& runs) {
    if (op.type != OpType::pipeline) {
      runs.push_back({&op});
    } else {
      const std::int64_t all = op.chunks * chunk_B_;
      const std::int64_t iterations = (all + op.unit_B - 1) / op.unit_B;
      for (std::int64_t i = 0; i < iterations; ++i)
        for (const Op& one : op.body) {
          require(std::ssize(runs) < kMostOperations,
                  "{}: the pipelines have too many iterations at this size; use a smaller one",
                  plan_.file);
          runs.push_back({&one, i * op.unit_B, op.unit_B});
        }
    }
  }

  bool step(Block& block) {
    const Run run = block.runs[block.next];
    const Op& op = *run.op;
    switch (op.type) {
      case OpType::nop:
        break;
      case OpType::barrier:
        return meet(block, op);
      case OpType::signal:
      case OpType::relaxed_signal:
        for (const std::int32_t channel : op.channels) signal(block, op, channel);
        break;
      case OpType::wait:
      case OpType::relaxed_wait:
        if (!take_all(block, op)) return false;
        break;
      case OpType::release:
        for (const std::int32_t one : op.semaphores)
          semaphores(block)[static_cast<std::size_t>(one)].push_back(event_of(block, block.rank));
        break;
      case OpType::acquire:
        for (const std::int32_t one : op.semaphores)
          if (semaphores(block)[static_cast<std::size_t>(one)].empty()) return false;
        for (const std::int32_t one : op.semaphores)
          take(block, semaphores(block)[static_cast<std::size_t>(one)], true);
        break;
      case OpType::flush:
        break;
      default:
        if (!has_packets(block, run)) return false;
        move(block, run);
    }
    ++block.next;
    return true;
  }

  std::vector<std::deque<Event>>& semaphores(const Block& block) {
    return semaphores_[static_cast<std::size_t>(block.rank)];
  }

  std::int32_t add(Block& block, OperationSpec spec) {
    spec.waits.insert(spec.waits.end(), block.after.begin(), block.after.end());
    std::ranges::sort(spec.waits);
    spec.waits.erase(std::unique(spec.waits.begin(), spec.waits.end()), spec.waits.end());
    require(++operations_ <= kMostOperations, "{}: the plan has too many operations at this size",
            plan_.file);
    const std::int32_t made = builder_.add(Agent(block.rank), std::move(spec));
    block.after = {made};
    block.known[block.number] = made;
    return made;
  }

  // All that the thread block did, as one operation.
  void join(Block& block) {
    if (block.after.size() > 1) add(block, {.kind = OperationKind::compute});
  }

  Event event_of(Block& block, std::int32_t to) {
    join(block);
    Event event;
    event.known = block.known;
    if (to == block.rank) {
      event.done = block.after;
      event.pending = block.pending;
    }
    return event;
  }

  // The k-th channel of a to b is the k-th one of b to a.
  std::deque<Event>* other_end(const Block& block, const Op& op, std::int32_t local,
                               std::int32_t& peer) {
    const bool port = op.channel_type == ChannelType::port;
    const auto at = static_cast<std::size_t>(local);
    const std::int32_t channel =
        port ? block.block->port_channels[at] : block.block->memory_channels[at];
    const auto peers_of = [&](std::int32_t rank) -> const std::vector<std::int32_t>& {
      const Gpu& gpu = plan_.gpus[static_cast<std::size_t>(rank)];
      return port ? gpu.port_peers : gpu.memory_peers;
    };
    const auto& own = peers_of(block.rank);
    peer = own[static_cast<std::size_t>(channel)];
    auto number = std::count(own.begin(), own.begin() + channel, peer);
    const auto& theirs = peers_of(peer);
    auto& queues = (port ? port_ : memory_)[static_cast<std::size_t>(peer)];
    for (std::size_t k = 0; k < theirs.size(); ++k)
      if (theirs[k] == block.rank && number-- == 0) return &queues[k];
    return nullptr;
  }

  // What the peer knows after it took the signal: the puts before it, else a message of its own.
  void signal(Block& block, const Op& op, std::int32_t local) {
    std::int32_t peer = 0;
    std::deque<Event>* const queue = other_end(block, op, local, peer);
    if (queue == nullptr) return;
    Event event = event_of(block, peer);
    event.done = std::exchange(block.pending[peer], {});
    if (event.done.empty() && signals_ == Signals::messages) {
      const auto before = block.after;
      event.done = {message(block, peer, {}, {}, kSignal_B)};
      block.after = before;  // a thread does not wait for its signal to leave
    }
    queue->push_back(std::move(event));
  }

  bool take_all(Block& block, const Op& op) {
    const bool port = op.channel_type == ChannelType::port;
    auto& queues = (port ? port_ : memory_)[static_cast<std::size_t>(block.rank)];
    const auto& list = port ? block.block->port_channels : block.block->memory_channels;
    const auto queue = [&](std::int32_t local) -> std::deque<Event>& {
      return queues[static_cast<std::size_t>(list[static_cast<std::size_t>(local)])];
    };
    for (const std::int32_t local : op.channels)
      if (queue(local).empty()) return false;
    for (const std::int32_t local : op.channels) take(block, queue(local), false);
    return true;
  }

  void take(Block& block, std::deque<Event>& queue, bool inherit) {
    if (queue.empty()) return;
    const Event event = std::move(queue.front());
    queue.pop_front();
    block.after.insert(block.after.end(), event.done.begin(), event.done.end());
    for (std::size_t i = 0; i < event.known.size(); ++i)
      block.known[i] = std::max(block.known[i], event.known[i]);
    if (!inherit) return;
    for (const auto& [rank, receptions] : event.pending) {
      auto& mine = block.pending[rank];
      mine.insert(mine.end(), receptions.begin(), receptions.end());
    }
  }

  // Each leaves once all are there.
  bool meet(Block& block, const Op& op) {
    block.at_barrier = true;
    std::vector<Block*> there;
    for (Block& other : blocks_)
      if (other.rank == block.rank && other.at_barrier && other.next < other.runs.size() &&
          other.runs[other.next].op->barrier == op.barrier)
        there.push_back(&other);
    if (std::ssize(there) < op.barrier_blocks) return false;
    std::deque<Event> all;
    for (Block* const one : there) all.push_back(event_of(*one, one->rank));
    for (Block* const one : there) {
      std::deque<Event> theirs = all;
      while (!theirs.empty()) take(*one, theirs, false);
      ++one->next;
      one->at_barrier = false;
    }
    return true;
  }

  // The part of a slice that a run covers, in bytes of its buffer.
  ByteRange bytes_of(const Slice& slice, const Run& run) const {
    const std::int64_t all = slice.size * chunk_B_;
    std::int64_t begin = cut(all, run.op->share, run.op->shares);
    std::int64_t end = cut(all, run.op->share + 1, run.op->shares);
    begin = std::min(begin + run.offset_B, end);
    end = std::min(end, begin + std::min(run.most_B, end - begin));
    return {0, slice.index * chunk_B_ + begin, end - begin};
  }
  // Where the share of a thread block begins: in whole units of the alignment if there are.
  std::int64_t cut(std::int64_t all, std::int64_t share, std::int64_t shares) const {
    if (all % shares == 0) return all / shares * share;
    const std::int64_t unit = std::min<std::int64_t>(plan_.alignment_B, all);
    const std::int64_t units = all / unit;
    if (share == shares) return all;
    return (share * (units / shares) + std::min(share, units % shares)) * unit;
  }

  std::int32_t rank_of(const Block& block, const Op& op, const Slice& slice) const {
    return slice.kind == Slice::Kind::local ? block.rank : remote(block, op, slice).rank;
  }
  const RemoteBuffer& remote(const Block& block, const Op& op, const Slice& slice) const {
    if (slice.kind == Slice::Kind::switched)
      reject(
          "{}: rank {}, thread block {}: '{}' works in a switch, which programs do not have; "
          "check the plan with --verify",
          plan_.file, block.rank, block.index, name_of(op.type));
    const auto& list = op.channel_type == ChannelType::port ? block.block->port_buffers
                                                            : block.block->memory_buffers;
    return plan_.gpus[static_cast<std::size_t>(block.rank)]
        .remote_buffers[static_cast<std::size_t>(list[static_cast<std::size_t>(slice.id)])];
  }

  // Ranges of the program's buffers.
  std::vector<ByteRange> ranges(const Block& block, const Run& run, const Slice& slice,
                                bool packets) const {
    const ByteRange bytes = bytes_of(slice, run);
    if (bytes.bytes == 0) return {};
    if (packets) return {{packets_, bytes.offset_B, bytes.bytes}};
    const Buffer buffer =
        slice.kind == Slice::Kind::local ? slice.buffer : remote(block, *run.op, slice).buffer;
    const std::int64_t first = bytes.offset_B / chunk_B_;
    const std::int64_t last = (bytes.offset_B + bytes.bytes - 1) / chunk_B_;
    std::vector<ByteRange> result;
    std::int64_t skip = bytes.offset_B - first * chunk_B_, left = bytes.bytes;
    rows_.each_run(rank_of(block, *run.op, slice), {buffer, static_cast<std::int32_t>(first)},
                   static_cast<std::int32_t>(last - first + 1),
                   [&](std::int32_t of, std::int64_t at, std::int64_t count) {
                     const std::int64_t size = std::min(left, count * chunk_B_ - skip);
                     result.push_back({of, at * chunk_B_ + skip, size});
                     left -= size;
                     skip = 0;
                   });
    return result;
  }

  // What a GPU is known to have done.
  std::vector<std::int32_t> known_at(const Block& block, std::int32_t rank) const {
    std::vector<std::int32_t> result;
    for (const Block& other : blocks_)
      if (other.rank == rank && block.known[other.number] >= 0)
        result.push_back(block.known[other.number]);
    std::ranges::sort(result);
    return result;
  }

  // A message; the reception at the peer comes after what the peer is known to have done.
  std::int32_t message(Block& block, std::int32_t to, std::vector<ByteRange> reads,
                       std::vector<ByteRange> writes, std::int64_t bytes) {
    OperationSpec reception{.kind = OperationKind::receive,
                            .peer = Agent(block.rank),
                            .bytes = bytes,
                            .writes = std::move(writes)};
    reception.waits = known_at(block, to);
    add(block, {.kind = OperationKind::send,
                .peer = Agent(to),
                .bytes = bytes,
                .reads = std::move(reads)});
    return builder_.add(Agent(to), std::move(reception));
  }

  void put(Block& block, const Run& run, std::size_t source, std::size_t target, bool from_packets,
           bool packets) {
    const Slice& to = run.op->targets[target];
    const auto reads = ranges(block, run, run.op->sources[source], from_packets);
    if (reads.empty()) return;
    const std::int32_t peer = remote(block, *run.op, to).rank;
    const std::int32_t reception = message(block, peer, reads, ranges(block, run, to, packets), 0);
    if (packets)
      note_packets(peer, run, to, reception);
    else
      block.pending[peer].push_back(reception);
  }

  void note_packets(std::int32_t rank, const Run& run, const Slice& slice, std::int32_t operation) {
    const ByteRange bytes = bytes_of(slice, run);
    written_[static_cast<std::size_t>(rank)].push_back(
        {bytes.offset_B, bytes.offset_B + bytes.bytes, operation});
  }

  // Sources that are packets: all, or all but the first.
  static std::pair<std::size_t, std::size_t> packets_among(const Op& op) {
    switch (op.type) {
      case OpType::unpack_packets:
      case OpType::forward_packets:
        return {0, op.sources.size()};
      case OpType::reduce_packets:
      case OpType::reduce_packets_send:
      case OpType::reduce_packets_copy:
      case OpType::reduce_packets_copy_send:
        return {1, op.sources.size()};
      default:
        return {0, 0};
    }
  }

  // The operations that wrote the packets; false if some are missing.
  bool has_packets(Block& block, const Run& run) {
    const auto [first, end] = packets_among(*run.op);
    std::vector<std::int32_t> writers;
    for (std::size_t i = first; i < end; ++i) {
      const ByteRange bytes = bytes_of(run.op->sources[i], run);
      std::int64_t there = 0;
      for (const Written& one : written_[static_cast<std::size_t>(block.rank)]) {
        const std::int64_t begin = std::max(one.begin_B, bytes.offset_B);
        const std::int64_t stop = std::min(one.end_B, bytes.offset_B + bytes.bytes);
        if (begin >= stop) continue;
        there += stop - begin;
        writers.push_back(one.operation);
      }
      if (there < bytes.bytes) return false;
    }
    block.after.insert(block.after.end(), writers.begin(), writers.end());
    return true;
  }

  void move(Block& block, const Run& run) {
    const Op& op = *run.op;
    switch (op.type) {
      case OpType::put:
      case OpType::put_signal:
      case OpType::put_signal_flush:
        for (std::size_t i = 0; i < op.targets.size(); ++i) put(block, run, i, i, false, false);
        if (op.type != OpType::put)
          for (const std::int32_t channel : op.channels) signal(block, op, channel);
        return;
      case OpType::put_packets:
        for (std::size_t i = 0; i < op.targets.size(); ++i) put(block, run, i, i, false, true);
        return;
      case OpType::forward_packets:
        for (std::size_t i = 0; i < op.targets.size(); ++i) put(block, run, 0, i, true, true);
        return;
      case OpType::get:
        for (std::size_t i = 0; i < op.targets.size(); ++i)
          fetch(block, run, op.sources[i], ranges(block, run, op.targets[i], false), {});
        return;
      case OpType::copy:
        return copy(block, ranges(block, run, op.sources[0], false),
                    ranges(block, run, op.targets[0], false));
      case OpType::unpack_packets:
        return copy(block, ranges(block, run, op.sources[0], true),
                    ranges(block, run, op.targets[0], false));
      case OpType::copy_to_packets:
        copy(block, ranges(block, run, op.sources[0], false),
             ranges(block, run, op.targets[0], true));
        return note_packets(block.rank, run, op.targets[0], block.after.back());
      case OpType::read_reduce:
      case OpType::read_reduce_send:
        reduce_remote(block, run);
        break;
      case OpType::switch_reduce_store:
      case OpType::switch_store:
      case OpType::switch_store_packets:
        (void)remote(block, op, op.targets[0]);  // throws
        return;
      default:
        reduce(block, run);
    }
    send_result(block, run);
  }

  void copy(Block& block, const std::vector<ByteRange>& from, const std::vector<ByteRange>& to) {
    if (from.empty() || from == to) return;
    add(block, {.kind = OperationKind::copy, .reads = from, .writes = to});
  }

  // All sources added up in the first target.
  void reduce(Block& block, const Run& run) {
    const auto [first_packet, end] = packets_among(*run.op);
    const auto target = ranges(block, run, run.op->targets[0], false);
    if (target.empty()) return;
    std::vector<std::vector<ByteRange>> sources;
    for (std::size_t i = 0; i < run.op->sources.size(); ++i)
      sources.push_back(ranges(block, run, run.op->sources[i], i >= first_packet && i < end));
    const auto in_place = std::ranges::find(sources, target);
    if (in_place != sources.end()) {
      sources.erase(in_place);
    } else {
      copy(block, sources.front(), target);
      sources.erase(sources.begin());
    }
    for (const auto& source : sources)
      add(block, {.kind = OperationKind::reduce, .reads = source, .writes = target});
  }

  void reduce_remote(Block& block, const Run& run) {
    const auto own = ranges(block, run, run.op->sources[0], false);
    const auto target = ranges(block, run, run.op->targets[0], false);
    if (target.empty()) return;
    for (std::size_t i = 1; i < run.op->sources.size(); ++i)
      fetch(block, run, run.op->sources[i], target, i == 1 ? own : target);
  }

  // A request, and the answer, which is reduced with `operand` if there is one.
  void fetch(Block& block, const Run& run, const Slice& source,
             const std::vector<ByteRange>& target, const std::vector<ByteRange>& operand) {
    const auto reads = ranges(block, run, source, false);
    if (reads.empty()) return;
    const std::int32_t peer = remote(block, *run.op, source).rank;
    std::vector<std::int32_t> waits = known_at(block, peer);
    if (signals_ == Signals::messages) waits = {message(block, peer, {}, {}, kSignal_B)};
    builder_.add(
        Agent(peer),
        {.kind = OperationKind::send, .peer = Agent(block.rank), .reads = reads, .waits = waits});
    add(block, {.kind = operand.empty() ? OperationKind::receive : OperationKind::receive_reduce,
                .peer = Agent(peer),
                .reads = operand == target ? std::vector<ByteRange>() : operand,
                .writes = target});
  }

  // What reductions send on or keep as packets.
  void send_result(Block& block, const Run& run) {
    const Op& op = *run.op;
    const bool packets = packets_among(op).second > 0;
    const auto result = ranges(block, run, op.targets[0], false);
    if (result.empty()) return;
    const std::vector<std::int32_t> before = block.after;
    std::vector<std::int32_t> all;
    for (std::size_t i = 1; i < op.targets.size(); ++i) {
      block.after = before;
      const Slice& to = op.targets[i];
      if (to.kind == Slice::Kind::local) {
        copy(block, result, ranges(block, run, to, packets));
        if (packets) note_packets(block.rank, run, to, block.after.back());
      } else {
        const std::int32_t peer = remote(block, op, to).rank;
        const std::int32_t reception =
            message(block, peer, result, ranges(block, run, to, packets), 0);
        if (packets)
          note_packets(peer, run, to, reception);
        else
          block.pending[peer].push_back(reception);
      }
      all.insert(all.end(), block.after.begin(), block.after.end());
    }
    if (!all.empty()) block.after = all;
  }

  const Plan& plan_;
  const msccl::Rows& rows_;
  std::int64_t chunk_B_;
  ProgramBuilder& builder_;
  std::int32_t packets_;  // the program's buffer
  Signals signals_;
  std::vector<Block> blocks_;
  std::vector<std::vector<std::deque<Event>>> memory_, port_, semaphores_;  // by rank
  std::vector<std::vector<Written>> written_;                               // by rank: packets
  std::int64_t operations_ = 0;
};

// Parts that thread blocks share are whole bytes if a chunk has so many.
std::int64_t parts_of(const std::vector<Op>& ops, std::int64_t parts) {
  for (const Op& op : ops) {
    parts = parts_of(op.body, parts);
    if (op.shares == 1) continue;
    for (const auto* slices : {&op.sources, &op.targets})
      for (const Slice& slice : *slices)
        parts = std::lcm(parts, op.shares / std::gcd<std::int64_t>(op.shares, slice.size));
    require(parts <= 1 << 16, "the plan cuts chunks into more than {} parts", 1 << 16);
  }
  return parts;
}

}  // namespace

Program to_program(const Plan& plan, std::int64_t size_B, Signals signals) {
  const msccl::Algorithm shell = shell_of(plan);
  const msccl::Rows rows(shell);
  std::vector<std::string> buffers = msccl::Rows::buffers(shell);
  buffers.emplace_back("packets");
  const auto packets = static_cast<std::int32_t>(buffers.size()) - 1;
  ProgramBuilder builder(
      plan.ranks(),
      {.name = plan.name.empty() ? plan.file : plan.name, .size_B = size_B, .buffers = buffers});
  PlanRun(plan, rows, rows.chunk_B(size_B), builder, packets, signals).run();
  try {
    return std::move(builder).build();
  } catch (const InvalidInput& error) {
    reject("{}: {}", plan.file, error.what());
  }
}

std::optional<program::Claim> claim_of(const Plan& plan, std::int64_t size_B) {
  const msccl::Algorithm shell = shell_of(plan);
  const msccl::Rows rows(shell);
  if (!rows.collective()) return std::nullopt;
  return program::Claim{.collective = *rows.collective(),
                        .size_B = size_B,
                        .output = plan.in_place ? 0 : msccl::Rows::kOutput};
}

std::int64_t least_size_B(const Plan& plan) {
  const msccl::Algorithm shell = shell_of(plan);
  std::int64_t parts = 1;
  for (const Gpu& gpu : plan.gpus)
    for (const mscclpp::Block& block : gpu.blocks) parts = parts_of(block.ops, parts);
  return msccl::Rows(shell).units_of_size() * parts;
}

}  // namespace weft::format::mscclpp
