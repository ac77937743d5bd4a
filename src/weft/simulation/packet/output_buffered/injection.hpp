// OutputBuffered: the packets and flits of a message as it has its turns.
#pragma once

#include "weft/simulation/packet/output_buffered/output_buffered.hpp"

namespace weft::simulation::packet {

/// The next packet (or flit) of a message enters the network.
template <Granularity kUnit>
void OutputBuffered<kUnit>::take_turn(std::int32_t message) {
  check_clock(now_);
  const std::int32_t index = packets_.take();
  packets_[index] = next_packet(message);
  if (!kFlits) return route(index);
  front(index);
  go_on();
}

template <Granularity kUnit>
PacketState OutputBuffered<kUnit>::next_packet(std::int32_t message) {
  PacketState packet;
  if constexpr (kFlits)
    packet = next_flit(message);
  else
    packet = packet_of(message, static_cast<std::int32_t>(
                                    std::min(messages_[message].to_inject, options_.packet_B)));
  if (draws_by_message_) packet.coin = coin_of(messages_[message]);
  return packet;
}

template <Granularity kUnit>
PacketState OutputBuffered<kUnit>::next_flit(std::int32_t message) {
  const Message& m = messages_[message];
  if (!m.started) {
    injections_.resize(std::max(injections_.size(), place(message) + 1));
    injections_[place(message)] = {.bytes = m.to_inject};
  }
  Injection& injection = injections_[place(message)];
  const bool head = injection.packet_left == 0;
  if (head) {
    injection.packet_left = static_cast<std::int32_t>(std::min(m.to_inject, options_.packet_B));
    injection.packet_turn = now_;
  }
  const auto bytes = std::min(injection.packet_left, static_cast<std::int32_t>(options_.flit_B));
  injection.packet_left -= bytes;
  PacketState flit = packet_of(message, bytes);
  flit.created = injection.packet_turn - options_.adapter_delay_ps;
  if (!head) flit.flags &= static_cast<std::uint8_t>(~kHead);
  if (injection.packet_left > 0) flit.flags &= static_cast<std::uint8_t>(~kTail);
  return flit;
}

}  // namespace weft::simulation::packet
