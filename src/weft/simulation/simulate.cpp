#include <algorithm>

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
  const Job job{program, network};
  return std::move(simulate_packets(std::span(&job, 1), options).front());
}

void add_bandwidths(const Program& program, SimulationResult& result) {
  if (result.time_s <= 0) return;
  result.algorithm_bandwidth_Bps = static_cast<double>(program.size_B()) / result.time_s;
  result.bus_bandwidth_Bps =
      result.algorithm_bandwidth_Bps * bus_factor(program.schedule().collective());
}

}  // namespace

SimulationResult simulate(const Program& program, const Network& network,
                          const SimulationOptions& options) {
  require(options.background.traffic.empty() || by_packets(options.model),
          "the {} model has no background traffic; choose packet", name_of(options.model));
  SimulationResult result = run_model(program, network, options);
  add_bandwidths(program, result);
  result.run_s = result.time_s;
  return result;
}

std::vector<SimulationResult> simulate_together(std::span<const Job> jobs,
                                                const SimulationOptions& options) {
  require(by_packets(options.model),
          "the {} model runs one job at a time; choose packet for several", name_of(options.model));
  require(!jobs.empty(), "there is no job to simulate");
  std::vector<SimulationResult> results = simulate_packets(jobs, options);
  double run_s = 0;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    add_bandwidths(jobs[j].program, results[j]);
    run_s = std::max(run_s, results[j].time_s);
  }
  for (SimulationResult& result : results) result.run_s = run_s;
  return results;
}

double SimulationResult::busy_s(LinkId link, const Network& network) const {
  WEFT_ASSERT(!link_bytes.empty());
  return link_bytes[link.index()] / static_cast<double>(network.fabric().bandwidth_Bps(link));
}

double SimulationResult::utilisation(LinkId link, const Network& network) const {
  return run_s == 0 ? 0 : busy_s(link, network) / run_s;
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
