// The greedy construction. A tree that has its turn takes the first free link that leads from its
// members, in the order in which they joined, to a node that is not in it. Members that joined in
// this step cannot pass anything on yet. Within a step links are only taken and nodes only join, so
// that what a tree has found useless stays useless, and a cursor goes over its members once a step.
// What a tree could take, and what is free, are bits by arc, those of a node beside each other: a
// member is looked at in one operation. Late in a step little is free, and a tree would look at
// most of its members in vain: one that has done so for a while lists what it could still take by
// one pass over the bits, and goes by the list, which only shrinks, until the step ends.
// Trees of shortest ways come first: on Kautz(d, 2) they take the least number of steps, d + 1,
// since from step 2 on every link has up to d blocks of its tail's in-neighbours to carry and is
// idle in no step before the last of them; and an all-to-all crosses the fewest links. Where they
// take more than the least, trees that may go any way are tried too. Greed may miss the least
// number by a step or two either way (kautz:2,4: 14 against 12).
//
// The rule for m1 x m2. By symmetry one tree is enough: its translates meet on no link when it uses
// each offset (x by j, or y by i) at most once in a step. Step 1 adds the row and the column of the
// root over all offsets. A node (j, i) off both is then added from (0, i) over "x by j", or from
// (j, 0) over "y by i". With a = m1 - 1 and b = m2 - 1, both counted from 0: c = ceil(a b / (a +
// b)) more steps are enough if no offset is taken more than c times. Let "y by i" take the c
// columns j = i c, ..., i c + c - 1 modulo a (at most a of them). They go round the columns evenly,
// each column being taken floor(b c / a) times or more, and what is left of a column for "x by j"
// is at most b - floor(b c / a) = ceil(b (a - c) / a) <= c, since a b <= c (a + b). That makes 1 +
// c steps, and 1 + c = ceil((m1 m2 - 1) / (m1 + m2 - 2)) is the least that any trees can do. It
// stands for the source's rule of odd and even places, which is told by an example of 6 x 6.
#include "grow.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "weft/base/error.hpp"
#include "weft/base/work/time_limit.hpp"

namespace weft::algorithm::trees {

namespace {

/// By which ways a tree may reach a node.
enum class Ways : std::uint8_t { any, shortest };

/// The arcs of a graph in a row, those of a node beside each other, as bits of 64-bit words.
class ArcBits {
 public:
  explicit ArcBits(const TreeGraph& graph) : first_{0}, into_(graph.nodes()) {
    for (std::int32_t node = 0; node < graph.nodes(); ++node) {
      for (const Arc& arc : graph.from(node)) {
        into_[arc.node].push_back(static_cast<std::int32_t>(tails_.size()));
        tails_.push_back(node);
      }
      first_.push_back(static_cast<std::int32_t>(tails_.size()));
    }
  }

  /// The arcs into a node.
  const std::vector<std::int32_t>& into(std::int32_t node) const { return into_[node]; }
  std::int32_t tail(std::int32_t arc) const { return tails_[arc]; }
  std::int32_t first(std::int32_t node) const { return first_[node]; }
  std::int32_t end(std::int32_t node) const { return first_[static_cast<std::size_t>(node) + 1]; }
  std::size_t words() const { return (tails_.size() + 63) / 64; }

