#include "weft/simulation/packet/input_queued/input_queued.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/simulation/packet/engine/deadlock.hpp"

namespace weft::simulation::input_queued {

using packet::place;

InputQueued::ByMessage::ByMessage(const PacketRoutingPlan& plan, InputQueued& engine)
    : HopChoice(plan, engine.setup_.wiring, engine.options_.seed),
      engine_(engine),
      cut_through_(engine.options_.switching == Switching::cut_through),
      all_(channel_mask(0, engine.setup_.router.channels)) {}

/// Of a host with several adapters each way in leads to one of its own.
Route InputQueued::ByMessage::route(std::int32_t router, Packet& packet, Rng& /*rng*/,
                                    const RouterState& now) {
  if (router == packet.target_router) {
    const std::int32_t first = wiring_.first_adapter[packet.target_host];
    const std::int32_t count =
        wiring_.first_adapter[static_cast<std::size_t>(packet.target_host) + 1] - first;
    const std::int32_t way_in = now.input - wiring_.first_in[router];
    return {wiring_.adapter_outputs[first + way_in % count], all_};
  }
  PacketState& state = engine_.packets_[packet.path];
  if (!(state.flags & kByPath)) return choose(router, packet, state, now);
  state.routers = static_cast<std::uint16_t>(packet.hops - 1);
  const packet::Choice next = engine_.next_of_path(state);
  return {wiring_.port(LinkId(next.link)), mask(next.vc)};
}

InputQueued::InputQueued(const Fabric& fabric, packet::LinkWiring links,
                         const PacketOptions& options, Setup setup)
    : MessageEngine(std::move(links), options, setup.path_classes, options.routing.empty()),
      setup_(std::move(setup)),
      plan_(fabric, setup_.wiring, options.routing, setup_.router, setup_.room_flits,
            setup_.path_classes, setup_.flit_ps),
      routing_(plan_, *this),
      watcher_{*this},
      routers_(setup_.wiring, setup_.router, routing_, watcher_, options.seed),
      host_of_node_(wiring_.router.size(), kNone),
      turns_(setup_.wiring.hosts()) {
  for (std::int32_t h = 0; h < setup_.wiring.hosts(); ++h) {
    host_of_node_[setup_.wiring.host_nodes[h].index()] = h;
    const auto next = static_cast<std::size_t>(h) + 1;
    host_of_adapter_.resize(place(setup_.wiring.first_adapter[next]), h);
  }
}

Time InputQueued::time_of(std::int64_t cycle) const {
  return std::llround(static_cast<double>(cycle) * setup_.period_ps);
}

/// The first cycle that is not before the time.
std::int64_t InputQueued::cycle_from(Time time) const {
  auto cycle = static_cast<std::int64_t>(static_cast<double>(time) / setup_.period_ps);
  while (time_of(cycle) < time) ++cycle;
  return cycle;
}

void InputQueued::run() {
  for (PacketSource* source : sources_) source->begin();
  while (!stopped_) {
    if (routers_.inside() == 0) {
      const packet::Event* next = wheel_.front();
      if (next == nullptr) break;
      routers_.skip_to(std::max(routers_.now(), cycle_from(next->time)));
    }
    const Time time = time_of(routers_.now());
    handle_until(time);
    if (stopped_ || routers_.inside() == 0) continue;
    sample_until(time);
    now_ = time;
    count_event();
    routers_.step();
    if (routers_.is_stuck()) packet::report_deadlock(wiring_, vc_bits_, packets_.in_use(), {});
  }
  if (!stopped_) check_end();
  series_.end(now_, [this](Time time) { sample(time); });
}

/// What happens at hosts up to a cycle.
void InputQueued::handle_until(Time time) {
  for (const packet::Event* next = wheel_.front();
       next != nullptr && next->time <= time && !stopped_; next = wheel_.front()) {
    packet::Event event;
    wheel_.pop(event);
    sample_until(event.time);
    now_ = event.time;
    count_event();
    handle(event);
  }
}

void InputQueued::count_event() {
  constexpr std::int64_t kBeatOfCycles = 1 << 12;
  if (++events_ % kBeatOfCycles == 0 && beat_) beat_();
}

void InputQueued::take_turn(std::int32_t message) {
  packet::check_clock(now_);
  const std::int32_t index = packets_.take();
  const packet::Message& m = messages_[message];
  packets_[index] =
      packet_of(message, static_cast<std::int32_t>(std::min(m.to_inject, options_.packet_B)));
  packets_[index].coin = coin_of(m);
  const std::int32_t host = host_of_node_[place(m.from)];
  turns_[place(host)].push_back(index);
  serve(host);
}

/// Idle adapters take the packets that have waited longest.
void InputQueued::serve(std::int32_t host) {
  const PortWiring& wiring = setup_.wiring;
  std::deque<std::int32_t>& waiting = turns_[place(host)];
  const std::int32_t end = wiring.first_adapter[static_cast<std::size_t>(host) + 1];
  for (std::int32_t a = wiring.first_adapter[host]; a < end && !waiting.empty(); ++a) {
    if (!routers_.idle(a)) continue;
    const PacketState& state = packets_[waiting.front()];
    Packet packet;
    packet.path = waiting.front();
    packet.source_host = host;
    packet.target_host = host_of_node_[place(state.destination)];
    packet.target_router = wiring.host_routers[packet.target_host];
    const std::int64_t flits = (state.bytes + options_.flit_B - 1) / options_.flit_B;
    routers_.send(a, packet, static_cast<int>(flits));
    waiting.pop_front();
  }
}

void InputQueued::enter(std::int32_t adapter, const Packet& packet, const Flit& flit) {
  if (setup_.adapter_links[adapter] != kNone) count(setup_.adapter_links[adapter], packet, flit);
}

/// Its cable has sent the tail, to a cycle, after the period of a flit.
void InputQueued::leave(std::int32_t adapter, const Packet& packet) {
  const std::int32_t input = setup_.wiring.adapter_inputs[adapter];
  const auto cycles = static_cast<std::int64_t>(setup_.wiring.inputs[input].period);
  left_sender(packets_[packet.path].message, time_of(routers_.now() + cycles));
  serve(host_of_adapter_[adapter]);
}

void InputQueued::cross(std::int32_t output, const Packet& packet, const Flit& flit) {
  if (setup_.output_links[output] != kNone) count(setup_.output_links[output], packet, flit);
}

void InputQueued::count(std::int32_t link, const Packet& packet, const Flit& flit) {
  const PacketState& state = packets_[packet.path];
  const auto flit_B = static_cast<std::int32_t>(options_.flit_B);
  const std::int32_t bytes = flit.tail ? state.bytes - (packet.flits - 1) * flit_B : flit_B;
  wiring_.links[place(link)].bytes += bytes;
  ++packet_hops_;
  crossed(state, wiring_.kind(wiring_.links[place(link)]), bytes, flit.head);
}

/// The tail leaves the network in that cycle. A host inside of its router passes no router more.
void InputQueued::deliver(const Packet& packet, std::int64_t cycle) {
  const std::int32_t index = packet.path;
  PacketState& state = packets_[index];
  state.routers = static_cast<std::uint16_t>(packet.hops - (is_leaf(state.destination) ? 0 : 1));
  receive(state, time_of(cycle) + options_.adapter_delay_ps);
  packets_.give_back(index);
}

template <class Visit>
void InputQueued::for_each_channel(Visit&& visit) const {
  for (int c = 0; c < setup_.router.channels; ++c) {
    for (std::size_t o = 0; o < setup_.output_links.size(); ++o)
      if (const std::int32_t link = setup_.output_links[o]; link != kNone)
        visit(place(link), routers_.taken(static_cast<std::int32_t>(o), c));
    for (std::size_t a = 0; a < setup_.adapter_links.size(); ++a)
      if (const std::int32_t link = setup_.adapter_links[a]; link != kNone)
        visit(place(link), routers_.taken_from_adapter(static_cast<std::int32_t>(a), c));
  }
}

void InputQueued::sample_until(Time time) {
  while (series_.next() <= time) sample(series_.next());
}

/// Flits behind the front of a channel are counted for the output that the front waits for.
void InputQueued::sample(Time time) {
  std::vector<packet::TimeSeries::Buffers> buffers(wiring_.links.size());
  for_each_channel([&](std::size_t link, const auto& taken) {
    buffers[link].bytes += taken.now * options_.flit_B;
    buffers[link].fullest = std::max(
        buffers[link].fullest, static_cast<double>(taken.now) / static_cast<double>(taken.of));
  });
  std::vector<Time> waiting_ps(wiring_.links.size());
  routers_.for_each_waiting([&](std::int32_t output, int flits) {
    if (const std::int32_t link = setup_.output_links[output]; link != kNone)
      waiting_ps[place(link)] += flits * setup_.flit_ps[place(link)];
  });
  for (std::size_t l = 0; l < wiring_.links.size(); ++l) {
    packet::Link link = wiring_.links[l];
    link.free_at = time;
    link.waiting_ps = waiting_ps[l];
    series_.add(link, buffers[l], time);
  }
  series_.close(time, packets_.in_use());
}

/// All is delivered and all credits come home.
void InputQueued::check_end() {
  WEFT_ASSERT(packets_.in_use() == 0 && messages_.in_use() == 0);
  routers_.skip_to(routers_.now() + routers_.longest_wait());
  for_each_channel(
      [](std::size_t, [[maybe_unused]] const auto& taken) { WEFT_ASSERT(taken.now == 0); });
}

std::vector<std::int64_t> InputQueued::link_peaks_B() const {
  std::vector<std::int64_t> peaks(wiring_.links.size());
  for_each_channel([&](std::size_t link, const auto& taken) {
    peaks[link] = std::max(peaks[link], taken.most * options_.flit_B);
  });
  return peaks;
}

std::unique_ptr<PacketEngine> make_engine(const Fabric& fabric, const PacketOptions& options) {
  packet::LinkWiring links(fabric, options);
  Setup setup(fabric, links, options);
  return std::make_unique<InputQueued>(fabric, std::move(links), options, std::move(setup));
}

}  // namespace weft::simulation::input_queued
