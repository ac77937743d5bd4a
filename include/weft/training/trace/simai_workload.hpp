// A training step as the workload file of SimAI: the text of layers that its simulators read.
#pragma once

#include <string>

#include "weft/workload/step.hpp"

namespace weft::training {

/// Throws InvalidInput for a step that such a file cannot hold: a pipeline, micro-batches, sharded
/// parameters, and tokens that go to experts
/// unevenly. Call it before anything is written.
void require_simai(const workload::StepOptions& options);

/// Returns the file: a line of settings, the number of layers, and a line for each layer with the
/// times of its passes (ns) and their collectives (bytes). A layer with several collectives in a
/// pass has a line for each. A backward pass is half gradients of inputs and half of weights, as
/// the two products of a layer take the same operations. Precondition: require_simai(). O(tasks).
std::string simai_workload(const workload::TrainingStep& step, const workload::TrainingModel& model,
                           const workload::Parallelism& parallel);

}  // namespace weft::training
