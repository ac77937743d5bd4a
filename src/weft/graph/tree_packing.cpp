// Trees grow by one arc at a time, those that are alike as one with a multiplicity. They can all be
// completed as long as every set X of nodes is entered by as much free capacity as there are trees
// without a node in X. Let tree i, m times, take arc (x, y) mu times: this can harm only sets with
// y but not x in which the tree has a node already, and by mu at most. So mu is what x alone can
// send to y beside all that the other trees send there, each its multiplicity from any of its nodes
// over free capacity: one maximum flow. Where mu < m, the tree parts in two. What no tree may take
// now it may never take: slack only falls.
//
// Those flows are kept, one for each node as the goal, and mended when the goal is asked for again:
// what took capacity from under them since is sent another way. So most questions are answered by
// what flows over the arc itself.
//
// Depth. The trees grow together by depth: those that may add an arc from a node of the last depth
// take turns, whole trees before parts of them; when none can, the next depth is begun.
#include "weft/graph/tree_packing.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/progress.hpp"
#include "weft/graph/forest.hpp"
#include "weft/graph/rows.hpp"
#include "weft/graph/tree_flows.hpp"

namespace weft::graph {

namespace {

Forest forest_of(std::int32_t nodes, std::span<const CapacityArc> arcs,
                 std::span<const TreeRoot> roots) {
  const auto count = static_cast<std::size_t>(nodes);
  Forest forest{
      .arcs = arcs,
      .out = rows_by<std::int32_t>(
          nodes, static_cast<std::int32_t>(arcs.size()),
          [&](std::int32_t arc) { return arcs[arc].tail; }, [](std::int32_t arc) { return arc; }),
      .in = std::vector<std::vector<OpenArc>>(count),
      .tails = std::vector<IdSet>(count),
      .left = {},
      .taken = {},
      .trees = {},
      .with = std::vector<IdSet>(count)};
  for (std::size_t arc = 0; arc < arcs.size(); ++arc) {
    forest.left.push_back(arcs[arc].capacity);
    if (arcs[arc].capacity == 0) continue;
    forest.in[arcs[arc].head].push_back({arcs[arc].tail, static_cast<std::int32_t>(arc)});
    forest.tails[arcs[arc].head].add(arcs[arc].tail);
  }
  for (auto& in : forest.in) std::ranges::stable_sort(in, {}, &OpenArc::tail);
  for (std::size_t r = 0; r < roots.size(); ++r) {
    if (roots[r].trees == 0) continue;
    const std::int32_t node = roots[r].node;
    forest.with[node].add(static_cast<std::int32_t>(forest.trees.size()));
    Growing& tree =
        forest.trees.emplace_back(Growing{.root = static_cast<std::int32_t>(r),
                                          .multiplicity = roots[r].trees,
                                          .branches = Branching(count, Branch{.parent = node}),
                                          .has = std::vector<bool>(count, false),
                                          .last = {node},
                                          .current = {}});
    tree.has[node] = true;
  }
  return forest;
}

class TreePacking {
 public:
  explicit TreePacking(Forest forest) : forest_(std::move(forest)), flows_(forest_) {
    for (const Growing& tree : forest_.trees) to_join_ += tree.multiplicity * (forest_.nodes() - 1);
  }
  TreePacking(const TreePacking&) = delete;
  TreePacking& operator=(const TreePacking&) = delete;
  TreePacking(TreePacking&&) = delete;
  TreePacking& operator=(TreePacking&&) = delete;
  ~TreePacking() = default;

  std::vector<PackedTree> pack() && {
    if (!flows_.begin()) return {};
    for (; !done(); ++depth_) {
      for (Growing& tree : forest_.trees) tree.begin_depth();
      bool grew = grow(Parts::refused);
      for (Growing& tree : forest_.trees) tree.begin_pass();
      grew = grow(Parts::taken) || grew;
      if (!grew) throw std::logic_error("trees that fit cannot be completed");
    }
    return result();
  }

