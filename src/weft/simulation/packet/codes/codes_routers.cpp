#include "weft/simulation/packet/codes/codes_routers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/memory.hpp"
#include "weft/base/units.hpp"

namespace weft::simulation::codes {

using packet::Event;
using packet::place;

namespace {

constexpr std::int64_t kChunk_B = 256, kPacket_B = 512, kCredit_B = 8, kNotice_B = 128;
constexpr Time kLookahead_ps = 10'000, kJitter_ps = 1'000;
constexpr Time kFirstLook_ps = 10'500, kFirstLookSpread_ps = 500;  // of an idle port
constexpr Time kWatch_ps = 1'000'000'000;                          // between looks for a deadlock

/// The inverse of a bandwidth stands where the bandwidth belongs, both in GiB/s.
Time notice_ps(std::int64_t bandwidth_Bps) {
  constexpr double kGiB = 1 << 30;
  const double s = kNotice_B / kGiB * (static_cast<double>(bandwidth_Bps) / kGiB);
  return std::llround(s * 1e12);
}

Time draw(Rng& random, Time below_ps) {
  return static_cast<Time>(((random.next() >> 32) * static_cast<std::uint64_t>(below_ps)) >> 32);
}

}  // namespace

CodesRouters::CodesRouters(LinkWiring wiring, const PacketOptions& options, int channels,
                           std::unique_ptr<HopRouting> routing)
    : ChannelEngine(std::move(wiring), options, channels, std::move(routing), kWatch_ps),
      random_(Rng(options.seed).split(0x636f646573)),
      ports_(wiring_.links.size()),
      from_hosts_(wiring_.links.size()) {
  const auto count = static_cast<double>(wiring_.links.size() << vc_bits_);
  require_memory(count * sizeof(Channel), fmt::format("{} virtual channels", count),
                 "simulate a smaller network or use --model fluid");
  channels_.resize(wiring_.links.size() << vc_bits_);
  for (const network::Leaf& leaf : wiring_.leaves)
    if (leaf.up != kNone) from_hosts_[place(leaf.up)] = 1;
  for (const packet::Link& link : wiring_.links)
    notices_ps_.push_back(notice_ps(wiring_.kind(link).bandwidth_Bps));
}

void CodesRouters::handle(const Event& event) {
  const auto id = static_cast<std::int32_t>(event.id);
  switch (kind_of(event)) {
    case Kind::route:
      return arrive(id);
    case Kind::look:
      return look(id);
    case Kind::credit:
      return take_credit(id);
    default:
      return MessageEngine::handle(event);
  }
}

/// The next chunk of a message is at its sender's adapter, or at a host that is a router.
void CodesRouters::take_turn(std::int32_t message) {
  packet::check_clock(now_);
  const std::int32_t index = packets_.take();
  const std::int64_t left_B = messages_[message].to_inject;
  packets_[index] =
      packet_of(message, static_cast<std::int32_t>(std::min(left_B, options_.packet_B)));
  if (left_B <= kPacket_B) packets_[index].flags |= kEnd;
  if (routing_ != nullptr && routing_->draws_by_message())
    packets_[index].coin = coin_of(messages_[message]);
  arrive(index);
}

/// All of the chunk is at its node.
void CodesRouters::arrive(std::int32_t index) {
  PacketState& chunk = packets_[index];
  const Choice choice = choose(chunk);
  WEFT_ASSERT(choice.link >= 0 && choice.vc < vcs_);
  const std::int32_t channel = channel_of(choice);
  wiring_.links[place(choice.link)].waiting_ps += kind(choice.link).unit_ps;
  if (has_room(channel)) return join(index, channel);
  chunk.want = channel;
  Queue& waiting = channels_[place(channel)].waiting;
  append(index, waiting.first, waiting.last);
}

Choice CodesRouters::choose(PacketState& chunk) {
  if (const auto only = only_choice(chunk)) return *only;
  const ChannelRoom room(*this);
  return routing_->choose(chunk, network::QueueView(wiring_.links, now_, &room));
}

/// The chunk gets its place in the channel, and leaves the one behind.
void CodesRouters::join(std::int32_t index, std::int32_t channel) {
  const PacketState& chunk = packets_[index];
  if (chunk.link != kNone) give_back(channel_of(chunk), now_);
  Channel& c = channels_[place(channel)];
  c.taken_B += chunk_B();
  c.most_B = std::max(c.most_B, c.taken_B);
  append(index, c.ready.first, c.ready.last);
  const std::int32_t link = link_of(channel);
  Port& port = ports_[place(link)];
  if (std::exchange(port.looks, true)) return;
  // An adapter's chunks come one after the other, each when the one before has left: it is at once
  // that they are sent, but for one that had to wait.
  const bool at_once = from_hosts_[place(link)] != 0 && chunk.want == kNone;
  push(at_once ? now_ : now_ + kFirstLook_ps + draw(random_, kFirstLookSpread_ps), Kind::look,
       link);
}

/// A port sends the first chunk of its highest channel, if it has one.
void CodesRouters::look(std::int32_t link) {
  const std::int32_t none = channel_of(Choice{link, 0}) - 1;
  std::int32_t channel = none + vcs_;
  const auto skip_empty = [&] {
    while (channel != none && channels_[place(channel)].ready.empty()) --channel;
    return channel != none;
  };
  Port& port = ports_[place(link)];
  WEFT_ASSERT(port.looks);
  if (skip_empty()) {
    const std::int32_t chunk = take_first(channels_[place(channel)].ready);
    const Time router_ps = from_hosts_[place(link)] != 0 ? 0 : options_.router_delay_ps;
    port.free_at = std::max(port.free_at, now_) + sending_ps(link) + router_ps;
    pass_on(chunk, channel, port.free_at);
  }
  port.looks = skip_empty();
  if (port.looks) push(now_ + sending_ps(link), Kind::look, link);
}

/// The chunk is on the link until `end`, the latency apart.
void CodesRouters::pass_on(std::int32_t index, std::int32_t channel, Time end) {
  PacketState& chunk = packets_[index];
  packet::Link& out = wiring_.links[place(link_of(channel))];
  const packet::LinkKind& of_link = wiring_.kind(out);
  out.bytes += chunk.bytes;
  ++packet_hops_;
  crossed(chunk, of_link, chunk.bytes, true);
  if (chunk.link == kNone) left_sender(chunk.message, end);
  if (chunk.link != kNone || !(chunk.flags & kFromLeaf)) ++chunk.routers;
  const Choice choice = choice_of(channel);
  chunk.link = choice.link;
  chunk.vc = static_cast<std::uint8_t>(choice.vc);
  chunk.node = out.head;
  chunk.want = kNone;
  const Time there = end + of_link.latency_ps;
  if (chunk.node != chunk.destination) return push(there, Kind::route, index);
  give_back(channel, there);
  const Time notice = chunk.flags & kEnd ? notices_ps_[place(chunk.link)] : 0;
  receive(chunk, there + options_.adapter_delay_ps, kLookahead_ps + notice);
  packets_.give_back(index);
}

/// A place in the channel is free from `freed` on; its port knows later.
void CodesRouters::give_back(std::int32_t channel, Time freed) {
  const std::int32_t link = link_of(channel);
  push(freed + kLookahead_ps + draw(random_, kJitter_ps) + wiring_.credits_ps[place(link)],
       Kind::credit, channel);
}

void CodesRouters::take_credit(std::int32_t channel) {
  Channel& c = channels_[place(channel)];
  packet::Link& link = wiring_.links[place(link_of(channel))];
  c.taken_B -= chunk_B();
  link.waiting_ps -= wiring_.kind(link).unit_ps;
  if (!c.waiting.empty()) join(take_first(c.waiting), channel);
}

bool CodesRouters::has_room(std::int32_t channel) const {
  const Channel& c = channels_[place(channel)];
  return c.waiting.empty() && c.taken_B + chunk_B() <= wiring_.buffers_B[place(link_of(channel))];
}

Time CodesRouters::sending_ps(std::int32_t link) {
  return kLookahead_ps + draw(random_, kJitter_ps) + kind(link).unit_ps;
}

std::int32_t CodesRouters::take_first(Queue& queue) {
  const std::int32_t index = queue.first;
  queue.first = std::exchange(packets_[index].next, kNone);
  return index;
}

/// What the links have sent and what waits for them.
void CodesRouters::sample(Time time) {
  for (std::size_t l = 0; l < wiring_.links.size(); ++l) {
    const auto buffer_B = static_cast<double>(wiring_.buffers_B[l]);
    packet::TimeSeries::Buffers buffers;
    for (std::size_t c = l << vc_bits_; c < (l + 1) << vc_bits_; ++c) {
      buffers.bytes += channels_[c].taken_B;
      buffers.fullest =
          std::max(buffers.fullest, static_cast<double>(channels_[c].taken_B) / buffer_B);
    }
    packet::Link link = wiring_.links[l];
    link.free_at = ports_[l].free_at;
    link.waiting_ps = std::max<Time>(0, link.waiting_ps - std::max<Time>(0, link.free_at - time));
    series_.add(link, buffers, time);
  }
  series_.close(time, packets_.in_use());
}

std::int64_t CodesRouters::routers_memory_B() const {
  return static_cast<std::int64_t>(channels_.capacity() * sizeof(Channel) +
                                   wiring_.links.capacity() *
                                       (sizeof(packet::Link) + sizeof(Port)));
}

std::unique_ptr<PacketEngine> make_engine(const Fabric& fabric, PacketOptions options) {
  options.packet_B = std::min(options.packet_B, kChunk_B);
  LinkWiring wiring(fabric, options);
  for (std::size_t l = 0; l < wiring.links.size(); ++l) {
    const Time credit_ps =
        wiring.credits_ps[l] +
        packet::serialisation_ps(kCredit_B, wiring.kind(wiring.links[l]).bandwidth_Bps);
    require(credit_ps < Time{1} << 31,
            "a credit takes {} with its {} bytes on the link, which is too long (must be below "
            "2.147ms)",
            format_time(credit_ps), kCredit_B);
    wiring.credits_ps[l] = static_cast<std::int32_t>(credit_ps);
  }
  std::unique_ptr<HopRouting> routing;
  if (!options.routing.empty())
    routing =
        network::make_hop_routing(options.routing, {wiring, fabric, options.seed, options.vcs});
  const int channels =
      routing != nullptr ? routing->vcs() : packet::channels_of_paths(wiring, options.vcs);
  return std::make_unique<CodesRouters>(std::move(wiring), options, channels, std::move(routing));
}

}  // namespace weft::simulation::codes
