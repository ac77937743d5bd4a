// A library's own choices next to a comparison, and what a user should learn from them.
#pragma once

#include <span>
#include <string>

#include "weft/advise/comparison.hpp"
#include "weft/libraries/baseline.hpp"

namespace weft::advise {

/// Says which algorithm the library runs at which sizes, and how much faster the best one is:
/// "openmpi-4.1 would run recursive doubling (3) up to 4KiB, ring (4) above; the best here is 1.3
/// times as fast at 8B". Where the two count other costs it says so in place of that. `best_s`: of
/// the fastest algorithm at each size, in the same order; 0 where it is not known.
std::string library_lesson(const libraries::LibraryBaseline& baseline,
                           std::span<const double> best_s);

/// Times the library's choices at the sizes of the comparison, as closely as that simulates. Throws
/// as library_baseline().
libraries::LibraryBaseline library_beside(const libraries::LibraryRules& rules,
                                          const Collective& collective, const Network& network,
                                          const CompareOptions& options);

}  // namespace weft::advise
