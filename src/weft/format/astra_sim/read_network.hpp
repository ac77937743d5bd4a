// ASTRA-sim's analytical networks, read.
#pragma once

#include <string_view>

#include "weft/format/format.hpp"

namespace weft::format {

/// Throws InvalidInput, with the line, for a text that is no such network.
ImportedFabric read_astra_sim_network(const FabricSource& source);
bool is_astra_sim_network(std::string_view text);

}  // namespace weft::format
