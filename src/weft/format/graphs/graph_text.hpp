// What readers of graphs have in common, once a file is taken apart.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "../imported_fabric.hpp"
#include "weft/topology/import/attributed_graph.hpp"

namespace weft::format {

using topology::AttributedGraph;
using topology::GraphAttribute;
using topology::GraphAttributes;

/// The text in UTF-8: bytes that are none are taken for Latin-1, in which such files are kept, and
/// references as &amp; and &#233; for their characters.
std::string in_utf8(std::string_view text);

}  // namespace weft::format
