#include "support/judges/circling_engine.hpp"

#include "weft/simulation/packet/output_buffered/engine_maker.hpp"

namespace weft::simulation::packet {

namespace {

struct Circling : ByHops {
  explicit Circling(const RoutingContext&) {}
  int vcs() const { return 1; }
  Choice choose(PacketState& packet, const QueueView&) const { return {packet.node, 0}; }
};

}  // namespace

WEFT_PACKET_ENGINE(make_circling_engine, Circling)

}  // namespace weft::simulation::packet
