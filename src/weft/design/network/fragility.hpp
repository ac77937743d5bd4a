// What single failures do to all calls of a design together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/design/network_design.hpp"
#include "weft/network/network.hpp"

namespace weft::design {

/// Of a call: who serves it how often.
struct ServedCall {
  schedule::Collective collective;
  std::string algorithm;
  std::int64_t size_B = 0;
  std::int64_t calls = 1;
};

struct Fragilities {
  Fragility cables, nodes;
};

/// Every cable, and every node (switch, where there are some), failed alone. Where they are more
/// than 2^22 / ranks^2, so many of them (but 4 at least) are tried, one or more of each kind of
/// which a symmetry of the network and of all messages takes each to each; where kinds are more,
/// so many drawn. It is 2^14 / ranks^2 where a call has the paths of a flow, which are made for
/// each failure, and 2^10 / ranks^2 nodes where one has packed trees. By the alpha-beta model,
/// whatever the simulation names.
Fragilities fragilities(const std::vector<ServedCall>& calls, const network::Network& network,
                        simulation::SimulationOptions simulation);

}  // namespace weft::design
