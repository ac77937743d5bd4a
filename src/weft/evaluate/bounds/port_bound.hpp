// Lower bound on the bandwidth factor by the ports of the ranks' nodes.
#pragma once

#include "weft/base/rational.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::evaluate {

/// In units of M/B, B being Fabric::node_egress_Bps(). Rooted collectives: the longest time that a
/// node needs for the data that has to leave it or to reach it, over all its links in that
/// direction. The others: Collective::port_bound() for ranks that may share nodes. O(links).
Rational port_bound(const Collective& collective, const Network& network);

}  // namespace weft::evaluate
