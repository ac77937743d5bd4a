// Measured times of collectives whose algorithm was forced, from tables in CSV.
//
// One line each point, columns in any order by the names in the first line:
//
//   collective,algorithm,ranks,size,time
//   allreduce,ring,16,1048576,0.0012
//
// with the size as --size (a bare number is bytes) and the time with a unit (a bare number is
// seconds, of which read_forced_table() makes a remark). Optional
// columns: topology (an expression, quoted if it has commas), per_host (ranks of a host), options
// (of the algorithm, NAME=VALUE separated by ';') and sample (`barrier`, the default: one call
// after a barrier, so that the skew of the barrier is in it, as OSU, IMB and pico measure; `loop`:
// the mean of calls in a row, as nccl-tests does). Tables of share/published have two more: point,
// a name in the source, and machine, as --machine names it. Lines that begin with '#' are remarks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/fields/value.hpp"

namespace weft::calibrate {

enum class Sampling : std::uint8_t { barrier, loop };

struct ForcedPoint {
  std::string path;
  std::int64_t line = 0;
  std::string id = {}, machine = {};  // empty: the table does not say
  std::string topology = {};          // empty: the table does not say
  std::int32_t ranks = 0;             // 0: one on each host of the topology, times per_host
  std::int32_t per_host = 0;          // ranks of a host; 0: the table does not say
  std::string collective = {}, algorithm = {};
  Values options = {};  // of the algorithm
  std::int64_t size_B = 0;
  double time_s = 0;
  Sampling sampling = Sampling::barrier;
  bool by_nccl = false;  // a ring over several boxes is one through each card

  /// "file.csv:12".
  std::string place() const;
};

/// Points, and what was left out of the table.
struct ForcedTable {
  std::vector<ForcedPoint> points;
  std::vector<std::string> remarks = {};
};

/// Whether the first line that is no remark names the columns of such a table, or of pico's.
bool is_forced_table(std::string_view text);

/// Throws InvalidInput with file and line.
std::vector<ForcedPoint> read_forced_points(std::string_view text, const std::string& path);

/// The same, and the summaries of HLC-Lab/pico (aggregated_results_summary.csv: collective_type,
/// buffer_size, algo_name, median, nnodes, tasks_per_node, ...), whose times are nanoseconds of the
/// slowest rank after a barrier. Algorithms that weft has are read; others are left out with a
/// remark. Where hosts are AxBxC, they are a torus. Throws InvalidInput with file and line.
ForcedTable read_forced_table(std::string_view text, const std::string& path);

}  // namespace weft::calibrate

namespace weft {
using calibrate::ForcedPoint;
}  // namespace weft
