// How a run ends: what hangs, and what is left over.
#include <fmt/format.h>

#include <algorithm>

#include "run.hpp"
#include "weft/base/error.hpp"

namespace weft::format::mscclpp::checking {

namespace {

constexpr std::size_t kMostEvents = 12;

}  // namespace

// Of one thread that cannot go on: what it waits for.
std::string Run::why_blocked(const BlockState& state, std::size_t at, std::int32_t thread) const {
  const Op& op = *ops(state)[at].op;
  const auto i = static_cast<std::size_t>(thread);
  const Gpu& gpu = plan_.gpus[static_cast<std::size_t>(state.rank)];
  if (is_wait(op.type)) {
    const bool port = op.channel_type == ChannelType::port;
    const auto& list = port ? state.block->port_channels : state.block->memory_channels;
    const std::int32_t channel = list[static_cast<std::size_t>(op.channels[i])];
    const auto& counters = port ? port_counters_ : memory_counters_;
    const Counter& one =
        counters[static_cast<std::size_t>(state.rank)][static_cast<std::size_t>(channel)];
    return fmt::format(
        "waits for signal {} of rank {} on {} channel {}, which sends {} by then", one.taken() + 1,
        (port ? gpu.port_peers : gpu.memory_peers)[static_cast<std::size_t>(channel)],
        name_of(op.channel_type), channel, one.raised());
  }
  if (op.type == OpType::acquire) return fmt::format("waits for semaphore {}", op.semaphores[i]);
  if (op.type == OpType::barrier)
    return fmt::format("waits at barrier {} for {} thread blocks", op.barrier, op.barrier_blocks);
  if (takes_packets(op.type)) {
    std::string missing;
    memory_.each_move(state.rank, *state.block, ops(state)[at], [&](const Move& move) {
      for (const Slot& slot : move.reads)
        if (missing.empty() && slot.packet && races_.packet(slot) == 0)
          missing = memory_.name(slot.first);
    });
    return fmt::format("waits for packets, the first at {}", missing);
  }
  return "waits for the other threads of its thread block";
}

// Without a circle a hang has a wait that no other blocked operation could end. One finding shows
// all that wait, those first that no signal can reach.
void Run::report_hangs() {
  std::vector<std::string> events;
  std::optional<OpId> first;
  std::string first_reason;
  std::int64_t blocked = 0;
  for (const BlockState& state : blocks_) {
    if (is_over(state)) continue;
    ++blocked;
    const std::size_t at = *std::ranges::min_element(state.at);
    const auto thread =
        static_cast<std::int32_t>(std::ranges::find(state.at, at) - state.at.begin());
    const std::string reason =
        fmt::format("{} {}", places_.name(id(state, at)), why_blocked(state, at, thread));
    if (!first) {
      first = id(state, at);
      first_reason = reason;
    }
    if (events.size() < kMostEvents) events.push_back(reason);
  }
  if (blocked > std::ssize(events))
    events.push_back(fmt::format("and {} more thread blocks wait", blocked - std::ssize(events)));
  WEFT_ASSERT(first.has_value());  // some thread block is not over
  findings_.add(Severity::fault, [&] {
    return places_.finding("hang", *first, fmt::format("the call never ends: {}", first_reason),
                           events);
  });
}

Clock Run::final_clock(std::int32_t rank) const {
  Clock result(static_cast<std::size_t>(agents_), 0);
  for (const BlockState& state : blocks_)
    if (state.rank == rank) {
      join(result, state.clock);
      // A kernel ends when all that its thread blocks do is done.
      result[static_cast<std::size_t>(state.agent)] = state.phase + 2;
    }
  return result;
}

void Run::report_ends() {
  std::map<std::int32_t, Clock> finals;
  const auto final_of = [&](std::int32_t rank) -> const Clock& {
    const auto [at, is_new] = finals.try_emplace(rank);
    if (is_new) at->second = final_clock(rank);
    return at->second;
  };
  for (const auto& [who, last] : remote_) {
    const auto& [agent, owner] = who;
    if (final_of(owner)[static_cast<std::size_t>(agent)] >= last.phase + 2) continue;
    const OpId& op = last.op;
    findings_.add(Severity::fault, [&, owner = owner] {
      const bool own = op.rank == owner;
      return places_.finding(
          "late", op,
          own ? fmt::format("{} leaves work to a proxy, and the call may end before it is done; "
                            "flush the channel",
                            places_.name(op))
              : fmt::format("{} reaches into the memory of rank {}, whose call may end before; "
                            "signal to it, and let it wait",
                            places_.name(op), owner));
    });
  }
  for (const Staged& one : staged_) {
    if (final_of(one.request.op.rank)[static_cast<std::size_t>(one.agent)] >= one.request.phase + 2)
      continue;
    findings_.add(Severity::fault, [&] {
      return places_.finding(
          "late", one.request.op,
          fmt::format(
              "{} sends packets that the next call may overwrite before they are sent: they "
              "are made before rank {} is known to have entered the call",
              places_.name(one.request.op), one.receiver));
    });
  }
  for (const auto& [pair, op] : early_packets_) {
    if (has_entered(pair.second, final_of(pair.first))) continue;
    findings_.add(Severity::fault, [&, to = pair.second, by = op] {
      return places_.finding(
          "early", by,
          fmt::format(
              "{} sends packets to rank {}, which may be two calls behind: nothing of it is "
              "waited for in this call",
              places_.name(by), to));
    });
  }
  std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t>> reported;
  for (const Races::Unread& one : races_.unread_packets()) {
    if (memory_.owner(one.slot) == one.by.rank ||
        !reported.emplace(one.by.rank, one.by.block, one.by.op).second)
      continue;
    findings_.add(Severity::fault, [&] {
      return places_.finding("unread", one.by,
                             fmt::format("{} sends packets to {}, and nobody reads them",
                                         places_.name(one.by), memory_.name(one.slot)));
    });
  }
}

void Run::report_counters() {
  for (std::int32_t rank = 0; rank < plan_.ranks(); ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    const Gpu& gpu = plan_.gpus[r];
    for (std::size_t k = 0; k < memory_counters_[r].size(); ++k)
      report_counter(memory_counters_[r][k], rank,
                     fmt::format("memory channel {} (to rank {})", k, gpu.memory_peers[k]));
    for (std::size_t k = 0; k < port_counters_[r].size(); ++k)
      report_counter(port_counters_[r][k], rank,
                     fmt::format("port channel {} (to rank {})", k, gpu.port_peers[k]));
    for (std::size_t k = 0; k < semaphores_[r].size(); ++k)
      report_counter(semaphores_[r][k], rank, fmt::format("semaphore {}", k));
  }
}

void Run::report_counter(const Counter& counter, std::int32_t rank, const std::string& name) {
  if (counter.raised() != counter.taken())
    findings_.add(Severity::fault, [&] {
      const OpId at = counter.last_raise() ? counter.last_raise()->op : OpId{};
      const std::string text = fmt::format(
          "{} of rank {} is signalled {} times and waited for {} times; the next call "
          "begins with what is left",
          name, rank, counter.raised(), counter.taken());
      return at.rank >= 0 ? places_.finding("unbalanced", at, text)
                          : finding_of("unbalanced", text, rank);
    });
  const auto ambiguity = counter.ambiguity();
  if (!ambiguity) return;
  findings_.add(Severity::fault, [&] {
    return places_.finding(
        "ambiguous", ambiguity->second.op,
        fmt::format(
            "{} and {} use {} of rank {}, and either may come first, so that a wait can take "
            "the wrong signal",
            places_.name(ambiguity->first.op), places_.name(ambiguity->second.op), name, rank));
  });
}

}  // namespace weft::format::mscclpp::checking
