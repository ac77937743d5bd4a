// What a row under the packet model takes: the links that its packets cross.
#pragma once

#include "weft/rows/row.hpp"

namespace weft::rows {

struct PacketWork {
  double hops = 0;        // links crossed by packets, terminal links included
  double duration_s = 0;  // simulated time, were no message to wait for another's
};

/// Foretold from payload, distances and the background's rate over the duration: right within a
/// factor of three where no link is contended. One schedule's, to one destination in rows of pairs.
PacketWork packet_work(const Row& row);

}  // namespace weft::rows
