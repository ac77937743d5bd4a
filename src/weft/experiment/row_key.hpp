// The key under which a row is stored.
#pragma once

#include <string>

#include "weft/experiment/row.hpp"
#include "weft/experiment/topology_facts.hpp"

namespace weft::experiment {

/// Of all that has an influence on the row's results: 32 hexadecimal digits.
std::string key_of(const Row& row, const TopologyFacts& topology, const PlacementFacts& placement);

}  // namespace weft::experiment
