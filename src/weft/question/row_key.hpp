// The key under which a row is stored.
#pragma once

#include <string>

#include "weft/question/row.hpp"
#include "weft/question/topology_facts.hpp"

namespace weft::question {

/// What the row's results depend on beside kind and parameters, a line each: the graph, and the
/// content of files.
std::string contents_of(const Row& row, const TopologyFacts& topology,
                        const PlacementFacts& placement);

/// The same of a row that names a file, as the file is now; empty for other rows. Throws
/// InvalidInput where it is not what it was when the row's key was made.
std::string contents_of_files(const Row& row);

/// Of all that has an influence on the row's results: 32 hexadecimal digits.
std::string key_of(const Row& row, const TopologyFacts& topology, const PlacementFacts& placement);

}  // namespace weft::question
