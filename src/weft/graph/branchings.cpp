// Edmonds: a digraph has k spanning trees from r that share no arc if k arc-disjoint ways lead from
// r to every other node. Trees under way, on node sets R_1 .. R_k, can be completed with the arcs
// that are left if and only if every node set X is entered by as many of these as trees have no
// node in X: with a source that feeds each tree with one unit, and a tree all of its nodes, k units
// must reach every node. Taking arc (u, v) for a tree can harm only sets with v in them, so that
// one small maximum flow to v decides; a tree that has v brings its unit there at once, and only
// those that have not need ways over free arcs. An arc that a tree may not take once it may never
// take: the set that forbids it stays tight. So each arc is tried once for each tree, and a tree
// that is incomplete always has one that it may take.
//
// Depth. The trees grow together by depth: those that may add an arc from a node of the last depth
// take turns, until none can; then the next depth is begun. Root arcs are dealt out first.
// Source: Edmonds, "Edge-disjoint branchings", Combinatorial Algorithms, 1973; Lovasz, "On two
// minimax theorems in graph theory", J. Combinatorial Theory B 21, 1976.
#include "weft/graph/branchings.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::graph {

namespace {

/// An arc into or out of a node, with the node at its other end.
struct Half {
  std::int32_t node = 0, arc = 0;
};

class Packing {
 public:
  Packing(const Rows<std::int32_t>& heads, std::int32_t root)
      : root_(root),
        free_(heads.values().size(), true),
        carries_(heads.values().size(), false),
        came_from_(heads.size()) {
    std::vector<std::int32_t> tails;
    for (std::int32_t node = 0; node < heads.size(); ++node) {
      for (const std::int32_t head : heads[node]) {
        out_.add({head, static_cast<std::int32_t>(tails.size())});
        tails.push_back(node);
      }
      out_.end_row();
    }
    in_ = rows_by<Half>(
        heads.size(), static_cast<std::int32_t>(tails.size()),
        [&](std::int32_t arc) { return heads.values()[arc]; },
        [&](std::int32_t arc) {
          return Half{tails[arc], arc};
        });
  }

  std::vector<Branching> pack() && {
    start();
    for (std::int32_t depth = 0; !done(); ++depth) {
      for (Growing& tree : trees_) tree.begin(depth);
      [[maybe_unused]] bool grew = false;
      for (bool turn = true; turn; grew |= turn) {
        turn = false;
        for (std::size_t i = 0; i < trees_.size(); ++i) turn |= take_turn(i, depth);
      }
      WEFT_ASSERT(grew);
    }
    std::vector<Branching> result;
    for (Growing& tree : trees_) result.push_back(std::move(tree.branches));
    return result;
  }

 private:
  struct Growing {
    Branching branches;
    std::vector<bool> has;                    // by node
    std::vector<std::int32_t> last, current;  // joined at this depth; at the one before
    std::int32_t nodes = 1;
    std::size_t member = 0, arc = 0;  // where to go on looking

    void begin(std::int32_t depth) {
      if (depth > 0) current = std::exchange(last, {});
      member = arc = 0;
    }
  };
  /// A unit's way in the flow to a node: where it leaves its tree, or nowhere yet.
  static constexpr std::int32_t kUnused = -1;

  std::int32_t nodes() const { return out_.size(); }

  bool done() const {
    return std::ranges::all_of(trees_, [&](const Growing& t) { return t.nodes == nodes(); });
  }

  /// As many trees of the root alone as the nodes allow. A node that can have as many units may
  /// stand for the root where others ask for theirs: what keeps units from these keeps them from
  /// it, or lies between the two. So ways are short, not from the root.
  void start() {
    const auto count = static_cast<std::size_t>(nodes());
    Growing seed{Branching(count), std::vector<bool>(count, false), {}, {root_}};
    seed.branches[root_] = {root_, 0, -1};
    seed.has[root_] = true;
    if (count > 1) trees_.assign(out_[root_].size(), seed);
    for (std::int32_t node = 0; node < nodes(); ++node) {
      if (node == root_) continue;
      trees_.resize(units_to(node), seed);
      for (Growing& tree : trees_) tree.has[node] = true;
    }
    for (Growing& tree : trees_) tree.has = seed.has;
  }

  bool take_turn(std::size_t index, std::int32_t depth) {
    Growing& tree = trees_[index];
    for (; tree.member < tree.current.size(); ++tree.member, tree.arc = 0) {
      const std::int32_t from = tree.current[tree.member];
      for (const auto& arcs = out_[from]; tree.arc < arcs.size();) {
        const Half arc = arcs[tree.arc++];
        if (free_[arc.arc] && !tree.has[arc.node] && may_take(index, arc)) {
          join(tree, from, arc, depth);
          return true;
        }
      }
    }
    return false;
  }

