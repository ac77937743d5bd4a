// Definitions of the routers' steps; see routers.hpp.
#pragma once

#include "weft/base/error.hpp"

namespace weft::simulation::input_queued {

template <class Routing, class Listener>
Routers<Routing, Listener>::Routers(const PortWiring& wiring, const PipelinedRouter& router,
                                    Routing& routing, Listener& listener, std::uint64_t seed)
    : wiring_(wiring),
      routing_(routing),
      listener_(listener),
      rng_(seed),
      channels_(router.channels),
      buffer_(router.buffer_flits),
      routing_cycles_(router.routing_cycles),
      credit_cycles_(router.credit_cycles),
      iterations_(router.iterations) {
  const std::size_t inputs = wiring.inputs.size(), outputs = wiring.outputs.size();
  const auto channels = static_cast<std::size_t>(channels_);
  adapters_.resize(wiring.adapters());
  for (const std::int32_t input : wiring.adapter_inputs) {
    const int flits = own_or_common(wiring.inputs[input].buffer_flits);
    adapter_credits_.insert(adapter_credits_.end(), channels, static_cast<std::int16_t>(flits));
  }
  input_channels_.resize(inputs * channels);
  flits_.resize(inputs * channels * static_cast<std::size_t>(buffer_));
  waiting_.resize(inputs);
  ready_.resize(inputs);
  busy_.resize(outputs);
  for (std::size_t o = 0; o < outputs; ++o)
    credits_.insert(credits_.end(), channels,
                    static_cast<std::int16_t>(own_or_common(wiring.outputs[o].buffer_flits)));
  if constexpr (Listener::kWatchesLinks) {
    free_at_.resize(outputs);
    adapter_free_at_.resize(adapters_.size());
    least_credits_ = credits_;
    least_adapter_credits_ = adapter_credits_;
  }
  grant_from_.resize(outputs * channels);
  accept_from_.resize(inputs * channels);
  output_from_.resize(outputs);
  input_from_.resize(inputs);
  turn_.resize(inputs);
  router_of_input_.resize(inputs);
  for (std::int32_t r = 0; r < wiring.routers(); ++r)
    for (std::int32_t i = wiring.first_in[r]; i < wiring.first_in[static_cast<std::size_t>(r) + 1];
         ++i)
      router_of_input_[i] = r;
  if constexpr (Routing::kSharesChannels) shared_ = routing.shared();
  held_.resize(wiring.routers());
  occupied_.resize(held_.size() / 64 + 1);
  std::int32_t longest = 1;
  for (const OutputPort& output : wiring.outputs)
    longest = std::max({longest, output.cycles, output.credit_cycles});
  for (const InputPort& input : wiring.inputs)
    longest = std::max({longest, input.cycles, input.credit_cycles});
  const std::size_t wheel =
      std::bit_ceil(static_cast<std::size_t>(2 * longest + credit_cycles_ + routing_cycles_ + 6));
  arrivals_.resize(wheel);
  returns_.resize(wheel);
  routed_.resize(wheel);
  if constexpr (Routing::kSeesQueues) sent_.resize(wheel);
  claims_.resize(64);
  asks_.resize(64);
  asked_by_.resize(64);
  grants_.resize(64);
  asking_channel_.resize(std::size_t{64} * 64);
}

template <class Routing, class Listener>
void Routers<Routing, Listener>::send(std::int32_t adapter, const Packet& packet, int flits) {
  WEFT_ASSERT(idle(adapter) && flits >= 1);
  std::uint32_t id = 0;
  if (free_packets_.empty()) {
    id = static_cast<std::uint32_t>(packets_.size());
    packets_.push_back(packet);
  } else {
    id = free_packets_.back();
    free_packets_.pop_back();
    packets_[id] = packet;
  }
  packets_[id].id = id;
  packets_[id].flits = flits;
  routing_.begin(packets_[id]);
  Adapter& sender = adapters_[adapter];
  sender.packet = id;
  sender.left = flits;
  sender.fresh = true;
  if (inside_++ == 0) moved_at_ = now_;
}

template <class Routing, class Listener>
void Routers<Routing, Listener>::step() {
  take_credits();
  if constexpr (Routing::kSeesQueues) count_overdue();
  inject();
  take_routed();
  take_flits();
  for (std::size_t word = 0; word < occupied_.size(); ++word)
    for (std::uint64_t rest = occupied_[word]; rest != 0; rest &= rest - 1) {
      const auto router = static_cast<std::int32_t>(word * 64) + std::countr_zero(rest);
      allocate_channels(router);
      allocate_switch(router);
    }
  settle();
  ++now_;
}

template <class Routing, class Listener>
void Routers<Routing, Listener>::take_credits() {
  auto& due = returns_[slot(now_)];
  for (const Credit& credit : due) {
    if (credit.output < 0) {
      ++adapter_credits_[at(-1 - credit.output, credit.channel)];
      continue;
    }
    ++credits_[at(credit.output, credit.channel)];
    WEFT_ASSERT(credits_[at(credit.output, credit.channel)] <=
                own_or_common(wiring_.outputs[credit.output].buffer_flits));
    add_load(credit.output, -1);
  }
  due.clear();
}

template <class Routing, class Listener>
void Routers<Routing, Listener>::count_overdue() {
  auto& due = sent_[slot(now_)];
  for (const std::int32_t output : due) add_load(output, 1);
  due.clear();
}

// What is under way without a packet inside are credits.
template <class Routing, class Listener>
void Routers<Routing, Listener>::skip_to(std::int64_t cycle) {
  WEFT_ASSERT(inside_ == 0);
  const std::int64_t last = std::min(cycle, now_ + longest_wait());
  for (; now_ < last; ++now_) {
    take_credits();
    if constexpr (Routing::kSeesQueues) count_overdue();
  }
  now_ = std::max(now_, cycle);
}

template <class Routing, class Listener>
template <class Visit>
void Routers<Routing, Listener>::for_each_waiting(Visit&& visit) const {
  for (const InputChannel& held : input_channels_)
    if (held.count > 0) visit(held.output, static_cast<int>(held.count));
}

template <class Routing, class Listener>
void Routers<Routing, Listener>::inject() {
  for (std::size_t a = 0; a < adapters_.size(); ++a)
    if (adapters_[a].left > 0) inject(static_cast<std::int32_t>(a), adapters_[a]);
}

template <class Routing, class Listener>
void Routers<Routing, Listener>::inject(std::int32_t a, Adapter& adapter) {
  const std::int32_t input = wiring_.adapter_inputs[a];
  if constexpr (Listener::kWatchesLinks)
    if (adapter_free_at_[a] >= static_cast<double>(now_ + 1)) return;
  if (adapter.fresh && adapter.channel < 0) {
    for (int i = 1; i <= channels_ && adapter.channel < 0; ++i) {
      const int channel = (adapter.last_channel + i) % channels_;
      if (adapter_credits_[at(a, channel)] > 0) adapter.channel = channel;
    }
    if (adapter.channel < 0) return;
  }
  if (adapter_credits_[at(a, adapter.channel)] == 0) return;
  --adapter_credits_[at(a, adapter.channel)];
  --adapter.left;
  const Flit flit{adapter.packet, adapter.fresh, adapter.left == 0};
  arrivals_[slot(now_ + wiring_.inputs[input].cycles + 1)].push_back(
      {input, static_cast<std::uint8_t>(adapter.channel), flit});
  adapter.fresh = false;
  if constexpr (Listener::kWatchesLinks) {
    adapter_free_at_[a] =
        std::max(adapter_free_at_[a], static_cast<double>(now_)) + wiring_.inputs[input].period;
    moved_at_ = now_;
    std::int16_t& least = least_adapter_credits_[at(a, adapter.channel)];
    least = std::min(least, adapter_credits_[at(a, adapter.channel)]);
    listener_.entered(a, packets_[adapter.packet], flit);
  }
  if (adapter.left > 0) return;
  adapter.last_channel = adapter.channel;
  adapter.channel = -1;
  if constexpr (Listener::kWatchesLinks) listener_.left(a, packets_[adapter.packet]);
}

template <class Routing, class Listener>
void Routers<Routing, Listener>::take_flits() {
  auto& due = arrivals_[slot(now_)];
  for (const Arrival& arrival : due) place(arrival);
  due.clear();
}

template <class Routing, class Listener>
void Routers<Routing, Listener>::place(const Arrival& arrival) {
  const std::size_t i = at(arrival.input, arrival.channel);
  InputChannel& held = input_channels_[i];
  WEFT_ASSERT(held.count < buffer_);
  int place = held.first + held.count;
  if (place >= buffer_) place -= buffer_;
  flits_[i * static_cast<std::size_t>(buffer_) + static_cast<std::size_t>(place)] = arrival.flit;
  ++held.count;
  const auto router = static_cast<std::size_t>(router_of_input_[arrival.input]);
  if (++held_[router] == 1) occupied_[router / 64] |= 1ull << (router % 64);
  if (held.count > 1) return;
  if (arrival.flit.head)
    start(arrival.input, arrival.channel, arrival.flit, now_);
  else if ((waiting_[arrival.input] >> arrival.channel & 1) == 0)
    ready_[arrival.input] |= 1ull << arrival.channel;
}

// A head flit has come to the front of its channel: it is routed and asks for a channel ahead.
template <class Routing, class Listener>
void Routers<Routing, Listener>::start(std::int32_t input, int channel, const Flit& head,
                                       std::int64_t cycle) {
  Packet& packet = packets_[head.packet];
  ++packet.hops;
  InputChannel& held = input_channels_[at(input, channel)];
  direct(input, held, packet);
  add_load(held.output, packet.flits);
  if (routing_cycles_ == 0)
    waiting_[input] |= 1ull << channel;
  else
    routed_[slot(cycle + routing_cycles_)].push_back({input, channel});
}

template <class Routing, class Listener>
void Routers<Routing, Listener>::take_routed() {
  auto& due = routed_[slot(now_)];
  for (const Given& head : due) waiting_[head.input] |= 1ull << head.channel;
  due.clear();
}

template <class Routing, class Listener>
void Routers<Routing, Listener>::direct(std::int32_t input, InputChannel& held, Packet& packet) {
  const std::int32_t router = router_of_input_[input];
  const Route route = routing_.route(router, packet, rng_,
                                     RouterState{busy_.data(), credits_.data(), channels_, input});
  held.output = route.output;
  held.wanted = route.channels;
}

// Packets that wait for a channel may find a better one by now.
template <class Routing, class Listener>
void Routers<Routing, Listener>::reconsider(std::int32_t router) {
  const std::int32_t last = wiring_.first_in[static_cast<std::size_t>(router) + 1];
  for (std::int32_t input = wiring_.first_in[router]; input < last; ++input)
    for (std::uint64_t rest = waiting_[input]; rest != 0; rest &= rest - 1) {
      const std::size_t i = at(input, std::countr_zero(rest));
      InputChannel& held = input_channels_[i];
      Packet& packet = packets_[flits_[i * static_cast<std::size_t>(buffer_) + held.first].packet];
      add_load(held.output, -packet.flits);
      direct(input, held, packet);
      add_load(held.output, packet.flits);
    }
}

// A flit leaves its buffer for the crossbar; the place and, behind a tail, the channel are free.
template <class Routing, class Listener>
void Routers<Routing, Listener>::cross(std::int32_t input, int channel) {
  const std::size_t i = at(input, channel);
  InputChannel& held = input_channels_[i];
  WEFT_ASSERT(held.count > 0);
  const Flit flit = flits_[i * static_cast<std::size_t>(buffer_) + held.first];
  held.first = static_cast<std::uint16_t>(held.first + 1 == buffer_ ? 0 : held.first + 1);
  --held.count;
  turn_[input] = static_cast<std::uint8_t>((channel + 1) % channels_);
  const auto router = static_cast<std::size_t>(router_of_input_[input]);
  if (--held_[router] == 0) occupied_[router / 64] &= ~(1ull << (router % 64));

  const InputPort& from = wiring_.inputs[input];
  const bool of_host = from.output < 0;
  returns_[slot(now_ + from.credit_cycles + 1 + (of_host ? 0 : credit_cycles_))].push_back(
      {of_host ? -1 - from.adapter : from.output, static_cast<std::uint8_t>(channel)});

  const std::int32_t output = held.output;
  const int ahead = held.channel;
  WEFT_ASSERT(credits_[at(output, ahead)] > 0);
  --credits_[at(output, ahead)];
  if constexpr (Listener::kWatchesLinks) {
    std::int16_t& least = least_credits_[at(output, ahead)];
    least = std::min(least, credits_[at(output, ahead)]);
    free_at_[output] =
        std::max(free_at_[output], static_cast<double>(now_)) + wiring_.outputs[output].period;
    moved_at_ = now_;
    listener_.crossed(output, packets_[flit.packet], flit);
  }
  add_load(output, -1);
  if constexpr (Routing::kSeesQueues) sent_[slot(now_ + round_trip(output))].push_back(output);
  ++flit_hops_;
  const OutputPort& to = wiring_.outputs[output];
  if (to.input >= 0)
    arrivals_[slot(now_ + to.cycles + 2)].push_back(
        {to.input, static_cast<std::uint8_t>(ahead), flit});
  else
    eject(flit, output, ahead);

  const std::uint64_t bit = 1ull << channel;
  if (flit.tail) {
    busy_[output] &= ~(1ull << ahead);
    ready_[input] &= ~bit;
    if (held.count > 0)
      start(input, channel, flits_[i * static_cast<std::size_t>(buffer_) + held.first], now_ + 1);
  } else if (held.count == 0) {
    ready_[input] &= ~bit;
  }
}

template <class Routing, class Listener>
void Routers<Routing, Listener>::eject(const Flit& flit, std::int32_t output, int channel) {
  const std::int64_t read = now_ + wiring_.outputs[output].cycles + 2;
  const int back = wiring_.outputs[output].credit_cycles;
  returns_[slot(read + back + 1 + credit_cycles_)].push_back(
      {output, static_cast<std::uint8_t>(channel)});
  listener_.ejected(read);
  if (!flit.tail) return;
  listener_.delivered(packets_[flit.packet], read);
  free_packets_.push_back(flit.packet);
  --inside_;
}

// What was given a channel in this cycle may ask for the crossbar in the next.
template <class Routing, class Listener>
void Routers<Routing, Listener>::settle() {
  for (const Given& given : given_) ready_[given.input] |= 1ull << given.channel;
  given_.clear();
}

}  // namespace weft::simulation::input_queued
