// The packet simulator: a reading of the steps on top of the packet engine.
#include <algorithm>
#include <stdexcept>

#include "weft/base/error.hpp"
#include "weft/simulation/models.hpp"
#include "weft/simulation/packet/packet_transport.hpp"
#include "weft/simulation/readings.hpp"

namespace weft::simulation {

SimulationResult simulate_packet(const Program& program, const Network& network,
                                 const SimulationOptions& options) {
  require(!options.packet.routing.empty() || !network.routing().splits(),
          "routing {} splits messages into shares, which packets cannot follow; choose another",
          network.routing().name());
  SimulationResult result;
  result.agent_times_s.resize(static_cast<std::size_t>(program.agents()));
  StepWindow window(program, network,
                    options.packet.routing.empty() ? Routes::all : Routes::only_explicit);
  window.on_load([&](const LoadedStep& step) {
    result.messages += static_cast<std::int64_t>(step.program.transfers.size());
  });
  PacketOptions packet = options.packet;
  packet.granularity = options.model == Model::flit ? Granularity::flit : Granularity::packet;
  const auto engine = make_packet_engine(network.fabric(), packet);
  packet::PacketTransport transport(network, options, window, *engine);
  const ReadingContext context{program, network, window, transport, result.agent_times_s};
  const std::unique_ptr<Reading> reading = options.sync == Sync::dataflow
                                               ? read_as_dataflow(context)
                                               : read_by_steps(context, options.sync);
  transport.read(*reading);
  engine->run();
  if (!reading->finished()) throw std::logic_error("a simulation ended before its program");
  for (const double time : result.agent_times_s) result.time_s = std::max(result.time_s, time);
  result.packet = PacketStatistics{engine->traffic(transport.id()), engine->statistics()};
  if (options.link_statistics)
    for (const std::int64_t bytes : engine->link_bytes())
      result.link_bytes.push_back(static_cast<double>(bytes));
  return result;
}

}  // namespace weft::simulation
