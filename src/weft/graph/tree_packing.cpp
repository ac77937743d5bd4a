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
#include <bit>
#include <stdexcept>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/graph/rows.hpp"

namespace weft::graph {

namespace {

constexpr std::int32_t kNone = -1;

// A set of trees, whose number grows.
class TreeSet {
 public:
  bool has(std::int32_t tree) const {
    const auto word = static_cast<std::size_t>(tree / kBits);
    return word < words_.size() && (words_[word] >> (tree % kBits) & 1) != 0;
  }
  void add(std::int32_t tree) { word_of(tree) |= std::uint64_t{1} << (tree % kBits); }
  void remove(std::int32_t tree) { word_of(tree) &= ~(std::uint64_t{1} << (tree % kBits)); }

  /// Takes those that are in the other set, too, out of this one, and visits each.
  template <class Visit>
  void take(const TreeSet& other, Visit&& visit) {
    const std::size_t words = std::min(words_.size(), other.words_.size());
    for (std::size_t i = 0; i < words; ++i) {
      std::uint64_t both = words_[i] & other.words_[i];
      words_[i] ^= both;
      for (; both != 0; both &= both - 1)
        visit(static_cast<std::int32_t>(i) * kBits + std::countr_zero(both));
    }
  }

 private:
  static constexpr std::int32_t kBits = 64;

  std::uint64_t& word_of(std::int32_t tree) {
    const auto word = static_cast<std::size_t>(tree / kBits);
    if (word >= words_.size()) words_.resize(word + 1, 0);
    return words_[word];
  }

  std::vector<std::uint64_t> words_;
};

// A tree under way.
struct Growing {
  std::int32_t root = 0;  // its place among the roots
  std::int64_t multiplicity = 0;
  Branching branches;
  std::vector<bool> has;                    // by node
  std::vector<std::int32_t> last, current;  // joined at this depth; at the one before
  std::int32_t nodes = 1;
  std::size_t member = 0, arc = 0;  // where to go on looking

  void begin_pass() { member = arc = 0; }
  void begin_depth() {
    current = std::exchange(last, {});
    begin_pass();
  }
};

// All trees and what capacity they leave.
struct Forest {
  std::span<const CapacityArc> arcs;
  Rows<std::int32_t> in, out;       // arcs by node
  std::vector<std::int64_t> left;   // by arc
  std::vector<std::int32_t> taken;  // arcs that lost capacity, one after the other
  std::vector<Growing> trees;
  std::vector<TreeSet> with;  // by node: the trees that have it

  std::int32_t nodes() const { return out.size(); }
};

// Where units of a tree leave it on their way to a goal.
struct Leave {
  std::int32_t node = 0;
  std::int64_t amount = 0;
};

// What the trees that lack a node, the goal, can send there, all of them at once.
class FlowTo {
 public:
  FlowTo(const Forest& forest, std::int32_t goal)
      : forest_(forest),
        goal_(goal),
        seen_(forest.taken.size()),
        flow_(forest.arcs.size(), 0),
        excess_(static_cast<std::size_t>(forest.nodes()), 0) {}

  /// Sends all units of the trees, each of one node; whether that was possible.
  bool begin() {
    for (std::size_t i = 0; i < forest_.trees.size(); ++i) {
      leaves_.emplace_back();
      const Growing& tree = forest_.trees[i];
      if (tree.has[goal_]) continue;
      lacking_.add(static_cast<std::int32_t>(i));
      add(i, tree.last.front(), tree.multiplicity);
    }
    return settle(kNone);
  }

  /// How much the tail of the arc, which leads to the goal, can send there in the place of all that
  /// the tree sends.
  std::int64_t most_over(std::int32_t tree, std::int32_t arc) {
    mend();
    const Growing& growing = forest_.trees[tree];
    for (const Leave& leave : leaves_[tree]) cancel(leave.node, leave.amount);
    leaves_[tree].clear();
    const std::int32_t tail = forest_.arcs[arc].tail;
    add(tree, tail, growing.multiplicity);
    send_over(arc);
    settle(tree);
    const std::int64_t sent = growing.multiplicity - pending_;
    [[maybe_unused]] const bool all = settle(kNone);
    WEFT_ASSERT(all);
    return std::min(sent, forest_.left[arc]);
  }

  /// After most_over(): the tree has the goal, by this arc.
  void joins(std::int32_t tree, std::int32_t arc) {
    for (const Leave& leave : leaves_[tree]) {
      std::int64_t rest = leave.amount;
      if (leave.node == forest_.arcs[arc].tail) {
        const std::int64_t over = std::min(rest, flow_[arc]);
        flow_[arc] -= over;
        rest -= over;
      }
      cancel(leave.node, rest);
    }
    leaves_[tree].clear();
    lacking_.remove(tree);
  }

  /// The last tree is a part of another, of so many units.
  void parts(std::int32_t tree, std::int64_t amount) {
    if (lacking_.has(tree)) lacking_.add(static_cast<std::int32_t>(leaves_.size()));
    auto& part = leaves_.emplace_back();
    auto& whole = leaves_[tree];
    while (amount > 0 && !whole.empty()) {
      Leave& leave = whole.back();
      const std::int64_t some = std::min(amount, leave.amount);
      part.push_back({leave.node, some});
      amount -= some;
      leave.amount -= some;
      if (leave.amount == 0) whole.pop_back();
    }
  }