  void join(Growing& tree, std::int32_t from, Half arc, std::int32_t depth) {
    tree.branches[arc.node] = {from, arc.arc, depth};
    tree.last.push_back(arc.node);
    ++tree.nodes;
  }

  /// Takes the arc for the tree where all trees can still be completed.
  bool may_take(std::size_t index, Half arc) {
    const std::int32_t node = arc.node;
    free_[arc.arc] = false;
    trees_[index].has[node] = true;
    if (units_to(arc.node) == trees_.size()) return true;
    free_[arc.arc] = true;
    trees_[index].has[node] = false;
    return false;
  }

  /// The most units that reach the node, one from each tree at most.
  std::size_t units_to(std::int32_t node) {
    leaves_at_.assign(trees_.size(), kUnused);
    std::size_t units = 0;
    for (std::size_t i = 0; i < trees_.size(); ++i)
      if (trees_[i].has[node]) {
        leaves_at_[i] = node;
        ++units;
      }
    while (units < trees_.size() && augment(node)) ++units;
    for (const std::int32_t arc : carrying_) carries_[arc] = false;
    carrying_.clear();
    return units;
  }

  /// One more unit: a search backwards from the node, over arcs that are free and carry nothing and
  /// against those that carry, to a tree whose unit is unused; a tree in use passes the search on
  /// to where its unit leaves it.
  bool augment(std::int32_t node) {
    for (const std::int32_t met : queue_) came_from_[met] = Step{};
    tree_seen_.assign(trees_.size(), false);
    queue_.assign(1, node);
    came_from_[node].seen = true;
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      const std::int32_t here = queue_[at];
      for (std::size_t i = 0; i < trees_.size(); ++i) {
        if (tree_seen_[i] || !trees_[i].has[here]) continue;
        if (leaves_at_[i] == kUnused) return push(i, here, node);
        if (leaves_at_[i] == node) continue;  // at its goal, which is the search's root
        tree_seen_[i] = true;
        visit(leaves_at_[i], {.seen = true, .next = here, .tree = static_cast<std::int32_t>(i)});
      }
      for (const Half& arc : in_[here])
        if (free_[arc.arc] && !carries_[arc.arc])
          visit(arc.node, {.seen = true, .next = here, .arc = arc.arc});
      for (const Half& arc : out_[here])
        if (carries_[arc.arc]) visit(arc.node, {.seen = true, .next = here, .arc = arc.arc});
    }
    return false;
  }

  struct Step {
    bool seen = false;
    std::int32_t next = 0;   // towards the goal
    std::int32_t tree = -1;  // over this tree, else over an arc
    std::int32_t arc = 0;
  };

  void visit(std::int32_t node, const Step& step) {
    Step& known = came_from_[node];
    if (known.seen) return;
    known = step;
    queue_.push_back(node);
  }

  /// Sends the unit of `tree` from `at` to the goal.
  bool push(std::size_t tree, std::int32_t at, std::int32_t goal) {
    leaves_at_[tree] = at;
    while (at != goal) {
      const Step& step = came_from_[at];
      if (step.tree >= 0) {
        leaves_at_[step.tree] = step.next;
      } else {
        carries_[step.arc] = !carries_[step.arc];
        carrying_.push_back(step.arc);
      }
      at = step.next;
    }
    return true;
  }

  std::int32_t root_;
  Rows<Half> in_, out_;                 // by node
  std::vector<bool> free_, carries_;    // by arc: taken by no tree; in the flow at hand
  std::vector<std::int32_t> carrying_;  // arcs to clear after a flow
  std::vector<Growing> trees_;
  std::vector<std::int32_t> leaves_at_;  // by tree
  std::vector<bool> tree_seen_;
  std::vector<Step> came_from_;  // by node
  std::vector<std::int32_t> queue_;
};

}  // namespace

std::vector<Branching> disjoint_branchings(const Rows<std::int32_t>& heads, std::int32_t root) {
  WEFT_ASSERT(root >= 0 && root < heads.size());
  std::vector<Branching> branchings = Packing(heads, root).pack();
  WEFT_ASSERT(std::ranges::all_of(branchings, [&](const Branching& one) {
    return std::ssize(one) == heads.size() && one[static_cast<std::size_t>(root)].depth == -1;
  }));
  return branchings;
}

}  // namespace weft::graph
