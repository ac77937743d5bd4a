#include "weft/topology/several_ranks.hpp"

#include "weft/base/error.hpp"

namespace weft::topology {

Placement several_on_each(const Placement& one, std::int32_t per_host) {
  constexpr std::int64_t kMostRanks = 1 << 20;
  require(per_host >= 1, "{} ranks on each host are none; give 1 or more", per_host);
  require(std::int64_t{per_host} * one.ranks() <= kMostRanks,
          "{} ranks on each of {} hosts are more than {}; give less", per_host, one.ranks(),
          kMostRanks);
  Placement placement;
  for (const NodeId node : one.nodes)
    placement.nodes.insert(placement.nodes.end(), static_cast<std::size_t>(per_host), node);
  return placement;
}

}  // namespace weft::topology
