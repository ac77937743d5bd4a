// How groups of switches share out their links to one another: Dragonfly and Dragonfly+.
#pragma once

#include <vector>

#include "weft/topology/views.hpp"

namespace weft::topology {

/// A cable between two groups and the port of each at which it ends.
struct GlobalCable {
  int group = 0, port = 0, other_group = 0, other_port = 0;  // group < other_group
};

/// The cables between `groups` groups of `ports` ports, 2 <= groups <= ports + 1, by pair of
/// groups, then in the order of the ports. With ports + 1 groups the arrangement gives the group to
/// which a port leads; with fewer its order is run through again, so that any two groups have
/// floor(ports / (groups - 1)) cables or one more; the ports over lead to the groups at distance 1,
/// 2, ... either way round, and one port stays free where their number and that of the groups are
/// both odd. The i-th port of one group towards another is cabled to its i-th port back.
std::vector<GlobalCable> global_cables(int groups, int ports, GlobalArrangement arrangement);

}  // namespace weft::topology
