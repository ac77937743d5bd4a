#include "weft/network/host_costs.hpp"

#include <set>

namespace weft::network {

std::vector<std::int64_t> message_limits_B(const HostParameters& host) {
  std::set<std::int64_t> limits_B;
  if (host.rendezvous.time_ps > 0) limits_B.insert(host.rendezvous.from_B);
  if (host.eager_copies.bandwidth_Bps > 0) limits_B.insert(host.eager_copies.below_B);
  if (host.exchanges.bandwidth_Bps > 0) limits_B.insert(host.exchanges.from_B);
  return {limits_B.begin(), limits_B.end()};
}

}  // namespace weft::network
