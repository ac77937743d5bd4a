// PathOrder: few virtual channels for explicit paths.
//
// Links are numbered so that paths mostly climb: up a tree and down again, along the dimensions of
// a grid, from local to global links of a Dragonfly, elsewhere towards a root and away from it. A
// packet stays on its channel as long as the numbers climb and takes the next channel where they
// do not. So (channel, number) climbs along every path and no packets wait for each other in a
// circle, whatever the numbers are (Dally and Seitz, IEEE ToC C-36(5), 1987; up*/down*: Schroeder
// et al., "Autonet", IEEE JSAC 9(8), 1991). Packets that take the next channel with every link
// climb likewise: both may share a network. Up and down a fat tree one channel is enough, round a
// ring two, in dimension order on a mesh or Hamming network one, on a torus one more than
// dimensions.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::simulation::packet {

class PathOrder {
 public:
  /// O(links).
  explicit PathOrder(const Topology& topology);

  /// Whether a packet takes the next channel when it goes on from one link to the other.
  bool falls(std::int32_t from, std::int32_t to) const { return numbers_[to] <= numbers_[from]; }

 private:
  std::vector<std::int64_t> numbers_;  // by link
};

}  // namespace weft::simulation::packet
