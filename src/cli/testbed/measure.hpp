// Times of calls in a testbed: weft's own schedules, each written out for its size and run step by
// step by `weft-bench run`, and the MPI's own choice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/testbed/testbed.hpp"
#include "weft/program/program.hpp"

namespace weft::cli {

/// What is run: a schedule of weft's, or the MPI's own choice.
struct BoxCall {
  std::string algorithm;  // empty: the MPI's own
  std::int64_t size_B = 0;
  /// The schedule lowered for the size; nothing of the MPI's own.
  std::optional<Program> program = {};
};

/// Of all calls the least and the median of the slowest rank's times.
struct BoxTimes {
  std::int64_t calls = 0;
  double least_s = 0, median_s = 0;
};

/// The algorithm's schedule for this size; nothing where an MPI cannot run it, which has neither
/// switches that combine nor paths to choose. Throws InvalidInput as schedule_for_size() does.
std::optional<BoxCall> schedule_call(const std::string& algorithm, const Collective& collective,
                                     const Network& network, std::int64_t size_B);

/// Throws InvalidInput for what weft-bench does not run: other collectives than allreduce,
/// allgather and reduce-scatter, and sizes that are not whole floats.
void require_runs(const Collective& collective, std::int64_t size_B);
/// The same of the MPI's own choice: of a reduce-scatter, sizes that are not whole floats for each
/// rank.
void require_runs_own(const Collective& collective, std::int64_t size_B);

struct BoxMeasurement {
  std::vector<BoxTimes> times;  // of the calls, in their order
  std::string mpi;              // the library that ran them, as it calls itself
  /// The exit code where it did not come to its end: kNo, or 128 and the signal's number.
  std::optional<int> failed = {};
};

/// Makes the testbed, runs all calls, takes it away. Throws InvalidInput where there can be none.
BoxMeasurement measure_in_box(const TestbedOptions& options, const Collective& collective,
                              const testbed::Layout& layout, const std::vector<BoxCall>& calls);

}  // namespace weft::cli
