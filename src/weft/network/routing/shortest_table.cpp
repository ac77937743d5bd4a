#include "weft/network/routing/shortest_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/memory.hpp"
#include "weft/network/routing/distances.hpp"

namespace weft::network {

void check_table(std::size_t routers, std::size_t entry_B, std::string_view routing) {
  constexpr std::size_t kMost = 65'536;
  constexpr const char* kInstead =
      "choose another routing: dimension-order on grids, or shortest, which follows paths";
  require(routers <= kMost, "routing {0} needs a table of {1} x {1} routers (at most {2}); {3}",
          routing, routers, kMost, kInstead);
  const auto entries = static_cast<double>(routers) * static_cast<double>(routers);
  require_memory(entries * static_cast<double>(entry_B),
                 fmt::format("routing {}'s {:.0f} ways from router to router", routing, entries),
                 kInstead);
}

ShortestTable::ShortestTable(const Wiring& wiring, std::string_view routing) {
  std::vector<std::int32_t> routers;
  for (std::int32_t node = 0; node < wiring.node_count(); ++node) {
    const bool leaf = wiring.leaves[place(node)].up != kNone;
    row_of_.push_back(leaf ? kNone : static_cast<std::int32_t>(routers.size()));
    if (!leaf) routers.push_back(node);
  }
  rows_ = routers.size();
  check_table(rows_, sizeof(std::int32_t), routing);
  links_.reserve(rows_ * rows_);
  std::vector<std::int32_t> next;
  for (const std::int32_t target : routers) {
    longest_ = std::max(longest_, search_towards(wiring, target, next));
    for (const std::int32_t node : routers) {
      require(next[place(node)] != kNone || node == target || !wiring.topology.has_switches() ||
                  wiring.topology.is_host(NodeId(target)) || wiring.topology.is_host(NodeId(node)),
              "node {} cannot be reached from node {} (packets pass through no host); routing {} "
              "needs a connected network, or use --model fluid",
              target, node, routing);
      links_.push_back(next[place(node)]);
    }
  }
}

}  // namespace weft::network
