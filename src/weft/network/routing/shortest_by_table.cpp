// Shortest paths from a table, on any network.
//
// A packet climbs one virtual channel with each link, so that as many are needed as the network's
// longest shortest path has links.
#include "weft/network/routing/entries.hpp"
#include "weft/network/routing/shortest_table.hpp"

namespace weft::network {

namespace {

class ShortestTableHops final : public HopRouting {
 public:
  explicit ShortestTableHops(const HopContext& context)
      : table_(context.wiring, "shortest-table") {}

  int vcs() const override { return table_.longest(); }
  Choice choose(PacketState& packet, const QueueView& /*queues*/) override {
    return {table_.next(packet.node, packet.router), packet.routers};
  }

 private:
  ShortestTable table_;
};

}  // namespace

RoutingEntry shortest_table_entry() {
  return {.info = {.name = "shortest-table",
                   .summary = "Shortest paths from a table, with a virtual channel for each hop",
                   .fits = "any",
                   .hops = HopFace{.channels = "links between routers of the longest shortest path",
                                   .deadlock = "a packet's channel rises with each link"}},
          .hops = [](const HopContext& context) -> std::unique_ptr<HopRouting> {
            return std::make_unique<ShortestTableHops>(context);
          }};
}

}  // namespace weft::network
