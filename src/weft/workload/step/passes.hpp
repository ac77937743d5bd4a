// Passes: in which order a stage of a pipeline takes its micro-batches, and which layers it has.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/workload/step.hpp"

namespace weft::workload {

/// A micro-batch through a run of layers.
struct Pass {
  bool backward = false;
  std::int32_t micro_batch = 0;
  std::int32_t run = 0;  // index into TrainingStep::runs
};

/// The passes of a stage, one after the other. Precondition: the options were checked.
std::vector<Pass> passes_of(std::int32_t stage, const StepOptions& options);

/// The first of each of `runs` runs of consecutive items, and the number of items last, such that
/// the largest sum of a run is least. Precondition: as many items as runs, none negative.
/// O(items * log(sum / least difference)).
std::vector<std::int32_t> even_runs(std::span<const double> items, std::int32_t runs);

}  // namespace weft::workload
