// Networks where nodes and ports are odd: one port has to stay free, and no more than that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/design/network_design.hpp"
#include "weft/search/catalogue.hpp"

namespace weft::design {

/// A spliced network and what it costs, exact.
struct SplicedNetwork {
  std::string topology;
  std::string origin;
  Rational bandwidth_factor;   // of an allgather by BFB
  std::int64_t steps = 0;      // likewise
  std::int64_t distances = 0;  // added up
};

/// As spliced_candidates(), of so many draws, 1 or more. O(draws * nodes^2 * ports).
std::vector<SplicedNetwork> spliced_networks(int nodes, int ports,
                                             const search::Catalogue& catalogue,
                                             std::int64_t draws);

/// Two-way networks of an odd number of nodes with an odd number of ports, all of which but one
/// have a cable: regular networks of a node less, with the last node in (d - 1) / 2 of their
/// cables. Of some hundred (few where there are thousands of nodes) those with the least bandwidth
/// factor and the fewest steps of an allgather by BFB, and the least average distance; one to
/// three. Deterministic. Precondition: nodes > ports + 1, ports >= 3, both odd.
std::vector<CandidateNetwork> spliced_candidates(int nodes, int ports,
                                                 const search::Catalogue& catalogue);

}  // namespace weft::design
