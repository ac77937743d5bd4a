// What a packet routing chooses at a packet's first router, without an engine.
#pragma once

#include <initializer_list>

#include "weft/simulation/packet_engine.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::simulation {

/// Picoseconds of sending that wait for a link.
struct Backlog {
  LinkId link;
  Time waiting_ps = 0;
};

/// The link that a packet between two hosts takes out of the first one's router.
LinkId first_choice(const Fabric& fabric, const PacketOptions& options, NodeId from, NodeId to,
                    std::initializer_list<Backlog> backlogs);

}  // namespace weft::simulation
