#include "weft/base/error.hpp"
#include "weft/simulation/models.hpp"

namespace weft::simulation {

namespace {

SimulationResult run_model(const Program& program, const Network& network,
                           const SimulationOptions& options) {
  switch (options.model) {
    case Model::alpha_beta:
      return simulate_alpha_beta(program, network, options);
    case Model::fluid:
      return simulate_fluid(program, network, options);
    case Model::packet:
    case Model::flit:
      break;
  }
  return simulate_packet(program, network, options);
}

}  // namespace

SimulationResult simulate(const Program& program, const Network& network,
                          const SimulationOptions& options) {
  SimulationResult result = run_model(program, network, options);
  if (result.time_s > 0) {
    result.algorithm_bandwidth_Bps = static_cast<double>(program.size_B()) / result.time_s;
    result.bus_bandwidth_Bps =
        result.algorithm_bandwidth_Bps * bus_factor(program.schedule().collective());
  }
  return result;
}

double SimulationResult::utilisation(LinkId link, const Network& network) const {
  WEFT_ASSERT(!link_bytes.empty());
  if (time_s == 0) return 0;
  return link_bytes[link.index()] /
         (time_s * static_cast<double>(network.fabric().bandwidth_Bps(link)));
}

double bus_factor(const Collective& collective) {
  const double n = collective.ranks;
  const double buffer = collective.size_is_block() ? n : 1;
  switch (collective.kind) {
    case CollectiveKind::allreduce:
      return 2 * (n - 1) / n;
    case CollectiveKind::allgather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::alltoall:
    case CollectiveKind::gather:
    case CollectiveKind::scatter:
      return buffer * (n - 1) / n;
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
    case CollectiveKind::point_to_point:
      break;
  }
  return 1;
}

}  // namespace weft::simulation
