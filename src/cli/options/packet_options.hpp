// Options of the packet model, and what its answers say.
#pragma once

#include <string>

#include "cli/options/options.hpp"
#include "weft/answer/part.hpp"
#include "weft/simulation/packet.hpp"

namespace weft::cli {

/// --packet-size and the others that packets read.
void add_packet_options(Command command, GivenFields& said);

/// How it is simulated, packets by the routing that was asked for. Throws InvalidInput where there
/// is none of that name.
simulation::SimulationOptions make_simulation(const GivenFields& said, std::uint64_t seed);
/// The same with the packet model, where routers are asked for that pass packets alone and no model
/// is said.
GivenFields with_model_of_router(GivenFields said);
/// What make_network() is to make: packets that are routed by themselves need no other routing.
GivenFields without_packet_routing(GivenFields said);
/// Once the network is made: packets choose their links by the routing, that which `auto` stands
/// for, or follow the network's paths where it does not choose.
void fit_routing(PacketOptions& options, const GivenFields& said, const Network& network);

/// Where packets draw one of the ways over which the other models split a message; else nothing.
std::string draw_note(const PacketOptions& options, const Topology& topology);

/// Facts of packets, as people read them.
void add_facts(const PacketStatistics& statistics, Facts& facts);

}  // namespace weft::cli