 private:
  enum class Parts : std::uint8_t { refused, taken };

  bool done() const {
    return std::ranges::all_of(forest_.trees,
                               [&](const Growing& tree) { return tree.nodes == forest_.nodes(); });
  }

  // Whether any tree did.
  bool grow(Parts parts) {
    bool grew = false;
    for (bool turn = true; turn; grew |= turn) {
      turn = false;
      for (std::size_t i = 0; i < forest_.trees.size(); ++i)  // parts of them join at the end
        turn |= take_turn(static_cast<std::int32_t>(i), parts);
    }
    return grew;
  }

  bool take_turn(std::int32_t index, Parts parts) {
    for (Growing* tree = &forest_.trees[index]; tree->member < tree->current.size();
         ++tree->member, tree->arc = 0) {
      const std::int32_t from = tree->current[tree->member];
      for (const auto& arcs = forest_.out[from]; tree->arc < arcs.size();) {
        const std::int32_t arc = arcs[tree->arc++];
        const std::int32_t node = forest_.arcs[arc].head;
        if (forest_.left[arc] == 0 || tree->has[node]) continue;
        if (parts == Parts::refused && forest_.left[arc] < tree->multiplicity) continue;
        const std::int64_t most = flows_.most_over(index, arc);
        if (most == 0 || (parts == Parts::refused && most < tree->multiplicity)) continue;
        join(most < tree->multiplicity ? part_of(index, most) : index, arc);
        return true;
      }
    }
    return false;
  }

  // A tree of its own for so many of those that are alike.
  std::int32_t part_of(std::int32_t index, std::int64_t amount) {
    const auto part = static_cast<std::int32_t>(forest_.trees.size());
    forest_.trees.push_back(forest_.trees[index]);
    forest_.trees[part].multiplicity = amount;
    forest_.trees[index].multiplicity -= amount;
    for (std::int32_t node = 0; node < forest_.nodes(); ++node)
      if (forest_.trees[index].has[node]) forest_.with[node].add(part);
    flows_.parts(index, amount);
    return part;
  }

  void join(std::int32_t index, std::int32_t arc) {
    Growing& tree = forest_.trees[index];
    const auto& [from, node, capacity] = forest_.arcs[arc];
    flows_.joins(index, arc);
    forest_.take(arc, tree.multiplicity);
    forest_.with[node].add(index);
    tree.has[node] = true;
    tree.branches[node] = {from, arc, depth_};
    tree.last.push_back(node);
    ++tree.nodes;
    joined_ += tree.multiplicity;
    progress_.advance(1, static_cast<double>(joined_) / static_cast<double>(to_join_));
  }

  std::vector<PackedTree> result() {
    std::vector<PackedTree> packed;
    for (Growing& tree : forest_.trees) {
      packed.push_back({tree.root, tree.multiplicity, std::move(tree.branches)});
    }
    std::ranges::stable_sort(packed, {}, &PackedTree::root);
    return packed;
  }

  Forest forest_;
  TreeFlows flows_;
  std::int32_t depth_ = 0;
  std::int64_t joined_ = 0, to_join_ = 0;  // nodes of trees
  Progress progress_{"packing trees", 1};
};

}  // namespace

std::vector<PackedTree> pack_trees(std::int32_t nodes, std::span<const CapacityArc> arcs,
                                   std::span<const TreeRoot> roots) {
  WEFT_ASSERT(std::ranges::all_of(arcs, [&](const CapacityArc& arc) {
    return arc.tail >= 0 && arc.tail < nodes && arc.head >= 0 && arc.head < nodes &&
           arc.tail != arc.head && arc.capacity >= 0;
  }));
  std::vector<PackedTree> packed = TreePacking(forest_of(nodes, arcs, roots)).pack();
  WEFT_ASSERT(std::ranges::all_of(packed, [&](const PackedTree& tree) {
    return tree.root >= 0 && tree.root < std::ssize(roots) && tree.multiplicity > 0;
  }));
  return packed;
}

}  // namespace weft::graph
