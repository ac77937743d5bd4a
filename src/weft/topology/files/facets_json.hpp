// Facets in weft's JSON:
//
//   "facets": {"coordinates": {"dimensions": [{"extent": 4, "shape": "ring", "parallel": 1}, ...]},
//              "cayley": {"group": "Z4^2", "elements": []}, ...},
//   "holes": {"nodes": [3]}          nodes that failed; absent where the network is whole
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "weft/topology/facets.hpp"

namespace weft::topology {

/// The members of a file that hold its facets, each led by ",\n"; nothing where there are none.
std::string facets_text(const Facets& facets);

/// Their keys, as require_keys() has them.
std::vector<std::string> facet_keys();

/// What "facets" and "holes" of the file say, unchecked against the graph. Throws InvalidInput, led
/// by the path.
Facets read_facets(const nlohmann::json& root, const std::string& path);

}  // namespace weft::topology
