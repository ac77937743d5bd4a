// By path: each message brings its links, from the network's own routing or its schedule. A packet
// climbs one virtual channel with each link between routers, which is free of deadlock on any
// network; as many channels as the longest shortest path has links are made unless told otherwise.
// Where that is too many, or fewer are asked for, path_order.hpp says when a packet takes the next.
#include "weft/simulation/packet/output_buffered/engine_maker.hpp"
#include "weft/simulation/packet/routing/distances.hpp"

namespace weft::simulation::packet {

namespace {

struct ByPath : ByHops {
  static constexpr bool kNeedsPaths = true;
  int channels = 1;

  int vcs() const { return channels; }
  Choice choose(PacketState&, const QueueView&) const { return {kNone, 0}; }
};

ByPath make(const RoutingContext& context) {
  // More or fewer are fine: a path that needs more of them is refused when it comes.
  constexpr int kMost = 255, kOfLongPaths = 16;
  ByPath routing;
  routing.channels = context.vcs;
  if (routing.channels > 0) return routing;
  const int longest = longest_shortest_path(context.wiring);
  routing.channels = longest > kMost ? kOfLongPaths : longest;
  return routing;
}

}  // namespace

WEFT_PACKET_ENGINE(make_path_engine, make)

}  // namespace weft::simulation::packet
