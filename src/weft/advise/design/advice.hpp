// Which of the networks that were judged is advised.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/advise/network_design.hpp"

namespace weft::advise {

/// As NetworkDesign::chosen says, an index into the rows. O(rows^2). Precondition: there is one.
std::size_t advised(const std::vector<const DesignRow*>& rows);

}  // namespace weft::advise
