// What an engine checks about its channels: that packets can go on, that they fit into memory.
#pragma once

#include <vector>

#include "weft/simulation/packet/channels.hpp"
#include "weft/simulation/packet/routing.hpp"

namespace weft::simulation::packet {

/// Throws InvalidInput with a cycle of channels, each full of packets that wait for the next one.
/// Some packets wait, and nothing is left to happen.
[[noreturn]] void report_deadlock(const Wiring& wiring, int vcs, const Pool<PacketState>& packets,
                                  const std::vector<Channel>& channels);

}  // namespace weft::simulation::packet
