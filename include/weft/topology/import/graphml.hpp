// GraphML with its notes, for callers that choose how it is read; file:PATH reads it as well.
#pragma once

#include <string>
#include <string_view>

#include "weft/topology/import/fabric_builder.hpp"

namespace weft::topology {

/// The network of a GraphML file. Throws InvalidInput, with the line, for what is none.
FabricBuilder::Built read_graphml(std::string_view content, const std::string& path,
                                  const ImportOptions& options);

}  // namespace weft::topology
