#include "weft/workload/training_model.hpp"

#include <algorithm>

#include "weft/base/enumeration.hpp"

namespace weft::workload {

namespace {

constexpr Names<LayerKind, kLayerKinds.size()> kKindNames{
    "kind of layer",
    {"convolution", "linear", "attention", "feed-forward", "normalization", "embedding", "head",
     "router"}};

}  // namespace

std::string_view name_of(LayerKind kind) {
  return kKindNames[kind];
}

LayerKind layer_kind(std::string_view name) {
  return kKindNames.value(name);
}

std::int64_t TrainingModel::parameters() const {
  std::int64_t sum = 0;
  for (const Layer& layer : layers)
    sum += layer.parameters * std::int64_t{layer.experts ? layer.experts->count : 1};
  return sum;
}

double TrainingModel::operations() const {
  double sum = 0;
  for (const Layer& layer : layers) sum += layer.operations;
  return sum;
}

bool TrainingModel::sparse() const {
  return std::ranges::any_of(layers, [](const Layer& layer) { return layer.experts.has_value(); });
}

}  // namespace weft::workload
