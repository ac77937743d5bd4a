// Rank trees: what every rank has, brought to all ranks over trees, at the greatest rate that the
// network allows.
//
//   const RankTrees trees = rank_trees(fabric, {.places = nodes_of_ranks});
//   // each rank sends at trees.optimum_Bps at most: trees.cut is full then
//   // trees.count trees of each rank, each at trees.rate_Bps, do so, or nearly
//
// A set S of nodes that leaves out a rank is left by what each rank in it has, so that no schedule
// is faster than the links that leave S carry it: the optimum is the least of
//
//     bandwidth of the links that leave S / ranks in S
//
// over all S, which may hold any switches. Trees reach it (tree_packing.hpp), where ways through
// switches are split off without loss (splitting_off.hpp): always where cables are as fast one way
// as the other. Elsewhere switches would have to copy for it, and trees are the best that there are
// without (src/weft/flow/trees/even_capacities.hpp), as long as most_trees are enough for them.
// Where there are switches, hosts without a rank pass nothing on here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/graph/sense.hpp"
#include "weft/graph/tree_packing.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::flow {

struct RankTreesQuestion {
  std::vector<NodeId> places;                       // of the ranks, hosts all
  std::vector<std::int32_t> roots = {};             // the ranks that trees are of; empty: all
  std::optional<std::int32_t> goal = {};            // the rank to reach; nothing: all
  graph::Sense sense = graph::Sense::along;         // against: trees lead to their roots
  std::int64_t most_trees = std::int64_t{1} << 20;  // of each root; 0: the cut alone is asked for
};

/// A set of nodes that what ranks have must cross into, or out of where trees lead to their roots.
struct RankCut {
  std::vector<NodeId> inside, outside;  // ascending; hosts that pass nothing on are in neither
  std::int64_t lacking = 0;             // ranks outside that are roots
  std::int64_t bandwidth_Bps = 0;       // of the links that cross it in the trees' direction
  std::vector<LinkId> links;            // these, ascending
  /// The trees of each root that reach it, as few as graph::fewest_trees() finds; 0 where more than
  /// most_trees would be needed, or none are asked for.
  std::int64_t trees = 0;
};

/// Links from a host to another, one after the other, in the direction of the data.
struct LinkWay {
  std::int64_t trees = 0;  // that it can take
  std::vector<LinkId> links;
};

/// An arc of trees: from a place to the next one away from the root.
struct TreeArc {
  std::int32_t from = 0, to = 0;
  std::vector<LinkWay> ways;
};

struct PlacedTrees {
  std::vector<NodeId> places;  // the ranks' nodes, each once, ascending
  std::vector<TreeArc> arcs;
  /// Of each root in its order; nodes are places, arcs those above. A tree may take several ways of
  /// an arc; all of them together take what it has.
  std::vector<graph::PackedTree> trees;

  /// Arcs from a root to the farthest place.
  std::int32_t depth() const;
};

struct RankTrees : PlacedTrees {
  RankCut cut;
  Rational optimum_Bps;    // what each root can send at most: by the cut
  std::int64_t count = 1;  // trees of each root
  Rational rate_Bps;       // of each; count * rate_Bps is no more than the optimum

  Rational reached_Bps() const { return rate_Bps * Rational(count); }
};

/// Why there are none: ranks that do not reach each other (two are named), or all on one node;
/// nothing where there are. O(links).
std::optional<std::string> rank_trees_misfit(const Fabric& fabric,
                                             const RankTreesQuestion& question);

/// The optimum alone; with a goal that of what each root sends to it over any ways, since a cut is
/// then reached by a flow. Throws InvalidInput with the reason of rank_trees_misfit(), and where
/// bandwidths have no unit in common that is of use. As many small flows as hosts with ranks, a few
/// times over.
RankCut rank_cut(const Fabric& fabric, const RankTreesQuestion& question);

/// Whether nodes without a rank let out as much as comes in, all of them: then trees reach the cut.
bool pass_evenly(const Fabric& fabric, const RankTreesQuestion& question);

/// What each root can send at most over ways through nodes that copy nothing, of a question without
/// a goal: by the cut where they pass evenly, elsewhere that or less. Nothing where its fractions
/// are not found, and of more than 20,000 links then. Throws as rank_cut() does.
std::optional<Rational> rate_without_copies_Bps(const Fabric& fabric,
                                                const RankTreesQuestion& question);

/// The trees, of a question without a goal. Throws as rank_cut() does, and where they would take
/// too much memory.
RankTrees rank_trees(const Fabric& fabric, const RankTreesQuestion& question);

}  // namespace weft::flow
