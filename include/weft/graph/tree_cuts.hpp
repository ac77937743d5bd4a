// Tree cuts: the sets of nodes that bound how much trees from many roots can bring.
//
//   const TreeCut cut = tightest_cut(nodes, arcs, roots, goals);
//   // no packing brings trees at a rate above cut.capacity / cut.lacking each
//
// A set of nodes with a goal in it is entered by every tree whose root is outside. Where each set
// is entered by as much capacity as trees lack there, they fit (tree_packing.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/graph/tree_packing.hpp"

namespace weft::graph {

struct TreeCut {
  std::vector<char> inside;   // by node
  std::int64_t lacking = 0;   // trees whose roots are outside
  std::int64_t capacity = 0;  // of the arcs that enter
};

/// The set with a goal in it with the most lacking trees for the capacity that enters; one that
/// nothing enters where there is one (capacity 0), none (lacking 0) where every goal is the root of
/// all. Trees are weights here, times capacities far from 63 bits. As many small flows as goals, a
/// few times over. Source: Dinkelbach, "On nonlinear fractional programming", Management Science
/// 13, 1967. Goals are distinct. Throws InvalidInput where numbers outgrow 63 bits.
TreeCut tightest_cut(std::int32_t nodes, std::span<const CapacityArc> arcs,
                     std::span<const TreeRoot> roots, std::span<const std::int32_t> goals);

/// The tightest cut around a single goal, then those that flows find on the way to the tightest of
/// all, which is the last: each tighter than the one before.
std::vector<TreeCut> rising_cuts(std::int32_t nodes, std::span<const CapacityArc> arcs,
                                 std::span<const TreeRoot> roots,
                                 std::span<const std::int32_t> goals);

/// A set with a goal in it that is entered by less capacity than trees lack there; nothing where
/// they fit.
std::optional<TreeCut> overfull_cut(std::int32_t nodes, std::span<const CapacityArc> arcs,
                                    std::span<const TreeRoot> roots,
                                    std::span<const std::int32_t> goals);

/// Of each goal that trees do not reach, in order, the set with it that lacks most beyond what
/// enters; a set may stand for several goals. As many small flows as goals.
std::vector<TreeCut> overfull_cuts(std::int32_t nodes, std::span<const CapacityArc> arcs,
                                   std::span<const TreeRoot> roots,
                                   std::span<const std::int32_t> goals);

/// Trees of one rate: an arc of capacity c takes floor(c / rate) of them.
struct TreeRate {
  std::int64_t trees = 1;         // of each root, times its weight
  Rational rate;                  // capacity that each tree takes
  std::vector<CapacityArc> arcs;  // with the number of trees that they take as their capacity
};

/// The greatest rate of so many trees from each root, times the weight that it has as its `trees`.
/// Each node set that fails lowers it to the greatest that the set allows, so that none above fits.
/// Precondition: `tightest` is tightest_cut() and has capacity.
TreeRate greatest_rate(std::int32_t nodes, std::span<const CapacityArc> arcs,
                       std::span<const TreeRoot> roots, std::span<const std::int32_t> goals,
                       const TreeCut& tightest, std::int64_t trees);

/// The fewest trees at the rate of `tightest` that fill every arc to the end, so that what enters
/// and leaves nodes is in the proportions that capacities have; nothing where more than `most` are
/// needed. Same precondition.
std::optional<TreeRate> full_rate(std::span<const CapacityArc> arcs, const TreeCut& tightest,
                                  std::int64_t most);

/// The fewest trees from each root, `most` at most, at a rate that is capacity / lacking of
/// `tightest` in all: no packing, of however many, does better (of the first 64 multiples of the
/// least number that fills the cut; else as many as fill every arc). Where none of these is in
/// reach, the best of up to 64, of powers of two, and of `most`. Same precondition.
TreeRate fewest_trees(std::int32_t nodes, std::span<const CapacityArc> arcs,
                      std::span<const TreeRoot> roots, std::span<const std::int32_t> goals,
                      const TreeCut& tightest, std::int64_t most);

}  // namespace weft::graph
