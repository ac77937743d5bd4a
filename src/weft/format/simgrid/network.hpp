// SimGrid's platforms as networks.
#pragma once

#include "weft/format/format.hpp"

namespace weft::format::simgrid {

/// Throws InvalidInput, with the line, for what is no platform and where no cables fit its routes.
ImportedFabric read_network(const FabricSource& source);

}  // namespace weft::format::simgrid
