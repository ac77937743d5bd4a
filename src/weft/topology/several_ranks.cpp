#include "weft/topology/several_ranks.hpp"

#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::topology {

Placement several_on_each(const Placement& one, std::int32_t per_host) {
  require(per_host >= 1, "{} ranks on each host are none; give 1 or more", per_host);
  const std::vector<std::int32_t> of_each(one.nodes.size(), per_host);
  return several_on_each(one, of_each);
}

Placement several_on_each(const Placement& one, std::span<const std::int32_t> per_host) {
  constexpr std::int64_t kMostRanks = 1 << 20;
  require(per_host.size() == one.nodes.size(),
          "{} numbers of ranks are given for {}; give one for all hosts, or one for each",
          per_host.size(), counted(std::ssize(one.nodes), "host"));
  std::int64_t ranks = 0;
  for (const std::int32_t here : per_host) {
    require(here >= 1, "{} ranks on a host are none; give 1 or more", here);
    ranks += here;
  }
  require(ranks <= kMostRanks, "{} ranks on {} are more than {}; give less", ranks,
          counted(std::ssize(one.nodes), "host"), kMostRanks);
  Placement placement;
  for (std::size_t i = 0; i < per_host.size(); ++i)
    placement.nodes.insert(placement.nodes.end(), static_cast<std::size_t>(per_host[i]),
                           one.nodes[i]);
  return placement;
}

}  // namespace weft::topology
