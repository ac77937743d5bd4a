// Which of the networks that were judged is advised.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/question/network_design.hpp"

namespace weft::question {

/// Times as long, or as dear, count as the same.
inline constexpr double kAlike = 1.02;

/// As NetworkDesign::chosen says, of rows in the order of NetworkDesign::rows. Precondition: there
/// is one.
std::size_t advised(const std::vector<DesignRow>& rows);

}  // namespace weft::question
