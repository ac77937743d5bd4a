// What a user should learn from a library's baseline.
#pragma once

#include <span>
#include <string>

#include "weft/evaluate/library/baseline.hpp"

namespace weft::advise {

/// Says which algorithm the library runs at which sizes, and how much faster the best one is:
/// "openmpi-4.1 would run recursive doubling (3) up to 4KiB, ring (4) above; the best here is 1.3
/// times as fast at 8B". `best_s`: of the fastest algorithm at each size, in the same order; 0
/// where it is not known.
std::string library_lesson(const evaluate::LibraryBaseline& baseline,
                           std::span<const double> best_s);

}  // namespace weft::advise
