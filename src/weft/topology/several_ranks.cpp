#include "weft/topology/several_ranks.hpp"

#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::topology {

Placement several_on_each(const Placement& one, std::int32_t per_host) {
  require(per_host >= 1, "invalid number of ranks on each host: {} (expected at least 1)",
          per_host);
  const std::vector<std::int32_t> of_each(one.nodes.size(), per_host);
  return several_on_each(one, of_each);
}

Placement several_on_each(const Placement& one, std::span<const std::int32_t> per_host) {
  constexpr std::int64_t kMostRanks = 1 << 20;
  require(per_host.size() == one.nodes.size(),
          "{} numbers of ranks are given for {}; give one number for all hosts, or one for "
          "each host",
          per_host.size(), counted(std::ssize(one.nodes), "host"));
  std::int64_t ranks = 0;
  for (const std::int32_t here : per_host) {
    require(here >= 1, "invalid number of ranks on a host: {} (expected at least 1)", here);
    ranks += here;
  }
  require(ranks <= kMostRanks, "{} ranks on {} exceed the limit of {}; give fewer", ranks,
          counted(std::ssize(one.nodes), "host"), kMostRanks);
  Placement placement;
  for (std::size_t i = 0; i < per_host.size(); ++i)
    placement.nodes.insert(placement.nodes.end(), static_cast<std::size_t>(per_host[i]),
                           one.nodes[i]);
  return placement;
}

}  // namespace weft::topology
