// Models of layers that are alike, with round numbers, for steps of training worked out by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/workload/step.hpp"

namespace weft::test {

using schedule::CollectiveKind;
using workload::LayerKind;
using workload::LayerTime;
using workload::LayerTimes;
using workload::StepOptions;
using workload::TrainingModel;
using workload::TrainingStep;

// Layers of 100 parameters that take 1 s forward and 2 s backward, and hand on 10 numbers a sample.
inline TrainingModel layers_of(int count, LayerKind kind = LayerKind::feed_forward) {
  TrainingModel model;
  model.name = "stack";
  for (int i = 0; i < count; ++i)
    model.layers.push_back({.name = "layer." + std::to_string(i),
                            .kind = kind,
                            .parameters = 100,
                            .operations = 1,
                            .activations = 10});
  return model;
}

inline LayerTimes of_seconds(const TrainingModel& model) {
  return {.layers = std::vector<LayerTime>(model.layers.size(), {1, 2}), .whole_layers = false};
}

inline TrainingStep step_of(const TrainingModel& model, const StepOptions& options) {
  return training_step(model, of_seconds(model), options);
}

/// By a rank that makes the calls of this kind most often.
inline std::int64_t bytes_asked(const TrainingStep& step, CollectiveKind kind) {
  const auto uses = step.uses();
  std::int64_t sum_B = 0;
  for (std::size_t i = 0; i < uses.size(); ++i)
    if (step.calls[i].kind == kind) sum_B += uses[i] * step.calls[i].size_B;
  return sum_B;
}

}  // namespace weft::test
