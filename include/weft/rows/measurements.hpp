// Measurements: times of collectives in testbeds (docs/how-to/use-the-testbed.md), as a file keeps
// them.
//
// Times that were measured are no function of what was asked. So rows of kinds `testbed` and `fit`
// name a file that has them, and that file's content is part of their keys: who measures again
// writes another file, and asks again.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/shipped.hpp"
#include "weft/fields/value.hpp"
#include "weft/rows/row.hpp"

namespace weft::rows {

/// Measurements that come with weft: share/measurements/NAME.toml.
inline constexpr ShippedFiles kMeasurements{"WEFT_MEASUREMENTS", "measurements", "measurement"};

/// One call, or the MPI's own choice, and what it took.
struct MeasuredCall {
  /// The canonical parameters of a row of kind testbed, as texts, but the file.
  Texts asked;
  std::int64_t calls = 0;
  double least_s = 0, median_s = 0;  // of the slowest rank, over the calls
  double load = 0;      // processes that wanted a processor, as the machine's mean of a minute
  std::string at = {};  // UTC, 2026-01-31T12:00:00Z
};

struct Measurements {
  std::string machine = {}, mpi = {};  // in words
  std::vector<MeasuredCall> calls = {};

  /// The call that was measured last with these parameters; null where none was.
  const MeasuredCall* find(const Texts& asked) const;
};

/// Throws InvalidInput with file and line.
Measurements parse_measurements(std::string_view content, const std::string& path);
/// What parse_measurements() reads: TOML, a line each call.
std::string text_of(const Measurements& measurements);

/// What a row of kind testbed asks to be measured: its parameters but the file.
Texts asked_in(const Values& parameters);

/// Throws InvalidInput for the first row that takes times of a file which is not there, is none, or
/// lacks them. Rows of other kinds need none. Reads each file once. `refuse(row, reason)` throws.
void require_measured(std::span<const Row> rows,
                      const std::function<void(const Row& row, const std::string& reason)>& refuse);

}  // namespace weft::rows
