// Finds plans by simulated annealing: no proof, but fast on what defeats an integer program.
#pragma once

#include <chrono>
#include <optional>

#include "weft/base/random.hpp"
#include "weft/search/synthesis/instance.hpp"

namespace weft::search {

using Clock = std::chrono::steady_clock;

struct AnnealingTask {
  int steps = 1;   // at least the diameter
  int chunks = 1;  // of a shard
  int rounds = 1;  // of all steps together; at least one for each step
};

struct AnnealingEffort {
  std::int64_t moves = 20'000'000;  // of one start
  int starts = 4;
  Clock::time_point deadline = Clock::time_point::max();
};

/// A plan with these numbers, or nothing when the effort is spent.
std::optional<Plan> anneal(const Instance& instance, const AnnealingTask& task, Rng rng,
                           const AnnealingEffort& effort);

}  // namespace weft::search
