// Shortest paths from a table, on any network.
//
// A packet climbs one virtual channel with each link, so that as many are needed as the network's
// longest shortest path has links.
#include "weft/simulation/packet/output_buffered/engine_maker.hpp"
#include "weft/simulation/packet/routing/shortest_table.hpp"

namespace weft::simulation::packet {

namespace {

struct Shortest : ByHops {
  explicit Shortest(const RoutingContext& context) : table(context.wiring, "shortest-table") {}

  int vcs() const { return table.longest(); }
  Choice choose(PacketState& packet, const QueueView&) const {
    return {table.next(packet.node, packet.router), packet.routers};
  }

  ShortestTable table;
};

}  // namespace

WEFT_PACKET_ENGINE(make_shortest_engine, Shortest)

}  // namespace weft::simulation::packet
