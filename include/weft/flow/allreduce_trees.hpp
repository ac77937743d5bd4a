// Allreduce trees: the least time in which trees bring what all ranks have to roots, added up, and
// the sums from the roots to all ranks.
//
//   const AllreduceTrees best = allreduce_trees(fabric, {.places = nodes_of_ranks});
//   // M bytes take best.least_s_per_B * M at least; best.reached_s_per_B * M suffices
//
// Rank v is the root of the share x_v of the buffer, which all ranks' contributions reach over
// in-trees and which leaves v over out-trees. Both halves share the links: each link gives some of
// its time to in-trees, the rest to out-trees. Shares and times are chosen together, since a cut
// with most ranks on one side wants other roots than each half alone would have, and a link that
// one half does without is of use to the other.
//
// No schedule that adds each byte up at one rank and then spreads it is faster. Nodes without a
// rank copy and add nothing, here as in schedules: they pass on as much as they get. Where there
// are switches, hosts without a rank pass nothing on.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/graph/fractions.hpp"
#include "weft/graph/sense.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::flow {

struct AllreduceQuestion {
  std::vector<NodeId> places;  // of the ranks, hosts all
  double time_limit_s = 60;
};

/// What is rooted in a set of nodes that leaves out a rank must leave it (along); contributions to
/// it must enter (against). So many seconds for each byte of it.
struct WeightedCut {
  graph::Sense sense = graph::Sense::along;
  std::vector<NodeId> roots;  // the set, ascending
  graph::Fraction weight;     // s/B, > 0
};

/// The proof: with prices p of links, weights w of cuts and potentials y of nodes without a rank
/// (0 at ranks), for each link from t to h
///
///     sum of w over sets (along)   that it leaves  + y_along(h)   - y_along(t)    <=  p,
///     sum of w over sets (against) that it enters  + y_against(h) - y_against(t)  <=  p,
///
/// sum of p * bandwidth is 1, and each rank is in sets of weight `least_s_per_B` together or more.
struct AllreduceProof {
  std::vector<graph::Fraction> prices;  // by link, 1/Bps; 0 of links that nobody uses
  std::vector<WeightedCut> cuts;
  std::vector<graph::Fraction> along, against;  // potentials by node
};

struct AllreduceTrees {
  graph::Fraction least_s_per_B;  // by the proof
  AllreduceProof proof;
  /// What trees are proven to reach, the same where all was solved in time; nothing where none are
  /// known.
  std::optional<graph::Fraction> reached_s_per_B;
  std::vector<graph::Fraction> shares;  // of the buffer, by rank; of trees that reach it
  /// What these bring over each link, of the buffer. Empty where they are a reduce-scatter and an
  /// allgather of equal shares.
  std::vector<graph::Fraction> out_trees, in_trees;
  std::int64_t rounds = 0;  // linear programs

  bool is_exact() const { return reached_s_per_B == least_s_per_B; }
};

/// Estimates the bytes that allreduce_trees() takes: two cuts around each place are rows that have
/// a term for each other place, so that this grows with the square of the places. O(ranks log).
double allreduce_trees_memory_B(const Fabric& fabric, const std::vector<NodeId>& places);

/// Throws InvalidInput for ranks that do not reach each other, and where all are on one node. Each
/// of some ten linear programs is followed by a small flow to and from each place.
AllreduceTrees allreduce_trees(const Fabric& fabric, const AllreduceQuestion& question);

}  // namespace weft::flow
