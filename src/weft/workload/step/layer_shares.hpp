// What each rank has of a layer, and what it sends of its activations.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/workload/step.hpp"

namespace weft::workload {

/// Whole bytes of a share of some numbers; none of none. Throws InvalidInput beyond 2^62.
std::int64_t whole_bytes(double numbers, std::int32_t each_B);

/// Numbers of layers, of a rank. The model and the options have to outlive it.
class LayerShares {
 public:
  LayerShares(const TrainingModel& model, const StepOptions& options)
      : model_(model), options_(options), micro_samples_(options.samples / options.micro_batches) {}

  /// Ranks of a tensor group that split the layer.
  std::int32_t split(const Layer& layer) const {
    return is_split(layer.kind) ? options_.parallel.tensor : 1;
  }
  /// Whether replicas have different experts of it.
  bool deals(const Layer& layer) const {
    return layer.experts && options_.parallel.replicas == DataParallel::experts;
  }
  /// Parameters of the layer itself that a rank holds, where replicas hold all.
  double held(const Layer& layer) const;
  /// Of whole layers that a rank computes for a micro-batch.
  double part(const Layer& layer) const {
    const std::int32_t parts = options_.parallel.sequence ? options_.parallel.tensor : split(layer);
    return 1.0 / options_.micro_batches / parts;
  }
  /// Of the time of experts with all the room that they have, that of the slowest rank.
  double busy(const Layer& layer) const;
  /// Activations of a micro-batch that a layer hands on, all of a tensor group.
  double handed_on(std::int32_t layer) const {
    return model_.layers[layer].activations * micro_samples_;
  }
  /// The same of what a layer takes and makes; of experts the tokens that were sent to them.
  double taken(std::int32_t layer) const;
  double made(std::int32_t layer) const;
  /// Activations of tokens that a rank sends to all experts, with what room they have to spare.
  double sent_to_experts(std::int32_t layer) const;
  bool is_skewed() const { return options_.skew.has_value(); }
  /// Precondition: is_skewed(). Bytes that a rank sends to the experts of each.
  std::vector<std::int64_t> sent_to_each(std::int32_t layer) const;
  /// Precondition: the layer has experts.
  double dropped(const Layer& layer) const { return dropped_share(*layer.experts, options_.skew); }
  /// Of layers with experts; 0 without.
  double mean_dropped() const;

 private:
  ExpertLoad load(const Layer& layer) const {
    return expert_load(*layer.experts, options_.parallel.data, options_.skew.value());
  }
  /// Of a rank's tokens that the rank with most gets, times ranks.
  double room(const Layer& layer) const;

  const TrainingModel& model_;
  const StepOptions& options_;
  double micro_samples_;
};

}  // namespace weft::workload
