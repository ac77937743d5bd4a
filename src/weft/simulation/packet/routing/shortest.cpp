// Shortest paths from a table, on any network.
//
// A packet climbs one virtual channel with each link, so that as many are needed as the network's
// longest shortest path has links.
#include "weft/simulation/packet/output_buffered/engine_maker.hpp"
#include "weft/simulation/packet/routing/shortest_table.hpp"

namespace weft::simulation::packet {

namespace {

struct Shortest : ByHops {
  explicit Shortest(const Wiring& wiring) : table(wiring, "shortest-table") {}

  int vcs() const { return table.longest(); }
  Choice choose(PacketState& packet, const QueueView&) const {
    return {table.next(packet.node, packet.router), packet.routers};
  }

  ShortestTable table;
};

Shortest make(const RoutingContext& context) {
  return Shortest(context.wiring);
}

}  // namespace

WEFT_PACKET_ENGINE(make_shortest_engine, make)

}  // namespace weft::simulation::packet
