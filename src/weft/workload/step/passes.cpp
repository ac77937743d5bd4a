#include "weft/workload/step/passes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "weft/base/error.hpp"

namespace weft::workload {

namespace {

// Each micro-batch forward, in order, then each backward, the last first.
std::vector<Pass> gpipe(std::int32_t stage, const StepOptions& options) {
  std::vector<Pass> passes;
  for (std::int32_t m = 0; m < options.micro_batches; ++m) passes.push_back({false, m, stage});
  for (std::int32_t m = options.micro_batches - 1; m >= 0; --m) passes.push_back({true, m, stage});
  return passes;
}

// One forward, one backward: a stage begins with as many forward passes as it takes until the first
// micro-batch comes back. With several runs a stage takes them in turn, a pipeline's length of
// micro-batches each (Narayanan et al., section 2.2).
std::vector<Pass> one_f_one_b(std::int32_t stage, const StepOptions& options) {
  const std::int32_t stages = options.parallel.pipeline, runs = options.virtual_stages;
  const std::int32_t all = options.micro_batches * runs;
  const auto pass = [&](bool backward, std::int32_t k) {
    if (runs == 1) return Pass{backward, k, stage};
    const std::int32_t turn = k % (stages * runs) / stages;
    return Pass{backward, k / (stages * runs) * stages + k % stages,
                (backward ? runs - 1 - turn : turn) * stages + stage};
  };
  const std::int32_t ahead = std::min(
      all, runs == 1 ? stages - 1 - stage : (stages - 1 - stage) * 2 + (runs - 1) * stages);
  std::vector<Pass> passes;
  for (std::int32_t k = 0; k < ahead; ++k) passes.push_back(pass(false, k));
  for (std::int32_t k = 0; k < all; ++k) {
    if (ahead + k < all) passes.push_back(pass(false, ahead + k));
    passes.push_back(pass(true, k));
  }
  WEFT_ASSERT(std::ssize(passes) == std::int64_t{2} * all);  // each micro-batch goes there and back
  return passes;
}

// Runs of sums up to a limit, taken from the front as long as they can be, with an item left for
// each that follows; empty where they are too few.
std::vector<std::int32_t> runs_within(std::span<const double> items, std::int32_t runs,
                                      double limit) {
  const auto count = static_cast<std::int32_t>(items.size());
  std::vector<std::int32_t> first{0};
  double sum = 0;
  for (std::int32_t i = 0; i < count; ++i) {
    const auto begun = static_cast<std::int32_t>(first.size());
    const bool is_first = first.back() == i;
    if (!is_first && (sum + items[i] > limit || count - i <= runs - begun)) {
      if (begun == runs) return {};
      first.push_back(i);
      sum = 0;
    }
    sum += items[i];
    if (sum > limit) return {};
  }
  first.push_back(count);
  return first;
}

}  // namespace

std::vector<Pass> passes_of(std::int32_t stage, const StepOptions& options) {
  WEFT_ASSERT(stage >= 0 && stage < options.parallel.pipeline);
  return options.order == PipelineOrder::gpipe ? gpipe(stage, options)
                                               : one_f_one_b(stage, options);
}

std::vector<std::int32_t> even_runs(std::span<const double> items, std::int32_t runs) {
  WEFT_ASSERT(runs >= 1 && runs <= std::ssize(items));
  double least = 0, most = 0;
  for (const double item : items) {
    least = std::max(least, item);
    most += item;
  }
  std::vector<std::int32_t> best =
      runs_within(items, runs, std::numeric_limits<double>::infinity());
  constexpr int kHalvings = 60;
  for (int i = 0; i < kHalvings; ++i) {
    const double limit = i == 0 ? least : (least + most) / 2;
    auto found = runs_within(items, runs, limit);
    if (!found.empty()) {
      best = std::move(found);
      if (i == 0) break;
      most = limit;
    } else {
      least = limit;
    }
  }
  WEFT_ASSERT(std::ssize(best) == runs + 1 && best.front() == 0 &&
              best.back() == std::ssize(items));
  return best;
}

}  // namespace weft::workload
