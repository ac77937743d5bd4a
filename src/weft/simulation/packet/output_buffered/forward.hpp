// OutputBuffered: packets from buffer to buffer, and the credits for them.
#pragma once

#include "weft/simulation/packet/output_buffered/output_buffered.hpp"

namespace weft::simulation::packet {

template <Granularity kUnit>
void OutputBuffered<kUnit>::route(std::int32_t index) {
  PacketState& packet = packets_[index];
  ask(index, packet.want == kNone ? choose(packet) : choice_of(packet.want));
}

/// Whether the next link does not depend on queues.
template <Granularity kUnit>
bool OutputBuffered<kUnit>::is_foreseeable(const PacketState& packet) const {
  return packet.node == packet.router || (packet.flags & kByPath) != 0 || !is_adaptive_ ||
         !routing_->looks_at_queues(packet);
}

template <Granularity kUnit>
Choice OutputBuffered<kUnit>::choose(PacketState& packet) {
  if (const auto only = only_choice(packet)) return *only;
  if (!looks_for_room_) return routing_->choose(packet, QueueView(wiring_.links, now_));
  const ChannelRoom room(*this, packet);
  return routing_->choose(packet, QueueView(wiring_.links, now_, &room));
}

/// A packet needs as many bytes as it has, under wormhole switching an empty channel.
template <Granularity kUnit>
bool OutputBuffered<kUnit>::ChannelRoom::has_room(std::int32_t link, std::int32_t vc) const {
  const auto index = place(engine_.channel_of(Choice{link, vc}));
  const Channel& channel = engine_.channels_[index];
  if (channel.waited_for() || (kFlits && engine_.worms_[index].owned)) return false;
  const std::int32_t least = engine_.wormhole_ ? engine_.wiring_.buffers_B[place(link)] : bytes_;
  return channel.credits_at(engine_.now_) >= least;
}

/// Lets the packet enter the output's queue if there is room behind, else wait.
template <Granularity kUnit>
void OutputBuffered<kUnit>::ask(std::int32_t packet, Choice choice) {
  WEFT_ASSERT(choice.link >= 0 && choice.vc < vcs_);
  const std::int32_t index = channel_of(choice);
  Channel& channel = channels_[place(index)];
  channel.fold(now_);
  if (!channel.waited_for() && channel.credits >= room_for(packets_[packet]))
    transmit(packet, choice);
  else
    start_waiting(packet, index);
}

template <Granularity kUnit>
void OutputBuffered<kUnit>::transmit(std::int32_t index, Choice choice) {
  PacketState& packet = packets_[index];
  Channel& channel = channels_[place(channel_of(choice))];
  Link& out = link(choice.link);
  const LinkKind& kind = wiring_.kind(out);
  const Time send_ps = kind.send_ps(packet.bytes, unit_B_);
  const Time start = std::max(now_, out.free_at);
  out.free_at = std::max(start + send_ps, packet.tail);
  out.bytes += packet.bytes;
  channel.credits -= packet.bytes;
  channel.least = std::min(channel.least, channel.credits);
  const std::int32_t from = packet.link == kNone ? kNone : channel_of(packet);
  if (from == kNone)
    left_sender(packet.message, out.free_at);
  else
    return_credit(from, packet.bytes, std::max(now_, packet.tail));
  if (kFlits && from != kNone) empties(from, packet, std::max(now_, packet.tail));
  ++packet_hops_;
  crossed(packet, kind, packet.bytes, packet.flags & kHead);

  const Time head = start + kind.latency_ps, tail = out.free_at + kind.latency_ps;
  if (packet.link != kNone || !(packet.flags & kFromLeaf)) ++packet.routers;
  packet.link = choice.link;
  packet.vc = static_cast<std::uint8_t>(choice.vc);
  packet.node = out.head;
  if (kFlits) move_up(packet, from);
  if (packet.node == packet.destination) {
    return_credit(channel_of(choice), packet.bytes, tail);
    if (kFlits) empties(channel_of(choice), packet, tail);
    receive(packet, tail + options_.adapter_delay_ps);
    return packets_.give_back(index);
  }
  const bool early = (packet.flags & kHead) && is_foreseeable(packet);
  packet.want = early ? channel_of(choose(packet)) : kNone;
  packet.tail = tail + options_.router_delay_ps;
  push(store_and_forward_ ? packet.tail : head + options_.router_delay_ps, Kind::route, index);
}

/// `bytes` more of the channel's buffer are free from `freed` on; its sender knows later.
template <Granularity kUnit>
void OutputBuffered<kUnit>::return_credit(std::int32_t index, std::int32_t bytes, Time freed) {
  Channel& channel = channels_[place(index)];
  const Time time = freed + channel.credit_ps;
  if (channel.waited_for() || !channel.note(now_, time, bytes))
    push(time, Kind::credit, index, bytes);
}

template <Granularity kUnit>
void OutputBuffered<kUnit>::add_credit(std::int32_t index, std::int32_t bytes) {
  const Choice choice = choice_of(index);
  channels_[place(index)].credits += bytes;
  while (channels_[place(index)].waited_for()) {
    const std::int32_t next = take_waiting(index);
    if (next == kNone) return;
    transmit(next, choice);
    if (kFlits) go_on();
  }
}

/// Whether `candidate` goes before `other`, which asked before it.
template <Granularity kUnit>
bool OutputBuffered<kUnit>::goes_before(const PacketState& candidate, const PacketState& other,
                                        std::int32_t served) const {
  if (arbitration_ == Arbitration::age) return candidate.created < other.created;
  const auto turn = [&](std::int32_t input) {  // links behind the one served last come first
    return static_cast<std::uint32_t>(input) - static_cast<std::uint32_t>(served + 1);
  };
  return turn(candidate.link) < turn(other.link);
}

/// Takes the next of those that wait for the channel out of its list, if there are credits for it.
template <Granularity kUnit>
std::int32_t OutputBuffered<kUnit>::take_waiting(std::int32_t index) {
  Channel& channel = channels_[place(index)];
  Waiting& waiting = waiting_[place(index)];
  std::int32_t best = channel.first_waiting, before_best = kNone;
  if (arbitration_ != Arbitration::first_come)
    for (std::int32_t before = best, p = packets_[best].next; p != kNone;
         before = p, p = packets_[p].next)
      if (goes_before(packets_[p], packets_[best], waiting.served)) best = p, before_best = before;
  PacketState& packet = packets_[best];
  if (channel.credits < room_for(packet)) return kNone;
  (before_best == kNone ? channel.first_waiting : packets_[before_best].next) = packet.next;
  if (waiting.last == best) waiting.last = before_best;
  packet.next = kNone;
  waiting.served = packet.link;
  Link& out = link(link_of(index));
  out.waiting_ps -= wiring_.kind(out).send_ps(packet.bytes, unit_B_);
  return best;
}

/// From now on each returned credit of the channel is an event.
template <Granularity kUnit>
void OutputBuffered<kUnit>::start_waiting(std::int32_t index, std::int32_t channel_index) {
  Channel& channel = channels_[place(channel_index)];
  PacketState& packet = packets_[index];
  packet.want = channel_index;
  packet.next = kNone;
  Link& out = link(link_of(channel_index));
  out.waiting_ps += wiring_.kind(out).send_ps(packet.bytes, unit_B_);
  std::int32_t& last = waiting_[place(channel_index)].last;
  if (channel.waited_for()) {
    packets_[last].next = index;
  } else {
    channel.first_waiting = index;
    channel.take_returns(now_, [&](Time time, std::int32_t bytes) {
      push(time, Kind::credit, channel_index, bytes);
    });
  }
  last = index;
}

}  // namespace weft::simulation::packet