 private:
  // More units of a tree, at a node of it.
  void add(std::size_t tree, std::int32_t node, std::int64_t amount) {
    if (amount == 0) return;
    leave_at(tree, node, amount);
    surplus(node, amount);
  }
  void surplus(std::int32_t node, std::int64_t amount) {
    excess_[node] += amount;
    pending_ += amount;
  }
  void leave_at(std::size_t tree, std::int32_t node, std::int64_t amount) {
    auto& leaves = leaves_[tree];
    const auto found = std::ranges::find(leaves, node, &Leave::node);
    if (found == leaves.end()) {
      leaves.push_back({node, amount});
    } else if ((found->amount += amount) == 0) {
      *found = leaves.back();
      leaves.pop_back();
    }
  }

  // What the arc can take of what waits at its tail.
  void send_over(std::int32_t arc) {
    std::int64_t& waits = excess_[forest_.arcs[arc].tail];
    const std::int64_t sent = std::min(waits, forest_.left[arc] - flow_[arc]);
    flow_[arc] += sent;
    waits -= sent;
    pending_ -= sent;
  }

  // Finds other ways for what trees took capacity from since the last time.
  void mend() {
    for (; seen_ < forest_.taken.size(); ++seen_) {
      const std::int32_t arc = forest_.taken[seen_];
      const std::int64_t over = flow_[arc] - forest_.left[arc];
      if (over <= 0) continue;
      flow_[arc] -= over;
      surplus(forest_.arcs[arc].tail, over);
      cancel(forest_.arcs[arc].head, over);
    }
    [[maybe_unused]] const bool all = settle(kNone);
    WEFT_ASSERT(all);
  }

  // Takes back so much of what flows from the node to the goal.
  void cancel(std::int32_t node, std::int64_t amount) {
    while (amount > 0 && node != goal_) {
      way_.clear();
      place_.resize(excess_.size(), kNone);
      std::int32_t at = node;
      while (at != goal_) {
        if (place_[at] != kNone) {  // round in a circle, which nobody needs
          take_back(static_cast<std::size_t>(place_[at]),
                    least(static_cast<std::size_t>(place_[at])));
          for (const std::int32_t arc : way_) place_[forest_.arcs[arc].tail] = kNone;
          way_.clear();
          at = node;
        }
        const auto& arcs = forest_.out[at];
        const auto used =
            std::ranges::find_if(arcs, [&](std::int32_t arc) { return flow_[arc] > 0; });
        if (used == arcs.end()) break;
        place_[at] = static_cast<std::int32_t>(way_.size());
        way_.push_back(*used);
        at = forest_.arcs[*used].head;
      }
      for (const std::int32_t arc : way_) place_[forest_.arcs[arc].tail] = kNone;
      if (at != goal_) {  // it waits there, and was never sent on
        const std::int64_t some = std::min({amount, excess_[at], way_.empty() ? amount : least(0)});
        WEFT_ASSERT(some > 0);
        take_back(0, some);
        excess_[at] -= some;
        pending_ -= some;
        amount -= some;
        continue;
      }
      const std::int64_t some = std::min(amount, least(0));
      take_back(0, some);
      amount -= some;
    }
  }
  std::int64_t least(std::size_t from) const {
    std::int64_t least = flow_[way_[from]];
    for (std::size_t i = from; i < way_.size(); ++i) least = std::min(least, flow_[way_[i]]);
    return least;
  }
  void take_back(std::size_t from, std::int64_t amount) {
    for (std::size_t i = from; i < way_.size(); ++i) flow_[way_[i]] -= amount;
  }

  // Sends on what waits anywhere, but not by letting units of `confined` leave it elsewhere;
  // whether nothing is left.
  bool settle(std::int32_t confined) {
    while (pending_ > 0)
      if (!send_one(confined)) return false;
    return true;
  }

  // How the search came to a node or a tree: what it leads to, nearer to the goal.
  struct Step {
    std::int32_t next = kNone;  // a node; of a tree the node that its units leave at then
    std::int32_t arc = kNone;   // over it, or back over it
    std::int32_t tree = kNone;  // by units of it that leave at `next` instead
    bool back = false;
  };