 private:
  std::vector<std::int32_t> first_;  // nodes + 1
  std::vector<std::int32_t> tails_;  // by arc
  std::vector<std::vector<std::int32_t>> into_;
};

using Words = std::vector<std::uint64_t>;

void set(Words& bits, std::int32_t arc) {
  bits[static_cast<std::size_t>(arc) / 64] |= std::uint64_t{1} << (arc % 64);
}
void clear(Words& bits, std::int32_t arc) {
  bits[static_cast<std::size_t>(arc) / 64] &= ~(std::uint64_t{1} << (arc % 64));
}
bool test(const Words& bits, std::int32_t arc) {
  return (bits[static_cast<std::size_t>(arc) / 64] >> (arc % 64) & 1) != 0;
}

/// The first arc of [first, end) whose bit is set in both, or end.
std::int32_t first_common(const Words& a, const Words& b, std::int32_t first, std::int32_t end) {
  for (std::int32_t at = first; at < end; at = at / 64 * 64 + 64) {
    const auto word = static_cast<std::size_t>(at) / 64;
    const std::uint64_t bits = (a[word] & b[word]) >> (at % 64);
    if (bits != 0) return std::min(end, at + std::countr_zero(bits));
  }
  return end;
}

/// Arcs that a tree from the root may use: all, or those of shortest ways.
Words arcs_of(const TreeGraph& graph, const ArcBits& arcs, Ways ways, std::int32_t root) {
  if (ways == Ways::any) return Words(arcs.words(), ~std::uint64_t{0});
  Words bits(arcs.words(), 0);
  const auto nearest = shortest_tree(graph, root)->branches;  // steps are distances less one
  for (std::int32_t node = 0; node < graph.nodes(); ++node) {
    std::int32_t number = arcs.first(node);
    for (const Arc& arc : graph.from(node)) {
      const std::int32_t step = nearest[node].step;
      if (nearest[arc.node].step == step + 1) set(bits, number);
      ++number;
    }
  }
  return bits;
}

/// A tree while it grows.
class Growing {
 public:
  Growing(const TreeGraph& graph, const ArcBits& arcs, Ways ways, std::int32_t root)
      : graph_(graph),
        arcs_(arcs),
        may_use_(arcs_of(graph, arcs, ways, root)),
        tree_{root, std::vector<Branch>(graph.nodes())},
        joined_(graph.nodes(), false),
        places_(graph.nodes(), 0),
        wanted_(arcs.words(), 0),
        newcomers_{root} {
    joined_[root] = true;
    tree_.branches[root] = {root, LinkId(0), -1};
  }

  bool complete() const { return joined_count_ == graph_.nodes(); }

  /// Those who joined in the last step may pass on from now on. Who has nobody left to add drops
  /// out, now and then: one that stays costs a look a step.
  void begin_step(std::int32_t step) {
    for (const std::int32_t member : newcomers_) want_arcs_of(member);
    members_.insert(members_.end(), newcomers_.begin(), newcomers_.end());
    newcomers_.clear();
    if (step % kStepsBetweenSweeps == 0)
      std::erase_if(members_, [&](std::int32_t member) {
        return first_common(wanted_, wanted_, arcs_.first(member), arcs_.end(member)) ==
               arcs_.end(member);
      });
    member_ = 0;
    lists_ = false;
  }

  /// Adds a node over a link that is free, and takes the link; false when there is none.
  bool take_turn(Words& free, std::int32_t step) {
    const auto arc = lists_ ? next_listed(free) : next_of_members(free);
    if (!arc) return false;
    clear(free, *arc);
    join(arcs_.tail(*arc), *arc, step);
    return true;
  }

  Tree take() && { return std::move(tree_); }

 private:
  static constexpr std::int32_t kStepsBetweenSweeps = 4;
  static constexpr std::size_t kLooksBeforeList = 96;

  void want_arcs_of(std::int32_t member) {
    std::int32_t number = arcs_.first(member);
    for (const Arc& arc : graph_.from(member)) {
      if (!joined_[arc.node] && test(may_use_, number)) set(wanted_, number);
      ++number;
    }
  }

  std::optional<std::int32_t> next_of_members(const Words& free) {
    for (std::size_t looked = 0; member_ < members_.size(); ++member_, ++looked) {
      if (looked == kLooksBeforeList) {
        list(free);
        return next_listed(free);
      }
      const std::int32_t member = members_[member_], end = arcs_.end(member);
      const std::int32_t arc = first_common(wanted_, free, arcs_.first(member), end);
      if (arc != end) return arc;
    }
    return std::nullopt;
  }

