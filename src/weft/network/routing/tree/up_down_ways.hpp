// Whether a damaged tree still joins its hosts by ways that go up and then down.
#pragma once

#include "weft/topology/topology.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

/// Whether every host that any way leads to from another is reached from there by going up and then
/// down too, as tree routings do. O(links * groups of hosts / 64): hosts that hang on one switch
/// are a group.
bool keeps_up_down_ways(const Topology& topology, const topology::DamagedXgft& tree);

}  // namespace weft::network
