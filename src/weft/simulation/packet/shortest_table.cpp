#include "weft/simulation/packet/shortest_table.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/simulation/packet/distances.hpp"

namespace weft::simulation::packet {

ShortestTable::ShortestTable(const Wiring& wiring, const char* routing) {
  std::vector<std::int32_t> routers;
  for (std::int32_t node = 0; node < wiring.node_count(); ++node) {
    const bool leaf = wiring.leaves[place(node)].up != kNone;
    row_of_.push_back(leaf ? kNone : static_cast<std::int32_t>(routers.size()));
    if (!leaf) routers.push_back(node);
  }
  rows_ = routers.size();
  std::vector<std::int32_t> next;
  for (const std::int32_t target : routers) {
    longest_ = std::max(longest_, search_towards(wiring, target, next));
    for (const std::int32_t node : routers) {
      require(next[place(node)] != kNone || node == target || !wiring.topology.has_switches() ||
                  wiring.topology.is_host(NodeId(target)) || wiring.topology.is_host(NodeId(node)),
              "node {} cannot be reached from node {}; routing {} needs a connected network",
              target, node, routing);
      links_.push_back(next[place(node)]);
    }
  }
}

}  // namespace weft::simulation::packet
