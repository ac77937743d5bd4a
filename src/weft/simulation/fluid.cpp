// The fluid simulator: a reading of the steps on top of the transport of messages.
#include <algorithm>

#include "weft/simulation/fluid_transport.hpp"
#include "weft/simulation/models.hpp"
#include "weft/simulation/readings.hpp"
#include "weft/simulation/uncontended.hpp"

namespace weft::simulation {

namespace {

void count(const LoadedStep& step, SimulationResult& result) {
  const auto transfers = static_cast<std::int32_t>(step.program.transfers.size());
  result.messages += transfers;
  if (result.link_bytes.empty()) return;
  for (std::int32_t i = 0; i < transfers; ++i) {
    const auto bytes = static_cast<double>(step.transfer(i).bytes);
    const auto links = step.links(i);
    const auto shares = step.shares(i);
    for (std::size_t j = 0; j < links.size(); ++j)
      result.link_bytes[links[j].index()] += bytes * (shares.empty() ? 1 : shares[j].to_double());
  }
}

}  // namespace

SimulationResult simulate_fluid(const Program& program, const Network& network,
                                const SimulationOptions& options, const Shortcuts& allowed) {
  const bool by_steps = options.sync != Sync::dataflow;
  const auto orbits = by_steps && allowed.orbits ? Orbits::of(program, network) : nullptr;
  if (orbits == nullptr && allowed.uncontended)
    if (auto result = simulate_uncontended(program, network, options)) return *std::move(result);
  SimulationResult result;
  StepWindow window(program, network, {.startups = startups_of(network.host())});
  window.follow(orbits.get());
  result.agent_times_s.resize(static_cast<std::size_t>(window.places()));
  if (options.link_statistics) result.link_bytes.resize(window.capacities().size());
  window.on_load([&](const LoadedStep& step) { count(step, result); });
  FluidTransport transport(network, options, window);
  const ReadingContext context{program,
                               network,
                               window,
                               transport,
                               result.agent_times_s,
                               allowed.repeats ? Repeats::alike : Repeats::differ};
  const std::unique_ptr<Reading> reading = options.sync == Sync::dataflow
                                               ? read_as_dataflow(context)
                                               : read_by_steps(context, options.sync);
  transport.run(*reading);
  if (orbits != nullptr) orbits->expand(network, result);
  for (const double time : result.agent_times_s) result.time_s = std::max(result.time_s, time);
  return result;
}

}  // namespace weft::simulation
