// Which of the networks that were judged is advised.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/design/network_design.hpp"

namespace weft::design {

/// As NetworkDesign::chosen says, an index into the rows. O(rows^2). Precondition: there is one.
std::size_t advised(const std::vector<const DesignRow*>& rows);

}  // namespace weft::design
