// Where experiments take measured times from: testbeds of this machine, or what comes with weft.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "weft/study/experiment.hpp"

namespace weft::cli {

enum class MeasuredTimes : std::uint8_t { anew, stored };

/// Where a reproduction's times were measured.
struct MeasuredSource {
  bool stored = true;  // come with weft, or were named by the experiment's file
  std::string file, machine, mpi;
  double least_load = 0, greatest_load = 0;
  std::string since, until;  // UTC

  /// "stored measurements: ..., of 2026-11-26, at loads of 1.2 to 9.6".
  std::string text() const;
};

/// Measures anew what rows of kind testbed ask for, where testbeds can be had (else says why not on
/// a note), into FOLDER/NAME.measured, and points experiments of measured times at
/// the files that are there. `folder` empty: beside each experiment, or here where that cannot be
/// written. Returns the exit code where the work was broken off.
std::optional<int> take_measurements(std::vector<study::Experiment>& experiments, study::Grid grid,
                                     const std::string& folder, MeasuredTimes times,
                                     Streams& streams);

/// Of an experiment of measured times; nothing of another. Throws InvalidInput where its file is
/// none.
std::optional<MeasuredSource> source_of(const study::Experiment& experiment);

}  // namespace weft::cli
