#include "weft/workload/state_memory.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/workload/step/layer_shares.hpp"

namespace weft::workload {

namespace {

constexpr std::int32_t kMaster_B = 4, kMoments_B = 8;  // fp32; Adam has two moments

// Parameters that each device of each stage stores.
std::vector<double> stored_parameters(const TrainingModel& model, const StepOptions& options,
                                      const TrainingStep& step) {
  const LayerShares shares(model, options);
  const Parallelism& parallel = options.parallel;
  const auto stage_of = [&](std::int32_t layer) {
    const auto next = std::ranges::upper_bound(step.runs, layer);
    return static_cast<std::int32_t>(next - step.runs.begin() - 1) % step.stages;
  };
  const auto stored = [&](const Layer& layer) {
    const bool divided = parallel.replicas == DataParallel::sharded || shares.deals(layer);
    return shares.held(layer) / (divided ? parallel.data : 1);
  };
  std::vector<double> of_stages(static_cast<std::size_t>(step.stages), 0);
  std::set<std::pair<std::int32_t, std::int32_t>> copies;  // of a layer, on a stage
  for (std::int32_t i = 0; i < std::ssize(model.layers); ++i) {
    const Layer& layer = model.layers[i];
    of_stages[stage_of(i)] += stored(layer);
    if (layer.tied && stage_of(*layer.tied) != stage_of(i) &&
        copies.emplace(*layer.tied, stage_of(i)).second)
      of_stages[stage_of(i)] += stored(model.layers[*layer.tied]);
  }
  return of_stages;
}

}  // namespace

StateMemory state_memory(const TrainingModel& model, const StepOptions& options,
                         const TrainingStep& step) {
  const std::vector<double> of_stages = stored_parameters(model, options, step);
  WEFT_ASSERT(!of_stages.empty());
  const auto most = std::ranges::max_element(of_stages);
  const std::int32_t optimizer_B = kMoments_B + (options.parameter_B < kMaster_B ? kMaster_B : 0);
  return {.stage = static_cast<std::int32_t>(most - of_stages.begin()),
          .parameters_B = *most * options.parameter_B,
          .gradients_B = *most * options.gradient_B,
          .optimizer_B = *most * optimizer_B};
}

}  // namespace weft::workload
