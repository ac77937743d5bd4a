// The integer program: decides what annealing leaves open.
#pragma once

#include <optional>

#include "weft/search/synthesis/annealing.hpp"
#include "weft/search/synthesis/instance.hpp"

namespace weft::search {

struct ExactResult {
  std::optional<Plan> plan;  // of the fewest rounds when decided
  bool decided = false;      // false: the deadline came first, or the program is too large
};

/// The fewest rounds, from `least` up to task.rounds, in at most so many steps with so many chunks;
/// no plan and decided means that there is none. The plan may have steps without a round.
ExactResult solve_exactly(const Instance& instance, const AnnealingTask& task, int least,
                          Clock::time_point deadline);

}  // namespace weft::search
