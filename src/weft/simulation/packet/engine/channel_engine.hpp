// ChannelEngine: packets that wait for room in channels, event by event, whatever routers do.
//
// The loop over events, what is due between them (samples, a look for packets that wait for ever)
// and what is known at the end. output_buffered/ and codes/ are made from it: they say what an
// event does, how a channel counts its room and which packets wait for it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "weft/simulation/packet/engine/message_engine.hpp"

namespace weft::simulation::packet {

class ChannelEngine : public MessageEngine {
 public:
  std::vector<std::int64_t> link_peaks_B() const final;

 protected:
  /// `routing` was made from the same wiring and needs so many channels; where there is none, every
  /// message brings a path. It looks for circles every `watch_ps`.
  ChannelEngine(LinkWiring wiring, const PacketOptions& options, int channels,
                std::unique_ptr<HopRouting> routing, Time watch_ps);

  /// Runs handle(event) on all events, and prefetch() before each.
  template <class Prefetch, class Handle>
  void run_events(Prefetch&& prefetch, Handle&& handle);

  /// Where there is but one: at a leaf, at the destination's router, and on a path.
  std::optional<Choice> only_choice(const PacketState& packet) const;

  void append(std::int32_t index, std::int32_t& first, std::int32_t& last) {  // to a queue
    packets_[index].next = kNone;
    (first == kNone ? first : packets_[last].next) = index;
    last = index;
  }
  using MessageEngine::channel_of;
  std::int32_t channel_of(const PacketState& packet) const {  // whose buffer holds it
    return packet.link << vc_bits_ | packet.vc;
  }
  Link& link(std::int32_t index) { return wiring_.links[place(index)]; }
  std::size_t channel_count() const { return wiring_.links.size() << vc_bits_; }

  /// For each channel the one that the first packet found waiting in its buffer waits for, or
  /// kNone.
  virtual std::vector<std::int32_t> find_waits() const;

  std::unique_ptr<HopRouting> routing_;

 private:
  /// What the links have sent and what waits for them, as it is until the next event.
  virtual void sample(Time time) = 0;
  /// Before it looks for circles, and at least every `watch_ps`.
  virtual void sweep(Time /*now*/) {}
  /// Of the packets that wait for the channel, by PacketState::next; kNone: there are none.
  virtual std::int32_t first_waiting(std::size_t channel) const = 0;
  /// The most bytes that were in its buffer.
  virtual std::int32_t peak_B(std::size_t channel) const = 0;
  /// Whether nothing is in its buffer, once all that is under way counts.
  virtual bool is_empty(std::size_t channel) const = 0;

  void keep_house(Time now);
  void watch_circles();
  void check_end() const;

  Time watch_ps_, next_watch_, next_chore_;
  std::vector<std::int32_t> circle_;  // of channels that waited for each other the last time
  std::int64_t circle_bytes_ = 0;     // that had crossed its links
};

template <class Prefetch, class Handle>
void ChannelEngine::run_events(Prefetch&& prefetch, Handle&& handle) {
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

inline std::optional<Choice> ChannelEngine::only_choice(const PacketState& packet) const {
  if (packet.node == packet.router)
    return Choice{wiring_.leaves[place(packet.destination)].down, 0};
  if (packet.link == kNone && (packet.flags & kFromLeaf) != 0)
    return Choice{wiring_.leaves[place(packet.node)].up, 0};
  if (packet.flags & kByPath) return next_of_path(packet);
  return std::nullopt;
}

}  // namespace weft::simulation::packet
