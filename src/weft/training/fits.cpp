// Whether the state of a training step fits into the memory of its devices, and which layout does.
//
// Sharded data parallelism divides all of the state by its ranks, and no layout divides it further.
// So some layout of the devices fits just where sharding over all of them does. The remedy stays
// near to what was asked: its own groups with sharded replicas, else the smallest tensor groups and
// pipelines that fit, which need no gathering of parameters, else sharding alone.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/training/training.hpp"
#include "weft/training/training_spec.hpp"

namespace weft::training {

namespace {

using workload::DataParallel;
using workload::Parallelism;

constexpr double kGB = 1e9;
constexpr std::array<std::int32_t, 4> kTensors = {1, 2, 4, 8};  // of one box

std::vector<Parallelism> layouts_near(const Parallelism& asked) {
  const std::int64_t ranks = asked.ranks();
  std::vector<Parallelism> layouts;
  if (asked.data > 1) {
    layouts.push_back(asked);
    layouts.back().replicas = DataParallel::sharded;
  }
  for (std::int64_t split = 2; split <= ranks; ++split)
    for (const std::int32_t tensor : kTensors) {
      if (ranks % split != 0 || split % tensor != 0) continue;
      layouts.push_back({.tensor = tensor,
                         .pipeline = static_cast<std::int32_t>(split / tensor),
                         .data = static_cast<std::int32_t>(ranks / split)});
    }
  layouts.push_back({.replicas = DataParallel::sharded, .data = static_cast<std::int32_t>(ranks)});
  return layouts;
}

// As --parallel takes it.
std::string option_of(const Parallelism& parallel) {
  std::string text;
  for (const char c : text_of(parallel))
    if (c != ' ') text += c;
  return text;
}

// What the question needs with that layout; nothing where it cannot be asked with it.
std::optional<double> needed_B(TrainingSpec spec, const Parallelism& parallel) {
  spec.parallel = option_of(parallel);
  try {
    const auto ranks = static_cast<std::int32_t>(parallel.ranks());
    const TrainingPlan other = plan_training(spec, ranks);
    refuse_idle(spec, other);
    return state_memory(other).total_B();
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
}

// Where both are nearly equal, with as many digits as tell them apart.
std::string next_to(double needed_B, double memory_B, std::string_view device) {
  constexpr double kTold = 1.005;  // three digits of a ratio say more than "1"
  int digits = 4;
  const auto text = [&](double bytes) { return fmt::format("{:.{}g}", bytes / kGB, digits); };
  while (digits < 12 && text(needed_B) == text(memory_B)) ++digits;
  const double ratio = needed_B / memory_B;
  return fmt::format(
      "{} GB per device for parameters, gradients and optimizer state ({} the {} GB "
      "of {})",
      text(needed_B), ratio >= kTold ? fmt::format("{:.3g} times", ratio) : "more than",
      text(memory_B), device);
}

// How many devices hold the state if it is divided evenly.
std::int64_t fewest_devices(const TrainingPlan& plan, double memory_B) {
  TrainingPlan alone = plan;
  alone.asked.step.parallel = {};
  alone.asked.step.micro_batches = 1;
  alone.asked.step.virtual_stages = 1;
  return static_cast<std::int64_t>(std::ceil(state_memory(alone).total_B() / memory_B));
}

}  // namespace

workload::StateMemory state_memory(const TrainingPlan& plan) {
  return workload::state_memory(plan.model, plan.asked.step,
                                workload::training_step(plan.model, plan.times, plan.asked.step));
}

void require_fits(const TrainingSpec& spec, const TrainingPlan& plan,
                  const workload::StateMemory& memory) {
  const workload::Device& device = plan.compute.device;
  if (!device.memory_B || memory.total_B() <= *device.memory_B) return;
  const std::string needs =
      plan.model.name + " needs " + next_to(memory.total_B(), *device.memory_B, device.name);
  const Parallelism& asked = plan.asked.step.parallel;
  const std::int64_t fewest = fewest_devices(plan, *device.memory_B);
  require(fewest <= asked.ranks(),
          "{}; no layout of {} such devices fits; use {} or more, or add --no-memory-check", needs,
          asked.ranks(), fewest);
  for (const Parallelism& layout : layouts_near(asked))
    if (const auto other_B = needed_B(spec, layout); other_B && *other_B <= *device.memory_B)
      reject("{}; use --parallel {} ({:.4g} GB), or add --no-memory-check", needs,
             option_of(layout), *other_B / kGB);
  reject("{}; use more devices, or add --no-memory-check", needs);
}

}  // namespace weft::training
