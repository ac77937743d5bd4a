// Forced points from tables whose algorithms a library chose by its own rules: what weft calibrate
// --library NAME reads.
#pragma once

#include <cstdint>
#include <string>

#include "weft/calibrate/measured_table.hpp"
#include "weft/calibrate/profile/forced_points.hpp"
#include "weft/fields/machine_model.hpp"
#include "weft/libraries/library.hpp"

namespace weft::calibrate {

/// Where a table of a benchmark was measured.
struct LibraryRun {
  const libraries::LibraryRules* rules = nullptr;
  std::int32_t ranks = 0;     // 0: one on each host of the topology
  std::string topology = {};  // empty: one switch
};

/// A point for each row at which the library runs an algorithm of the registry as a whole: other
/// rows are left out, with a remark that names what the library runs there. Of GPUs these are
/// rings, over several boxes one through each card. Throws InvalidInput where the library has no
/// rules for the collective.
ForcedTable library_points(const MeasuredTable& table, const LibraryRun& run,
                           const MachineModel& base);

}  // namespace weft::calibrate
