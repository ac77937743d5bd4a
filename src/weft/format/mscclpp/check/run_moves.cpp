// What a run moves: by the threads of a thread block, and by proxies.
#include <fmt/format.h>

#include <algorithm>

#include "run.hpp"
#include "weft/base/error.hpp"

namespace weft::format::mscclpp::checking {

bool Run::has_packets(const BlockState& state, std::size_t at,
                      std::set<std::int32_t>* stamps) const {
  bool there = true;
  memory_.each_move(state.rank, *state.block, ops(state)[at], [&](const Move& move) {
    for (const Slot& slot : move.reads) {
      if (!slot.packet) continue;
      const std::int32_t stamp = races_.packet(slot);
      there = there && stamp != 0;
      if (stamps != nullptr) stamps->insert(stamp);
    }
  });
  return there;
}

// The last thread that comes moves the data; of packets, all threads wait until they are there.
bool Run::move_data(BlockState& state, std::int32_t thread, std::size_t at) {
  if (state.done > at) return true;
  const bool packets = takes_packets(ops(state)[at].op->type);
  const bool is_last =
      std::ranges::count_if(state.at, [&](std::size_t other) { return other < at; }) == 0 &&
      std::ranges::count(state.at, at) == 1;
  if (!packets) {
    if (is_last) perform(state, at);
    return true;
  }
  (void)thread;
  if (!all_at(state, at) || !has_packets(state, at, nullptr)) return false;
  perform(state, at);
  return true;
}

std::int32_t Run::stamp(const Clock& clock) {
  stamps_.push_back(clock);
  return static_cast<std::int32_t>(stamps_.size()) - 1;
}

void Run::perform(BlockState& state, std::size_t at) {
  WEFT_ASSERT(state.done <= at);
  state.done = at + 1;
  const FlatOp& flat = ops(state)[at];
  const bool by_packets = works_by_packets(flat.op->type);
  if (takes_packets(flat.op->type)) {
    std::set<std::int32_t> stamps;
    has_packets(state, at, &stamps);
    for (const std::int32_t one : stamps)
      if (one != 0) join(state.pending, stamps_[static_cast<std::size_t>(one)]);
  }
  const std::int32_t own = by_packets ? stamp(state.clock) : 0;
  memory_.each_move(state.rank, *state.block, flat, [&](const Move& move) {
    const std::int64_t thread = (std::int64_t{move.relative} * 2 + (by_packets ? 1 : 0)) * 16 + 15;
    access(move, {moment(state, thread), &state.clock, id(state, at), state.rank}, own);
  });
}

// What is over once the packets that a move reads are there.
std::shared_ptr<const Chain> Run::chain_of(const Move& move) const {
  constexpr std::size_t kMostLinks = 1024;  // beyond, reads count as not over
  std::shared_ptr<const Chain> result;
  for (const Slot& slot : move.reads) {
    if (!slot.packet || !races_.chain(slot)) continue;
    if (!result) {
      result = races_.chain(slot);
      continue;
    }
    auto both = std::make_shared<Chain>(*result);
    const Chain& more = *races_.chain(slot);
    if (both->size() + more.size() > kMostLinks) continue;
    both->insert(both->end(), more.begin(), more.end());
    result = both;
  }
  return result;
}

void Run::access(const Move& move, Actor actor, std::int32_t stamp) {
  std::shared_ptr<const Chain> written;  // of the packets that it writes
  if (stamp != 0) {
    actor.chain = chain_of(move);
    auto chain = std::make_shared<Chain>(actor.chain ? *actor.chain : Chain());
    chain->push_back({actor.moment, actor.op.op});
    written = chain;
  }
  const auto note = [&](const Slot& slot) {
    const std::int32_t owner = memory_.owner(slot.first);
    const bool elsewhere = owner != actor.rank;
    if (elsewhere) require_entered(owner, actor, slot.packet);
    // Packets tell their reader themselves; a thread block of the owner ends before its call does.
    const bool is_proxy = actor.moment.agent >= std::ssize(blocks_) || elsewhere;
    if (slot.packet || !is_proxy) return;
    Remote& last = remote_[{actor.moment.agent, owner}];
    if (actor.moment.phase >= last.phase) last = {actor.moment.phase, actor.op};
  };
  for (const Slot& slot : move.reads) {
    note(slot);
    races_.read({slot.first, slot.packet}, actor);
  }
  for (const Slot& slot : move.writes) {
    note(slot);
    races_.write(slot, actor, slot.packet ? stamp : 0, written);
  }
  values_.move(move);
}

bool Run::has_entered(std::int32_t rank, const Clock& clock) const {
  return std::ranges::any_of(agents_of_[static_cast<std::size_t>(rank)], [&](std::int32_t agent) {
    return clock[static_cast<std::size_t>(agent)] > 0;
  });
}

void Run::require_entered(std::int32_t rank, const Actor& actor, bool packet) {
  if (has_entered(rank, *actor.clock)) return;
  if (packet && plan_.double_scratch) {
    early_packets_.try_emplace({actor.rank, rank}, actor.op);
    return;
  }
  if (!reported_early_.emplace(actor.rank, rank).second) return;
  findings_.add(Severity::fault, [&] {
    return places_.finding(
        "early", actor.op,
        fmt::format("{} reaches into the memory of rank {}, which may still be in the call before; "
                    "wait for a signal of it first",
                    places_.name(actor.op), rank));
  });
}

// What a proxy is asked for. Requests that are not ordered may come to it in either order.
Run::Port& Run::request(BlockState& state, std::int32_t thread, std::size_t at,
                        std::int32_t channel, bool signals) {
  Port& port = ports_[static_cast<std::size_t>(state.rank)][static_cast<std::size_t>(channel)];
  const Moment self = moment(state, thread);
  const Clock& known = known_to(state, thread);
  const bool ordered = !port.last.exists() || is_ordered(port.last, self, known);
  if (!ordered && (signals || port.last_signals))
    findings_.add(Severity::fault, [&] {
      return places_.finding(
          "unordered-requests", id(state, at),
          fmt::format("{} and an operation before it use port channel {} from different threads; "
                      "the signal may overtake the data. Put a nop between them",
                      places_.name(id(state, at)), channel));
    });
  if (port.last.exists() && ordered) ++port.phase;
  ++port.requests;
  join(port.clock, known);
  port.clock[static_cast<std::size_t>(port.agent)] = 1 + port.phase;
  port.last = self;
  port.last_signals = signals;
  return port;
}

void Run::move_by_port(Port& port, BlockState& state, std::size_t at, std::int32_t slice,
                       bool forwards) {
  const Actor actor{
      {port.agent, port.phase, port.requests}, &port.clock, id(state, at), state.rank};
  std::int32_t own = 0;
  memory_.each_move(state.rank, *state.block, ops(state)[at], [&](const Move& move) {
    if (!forwards && move.slice != slice) return;
    Move one{.reads = move.reads, .writes = move.writes};
    WEFT_ASSERT(!forwards || (slice >= 0 && slice < std::ssize(move.writes)));
    if (forwards) one.writes = {move.writes[static_cast<std::size_t>(slice)]};
    WEFT_ASSERT(!one.reads.empty() && !one.writes.empty());
    if (own == 0 && one.writes.front().packet) own = stamp(port.clock);
    if (one.reads.front().packet) note_staged(one, port, actor.op);
    access(one, actor, own);
  });
}

// With one scratch buffer, packets are made where those of the call before may still be sent from.
void Run::note_staged(const Move& move, const Port& port, const OpId& op) {
  const std::int32_t made = races_.packet(move.reads.front());
  const std::int32_t receiver = memory_.owner(move.writes.front().first);
  if (plan_.double_scratch || made == 0 ||
      has_entered(receiver, stamps_[static_cast<std::size_t>(made)]))
    return;
  if (!staged_.empty() && staged_.back().request.phase == port.phase &&
      staged_.back().agent == port.agent)
    return;
  staged_.push_back({{port.phase, op}, port.agent, receiver});
}

bool Run::put_by_port(BlockState& state, std::int32_t thread, std::size_t at) {
  const Op& op = *ops(state)[at].op;
  const auto i = static_cast<std::size_t>(thread);
  if (i >= op.targets.size() || i >= op.channels.size()) return true;
  const std::int32_t channel = state.block->port_channels[static_cast<std::size_t>(op.channels[i])];
  Port& port = request(state, thread, at, channel, false);
  move_by_port(port, state, at, thread, false);
  if (op.type == OpType::put_signal || op.type == OpType::put_signal_flush) {
    // The signal is a request of its own, from the same thread.
    request(state, thread, at, channel, true);
    const End end =
        port_ends_[static_cast<std::size_t>(state.rank)][static_cast<std::size_t>(channel)];
    if (end.channel >= 0)
      counter(end.rank, end.channel, true)
          .raise({{port.agent, port.phase, port.requests}, id(state, at)}, port.clock);
  }
  if (op.type == OpType::put_signal_flush) {
    Clock& clock = clock_of(state, thread);
    clock[static_cast<std::size_t>(port.agent)] = 2 + port.phase;
    join(state.pending, clock);
  }
  return true;
}

// All threads wait for their packets and for each other, then thread i asks for the i-th put.
bool Run::forward_by_port(BlockState& state, std::size_t at) {
  if (!all_at(state, at) || !has_packets(state, at, nullptr)) return false;
  const Op& op = *ops(state)[at].op;
  std::set<std::int32_t> stamps;
  has_packets(state, at, &stamps);
  for (const std::int32_t one : stamps)
    if (one != 0) join(state.pending, stamps_[static_cast<std::size_t>(one)]);
  end_phase(state);
  for (std::size_t i = 0; i < op.targets.size() && i < op.channels.size(); ++i) {
    const auto thread = static_cast<std::int32_t>(i);
    Port& port =
        request(state, thread, at,
                state.block->port_channels[static_cast<std::size_t>(op.channels[i])], false);
    move_by_port(port, state, at, thread, true);
  }
  for (std::size_t& one : state.at) one = at + 1;
  return true;
}

}  // namespace weft::format::mscclpp::checking
