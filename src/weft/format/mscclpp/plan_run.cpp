// The order of a plan's operations: who waits for what.
#include "plan_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::format::mscclpp {

using program::ByteRange;
using program::OperationSpec;
using schedule::Agent;

namespace {

constexpr std::int64_t kMostOperations = 20'000'000;

}  // namespace

PlanRun::PlanRun(const Plan& plan, const msccl::Rows& rows, std::int64_t chunk_B,
                 ProgramBuilder& builder, std::int32_t packets, Signals signals)
    : plan_(plan),
      rows_(rows),
      chunk_B_(chunk_B),
      builder_(builder),
      packets_(packets),
      signals_(signals) {
  for (std::int32_t rank = 0; rank < plan.ranks(); ++rank) set_up(rank);
  for (Block& one : blocks_) one.known.assign(blocks_.size(), -1);
}

void PlanRun::run() {
  for (bool moved = true; moved;) {
    moved = false;
    for (Block& block : blocks_)
      while (block.next < block.runs.size() && step(block)) moved = true;
  }
  for (const Block& block : blocks_)
    if (block.next < block.runs.size())
      reject("{}: rank {}, thread block {} waits for ever at a {}; --verify shows why", plan_.file,
             block.rank, block.index, name_of(block.runs[block.next].op->type));
}

void PlanRun::set_up(std::int32_t rank) {
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

void PlanRun::add_runs(const Op& op, std::vector<OpRun>& runs) {
  if (op.type != OpType::pipeline) {
    runs.push_back({&op});
  } else {
    const std::int64_t all = op.chunks * chunk_B_;
    WEFT_ASSERT(op.unit_B > 0);
    const std::int64_t iterations = (all + op.unit_B - 1) / op.unit_B;
    for (std::int64_t i = 0; i < iterations; ++i)
      for (const Op& one : op.body) {
        require(std::ssize(runs) < kMostOperations,
                "{}: the pipelines have too many iterations at this size; use a smaller size",
                plan_.file);
        runs.push_back({&one, i * op.unit_B, op.unit_B});
      }
  }
}

bool PlanRun::step(Block& block) {
  WEFT_ASSERT(block.next < block.runs.size());
  const OpRun run = block.runs[block.next];
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

std::vector<std::deque<PlanRun::Event>>& PlanRun::semaphores(const Block& block) {
  return semaphores_[static_cast<std::size_t>(block.rank)];
}

std::int32_t PlanRun::add(Block& block, OperationSpec spec) {
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

void PlanRun::join(Block& block) {
  if (block.after.size() > 1) add(block, {.kind = OperationKind::compute});
}

PlanRun::Event PlanRun::event_of(Block& block, std::int32_t to) {
  join(block);
  Event event;
  event.known = block.known;
  if (to == block.rank) {
    event.done = block.after;
    event.pending = block.pending;
  }
  return event;
}

std::deque<PlanRun::Event>* PlanRun::other_end(const Block& block, const Op& op, std::int32_t local,
                                               std::int32_t& peer) {
  const bool port = op.channel_type == ChannelType::port;
  WEFT_ASSERT(local >= 0);
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

void PlanRun::signal(Block& block, const Op& op, std::int32_t local) {
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

bool PlanRun::take_all(Block& block, const Op& op) {
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

void PlanRun::take(Block& block, std::deque<Event>& queue, bool inherit) {
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

bool PlanRun::meet(Block& block, const Op& op) {
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

std::vector<std::int32_t> PlanRun::known_at(const Block& block, std::int32_t rank) const {
  std::vector<std::int32_t> result;
  for (const Block& other : blocks_)
    if (other.rank == rank && block.known[other.number] >= 0)
      result.push_back(block.known[other.number]);
  std::ranges::sort(result);
  return result;
}

std::int32_t PlanRun::message(Block& block, std::int32_t to, std::vector<ByteRange> reads,
                              std::vector<ByteRange> writes, std::int64_t bytes) {
  OperationSpec reception{.kind = OperationKind::receive,
                          .peer = Agent(block.rank),
                          .bytes = bytes,
                          .writes = std::move(writes)};
  reception.waits = known_at(block, to);
  add(block,
      {.kind = OperationKind::send, .peer = Agent(to), .bytes = bytes, .reads = std::move(reads)});
  return builder_.add(Agent(to), std::move(reception));
}

}  // namespace weft::format::mscclpp
