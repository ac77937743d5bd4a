#include "weft/workload/step/layer_shares.hpp"

#include <cmath>

#include "weft/base/error.hpp"

namespace weft::workload {

std::int64_t whole_bytes(double numbers, std::int32_t each_B) {
  WEFT_ASSERT(numbers >= 0 && each_B >= 0);
  constexpr double kMost = 0x1p62;
  const double bytes = std::ceil(numbers * each_B);
  require(bytes <= kMost, "{:.3g} bytes in one send are too many (at most {:.3g})", bytes, kMost);
  return static_cast<std::int64_t>(bytes);
}

double LayerShares::held(const Layer& layer) const {
  const double copies = layer.experts ? layer.experts->count : 1;
  return static_cast<double>(layer.parameters) * copies / split(layer);
}

double LayerShares::taken(std::int32_t layer) const {
  return deals(model_.layers[layer]) ? made(layer) : handed_on(layer - 1);
}

double LayerShares::room(const Layer& layer) const {
  if (!deals(layer)) return 1;
  return is_skewed() ? load(layer).most() * options_.parallel.data : layer.experts->capacity;
}

double LayerShares::busy(const Layer& layer) const {
  return deals(layer) ? room(layer) / layer.experts->capacity : 1;
}

double LayerShares::made(std::int32_t layer) const {
  return handed_on(layer) * room(model_.layers[layer]);
}

double LayerShares::sent_to_experts(std::int32_t layer) const {
  const Parallelism& parallel = options_.parallel;
  return handed_on(layer) * model_.layers[layer].experts->capacity /
         (parallel.sequence ? parallel.tensor : 1);
}

double LayerShares::mean_dropped() const {
  double sum = 0;
  std::int64_t layers = 0;
  for (const Layer& layer : model_.layers) {
    if (!layer.experts) continue;
    sum += dropped(layer);
    ++layers;
  }
  return layers > 0 ? sum / static_cast<double>(layers) : 0;
}

std::vector<std::int64_t> LayerShares::sent_to_each(std::int32_t layer) const {
  const Parallelism& parallel = options_.parallel;
  const double all = handed_on(layer) / (parallel.sequence ? parallel.tensor : 1);
  constexpr double kRounding = 1e-12;  // of shares that add up, so that 128 bytes are not 129
  std::vector<std::int64_t> parts_B;
  for (const double share : load(model_.layers[layer]).of_ranks)
    parts_B.push_back(whole_bytes(all * share * (1 - kRounding), options_.activation_B));
  return parts_B;
}

}  // namespace weft::workload
