// OutputBuffered: what an event does, and how channels count.
#pragma once

#include <bit>

#include "weft/simulation/packet/output_buffered/output_buffered.hpp"

namespace weft::simulation::packet {

template <Granularity kUnit>
OutputBuffered<kUnit>::OutputBuffered(LinkWiring wiring, const PacketOptions& options, int channels,
                                      std::unique_ptr<HopRouting> routing)
    : ChannelEngine(std::move(wiring), options, channels, std::move(routing), Channel::kHorizon),
      is_adaptive_(routing_ != nullptr && routing_->is_adaptive()),
      looks_for_room_(routing_ != nullptr && routing_->looks_for_room()),
      draws_by_message_(routing_ != nullptr && routing_->draws_by_message()),
      store_and_forward_(options.switching == Switching::store_and_forward),
      wormhole_(options.switching == Switching::wormhole),
      until_empty_(options.vc_reuse == ChannelReuse::empty),
      arbitration_(options.arbitration) {
  check_memory(wiring_, 1 << vc_bits_);
  channels_.resize(wiring_.links.size() << vc_bits_);
  waiting_.resize(channels_.size());
  if (kFlits) worms_.resize(channels_.size());
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    channels_[c].credits = channels_[c].least = wiring_.buffers_B[c >> vc_bits_];
    channels_[c].credit_ps = wiring_.credits_ps[c >> vc_bits_];
  }
}

/// What the links have sent and what waits for them, as it is until the next event.
template <Granularity kUnit>
void OutputBuffered<kUnit>::sample(Time time) {
  const Time noted = std::min(time, now_ + Channel::kHorizon);  // all that counts by then
  for (std::size_t l = 0; l < wiring_.links.size(); ++l) {
    const std::int64_t buffer_B = wiring_.buffers_B[l];
    TimeSeries::Buffers buffers;
    for (std::size_t c = l << vc_bits_; c < (l + 1) << vc_bits_; ++c) {
      const std::int64_t taken_B = buffer_B - channels_[c].credits_at(noted);
      buffers.bytes += taken_B;
      buffers.fullest =
          std::max(buffers.fullest, static_cast<double>(taken_B) / static_cast<double>(buffer_B));
    }
    series_.add(wiring_.links[l], buffers, time);
  }
  series_.close(time, packets_.in_use());
}

/// Folds all channels before the last 32 bits of their times come round again.
template <Granularity kUnit>
void OutputBuffered<kUnit>::sweep(Time now) {
  const bool all = now - now_ >= Channel::kHorizon;  // then all count that were written down
  for (Channel& channel : channels_) all ? channel.fold_all() : channel.fold(now);
}

template <Granularity kUnit>
void OutputBuffered<kUnit>::handle(const Event& event) {
  const auto id = static_cast<std::int32_t>(event.id);
  switch (kind_of(event)) {
    case Kind::route:
      return kFlits ? arrive(id) : route(id);
    case Kind::credit:
      return add_credit(id, extra_of(event));
    case Kind::turn:
      if (has_turn(id)) take_turn(id);
      return;
    case Kind::look:
      return reopen(id);
    default:
      return MessageEngine::handle(event);
  }
}

/// Fetches what events to come need: the packets first, then what those name. Inlined by force: GCC
/// takes a function that does nothing but prefetch for one without effect and drops its calls.
template <Granularity kUnit>
inline void OutputBuffered<kUnit>::prefetch() {
  constexpr std::size_t kFar = 20, kNear = 8;
  if (const Event* event = wheel_.peek(kFar); event != nullptr) {
    const auto id = static_cast<std::int32_t>(event->id);
    if (kind_of(*event) == Kind::route)
      __builtin_prefetch(&packets_[id]);
    else if (is_about_message(*event))
      __builtin_prefetch(&messages_[id]);
    else if (kind_of(*event) == Kind::credit)
      __builtin_prefetch(&channels_[place(id)]);
  }
  if (const Event* event = wheel_.peek(kNear); event != nullptr) {
    const auto id = static_cast<std::int32_t>(event->id);
    if (kind_of(*event) == Kind::route)
      prefetch_for(packets_[id]);
    else if (kind_of(*event) == Kind::turn)
      prefetch_for(messages_[id]);
  }
}

template <Granularity kUnit>
inline void OutputBuffered<kUnit>::prefetch_for(const PacketState& packet) {
  __builtin_prefetch(&channels_[place(channel_of(packet))]);
  if (packet.node == packet.router) __builtin_prefetch(&messages_[packet.message]);
  if (packet.want == kNone) {
    if (!is_adaptive_ || !(packet.flags & kHead)) return;  // other flits follow their head
    if (const std::int32_t likely = routing_->likely(packet); likely != kNone) {
      __builtin_prefetch(&link(likely));
      __builtin_prefetch(&channels_[place(likely) << vc_bits_]);
    }
    return;
  }
  __builtin_prefetch(&link(link_of(packet.want)));
  __builtin_prefetch(&channels_[place(packet.want)]);
}

template <Granularity kUnit>
inline void OutputBuffered<kUnit>::prefetch_for(const Message& message) {
  if (message.lane >= 0 && place(message.lane) < lanes_[message.source].size())
    __builtin_prefetch(&lanes_[message.source][place(message.lane)]);
  const std::int32_t up = wiring_.leaves[place(message.from)].up;
  if (up == kNone) return;
  __builtin_prefetch(&link(up));
  __builtin_prefetch(&channels_[place(up) << vc_bits_]);
}

/// Flits wait behind the front of their buffer.
template <Granularity kUnit>
std::vector<std::int32_t> OutputBuffered<kUnit>::find_waits() const {
  if (!kFlits) return ChannelEngine::find_waits();
  std::vector<std::int32_t> next(channels_.size(), kNone);
  for (std::size_t c = 0; c < worms_.size(); ++c)
    if (worms_[c].occupied) next[c] = worms_[c].route;
  return next;
}

template <Granularity kUnit>
bool OutputBuffered<kUnit>::is_empty(std::size_t channel) const {
  Channel settled = channels_[channel];
  settled.fold_all();
  return settled.credits == wiring_.buffers_B[channel >> vc_bits_];
}

template <Granularity kUnit>
std::int64_t OutputBuffered<kUnit>::routers_memory_B() const {
  return static_cast<std::int64_t>(injections_.capacity() * sizeof(Injection) +
                                   channels_.capacity() * (sizeof(Channel) + sizeof(Waiting)) +
                                   wiring_.links.capacity() * sizeof(Link));
}

}  // namespace weft::simulation::packet
