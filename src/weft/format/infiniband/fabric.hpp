// From devices and their port lines to a network.
#pragma once

#include <string>
#include <vector>

#include "devices.hpp"
#include "weft/format/format.hpp"

namespace weft::format::infiniband {

/// Whether a cable must stand at both of its ends, as tools print it, or one will do.
enum class Ends : std::uint8_t { both, one };

/// Adapters of one host ("node01 HCA-1", "node01 mlx5_1") become one node. A cable whose ends run
/// at different widths or speeds has the slower, and notes name it and slow adapters. Throws
/// InvalidInput where the two ends of a cable lead elsewhere.
ImportedFabric fabric_of(const FabricSource& source, Ends ends);

/// Whether the first lines of a text that say something are of such a file, and it has GUIDs.
struct Look {
  bool devices = false, guids = false;
};
Look look_at(std::string_view text);

}  // namespace weft::format::infiniband
