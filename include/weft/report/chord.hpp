// The chord picture of a schedule on a Dragonfly: hosts on a circle, messages over global links as
// chords.
#pragma once

#include <cstdint>
#include <string>

#include "weft/network/network.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::report {

struct ChordOptions {
  int size = 1000;  // of the picture, a square, in pixels; 200 to 10,000
};

struct ChordDrawing {
  std::string svg;
  std::int64_t messages = 0;  // that cross a global link, of the whole schedule
  std::int64_t chords = 0;    // pairs of nodes (of routers where these are too many) that they join
};

/// Hosts are placed clockwise from the top, by router and by group, groups coloured; hosts that
/// hold ranks have a mark, the root of a rooted collective a disc. A chord joins the two ends of
/// messages that cross a global link: its colour is the step of the first of them, its width grows
/// with their number. A router that combines or copies data is an end in the middle of its hosts.
/// Above 40,000 pairs of ends chords join routers, and the picture says so. The same input gives
/// the same text. Throws InvalidInput unless the network is a Dragonfly, for sizes out of range,
/// and where the routing splits messages. Source: Dorier et al., "Evaluation of Topology-Aware
/// Broadcast Algorithms for Dragonfly Networks", CLUSTER 2016, figure 4.
ChordDrawing draw_chords(const schedule::Verified& verified, const Network& network,
                         const ChordOptions& options = {});

}  // namespace weft::report
