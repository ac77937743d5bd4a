// How long a device computes a layer: from its peak, from measurements, or from one throughput.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/workload/device.hpp"
#include "weft/workload/training_model.hpp"

namespace weft::workload {

/// Backward takes twice forward, unless it was measured: gradients of activations and of parameters
/// are a product each.
inline constexpr double kBackward = 2;

struct LayerTime {
  double forward_s = 0, backward_s = 0;
};

/// Of each layer, in the model's order, for all samples that a replica computes in a step.
struct LayerTimes {
  std::vector<LayerTime> layers;
  /// Of one device that computes the layer alone; else as measured, on the share of a layer that
  /// each device has.
  bool whole_layers = true;

  /// Forward and backward, one layer after the other.
  double total_s() const;
};

/// Operations over the peak times the efficiency of each kind of layer, or this one of all. Experts
/// compute for as many tokens as they may take, here and below. Throws InvalidInput for a precision
/// at which the device has no peak. O(layers).
LayerTimes times_by_peak(const TrainingModel& model, const Device& device,
                         std::string_view precision, std::optional<double> efficiency,
                         double samples);

/// One replica's samples a second, spread over layers by their operations.
LayerTimes times_by_throughput(const TrainingModel& model, double samples_per_second,
                               double samples);

/// A CSV file with the columns layer, forward_s and, where it was measured, backward_s, a row for
/// each layer, in any order; experts with what room they have to spare. "block.*.attention" is each
/// repetition of a layer. Throws InvalidInput with file and line: a layer that is missing, unknown
/// or measured twice, a time that is none.
LayerTimes read_layer_times(const std::string& path, const TrainingModel& model);

}  // namespace weft::workload
