#include "weft/simulation/packet/engine/channel_engine.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/simulation/packet/engine/deadlock.hpp"

namespace weft::simulation::packet {

ChannelEngine::ChannelEngine(LinkWiring wiring, const PacketOptions& options, int channels,
                             std::unique_ptr<HopRouting> routing, Time watch_ps)
    : MessageEngine(std::move(wiring), options, checked_vcs(options, channels), routing == nullptr),
      routing_(std::move(routing)),
      watch_ps_(watch_ps),
      next_watch_(watch_ps),
      next_chore_(std::min(next_watch_, series_.next())) {}

/// What is due before the event at `now`.
void ChannelEngine::keep_house(Time now) {
  while (series_.next() <= now) sample(series_.next());
  if (now >= next_watch_) {
    sweep(now);
    next_watch_ = now + watch_ps_;
    watch_circles();
  }
  next_chore_ = std::min(next_watch_, series_.next());
}

/// Packets that wait for ever end no run as long as sources go on: a circle of channels that is the
/// same as the last time, without a byte on any of its links since, is a deadlock. Channels of
/// routings that keep their order are never in a circle.
void ChannelEngine::watch_circles() {
  std::vector<std::int32_t> circle = find_circle(find_waits());
  std::int64_t bytes = 0;
  for (const std::int32_t channel : circle) bytes += link(link_of(channel)).bytes;
  if (!circle.empty() && circle == circle_ && bytes == circle_bytes_)
    report_deadlock(wiring_, vc_bits_, packets_.in_use(), circle);
  circle_ = std::move(circle);
  circle_bytes_ = bytes;
}

std::vector<std::int32_t> ChannelEngine::find_waits() const {
  std::vector<std::int32_t> next(channel_count(), kNone);
  for (std::size_t c = 0; c < next.size(); ++c)
    for (std::int32_t p = first_waiting(c); p != kNone; p = packets_[p].next) {
      const PacketState& packet = packets_[p];
      if (packet.link == kNone) continue;
      std::int32_t& wanted = next[place(channel_of(packet))];
      if (wanted == kNone) wanted = packet.want;
    }
  return next;
}

/// All is delivered and all credits are home; packets that wait for ever are a deadlock.
void ChannelEngine::check_end() const {
  if (packets_.in_use() > 0)
    report_deadlock(wiring_, vc_bits_, packets_.in_use(), find_circle(find_waits()));
  WEFT_ASSERT(messages_.in_use() == 0);
  for (std::size_t c = 0; c < channel_count(); ++c) WEFT_ASSERT(is_empty(c));
}

std::vector<std::int64_t> ChannelEngine::link_peaks_B() const {
  std::vector<std::int64_t> peaks(wiring_.links.size());
  for (std::size_t c = 0; c < channel_count(); ++c) {
    std::int64_t& peak = peaks[c >> vc_bits_];
    peak = std::max<std::int64_t>(peak, peak_B(c));
  }
  return peaks;
}

}  // namespace weft::simulation::packet
