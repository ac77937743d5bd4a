// The cut bound: what a collective has to carry over a cut of the network, over what the cut's
// links can carry.
//
//   CutQuestion question{.demand = CutDemand::lacking};      // allgather
//   CutBound bound = *cut_bound(topology, places, capacity, egress, question);
//   print(bound.bandwidth_factor, bound.text);               // 15/8 "cut around leaf switch 3"
//
// In every step a cut's links carry at most what its busiest one times their number would, so the
// loads of all steps over the cut, divided by its bandwidth, bound the sum of the steps' times.
// docs/explanation/proofs.md has the proof and what each collective carries.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "weft/base/rational.hpp"
#include "weft/topology/topology.hpp"

namespace weft::analysis {

/// What has to cross, in units of M, for a set S that holds s of the N ranks, 0 < s < N.
enum class CutDemand : std::uint8_t {
  whole,    // 1
  lacking,  // (N - s) / N
  pairs,    // s (N - s) / N
};

enum class CutDirection : std::uint8_t { into, out_of };

struct CutQuestion {
  CutDemand demand = CutDemand::lacking;
  CutDirection direction = CutDirection::into;  // of S
  std::optional<NodeId> root = {};              // S holds it
  std::optional<NodeId> peer = {};              // S does not hold it
  /// The collective combines contributions and gives all the result: k parts of the network with
  /// ranks, each with all of a unit's contributions or none, exchange 2 (k - 1) messages at least.
  bool reduces_to_all = false;
  /// The most work that minimum cuts may take, in links times flows, a hundredth of it for
  /// divisions into parts; 0: none are looked for.
  std::int64_t most_work = 2'000'000'000;
};

struct CutBound {
  Rational bandwidth_factor;       // of T_B, in units of M / B
  std::string text;                // "cut around leaf switch 3"
  std::int64_t ranks = 0;          // inside, of the side that is named; of cuts between parts: all
  std::int64_t links = 0;          // that the data crosses, in its direction
  std::int64_t bandwidth_Bps = 0;  // of these links, in the unit of `capacity`
  std::int64_t parts = 2;          // more where it is the cuts around so many
  /// No set of nodes gives more, of an allreduce no division of the hosts into parts either (of
  /// all-to-all, where this is hard: minimum cuts gave their candidates; of divisions where ranks
  /// are on some hosts alone likewise). False where the network was too large for minimum cuts.
  bool searched = false;
};

/// The tightest of the cuts around single hosts, switches with the hosts that hang on them alone,
/// the parts that are left without the links of a class (groups, subtrees) or without the slower
/// links (boxes), the first nodes in their order, and those that minimum cuts find; of an allreduce
/// also of the divisions into parts that they find; nothing where all ranks share a node. `places`
/// are the ranks' nodes, `capacity` by link and `egress` = B in one unit. Throws InvalidInput when
/// a cut that has to be crossed has no link. Cost: O(links) for each kind of part, and as many
/// flows as nodes that ranks hang on (of divisions a few times so many).
std::optional<CutBound> cut_bound(const Topology& topology, std::span<const NodeId> places,
                                  std::span<const std::int64_t> capacity, std::int64_t egress,
                                  const CutQuestion& question);

}  // namespace weft::analysis
