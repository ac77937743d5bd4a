// The channels that explicit paths take in the packet simulator, and whether they wait for each
// other in a circle.
#pragma once

#include <string_view>

#include "weft/topology/fabric.hpp"

namespace weft::simulation {

struct PathChannels {
  int channels = 1;     // that a path takes at most
  int longest = 0;      // links of the longest path, those of hosts too
  bool circle = false;  // some wait for each other
};

/// Of the paths between all hosts by a routing of the network, channels taken as few as they go.
PathChannels find_path_channels(const Fabric& fabric, std::string_view routing);

}  // namespace weft::simulation
