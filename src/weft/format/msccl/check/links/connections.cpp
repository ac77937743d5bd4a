// Connections: which thread block sends to which, and which step meets which.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "weft/base/text.hpp"
#include "weft/format/msccl/check/links/links.hpp"

namespace weft::format::msccl {

namespace {

// One end of a connection.
struct End {
  std::int32_t from, to, channel;
  bool sends;
  std::int32_t block;

  auto connection() const { return std::tuple(from, to, channel); }
  auto key() const { return std::tuple(from, to, channel, sends ? 0 : 1, block); }
};

bool check_peer(const Flat& flat, std::int32_t b, std::int32_t peer, Findings& findings) {
  const std::int32_t own = flat.gpu[Flat::index(b)];
  if (peer >= 0 && peer < flat.gpus() && peer != own) return true;
  if (peer == kNone) return false;
  findings.add(Severity::fault, [&] {
    return finding_at_block(flat, b, "bad-peer",
                            fmt::format("{} names rank {} as its peer, which must be another of "
                                        "the {} ranks",
                                        name_of_block(flat, b), peer, flat.gpus()));
  });
  return false;
}

std::vector<End> ends_of(const Flat& flat, Findings& findings) {
  std::vector<End> ends;
  for (std::int32_t b = 0; b < flat.blocks(); ++b) {
    const ThreadBlock& block = flat.thread_block(b);
    const std::int32_t own = flat.gpu[Flat::index(b)];
    if (check_peer(flat, b, block.send_peer, findings))
      ends.push_back({own, block.send_peer, block.channel, true, b});
    if (check_peer(flat, b, block.receive_peer, findings))
      ends.push_back({block.receive_peer, own, block.channel, false, b});
  }
  std::ranges::sort(ends, {}, &End::key);
  return ends;
}

// Two thread blocks at one end would count the messages of one connection apart from each other.
bool check_shared(const Flat& flat, const std::vector<End>& ends, Findings& findings) {
  bool sound = true;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const End &a = ends[i - 1], &b = ends[i];
    if (a.connection() != b.connection() || a.sends != b.sends) continue;
    sound = false;
    findings.add(Severity::fault, [&] {
      return finding_at_block(
          flat, b.block, "shared-connection",
          fmt::format("{} and {} both {} rank {} on channel {}; a connection belongs to one thread "
                      "block: use another channel, or one thread block",
                      name_of_block(flat, a.block), name_of_block(flat, b.block),
                      a.sends ? "send to" : "receive from", a.sends ? b.to : b.from, b.channel));
    });
  }
  return sound;
}

bool check_needed_peers(const Flat& flat, StepIndex s, Findings& findings) {
  const ThreadBlock& block = flat.thread_block(flat.block[Flat::index(s)]);
  const bool no_target = flat.sends(s) && block.send_peer == kNone;
  const bool no_source = flat.receives(s) && block.receive_peer == kNone;
  if (!no_target && !no_source) return true;
  findings.add(Severity::fault, [&] {
    return finding_at(flat, s, "bad-peer",
                      fmt::format("{} {}, but its thread block has no peer to do so ({}=\"-1\")",
                                  name_of(flat, s), no_target ? "sends" : "receives",
                                  no_target ? "send" : "recv"));
  });
  return false;
}

// The next step of a thread block that sends (receives), from s on; its end if there is none.
StepIndex next(const Flat& flat, StepIndex s, StepIndex end, bool sends) {
  while (s < end && !(sends ? flat.sends(s) : flat.receives(s))) ++s;
  return s;
}

void tell_unpaired(const Flat& flat, StepIndex s, bool sends, std::int64_t position,
                   Findings& findings) {
  findings.add(Severity::fault, [&] {
    const ThreadBlock& block = flat.thread_block(flat.block[Flat::index(s)]);
    const std::int32_t peer = sends ? block.send_peer : block.receive_peer;
    Finding finding = finding_at(
        flat, s, "unpaired",
        fmt::format("{} {} message {} {} rank {} on channel {}, and rank {} {} {} there",
                    name_of(flat, s), sends ? "sends" : "receives", position + 1,
                    sends ? "to" : "from", peer, block.channel, peer, sends ? "receives" : "sends",
                    position == 0 ? "none" : fmt::format("only {}", position)));
    finding.events.push_back(fmt::format(
        "{}: {}", name_of(flat, s),
        sends ? "its message is never taken, and meets the first receive of the next call"
              : "waits for a message that nobody sends"));
    return finding;
  });
}

bool check_counts(const Flat& flat, StepIndex send, StepIndex receive, std::int64_t position,
                  Findings& findings) {
  const std::int32_t sent = flat.step[Flat::index(send)]->count;
  const std::int32_t wanted = flat.step[Flat::index(receive)]->count;
  if (sent == wanted) return true;
  findings.add(Severity::fault, [&] {
    Finding finding =
        finding_at(flat, receive, "count-mismatch",
                   fmt::format("{} takes {}, but message {} of its connection is {} with {}",
                               name_of(flat, receive), counted(wanted, "chunk"), position + 1,
                               name_of(flat, send), sent));
    finding.events = {fmt::format("{}: sends {}", name_of(flat, send), counted(sent, "chunk")),
                      fmt::format("{}: takes them as {}", name_of(flat, receive), wanted)};
    return finding;
  });
  return false;
}

bool pair_blocks(Flat& flat, std::int32_t from, std::int32_t to, Findings& findings) {
  const auto range = [&](std::int32_t b) {
    return b == kNone
               ? std::tuple(0, 0)
               : std::tuple(flat.first_step[Flat::index(b)], flat.first_step[Flat::index(b) + 1]);
  };
  auto [send, send_end] = range(from);
  auto [receive, receive_end] = range(to);
  bool sound = true;
  for (std::int64_t position = 0;; ++position, ++send, ++receive) {
    send = next(flat, send, send_end, true);
    receive = next(flat, receive, receive_end, false);
    if (send == send_end || receive == receive_end) {
      if (send != send_end) tell_unpaired(flat, send, true, position, findings);
      if (receive != receive_end) tell_unpaired(flat, receive, false, position, findings);
      return sound && send == send_end && receive == receive_end;
    }
    flat.receiver[Flat::index(send)] = receive;
    flat.sender[Flat::index(receive)] = send;
    if (!check_counts(flat, send, receive, position, findings)) sound = false;
  }
}

}  // namespace

