// Forced points from tables whose algorithms a library chose by its own rules: what weft calibrate
// --library NAME reads.
#pragma once

#include <cstdint>
#include <string>

#include "weft/question/calibrate/measured_table.hpp"
#include "weft/question/library/library.hpp"
#include "weft/question/machine_model.hpp"
#include "weft/question/profile/forced_points.hpp"

namespace weft::question {

/// Where a table of a benchmark was measured.
struct LibraryRun {
  const LibraryRules* rules = nullptr;
  std::int32_t ranks = 0;     // 0: one on each host of the topology
  std::string topology = {};  // empty: one switch
};

/// A point for each row at which the library runs an algorithm of the registry as a whole: other
/// rows are left out, with a remark that names what the library runs there. Of GPUs these are
/// rings, over several boxes one through each card. Throws InvalidInput where the library has no
/// rules for the collective.
ForcedTable library_points(const MeasuredTable& table, const LibraryRun& run,
                           const MachineModel& base);

}  // namespace weft::question
