// How many local and global links messages cross on a Dragonfly, by probability.
//
// For a largest Dragonfly, g = a h + 1: one link between any two groups, minimal routing. All by
// Dorier, Mubarak, Ross, Li, Carothers, Ma, "Evaluation of Topology-Aware Broadcast Algorithms for
// Dragonfly Networks", CLUSTER 2016, section III-E.
#pragma once

#include <cstdint>

#include "weft/base/rational.hpp"
#include "weft/topology/views.hpp"

namespace weft::analysis {

/// Of a message between two distinct hosts drawn at random.
struct LinkOdds {
  Rational one_global;                      // crosses a global link; no message crosses more
  Rational no_local, one_local, two_local;  // crosses so many local links; they add up to 1
  Rational local_mean;                      // local links on average
};

/// Throws InvalidInput unless g = a h + 1 and there are two hosts or more.
LinkOdds link_odds(const topology::DragonflyView& dragonfly);

/// Messages over links of each kind.
struct LinkCounts {
  Rational local, global;
};

/// What n - 1 messages between hosts at random cross on average: a broadcast to n ranks that are
/// placed at random, by an algorithm that does not look where they are. Throws InvalidInput below
/// one rank, for more ranks than hosts, and as link_odds does.
LinkCounts expected_tree_crossings(const topology::DragonflyView& dragonfly, std::int64_t ranks);

/// What a broadcast by LLF, GLF or FOREST crosses at most: g - 1 global and 2 (g - 1) + g (a - 1)
/// local links.
LinkCounts most_crossings_of_aware(const topology::DragonflyView& dragonfly);

}  // namespace weft::analysis
