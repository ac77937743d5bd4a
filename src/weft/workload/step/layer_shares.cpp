#include "weft/workload/step/layer_shares.hpp"

#include <cmath>

namespace weft::workload {

std::int64_t whole_bytes(double numbers, std::int32_t each_B) {
  return static_cast<std::int64_t>(std::ceil(numbers * each_B));
}

double LayerShares::held(const Layer& layer) const {
  const double copies = layer.experts ? layer.experts->count : 1;
  return static_cast<double>(layer.parameters) * copies / split(layer);
}

double LayerShares::taken(std::int32_t layer) const {
  return deals(model_.layers[layer]) ? made(layer) : handed_on(layer - 1);
}

double LayerShares::made(std::int32_t layer) const {
  const Layer& of = model_.layers[layer];
  return handed_on(layer) * (deals(of) ? of.experts->capacity : 1);
}

double LayerShares::sent_to_experts(std::int32_t layer) const {
  const Parallelism& parallel = options_.parallel;
  return made(layer) / (parallel.sequence ? parallel.tensor : 1);
}

}  // namespace weft::workload
