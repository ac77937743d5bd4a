// What options ask of each other, whatever the network and the program: each check is for one of
// them, so that whoever reads options from a file can say which line is wrong.
//
// All throw InvalidInput. The simulators call them; commands and studies say the same words.
#pragma once

#include <cstdint>
#include <string_view>

#include "weft/simulation/packet.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

/// Of a size that packets can have.
void check_packet_size(const PacketOptions& options);
/// Flits fit into a packet, where packets are made of them.
void check_flit_size(const PacketOptions& options);
/// An adapter that takes one message at a time has a time to hold others up for.
void check_adapter(const PacketOptions& options);
/// What lets data go before acknowledgements has some.
void check_injection(const PacketOptions& options, Release release);
/// The routing, by its name, lets packets choose their ways: other traffic has no paths.
void check_background_routing(bool of_packets, std::string_view name);
/// `calls` in a row, receives that are posted in their step and eager messages are of programs that
/// are read by steps.
void check_steps(const SimulationOptions& options, std::int32_t calls, bool by_steps);

}  // namespace weft::simulation
