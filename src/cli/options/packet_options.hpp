// Options of the packet model, and what its answers say.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/simulation/packet.hpp"

namespace weft::cli {

struct PacketChoice {
  question::Texts said = {};
  std::vector<std::string> buffers = {};  // of all links, or CLASS=SIZE
};
/// --packet-size, --flit-size, --switching, --arbitration, --vcs, --buffer, --router-delay,
/// --adapter-delay, --credit-delay, --self-messages.
void add_packet_options(CLI::App& app, PacketChoice& choice);

/// `routing` is what the user named. Throws InvalidInput where there is none of that name.
PacketOptions make_packet_options(const PacketChoice& choice, simulation::Model model,
                                  const std::string& routing, std::uint64_t seed);
/// What make_network() is to make: packets that are routed by themselves need no other routing.
NetworkOptions without_packet_routing(NetworkOptions options);
/// Once the network is made: packets choose their links by the routing, that which `auto` stands
/// for, or follow the network's paths where it does not choose.
void fit_routing(PacketOptions& options, const std::string& asked, const Network& network);
/// The packets of a command without options of their own, by the routing that was asked for; of
/// the other models nothing. Throws InvalidInput.
void fit_packets(simulation::SimulationOptions& simulation, const std::string& asked,
                 std::uint64_t seed, const Network& network);

/// Where packets draw one of the ways over which the other models split a message; else nothing.
std::string draw_note(const PacketOptions& options, const Topology& topology);

/// The keys packets, mean_latency, ... (docs/formats.md).
Json json_of(const PacketStatistics& statistics);
void add_facts(const PacketStatistics& statistics, Facts& facts);

}  // namespace weft::cli