  // A search backwards from the goal, over arcs with room and against flow, to a node where units
  // wait. A tree that has a node of the search can let units leave there that leave elsewhere.
  bool send_one(std::int32_t confined) {
    steps_.assign(excess_.size(), Step{});
    met_.assign(excess_.size(), false);
    movable_ = lacking_;
    if (confined != kNone) movable_.remove(confined);
    queue_.assign(1, goal_);
    met_[goal_] = true;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const std::int32_t at = queue_[i];
      if (excess_[at] > 0) {
        push(at);
        return true;
      }
      for (const std::int32_t arc : forest_.in[at])
        if (flow_[arc] < forest_.left[arc]) visit(forest_.arcs[arc].tail, {.next = at, .arc = arc});
      for (const std::int32_t arc : forest_.out[at])
        if (flow_[arc] > 0) visit(forest_.arcs[arc].head, {.next = at, .arc = arc, .back = true});
      movable_.take(forest_.with[at], [&](std::int32_t tree) {
        for (const Leave& leave : leaves_[tree]) visit(leave.node, {.next = at, .tree = tree});
      });
    }
    return false;
  }
  void visit(std::int32_t node, const Step& step) {
    if (met_[node]) return;
    met_[node] = true;
    steps_[node] = step;
    queue_.push_back(node);
  }

  std::int64_t room(std::int32_t node, const Step& step) const {
    if (step.tree != kNone)
      return std::ranges::find(leaves_[step.tree], node, &Leave::node)->amount;
    return step.back ? flow_[step.arc] : forest_.left[step.arc] - flow_[step.arc];
  }

  void push(std::int32_t from) {
    std::int64_t amount = excess_[from];
    for (std::int32_t at = from; at != goal_; at = steps_[at].next)
      amount = std::min(amount, room(at, steps_[at]));
    excess_[from] -= amount;
    pending_ -= amount;
    for (std::int32_t at = from; at != goal_; at = steps_[at].next) {
      const Step& step = steps_[at];
      if (step.tree != kNone) {
        leave_at(static_cast<std::size_t>(step.tree), at, -amount);
        leave_at(static_cast<std::size_t>(step.tree), step.next, amount);
      } else {
        flow_[step.arc] += step.back ? -amount : amount;
      }
    }
  }

  const Forest& forest_;
  std::int32_t goal_;
  std::size_t seen_;                        // of forest_.taken
  std::vector<std::int64_t> flow_;          // by arc
  std::vector<std::vector<Leave>> leaves_;  // by tree that lacks the goal
  std::vector<std::int64_t> excess_;        // by node: units that wait there
  std::int64_t pending_ = 0;                // in all
  std::vector<std::int32_t> way_, place_;   // of cancel(): arcs; by node, where on the way
  std::vector<Step> steps_;                 // of the last search, by node
  std::vector<bool> met_;                   // likewise
  TreeSet lacking_, movable_;               // the goal; of these, what the search has not met
  std::vector<std::int32_t> queue_;
};

class TreePacking {
 public:
  TreePacking(std::int32_t nodes, std::span<const CapacityArc> arcs,
              std::span<const TreeRoot> roots) {
    forest_.arcs = arcs;
    const auto by = [&](auto end) {
      return rows_by<std::int32_t>(
          nodes, static_cast<std::int32_t>(arcs.size()),
          [&](std::int32_t arc) { return arcs[arc].*end; }, [](std::int32_t arc) { return arc; });
    };
    forest_.in = by(&CapacityArc::head);
    forest_.out = by(&CapacityArc::tail);
    for (const CapacityArc& arc : arcs) forest_.left.push_back(arc.capacity);
    forest_.with.resize(static_cast<std::size_t>(nodes));
    const auto count = static_cast<std::size_t>(nodes);
    for (std::size_t r = 0; r < roots.size(); ++r) {
      if (roots[r].trees == 0) continue;
      const std::int32_t node = roots[r].node;
      forest_.with[node].add(static_cast<std::int32_t>(forest_.trees.size()));
      Growing& tree =
          forest_.trees.emplace_back(Growing{.root = static_cast<std::int32_t>(r),
                                             .multiplicity = roots[r].trees,
                                             .branches = Branching(count, Branch{.parent = node}),
                                             .has = std::vector<bool>(count, false),
                                             .last = {node},
                                             .current = {}});
      tree.has[node] = true;
    }
  }

  std::vector<PackedTree> pack() && {
    for (std::int32_t goal = 0; goal < forest_.nodes(); ++goal)
      if (!flows_.emplace_back(forest_, goal).begin()) return {};
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
        const std::int64_t most = flows_[node].most_over(index, arc);
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
    for (std::int32_t node = 0; node < forest_.nodes(); ++node) {
      if (forest_.trees[index].has[node]) forest_.with[node].add(part);
      flows_[node].parts(index, amount);
    }
    return part;
  }

  void join(std::int32_t index, std::int32_t arc) {
    Growing& tree = forest_.trees[index];
    const auto& [from, node, capacity] = forest_.arcs[arc];
    flows_[node].joins(index, arc);
    forest_.left[arc] -= tree.multiplicity;
    forest_.taken.push_back(arc);
    forest_.with[node].add(index);
    tree.has[node] = true;
    tree.branches[node] = {from, arc, depth_};
    tree.last.push_back(node);
    ++tree.nodes;
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
  std::vector<FlowTo> flows_;  // by goal
  std::int32_t depth_ = 0;
};

}  // namespace

std::vector<PackedTree> pack_trees(std::int32_t nodes, std::span<const CapacityArc> arcs,
                                   std::span<const TreeRoot> roots) {
  return TreePacking(nodes, arcs, roots).pack();
}

}  // namespace weft::graph
