#include "weft/experiment/order_time.hpp"

#include "weft/algorithm/tree.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::experiment {

OrderTimer::OrderTimer(const Network& network, std::int32_t ranks, std::int64_t size_B,
                       const SimulationOptions& options)
    : network_(network),
      ranks_(ranks),
      program_(
          lower(schedule::verify_own(algorithm::binomial_broadcast(ranks)), {.size_B = size_B})),
      options_(options) {}

double OrderTimer::time_s(std::span<const std::int32_t> order) const {
  const auto hosts = network_.topology().hosts();
  Placement placement;
  for (const std::int32_t host : order.first(static_cast<std::size_t>(ranks_)))
    placement.nodes.push_back(hosts[static_cast<std::size_t>(host)]);
  const std::shared_ptr<const network::Routing> routing(std::shared_ptr<const void>(),
                                                        &network_.routing());
  const Network placed(network_.fabric(), std::move(placement), network_.host(), routing);
  return simulate(program_, placed, options_).time_s;
}

}  // namespace weft::experiment
