// InfraGraph (Keysight, MLCommons; version 2): a cluster as devices made of components, instances
// of devices, and edges between components of instances.
#pragma once

#include <string_view>
#include <vector>

#include "weft/format/format.hpp"

namespace weft::format {

/// One file. Throws InvalidInput for one-way links and for cables whose directions differ.
std::vector<File> write_infragraph(const Network& network, const NetworkTarget& target);

/// Hosts are the xpu components, switches the switch components. Any other component that joins two
/// is part of a cable (ports, cards), one that joins more is a switch, one that joins none is left
/// out. Throws InvalidInput, with the line, for what is no such file, for devices within devices,
/// and for more than 2^20 components or edges.
ImportedFabric read_infragraph(const FabricSource& source);

bool is_infragraph(std::string_view text);

}  // namespace weft::format
