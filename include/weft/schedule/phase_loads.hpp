// phase_loads: what each step of a schedule asks of the links, message by message.
//
//   for (const PhaseLoad& phase : schedule::phase_loads(verified, network)) ...
//
// Of an all-to-all in phases it is the picture of Prisacari, Rodriguez, Minkenberg, Hoefler,
// "Bandwidth-optimal All-to-all Exchanges in Fat Tree Networks", ICS 2013, figure 4: how many
// messages cross the top of the tree in each phase, and how many the busiest link carries.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::schedule {

/// Of one step.
struct PhaseLoad {
  std::int64_t messages = 0;              // between different nodes
  std::vector<std::int64_t> by_class;     // links of each class that they cross, as class_names()
  std::int64_t busiest_link = 0;          // messages on it; the parts of split ones, rounded up
  std::optional<std::int64_t> least;      // what no up and down paths go below; xgft, fat-tree
  std::optional<std::int64_t> top_level;  // messages that cross its top level; xgft, fat-tree
};

/// Of the step in [0, steps()), all segments and orbits counted. O(messages of the step x route
/// length + links). Throws InvalidInput for a step out of range, when the network has fewer ranks
/// than the schedule, and when its routing splits messages over paths with other counts of links of
/// a class.
PhaseLoad phase_load(const Verified& verified, const Network& network, std::int64_t step);

/// Of all steps.
std::vector<PhaseLoad> phase_loads(const Verified& verified, const Network& network);

}  // namespace weft::schedule
