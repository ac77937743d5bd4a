#include "run.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft::format::mscclpp::checking {

namespace {

bool by_port(const Op& op) {
  return op.channel_type == ChannelType::port;
}

}  // namespace

bool Run::is_over(const BlockState& state) const {
  return all_at(state, ops(state).size());
}

bool Run::all_at(const BlockState& state, std::size_t op) const {
  return std::ranges::all_of(state.at, [&](std::size_t at) { return at >= op; });
}

void Run::run() {
  for (bool moved = true; moved;) {
    moved = false;
    for (BlockState& state : blocks_)
      if (advance(state)) moved = true;
  }
  finished_ = std::ranges::all_of(blocks_, [&](const BlockState& one) { return is_over(one); });
  if (!finished_) return report_hangs();
  for (BlockState& state : blocks_) join(state.clock, state.pending);
  report_ends();
  report_counters();
}

bool Run::advance(BlockState& state) {
  bool moved = false;
  for (bool again = true; again;) {
    again = false;
    for (std::int32_t thread = 0; thread < std::ssize(state.at); ++thread)
      while (step(state, thread)) again = moved = true;
  }
  return moved;
}

bool Run::step(BlockState& state, std::int32_t thread) {
  const std::size_t at = state.at[static_cast<std::size_t>(thread)];
  if (at >= ops(state).size()) return false;
  const Op& op = *ops(state)[at].op;
  const auto passes = [&](bool does) {
    if (does) ++state.at[static_cast<std::size_t>(thread)];
    return does;
  };
  switch (op.type) {
    case OpType::nop:
      return pass_nop(state, at);
    case OpType::barrier:
      return meet_at_barrier(state, at);
    case OpType::signal:
    case OpType::relaxed_signal:
      return passes(signal(state, thread, at));
    case OpType::wait:
    case OpType::relaxed_wait:
      return passes(wait(state, thread, at));
    case OpType::acquire:
    case OpType::release:
      return passes(semaphore(state, thread, at));
    case OpType::flush:
      return passes(flush(state, thread, at));
    case OpType::forward_packets:
      if (by_port(op)) return forward_by_port(state, at);
      return passes(move_data(state, thread, at));
    default:
      if (by_port(op)) return passes(put_by_port(state, thread, at));
      return passes(move_data(state, thread, at));
  }
}

void Run::end_phase(BlockState& state) {
  ++state.phase;
  join(state.clock, state.pending);
  state.clock[static_cast<std::size_t>(state.agent)] = 1 + state.phase;
  state.of_thread.clear();
}

bool Run::pass_nop(BlockState& state, std::size_t op) {
  if (!all_at(state, op)) return false;
  end_phase(state);
  for (std::size_t& at : state.at) at = op + 1;
  return true;
}

// All thread blocks that come to the barrier leave it together.
bool Run::meet_at_barrier(BlockState& state, std::size_t op) {
  if (!all_at(state, op)) return false;
  const std::int32_t number = ops(state)[op].op->barrier;
  Barrier& barrier = barriers_[{state.rank, number}];
  if (barrier.waiting.insert(state.index).second) end_phase(state);
  if (std::ssize(barrier.waiting) < ops(state)[op].op->barrier_blocks) return false;
  Clock all = state.clock;
  for (const BlockState& other : blocks_)
    if (other.rank == state.rank && barrier.waiting.contains(other.index)) join(all, other.clock);
  for (BlockState& other : blocks_) {
    if (other.rank != state.rank || !barrier.waiting.contains(other.index)) continue;
    other.clock = all;
    other.pending = all;
    for (std::size_t& at : other.at) ++at;
  }
  barrier.waiting.clear();
  return true;
}

Clock& Run::clock_of(BlockState& state, std::int32_t thread) {
  return state.of_thread.try_emplace(thread, state.clock).first->second;
}

const Clock& Run::known_to(const BlockState& state, std::int32_t thread) const {
  const auto found = state.of_thread.find(thread);
  return found == state.of_thread.end() ? state.clock : found->second;
}

bool Run::signal(BlockState& state, std::int32_t thread, std::size_t at) {
  const Op& op = *ops(state)[at].op;
  if (thread >= std::ssize(op.channels)) return true;
  const auto local = static_cast<std::size_t>(op.channels[static_cast<std::size_t>(thread)]);
  const auto& list = by_port(op) ? state.block->port_channels : state.block->memory_channels;
  const std::int32_t channel = list[local];
  const auto& ends =
      (by_port(op) ? port_ends_ : memory_ends_)[static_cast<std::size_t>(state.rank)];
  const End end = ends[static_cast<std::size_t>(channel)];
  Moment self = moment(state, thread);
  const Clock* known = &known_to(state, thread);
  if (by_port(op)) {
    Port& port = request(state, thread, at, channel, true);
    self = {port.agent, port.phase, port.requests};
    known = &port.clock;
  }
  if (end.channel >= 0)
    counter(end.rank, end.channel, by_port(op)).raise({self, id(state, at)}, *known);
  return true;
}

bool Run::wait(BlockState& state, std::int32_t thread, std::size_t at) {
  const Op& op = *ops(state)[at].op;
  if (thread >= std::ssize(op.channels)) return true;
  const auto local = static_cast<std::size_t>(op.channels[static_cast<std::size_t>(thread)]);
  const auto& list = by_port(op) ? state.block->port_channels : state.block->memory_channels;
  Counter& from = counter(state.rank, list[local], by_port(op));
  if (!from.can_take()) return false;
  Clock& clock = clock_of(state, thread);
  from.take({moment(state, thread), id(state, at)}, clock);
  join(state.pending, clock);
  return true;
}

bool Run::semaphore(BlockState& state, std::int32_t thread, std::size_t at) {
  const Op& op = *ops(state)[at].op;
  if (thread >= std::ssize(op.semaphores)) return true;
  Counter& one =
      semaphores_[static_cast<std::size_t>(state.rank)]
                 [static_cast<std::size_t>(op.semaphores[static_cast<std::size_t>(thread)])];
  const Counter::Event event{moment(state, thread), id(state, at)};
  if (op.type == OpType::release) {
    one.raise(event, known_to(state, thread));
    return true;
  }
  if (!one.can_take()) return false;
  Clock& clock = clock_of(state, thread);
  one.take(event, clock);
  join(state.pending, clock);
  return true;
}

// The executor flushes as many channels as the operation has targets.
bool Run::flush(BlockState& state, std::int32_t thread, std::size_t at) {
  const Op& op = *ops(state)[at].op;
  const auto i = static_cast<std::size_t>(thread);
  if (i >= op.channels.size() || i >= op.targets.size() || !by_port(op)) return true;
  const std::int32_t channel = state.block->port_channels[static_cast<std::size_t>(op.channels[i])];
  const Port& port =
      ports_[static_cast<std::size_t>(state.rank)][static_cast<std::size_t>(channel)];
  Clock& clock = clock_of(state, thread);
  join(clock, port.clock);
  clock[static_cast<std::size_t>(port.agent)] = 2 + port.phase;
  join(state.pending, clock);
  return true;
}

}  // namespace weft::format::mscclpp::checking