bool connect(Flat& flat, Findings& findings) {
  flat.receiving_block.assign(Flat::index(flat.blocks()), kNone);
  flat.sending_block.assign(Flat::index(flat.blocks()), kNone);
  const std::int64_t before = findings.count(Severity::fault);
  const std::vector<End> ends = ends_of(flat, findings);
  check_shared(flat, ends, findings);
  for (StepIndex s = 0; s < flat.steps(); ++s) check_needed_peers(flat, s, findings);
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const End &a = ends[i - 1], &b = ends[i];
    if (a.connection() != b.connection() || a.sends == b.sends) continue;
    flat.receiving_block[Flat::index(a.block)] = b.block;
    flat.sending_block[Flat::index(b.block)] = a.block;
  }
  return findings.count(Severity::fault) == before;
}

bool pair(Flat& flat, Findings& findings) {
  flat.receiver.assign(flat.step.size(), kNone);
  flat.sender.assign(flat.step.size(), kNone);
  bool sound = true;
  for (std::int32_t b = 0; b < flat.blocks(); ++b) {
    const std::int32_t to = flat.receiving_block[Flat::index(b)];
    if (!pair_blocks(flat, b, to, findings)) sound = false;
    // The receives of a thread block that no thread block sends to.
    if (flat.sending_block[Flat::index(b)] == kNone && !pair_blocks(flat, kNone, b, findings))
      sound = false;
  }
  return sound;
}

}  // namespace weft::format::msccl
