// By path: each message brings its links, from the network's own routing or its schedule. A packet
// climbs one virtual channel with each link between routers, which is free of deadlock on any
// network; as many channels as the longest shortest path has links are made unless told otherwise.
// Where that is too many, or fewer are asked for, path_order.hpp says when a packet takes the next.
#include "weft/simulation/packet/output_buffered/engine_maker.hpp"
#include "weft/simulation/packet/routing/distances.hpp"

namespace weft::simulation::packet {

namespace {

class ByPath : public ByHops {
 public:
  static constexpr bool kNeedsPaths = true;

  // More or fewer are fine: a path that needs more of them is refused when it comes.
  explicit ByPath(const RoutingContext& context) : channels_(context.vcs) {
    constexpr int kMost = 255, kOfLongPaths = 16;
    if (channels_ > 0) return;
    const int longest = longest_shortest_path(context.wiring);
    channels_ = longest > kMost ? kOfLongPaths : longest;
  }

  int vcs() const { return channels_; }
  Choice choose(PacketState&, const QueueView&) const { return {kNone, 0}; }

 private:
  int channels_;
};

}  // namespace

WEFT_PACKET_ENGINE(make_path_engine, ByPath)

}  // namespace weft::simulation::packet
