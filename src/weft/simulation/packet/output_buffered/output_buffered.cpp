#include "weft/simulation/packet/output_buffered/output_buffered.hpp"

#include "weft/simulation/packet/output_buffered/engine_maker.hpp"
#include "weft/simulation/packet/output_buffered/flits.hpp"
#include "weft/simulation/packet/output_buffered/forward.hpp"
#include "weft/simulation/packet/output_buffered/injection.hpp"
#include "weft/simulation/packet/output_buffered/run.hpp"

namespace weft::simulation::packet {

std::unique_ptr<PacketEngine> make_output_buffered(LinkWiring wiring, const PacketOptions& options,
                                                   std::unique_ptr<HopRouting> routing) {
  const int channels = routing != nullptr ? routing->vcs() : channels_of_paths(wiring, options.vcs);
  if (options.granularity == Granularity::flit)
    return std::make_unique<OutputBuffered<Granularity::flit>>(std::move(wiring), options, channels,
                                                               std::move(routing));
  return std::make_unique<OutputBuffered<Granularity::packet>>(std::move(wiring), options, channels,
                                                               std::move(routing));
}

}  // namespace weft::simulation::packet
