#include "weft/simulation/packet/engine/message_engine.hpp"

#include <bit>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"

namespace weft::simulation::packet {

MessageEngine::MessageEngine(LinkWiring wiring, const PacketOptions& options, int channels,
                             bool only_paths)
    : wiring_(std::move(wiring)),
      options_(options),
      vcs_(channels),
      vc_bits_(static_cast<int>(std::bit_width(static_cast<unsigned>(channels - 1)))),
      unit_B_(unit_B(options)),
      wheel_(wheel_shift(wiring_, options)),
      series_(wiring_, options.sample_interval_ps),
      adapters_(wiring_.leaves.size(), options),
      only_paths_(only_paths) {
  WEFT_ASSERT(channels >= 1 && unit_B_ > 0);
}

void MessageEngine::send(SourceId source, const PacketMessage& message) {
  WEFT_ASSERT(message.bytes > 0 && (message.from != message.to || is_leaf(message.from.value())));
  require(!message.path.empty() || !only_paths_,
          "a message has no path, because this routing goes by paths; choose a packet routing, "
          "such as shortest-table");
  check_size(message.bytes, unit_B_);
  check_delay(message.delay, "start-up of a message");
  const std::int32_t index = take_message(Message::make(source, message, now_));
  if (!message.path.empty()) {
    const std::int32_t path = paths_.take();
    messages_[index].path = path;
    paths_[path].clear();
    for (const LinkId link : message.path) paths_[path].push_back(link.value());
    give_channels(messages_[index]);
  }
  enqueue(index, source, message.lane);
}

std::int32_t MessageEngine::take_message(const Message& message) {
  const std::int32_t index = messages_.take();
  messages_[index] = message;
  return index;
}

/// The path's links become channels: the next one with each link between routers as long as there
/// are enough, else by the order of links, which a routing of packets beside might not keep.
void MessageEngine::give_channels(const Message& message) {
  std::vector<std::int32_t>& path = paths_[message.path];
  if (wiring_.topology.has_switches())
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      const NodeId node = wiring_.topology.head(LinkId(path[i]));
      require(wiring_.passing.passes(node, NodeId(message.from), NodeId(message.to)),
              "a path leads through node {}, a host, which does not forward packets (switches do "
              "not connect the ends of the message); choose --model fluid",
              node.value());
    }
  const std::size_t first = is_leaf(message.from) ? 1 : 0;
  const std::size_t last = path.size() - (is_leaf(message.to) ? 1 : 0);
  const auto links = static_cast<int>(last - std::min(first, last));
  require(links <= vcs_ || only_paths_,
          "a path of {} links between routers is too long for {} virtual channels (a packet "
          "uses one on each link); give --vcs {}",
          links, vcs_, links);
  if (links > vcs_ && !order_) order_.emplace(wiring_.topology);
  int vc = 0;
  std::int32_t before = kNone;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::int32_t link = std::exchange(path[i], 0);
    const bool between = i >= first && i < last;
    if (i > first && between) vc += links <= vcs_ || order_->falls(before, link) ? 1 : 0;
    path[i] = channel_of(Choice{link, between ? std::min(vc, vcs_ - 1) : 0});
    before = link;
  }
  require(vc < vcs_,
          "{} virtual channels are too few (a path of {} links between routers needs at least "
          "{} to be free of deadlock); give --vcs {}",
          vcs_, links, vc + 1, vc + 1);
}

/// It has its turn once it has passed its sender's adapter.
void MessageEngine::push_turn(std::int32_t message, Time not_before) {
  const Message& m = messages_[message];
  if (adapters_.hold()) return push(std::max(m.issued, not_before), Kind::enter, message);
  push(std::max(turn_of(m), not_before), Kind::turn, message);
}

/// In order: of a message that has not set out.
bool MessageEngine::may_leave(std::int32_t message) {
  const Time leaves = adapters_.leave(messages_[message].from, message, now_);
  if (leaves > now_) push(leaves, Kind::turn, message);
  return leaves == now_;
}

