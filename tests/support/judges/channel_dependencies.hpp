// Which channel a packet may hold while it asks for which, found by walking packets of a routing
// over a network without an engine.
#pragma once

#include <cstddef>
#include <string>

#include "weft/simulation/packet.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::simulation {

struct ChannelDependencies {
  int vcs = 0;  // that the routing states
  /// What is wrong with a walk: a link that does not leave the node, a channel from vcs on, a
  /// packet that does not come home; empty if nothing.
  std::string fault;
  bool acyclic = false;   // no channel waits for itself by way of others
  std::size_t pairs = 0;  // of a channel held and one asked for
  int channels_used = 0;  // of the links
  double mean_links = 0;  // between the routers of two hosts, where they differ
};

/// Walks a packet between every two hosts in each of `rounds` rounds, under links' backlogs and
/// full channels drawn anew for each (none in the first). Where the routing takes a channel only if
/// it has room, or else waits, just the latter count, for all channels that the packet passed
/// before.
ChannelDependencies find_channel_dependencies(const Fabric& fabric, const PacketOptions& options,
                                              int rounds);

/// The same of packets that go round a uniring on channel 0.
ChannelDependencies one_channel_round_a_ring(const Fabric& ring);

}  // namespace weft::simulation
