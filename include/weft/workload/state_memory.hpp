// The memory that a step of training needs on each device before any activation is stored.
//
// The rule is that of Rajbhandari et al., "ZeRO: Memory Optimizations Toward Training Trillion
// Parameter Models", SC 2020, section 3.1: parameters and gradients at their own bytes, and Adam's
// two moments in fp32, 8 bytes a parameter. Parameters of fewer than 4 bytes have a master copy in
// fp32, 4 bytes more. So mixed precision takes 2 + 2 + 12 = 16 bytes a parameter. Activations,
// buckets and what libraries allocate come on top and are not counted.
#pragma once

#include <cstdint>

#include "weft/workload/step.hpp"

namespace weft::workload {

/// Bytes on one device of a pipeline stage.
struct StateMemory {
  std::int32_t stage = 0;
  double parameters_B = 0, gradients_B = 0, optimizer_B = 0;

  double total_B() const { return parameters_B + gradients_B + optimizer_B; }
};

/// Returns the state of the stage that needs most. Tensor groups divide the layers that they split,
/// pipelines the list of layers, sharded data parallelism everything by its ranks, and expert
/// parallelism the experts. A stage that uses the parameters of another stage's layer has a copy.
/// Precondition: the step is of this model and these options. O(layers).
StateMemory state_memory(const TrainingModel& model, const StepOptions& options,
                         const TrainingStep& step);

}  // namespace weft::workload
