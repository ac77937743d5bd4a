// OutputBuffered: flits, which follow the head of their packet in the order of its path.
//
// A buffer is a queue: only its front asks for the next channel, all others wait behind it. A head
// takes its output channel when no other packet owns it, else it waits in the order of asking (or
// as arbitration says, for credits); the flits behind it take the same way, and the tail gives the
// channel up. Links are shared flit by flit, since what enters an output's queue is sent in order
// and flits come in one by one.
//
// A flit that goes on lets others go on: the one behind it, and the next owner of its channel. They
// are worked off from a list, not by recursion, since one credit may move a whole chain.
#pragma once

#include "weft/simulation/packet/output_buffered/output_buffered.hpp"

namespace weft::simulation::packet {

/// A flit is in a buffer: at its front, or behind others.
template <Granularity kUnit>
void OutputBuffered<kUnit>::arrive(std::int32_t index) {
  const PacketState& flit = packets_[index];
  Worm& buffer = worms_[place(channel_of(flit))];
  if (!buffer.occupied) {
    buffer.occupied = true;
    front(index);
    return go_on();
  }
  append(index, buffer.first_behind, buffer.last_behind);
}

/// A flit at the front of its buffer, or at its sender, asks for the channel of its packet.
template <Granularity kUnit>
void OutputBuffered<kUnit>::front(std::int32_t index) {
  PacketState& flit = packets_[index];
  std::int32_t& route = flit.link == kNone ? injections_[place(flit.message)].route
                                           : worms_[place(channel_of(flit))].route;
  if (!(flit.flags & kHead)) {
    flit.want = route;
    return ask_as_owner(index);
  }
  if (flit.want == kNone) flit.want = channel_of(choose(flit));
  route = flit.want;
  Worm& output = worms_[place(flit.want)];
  if (!output.owned) {
    output.owned = true;
    return ask_as_owner(index);
  }
  link(link_of(flit.want)).waiting_ps += packet_ps(flit);
  append(index, output.first_head, output.last_head);
}

/// Picoseconds to send a whole packet over the link that its head waits for (a full one, unless its
/// message is shorter).
template <Granularity kUnit>
Time OutputBuffered<kUnit>::packet_ps(const PacketState& head) const {
  return serialisation_ps(std::min(options_.packet_B, injection(head.message).bytes),
                          wiring_.kind(wiring_.links[place(link_of(head.want))]).bandwidth_Bps);
}

template <Granularity kUnit>
void OutputBuffered<kUnit>::ask_as_owner(std::int32_t index) {
  ask(index, choice_of(packets_[index].want));
}

/// The flit has left the buffer of `link` and `vc` for the channel it is on now.
template <Granularity kUnit>
void OutputBuffered<kUnit>::move_up(const PacketState& flit, std::int32_t from) {
  if (from != kNone) {
    Worm& buffer = worms_[place(from)];
    const std::int32_t next = buffer.first_behind;
    if (next == kNone) {
      buffer.occupied = false;
    } else {
      buffer.first_behind = packets_[next].next;
      packets_[next].next = kNone;
      moved_.push_back(next);
    }
  }
  if ((flit.flags & kTail) && !until_empty_) give_up(channel_of(flit));
}

/// The tail of the packet that has the channel leaves its buffer: it is free at `freed`, and its
/// sender knows a credit delay later.
template <Granularity kUnit>
void OutputBuffered<kUnit>::empties(std::int32_t channel, const PacketState& flit, Time freed) {
  if (until_empty_ && (flit.flags & kTail))
    push(freed + channels_[place(channel)].credit_ps, Kind::look, channel);
}

template <Granularity kUnit>
void OutputBuffered<kUnit>::reopen(std::int32_t channel) {
  give_up(channel);
  go_on();
}

/// The channel is the next packet's that wants it.
template <Granularity kUnit>
void OutputBuffered<kUnit>::give_up(std::int32_t channel) {
  Worm& output = worms_[place(channel)];
  const std::int32_t head = output.first_head;
  if (head == kNone) {
    output.owned = false;
  } else {
    output.first_head = packets_[head].next;
    packets_[head].next = kNone;
    moved_.push_back(~head);
  }
}

template <Granularity kUnit>
void OutputBuffered<kUnit>::go_on() {
  while (!moved_.empty()) {
    const std::int32_t next = moved_.back();
    moved_.pop_back();
    if (next >= 0) {
      front(next);
    } else {
      const PacketState& head = packets_[~next];
      link(link_of(head.want)).waiting_ps -= packet_ps(head);
      ask_as_owner(~next);
    }
  }
}

}  // namespace weft::simulation::packet