  /// The listed arc of the first member; drops what is wanted or free no more.
  std::optional<std::int32_t> next_listed(const Words& free) {
    std::size_t kept = 0;
    std::uint64_t first = ~std::uint64_t{0};
    for (const std::uint64_t listed : listed_) {
      const auto arc = static_cast<std::int32_t>(listed & 0xffffffff);
      if (!test(free, arc) || !test(wanted_, arc)) continue;
      listed_[kept++] = listed;
      first = std::min(first, listed);
    }
    listed_.resize(kept);
    if (kept == 0) return std::nullopt;
    return static_cast<std::int32_t>(first & 0xffffffff);
  }

  /// What is wanted and free now: what else is wanted or free later in the step is less.
  void list(const Words& free) {
    lists_ = true;
    listed_.clear();
    for (std::size_t word = 0; word < free.size(); ++word)
      for (std::uint64_t bits = wanted_[word] & free[word]; bits != 0; bits &= bits - 1) {
        const auto arc = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        const std::int32_t tail = arcs_.tail(static_cast<std::int32_t>(arc));
        listed_.push_back(std::uint64_t{places_[tail]} << 32 | arc);
      }
  }

  void join(std::int32_t member, std::int32_t number, std::int32_t step) {
    const Arc& arc = graph_.from(member)[number - arcs_.first(member)];
    const auto node = static_cast<std::size_t>(arc.node);
    joined_[node] = true;
    places_[node] = static_cast<std::uint32_t>(joined_count_++);
    for (const std::int32_t into : arcs_.into(arc.node)) clear(wanted_, into);
    tree_.branches[node] = {member, arc.link, step};
    newcomers_.push_back(arc.node);
  }

