// What the files of this folder share; each defines NAME_family(), which registry.cpp
// declares and lists.
#pragma once

#include "weft/topology/parameters.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {

/// A row whose topology is built from parameters alone.
Family make_family(std::string name, std::string parameters, std::string summary,
                   std::string example, std::function<Topology(const Parameters&)> build);

}  // namespace weft::topology