/// Gives the message its turn, after those before it in its lane.
void MessageEngine::enqueue(std::int32_t message, SourceId source, std::int32_t lane) {
  const Message& m = messages_[message];
  foresee(m);
  if (lane < 0) return push_turn(message, 0);
  auto& lanes = lanes_[place(source)];
  if (place(lane) >= lanes.size()) lanes.resize(place(lane) + 1);
  const std::int32_t last = std::exchange(lanes[place(lane)].last, message);
  if (last == kNone)
    push_turn(message, lanes[place(lane)].free_at);
  else
    messages_[last].next = message;
}

EngineStatistics MessageEngine::statistics() const {
  EngineStatistics s;
  s.events = events_;
  s.packet_hops = packet_hops_;
  s.peak_packets = packets_.peak();
  s.memory_B = packets_.memory_B() + messages_.memory_B() + paths_.memory_B() +
               static_cast<std::int64_t>(wheel_.memory_B()) + routers_memory_B();
  s.max_buffered_B.resize(wiring_.topology.class_names().size());
  const std::vector<std::int64_t> peaks = link_peaks_B();
  for (std::size_t l = 0; l < peaks.size(); ++l) {
    std::int64_t& most = s.max_buffered_B[place(wiring_.kind(wiring_.links[l]).link_class)];
    most = std::max(most, peaks[l]);
  }
  return s;
}

std::vector<std::int64_t> MessageEngine::link_bytes() const {
  std::vector<std::int64_t> bytes;
  for (const Link& link : wiring_.links) bytes.push_back(link.bytes);
  return bytes;
}

/// Its sender sends nothing else with that tag at that time.
std::uint8_t MessageEngine::coin_of(const Message& message) const {
  const auto ends =
      static_cast<std::uint64_t>(message.from) << 32 | static_cast<std::uint64_t>(message.to);
  const auto issued = static_cast<std::uint64_t>(message.issued);
  Rng rng = Rng(options_.seed).split(message.tag).split(issued).split(ends);
  return static_cast<std::uint8_t>(rng.next() >> 56);
}

void MessageEngine::end_injection(std::int32_t message) {
  const SourceId source = messages_[message].source;
  const std::uint64_t tag = messages_[message].tag;
  forget(message);
  sources_[place(source)]->injected(tag);
}

void MessageEngine::finish(std::int32_t message) {
  const Message& m = messages_[message];
  const SourceId source = m.source;
  const std::uint64_t tag = m.tag;
  const bool is_acknowledgement = m.is_acknowledgement;
  if (is_acknowledgement) {
    tallies_[place(source)].count_acknowledgement();
  } else {
    tallies_[place(source)].finished(now_ - m.issued);
    if (m.acknowledge && options_.injection == InjectionOrder::data_first) {
      sources_[place(source)]->delivered(tag);
      return push(now_, Kind::reply, message);
    }
    if (m.acknowledge) acknowledge(m);
  }
  forget(message);
  if (is_acknowledgement)
    sources_[place(source)]->acknowledged(tag);
  else
    sources_[place(source)]->delivered(tag);
}

/// What the message let its receiver send is with the adapter.
void MessageEngine::reply(std::int32_t message) {
  acknowledge(messages_[message]);
  forget(message);
}

/// Sends a short message back, by the same cables where the message had a path.
void MessageEngine::acknowledge(const Message& message) {
  const std::int32_t there = message.path;
  const std::int32_t index =
      take_message(message.acknowledgement(options_.acknowledgement_B, now_));
  if (there != kNone) {  // `message` may have moved
    const std::int32_t back = paths_.take();
    messages_[index].path = back;
    paths_[back].clear();
    for (auto channel = paths_[there].rbegin(); channel != paths_[there].rend(); ++channel) {
      const auto reverse = wiring_.topology.reverse(LinkId(link_of(*channel)));
      require(reverse.has_value(),
              "an acknowledgement cannot go back over a one-way link; use --release delivered");
      paths_[back].push_back(reverse->value());
    }
    give_channels(messages_[index]);
  }
  enqueue(index, messages_[index].source, -1);
}

}  // namespace weft::simulation::packet
