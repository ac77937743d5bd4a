#include "support/judges/channel_dependencies.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/simulation/packet/engine/link_wiring.hpp"

namespace weft::simulation {

namespace {

using namespace packet;  // what a routing is

class Walks {
 public:
  Walks(const Fabric& fabric, const PacketOptions& options)
      : wiring_(fabric, options), random_(options.seed) {}

  const LinkWiring& wiring() const { return wiring_; }
  ChannelDependencies find(HopRouting& routing, int rounds);

 private:
  void walk(HopRouting& routing, std::int32_t from, std::int32_t to);
  void draw_queues(int round);
  void wait(const HopRouting& routing, const std::vector<std::int32_t>& held, std::int32_t asked);
  QueueView queues() const { return {wiring_.links, 0, &room_}; }
  bool acyclic() const;

  // Channels with room for a packet.
  struct Free final : network::Room {
    static constexpr int kMost = 16;  // channels of a link
    bool has_room(std::int32_t link, std::int32_t vc) const override {
      return free[place(link * kMost + vc)] != 0;
    }
    std::vector<char> free;
  };

  LinkWiring wiring_;
  Rng random_;
  Free room_;
  ChannelDependencies found_;
  std::set<std::pair<std::int32_t, std::int32_t>> pairs_;  // channel held, channel asked for
  std::set<std::int32_t> used_;                            // of the links
  std::int64_t links_ = 0, walks_ = 0;
};

ChannelDependencies Walks::find(HopRouting& routing, int rounds) {
  found_.vcs = routing.vcs();
  WEFT_ASSERT(found_.vcs <= Free::kMost);
  room_.free.resize(wiring_.links.size() * Free::kMost);
  for (int round = 0; round < rounds; ++round) {
    draw_queues(round);
    for (const NodeId from : wiring_.topology.hosts())
      for (const NodeId to : wiring_.topology.hosts())
        if (wiring_.router[from.index()] != wiring_.router[to.index()])
          walk(routing, from.value(), to.value());
  }
  found_.acyclic = acyclic();
  found_.pairs = pairs_.size();
  found_.channels_used = static_cast<int>(used_.size());
  found_.mean_links = static_cast<double>(links_) / static_cast<double>(walks_);
  return found_;
}

void Walks::draw_queues(int round) {
  for (Link& link : wiring_.links)
    link.waiting_ps = round > 0 && random_.below(2) == 0 ? 1 + random_.below(1'000'000) : 0;
  for (char& free : room_.free) free = round > 0 && random_.below(2) == 0 ? 0 : 1;
}

/// A packet that passed channels, whose buffers its tail may still hold, asks for another.
void Walks::wait(const HopRouting& routing, const std::vector<std::int32_t>& held,
                 std::int32_t asked) {
  if (held.empty()) return;
  if (!routing.looks_for_room()) {
    pairs_.insert({held.back(), asked});
    return;
  }
  if (queues().has_room(asked / found_.vcs, asked % found_.vcs)) return;
  for (const std::int32_t channel : held) pairs_.insert({channel, asked});
}

void Walks::walk(HopRouting& routing, std::int32_t from, std::int32_t to) {
  PacketState packet;
  packet.source = from;
  packet.destination = to;
  packet.node = wiring_.router[place(from)];
  packet.router = wiring_.router[place(to)];
  packet.coin =
      static_cast<std::uint8_t>(Rng(1).split(static_cast<std::uint64_t>(walks_)).next() >> 56);
  ++walks_;
  std::vector<std::int32_t> held;
  for (; packet.node != packet.router; ++packet.routers) {
    const Choice choice = routing.choose(packet, queues());
    if (choice.vc < 0 || choice.vc >= found_.vcs || packet.routers > wiring_.node_count() ||
        wiring_.topology.tail(LinkId(choice.link)).value() != packet.node) {
      found_.fault = fmt::format("packet {} to {} at node {}: link {}, channel {}", from, to,
                                 packet.node, choice.link, choice.vc);
      return;
    }
    const std::int32_t asked = choice.link * found_.vcs + choice.vc;
    wait(routing, held, asked);
    used_.insert(choice.vc);
    held.push_back(asked);
    packet.node = wiring_.links[place(choice.link)].head;
    ++links_;
  }
}

/// Takes away channels that are asked for with none held, until none is left or all that are left
/// wait for each other.
bool Walks::acyclic() const {
  std::vector<std::vector<std::int32_t>> next(wiring_.links.size() * place(found_.vcs));
  std::vector<int> holders(next.size(), 0);
  for (const auto& [held, asked] : pairs_) {
    next[place(held)].push_back(asked);
    ++holders[place(asked)];
  }
  std::vector<std::int32_t> free;
  for (std::size_t c = 0; c < holders.size(); ++c)
    if (holders[c] == 0) free.push_back(static_cast<std::int32_t>(c));
  std::size_t taken = 0;
  for (; !free.empty(); ++taken) {
    const std::int32_t channel = free.back();
    free.pop_back();
    for (const std::int32_t asked : next[place(channel)])
      if (--holders[place(asked)] == 0) free.push_back(asked);
  }
  return taken == next.size();
}

/// Link i leaves node i.
class OneChannel final : public HopRouting {
 public:
  int vcs() const override { return 1; }
  bool looks_for_room() const override { return false; }
  Choice choose(PacketState& packet, const QueueView&) override { return {packet.node, 0}; }
};

}  // namespace

ChannelDependencies find_channel_dependencies(const Fabric& fabric, const PacketOptions& options,
                                              int rounds) {
  Walks walks(fabric, options);
  return walks.find(
      *network::make_hop_routing(options.routing, {walks.wiring(), fabric, options.seed}), rounds);
}

ChannelDependencies one_channel_round_a_ring(const Fabric& ring) {
  OneChannel routing;
  return Walks(ring, {}).find(routing, 1);
}

}  // namespace weft::simulation
