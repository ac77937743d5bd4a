// A training step as a program: what each rank computes, and its collectives as the sends and
// receives of the schedules that were chosen for them.
#pragma once

#include <string>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/program/program.hpp"
#include "weft/training/training.hpp"

namespace weft::training {

struct ExpandedStep {
  Program program;
  /// Schedules whose messages have paths of their own; the program leaves these to the routing.
  std::vector<std::string> without_paths = {};
};

/// Throws InvalidInput for a step whose all-to-alls have no schedule: those of unequal parts, and
/// those that take the time of the throughput. Call it before anything is computed.
void require_expandable(const TrainingQuestion& asked);

/// Expands a step that train() returned for the same network and question. Each stream of a rank
/// does its tasks in the order in which they ran there. A rank begins its part of a collective as
/// soon as its own tasks before it are done; it waits for no other rank but by messages. Throws
/// InvalidInput for schedules in which switches combine or copy, and for more than 2^23 operations.
/// O(operations log operations), and what building the schedules costs.
ExpandedStep expand_step(const Training& training, const Network& network,
                         const TrainingQuestion& asked);

}  // namespace weft::training
