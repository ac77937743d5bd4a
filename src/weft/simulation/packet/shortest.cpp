// Shortest paths from a table, on any network: the out-link of every router towards every other.
//
// A packet climbs one virtual channel with each link, so that as many are needed as the network's
// longest shortest path has links. The table has routers^2 entries of 4 bytes.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/simulation/packet/distances.hpp"
#include "weft/simulation/packet/engine_maker.hpp"

namespace weft::simulation::packet {

namespace {

struct ShortestTable : ByHops {
  std::vector<std::int32_t> row_of;  // by node: its place in the table, kNone for leaves
  std::vector<std::int32_t> links;   // by target's row, then by router's row
  std::size_t rows = 0;
  int longest = 1;

  int vcs() const { return longest; }
  Choice choose(PacketState& packet, const QueueView&) const {
    const std::size_t row = place(row_of[place(packet.router)]);
    return {links[row * rows + place(row_of[place(packet.node)])], packet.routers};
  }
};

ShortestTable make(const RoutingContext& context) {
  const Wiring& wiring = context.wiring;
  ShortestTable table;
  std::vector<std::int32_t> routers;
  for (std::int32_t node = 0; node < wiring.node_count(); ++node) {
    const bool leaf = wiring.leaves[place(node)].up != kNone;
    table.row_of.push_back(leaf ? kNone : static_cast<std::int32_t>(routers.size()));
    if (!leaf) routers.push_back(node);
  }
  table.rows = routers.size();
  std::vector<std::int32_t> next;
  for (const std::int32_t target : routers) {
    table.longest = std::max(table.longest, search_towards(wiring, target, next));
    for (const std::int32_t node : routers) {
      require(next[place(node)] != kNone || node == target || !wiring.topology.has_switches() ||
                  wiring.topology.is_host(NodeId(target)) || wiring.topology.is_host(NodeId(node)),
              "node {} cannot be reached from node {}; routing shortest-table needs a connected "
              "network",
              target, node);
      table.links.push_back(next[place(node)]);
    }
  }
  return table;
}

}  // namespace

WEFT_PACKET_ENGINE(make_shortest_engine, make)

}  // namespace weft::simulation::packet
