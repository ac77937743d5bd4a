#include "weft/evaluate/flow_factor.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/topology/cayley_view.hpp"

namespace weft::evaluate {

flow::Throughput quick_throughput(const Network& network) {
  std::vector<std::int64_t> capacity;
  for (const LinkId link : network.topology().links())
    capacity.push_back(network.fabric().bandwidth_Bps(link));
  flow::ThroughputOptions options{.method = flow::ThroughputMethod::approximate,
                                  .places = network.placement().nodes};
  if (topology::as_cayley(network.topology())) options.method = flow::ThroughputMethod::automatic;
  return flow::all_to_all_throughput(network.topology(), capacity, options);
}

std::optional<double> least_flow_factor(const Collective& collective, const Network& network) {
  const algorithm::Algorithm& flow = algorithm::made_by(algorithm::Making::optimal_paths);
  if (network.ranks() > kMostRanksOfThroughput ||
      algorithm::misfit(flow, {collective, &network, {}}))
    return std::nullopt;
  try {
    return flow::factor_at_one(network.fabric(), network.ranks()).to_double() /
           quick_throughput(network).upper_bound;
  } catch (const InvalidInput&) {  // all ranks share a host
    return std::nullopt;
  }
}

double least_flow_s(double bandwidth_factor, const Collective& collective, const Network& network,
                    std::int64_t size_B) {
  WEFT_ASSERT(network.topology().link_count() > 0);
  const HostParameters& host = network.host();
  std::int64_t latency_ps = std::numeric_limits<std::int64_t>::max();
  for (const LinkId link : network.topology().links())
    latency_ps = std::min(latency_ps, network.fabric().latency_ps(link));
  const auto seconds = [&](std::int64_t startups) {
    return static_cast<double>(startups * host.send_ps() + latency_ps) * kSecondsPerPicosecond;
  };
  const std::int64_t elsewhere = network.ranks() - network.placement().most_on_a_host();
  return std::max(seconds(1) + time_of_factor_s(bandwidth_factor, collective, network, size_B),
                  seconds(host.startup_per == network::StartupPer::message ? elsewhere : 1));
}

}  // namespace weft::evaluate
