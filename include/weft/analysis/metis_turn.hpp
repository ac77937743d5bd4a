// Whose turn it is to call METIS.
#pragma once

#include <mutex>

namespace weft::analysis {

/// To be held around each call of METIS, so that a seed gives one partition whatever else runs: all
/// of its calls draw from the C library's one generator, which each of them seeds anew.
std::mutex& metis_turn();

}  // namespace weft::analysis
