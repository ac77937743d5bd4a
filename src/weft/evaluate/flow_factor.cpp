#include "weft/evaluate/flow_factor.hpp"

#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
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

}  // namespace weft::evaluate
