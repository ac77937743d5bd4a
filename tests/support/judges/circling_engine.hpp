// An engine whose packets wait for each other in a circle: round a uniring on channel 0.
#pragma once

#include <memory>

#include "weft/simulation/packet_engine.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::simulation::packet {

std::unique_ptr<PacketEngine> make_circling_engine(const Fabric& uniring,
                                                   const PacketOptions& options);

}  // namespace weft::simulation::packet
