// OutputBuffered: the loop over events, and what is known at its end.
#pragma once

#include <bit>

#include "weft/simulation/packet/output_buffered/output_buffered.hpp"

namespace weft::simulation::packet {

template <Granularity kUnit>
OutputBuffered<kUnit>::OutputBuffered(LinkWiring wiring, const PacketOptions& options, int channels,
                                      std::unique_ptr<HopRouting> routing)
    : MessageEngine(std::move(wiring), options, checked_vcs(options, channels), routing == nullptr),
      routing_(std::move(routing)),
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
  next_chore_ = std::min(next_sweep_, series_.next());
}

template <Granularity kUnit>
void OutputBuffered<kUnit>::run() {
  for (PacketSource* source : sources_) source->begin();
  Event event;
  while (!stopped_ && wheel_.pop(event)) {
    prefetch();
    if (event.time >= next_chore_) [[unlikely]]
      keep_house(event.time);
    now_ = event.time;
    if (++events_ % kBeat == 0 && beat_) [[unlikely]]
      beat_();
    handle(event);
  }
  if (!stopped_) check_end();
  series_.end(now_, [this](Time time) { sample(time); });
}

/// What is due before the event at `now`.
template <Granularity kUnit>
void OutputBuffered<kUnit>::keep_house(Time now) {
  while (series_.next() <= now) sample(series_.next());
  if (now >= next_sweep_) sweep(now);
  next_chore_ = std::min(next_sweep_, series_.next());
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
  next_sweep_ = now + Channel::kHorizon;
  watch_circles();
}

/// Packets that wait for ever end no run as long as sources go on: a circle of channels that is the
/// same as a horizon ago, without a byte on any of its links since, is a deadlock. Channels of
/// routings that keep their order are never in a circle.
template <Granularity kUnit>
void OutputBuffered<kUnit>::watch_circles() {
  std::vector<std::int32_t> circle = find_circle(find_waits());
  std::int64_t bytes = 0;
  for (const std::int32_t channel : circle) bytes += link(link_of(channel)).bytes;
  if (!circle.empty() && circle == circle_ && bytes == circle_bytes_)
    report_deadlock(wiring_, vc_bits_, packets_.in_use(), circle);
  circle_ = std::move(circle);
  circle_bytes_ = bytes;
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

/// For each channel the one that the first packet found waiting in its buffer waits for, or kNone.
template <Granularity kUnit>
std::vector<std::int32_t> OutputBuffered<kUnit>::find_waits() const {
  std::vector<std::int32_t> next(channels_.size(), kNone);
  for (std::size_t c = 0; c < worms_.size(); ++c)
    if (worms_[c].occupied) next[c] = worms_[c].route;
  if (kFlits) return next;
  for (const Channel& channel : channels_)
    for (std::int32_t p = channel.first_waiting; p != kNone; p = packets_[p].next) {
      const PacketState& packet = packets_[p];
      if (packet.link == kNone) continue;
      std::int32_t& wanted = next[place(channel_of(packet))];
      if (wanted == kNone) wanted = packet.want;
    }
  return next;
}

/// All is delivered and all credits are home; packets that wait for ever are a deadlock.
template <Granularity kUnit>
void OutputBuffered<kUnit>::check_end() const {
  if (packets_.in_use() > 0)
    report_deadlock(wiring_, vc_bits_, packets_.in_use(), find_circle(find_waits()));
  WEFT_ASSERT(messages_.in_use() == 0);
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    Channel channel = channels_[c];
    channel.fold_all();
    WEFT_ASSERT(channel.credits == wiring_.buffers_B[c >> vc_bits_]);
  }
}

template <Granularity kUnit>
std::vector<std::int64_t> OutputBuffered<kUnit>::link_peaks_B() const {
  std::vector<std::int64_t> peaks(wiring_.links.size(), 0);
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    std::int64_t& peak = peaks[c >> vc_bits_];
    peak = std::max<std::int64_t>(peak, wiring_.buffers_B[c >> vc_bits_] - channels_[c].least);
  }
  return peaks;
}

template <Granularity kUnit>
EngineStatistics OutputBuffered<kUnit>::statistics() const {
  EngineStatistics s;
  s.events = events_;
  s.packet_hops = packet_hops_;
  s.peak_packets = packets_.peak();
  s.memory_B =
      packets_.memory_B() + messages_.memory_B() + paths_.memory_B() +
      static_cast<std::int64_t>(wheel_.memory_B() + injections_.capacity() * sizeof(Injection) +
                                channels_.capacity() * (sizeof(Channel) + sizeof(Waiting)) +
                                wiring_.links.capacity() * sizeof(Link));
  s.max_buffered_B.resize(wiring_.topology.class_names().size());
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const std::size_t l = c >> vc_bits_;
    auto& most = s.max_buffered_B[place(wiring_.kind(wiring_.links[l]).link_class)];
    most = std::max<std::int64_t>(most, wiring_.buffers_B[l] - channels_[c].least);
  }
  return s;
}

}  // namespace weft::simulation::packet
