// The two halves of an allreduce on a network: what they share, and proofs in fractions of how fast
// they can be.
#pragma once

#include <optional>
#include <vector>

#include "weft/flow/allreduce_trees.hpp"
#include "weft/flow/trees/carrier.hpp"

namespace weft::flow {

/// The network with parallel links as one arc.
struct Shared {
  Shared(const Fabric& fabric, const Carrier& carrier);

  std::int32_t nodes = 0;
  std::vector<graph::CapacityArc> arcs;
  std::vector<std::int32_t> arc_of_link;  // by link; -1 of those that nobody uses
  std::int64_t unit_Bps = 0;              // of capacities
  std::vector<std::int32_t> places;       // of the ranks, ascending
  std::vector<std::int64_t> ranks;        // on each place
  std::vector<std::int32_t> passing;      // nodes without a rank that pass things on
  std::vector<char> takes_part;           // by node: whether it is one of these or of the places
  bool is_even = true;                    // as much enters each of these as leaves it

  std::int64_t all_ranks() const;
};

/// A set with a place in it that the roots outside must reach (along) or be reached from (against).
struct HalfCut {
  graph::Sense sense = graph::Sense::along;
  std::vector<char> inside;  // by node

  /// Whether the arc carries what crosses.
  bool is_crossed_by(const graph::CapacityArc& arc) const {
    const bool along = sense == graph::Sense::along;
    return inside[arc.tail] == (along ? 0 : 1) && inside[arc.head] == (along ? 1 : 0);
  }
  friend bool operator==(const HalfCut&, const HalfCut&) = default;
};

/// What is done in 2 * half_time, in capacities of Shared: as many units as there are ranks.
template <class Number>
struct Halves {
  std::vector<Number> roots;           // units rooted, by place
  std::vector<Number> along, against;  // by arc: what out-trees and in-trees may take
};

/// Sets that the halves leave short of what they need.
std::vector<HalfCut> short_cuts(const Shared& shared, const Halves<double>& halves);

struct Judged {
  std::vector<HalfCut> short_of;        // where these are none:
  std::optional<graph::Fraction> time;  // for as many units as ranks; nothing where numbers grow
};
/// Exactly.
Judged judge(const Shared& shared, const Halves<graph::Fraction>& halves);

/// Multipliers of cuts and of nodes that pass things on.
struct HalfDuals {
  std::vector<graph::Fraction> cuts;            // as HalfCuts are numbered
  std::vector<graph::Fraction> along, against;  // by node
};
/// The time that they prove, and the proof of it in seconds for each byte.
AllreduceTrees proven(const Fabric& fabric, const Shared& shared, const std::vector<HalfCut>& cuts,
                      const HalfDuals& duals);

}  // namespace weft::flow
