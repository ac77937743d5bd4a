// The tasks of a step.
#pragma once

#include "weft/workload/step.hpp"

namespace weft::workload {

/// Precondition: the options were checked.
TrainingStep build_step(const TrainingModel& model, const LayerTimes& times,
                        const StepOptions& options);

}  // namespace weft::workload
