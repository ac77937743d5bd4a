// Hosts that hang on one switch.
#pragma once

#include <cstdint>

#include "weft/base/id_vector.hpp"
#include "weft/topology/topology.hpp"

namespace weft::analysis {

/// By node: the switch of every host whose links all lead to and from that one; -1 for other hosts
/// and for switches. Unlike topology::as_attached_hosts this also tells of networks where some
/// hosts hang on several. O(links).
IdVector<NodeId, std::int32_t> leaf_switches(const Topology& topology);

}  // namespace weft::analysis