  const TreeGraph& graph_;
  const ArcBits& arcs_;
  Words may_use_;
  Tree tree_;
  std::vector<bool> joined_;
  std::vector<std::uint32_t> places_;  // in the order of joining, by node
  Words wanted_;                       // arcs from members to nodes that may join
  std::vector<std::int32_t> members_, newcomers_;
  std::int32_t joined_count_ = 1;
  std::size_t member_ = 0;  // where to go on looking in this step
  bool lists_ = false;      // or by the list: places and arcs
  std::vector<std::uint64_t> listed_;
};

struct Forest {
  std::vector<Tree> trees;
  std::int32_t steps = 0;
};

Forest grow(const TreeGraph& graph, const std::vector<std::int32_t>& roots, Ways ways) {
  std::vector<Growing> growing;
  growing.reserve(roots.size());
  const ArcBits arcs(graph);
  for (const std::int32_t root : roots) growing.emplace_back(graph, arcs, ways, root);
  std::vector<std::size_t> open(roots.size());
  for (std::size_t i = 0; i < open.size(); ++i) open[i] = i;
  const auto drop_complete = [&] {
    std::erase_if(open, [&](std::size_t i) { return growing[i].complete(); });
  };
  drop_complete();
  Forest forest;
  for (; !open.empty(); ++forest.steps) {
    Words free(arcs.words(), ~std::uint64_t{0});
    TimeLimit::check();
    for (const std::size_t i : open) growing[i].begin_step(forest.steps);
    for (std::vector<std::size_t> active = open; !active.empty();)
      std::erase_if(active,
                    [&](std::size_t i) { return !growing[i].take_turn(free, forest.steps); });
    drop_complete();
  }
  for (Growing& tree : growing) forest.trees.push_back(std::move(tree).take());
  WEFT_ASSERT(forest.trees.size() == roots.size());
  return forest;
}

/// As many as all links together need for the branches of all trees. Precondition: a link.
std::int64_t least_steps(const TreeGraph& graph, const std::vector<std::int32_t>& roots) {
  std::int64_t arcs = 0;
  for (std::int32_t node = 0; node < graph.nodes(); ++node) arcs += std::ssize(graph.from(node));
  WEFT_ASSERT(arcs > 0);
  return (std::ssize(roots) * (graph.nodes() - 1) + arcs - 1) / arcs;
}

/// How a node joins the tree of node 0.
struct Step {
  std::int32_t parent = 0, step = 0;
};

/// By node; see the rule above.
std::vector<Step> steps_by_rule(std::int32_t m1, std::int32_t m2) {
  WEFT_ASSERT(m1 >= m2 && m2 >= 1);
  const std::int32_t a = m1 - 1, b = m2 - 1, more = (a * b + a + b - 1) / (a + b);
  std::vector<Step> steps(static_cast<std::size_t>(m1 * m2), {0, 0});
  std::vector<std::int32_t> used_x(a, 0);
  for (std::int32_t i = 0; i < b; ++i) {
    std::int32_t used_y = 0;
    for (std::int32_t j = 0; j < a; ++j) {
      const std::int32_t column = j + 1, row = m1 * (i + 1);
      const bool by_y = ((j - i * more) % a + a) % a < more;
      std::int32_t& used = by_y ? used_y : used_x[j];
      steps[row + column] = {by_y ? column : row, ++used};
    }
  }
  return steps;
}

/// The rule for m1 x m2 told by the nodes of m2 x m1. The rule is as long either way, but its trees
/// load links less with the longer extent first: an all-to-all on 16 x 5 needs 16 blocks a link, by
/// the rule of 5 x 16 it would need 20.
std::vector<Step> transposed(std::int32_t m1, std::int32_t m2) {
  const std::vector<Step> told = steps_by_rule(m1, m2);
  const auto across = [&](std::int32_t node) { return node / m1 + m2 * (node % m1); };
  std::vector<Step> steps(told.size());
  for (std::int32_t node = 0; node < m1 * m2; ++node) {
    const auto& [parent, step] = told[node];
    steps[across(node)] = {across(parent), step};
  }
  return steps;
}

std::int32_t translated(std::int32_t node, std::int32_t offset, std::int32_t m1, std::int32_t m2) {
  WEFT_ASSERT(node >= 0 && node < m1 * m2 && offset >= 0 && offset < m1 * m2);
  return (node % m1 + offset % m1) % m1 + m1 * ((node / m1 + offset / m1) % m2);
}

LinkId link_between(const TreeGraph& graph, std::int32_t from, std::int32_t to) {
  const auto arcs = graph.from(from);
  const auto arc = std::ranges::find(arcs, to, &Arc::node);
  WEFT_ASSERT(arc != arcs.end());
  return arc->link;
}

}  // namespace

std::vector<Tree> grow_in_turns(const TreeGraph& graph, const std::vector<std::int32_t>& roots) {
  Forest shortest = grow(graph, roots, Ways::shortest);
  if (roots.size() == 1 || shortest.steps <= least_steps(graph, roots)) return shortest.trees;
  Forest any = grow(graph, roots, Ways::any);
  return std::move(any.steps < shortest.steps ? any : shortest).trees;
}

std::vector<Tree> grow_by_rule(const TreeGraph& graph, const topology::HammingView& hamming) {
  WEFT_ASSERT(hamming.dimensions() == 2 && hamming.size() == graph.nodes());
  const std::int32_t m1 = hamming.extents[0], m2 = hamming.extents[1];
  const std::vector<Step> steps = m1 >= m2 ? steps_by_rule(m1, m2) : transposed(m2, m1);
  std::vector<Tree> trees;
  for (std::int32_t root = 0; root < graph.nodes(); ++root) {
    Tree tree{root, std::vector<Branch>(graph.nodes())};
    for (std::int32_t offset = 0; offset < graph.nodes(); ++offset) {
      const auto& [parent, step] = steps[offset];
      const std::int32_t node = translated(root, offset, m1, m2);
      const std::int32_t from = translated(root, parent, m1, m2);
      const LinkId link = offset == 0 ? LinkId(0) : link_between(graph, from, node);
      tree.branches[node] = {from, link, step};
    }
    trees.push_back(std::move(tree));
  }
  return trees;
}

}  // namespace weft::algorithm::trees
