// The engine with output-buffered routers, for those who bring a routing of their own.
#pragma once

#include <memory>

#include "weft/simulation/packet/engine/link_wiring.hpp"

namespace weft::simulation::packet {

/// `routing` was made from the same wiring; where there is none, every message brings a path.
/// Throws InvalidInput for too few virtual channels.
std::unique_ptr<PacketEngine> make_output_buffered(LinkWiring wiring, const PacketOptions& options,
                                                   std::unique_ptr<HopRouting> routing);

}  // namespace weft::simulation::packet
