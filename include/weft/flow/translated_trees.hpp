// Translated trees: trees of one root of a Cayley network that its group moves to all other roots.
//
//   if (const auto trees = translated_trees(fabric, view, {.places = nodes}))
//     ...  // trees->count trees of the identity; trees->joins say who passes them on to whom
//
// A node p that passes a tree of the identity on to p s, s a generator, is moved by p^-1 to the
// identity that passes the tree of p^-1 on to s. So every link of generator s carries as many trees
// as have a join by s, of all nodes together: where each generator is used in proportion to its
// bandwidth the network is in full flow. Averaged over the group, any packing is such a one, so
// that nothing is lost but by cutting to whole trees.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/flow/rank_trees.hpp"
#include "weft/topology/cayley_view.hpp"

namespace weft::flow {

/// Trees [first, first + trees) of the identity lead from a node to the next, which has `depth`
/// joins on its way from the root, this one among them.
struct TreeJoin {
  topology::Group::Element from = 0, to = 0;  // away from the root
  std::int32_t generator = 0;                 // of the link: its index in the view
  std::int32_t depth = 1;
  std::int64_t first = 0, trees = 0;

  friend bool operator==(const TreeJoin&, const TreeJoin&) = default;
};

struct TranslatedTrees {
  std::int64_t count = 1;       // trees of the identity
  Rational rate_Bps;            // of each of them and of their translates
  std::vector<TreeJoin> joins;  // each node but the identity joins each tree once; parents first
};

/// As many trees, of the same rate, as rank_trees() finds at no loss. Their depth is that of
/// shortest ways where these use generators evenly enough, as a rule, else little more. Nothing
/// where bandwidths differ between links of a generator, where there are switches, not one rank on
/// each node, or roots or a goal are named, and where no such trees are found. Throws as rank_cut()
/// does. Beyond the time of rank_cut() O(nodes * degree * log nodes), up to some forty times over.
std::optional<TranslatedTrees> translated_trees(const Fabric& fabric,
                                                const topology::CayleyView& view,
                                                const RankTreesQuestion& question);

}  // namespace weft::flow
