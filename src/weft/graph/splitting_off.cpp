// A node's arcs are split off by plans: so much of each pair. A plan is held against the cuts; each
// set of nodes that it leaves overfull (u and t on one side, w on the other: such pairs no longer
// enter it) takes from the plan what is too much. The first plan is even; the next take what is
// left, and an arc back to where one came from, which is no use and is dropped; where plans take
// nothing any more pairs are tried one by one, of which one can always be split off where as much
// enters each such node as leaves it. Where it does not, and no pair can be, fewer trees are asked
// for.
#include "weft/graph/splitting_off.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "way_table.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/progress.hpp"
#include "weft/graph/tree_cuts.hpp"

namespace weft::graph {

namespace {

class Splitting {
 public:
  Splitting(std::int32_t nodes, std::span<const CapacityArc> arcs, std::span<const TreeRoot> roots,
            std::span<const std::int32_t> goals, const std::vector<char>& kept)
      : table_(nodes), arcs_(arcs), roots_(roots.begin(), roots.end()), goals_(goals), kept_(kept) {
    for (std::size_t i = 0; i < arcs.size(); ++i)
      if (arcs[i].capacity > 0)
        table_.add(arcs[i].tail, arcs[i].head, {arcs[i].capacity, {static_cast<std::int32_t>(i)}});
  }

  SplitNetwork split() && {
    const std::vector<std::int32_t> nodes_to_go = order();
    Progress progress("splitting off switches", std::ssize(nodes_to_go));
    for (const std::int32_t node : nodes_to_go) {
      split(node);
      progress.advance();
    }
    SplitNetwork result{.bundles = {}, .roots = std::move(roots_), .finer = finer_};
    WayTable simple(nodes());
    for (std::int32_t tail = 0; tail < nodes(); ++tail)
      for (const auto& [head, bundle] : table_.out_of(tail)) {
        for (const WeightedPath& way : bundle.ways)
          simple.add(tail, head, {way.capacity, without_loops(way.arcs)});
        result.bundles.push_back({tail, head, simple.out_of(tail).at(head).ways});
      }
    return result;
  }

 private:
  struct Half {  // of a node's arcs: to or from where
    std::int32_t node = 0;
    std::int64_t capacity = 0;
  };
  struct Star {  // a node with its arcs
    std::int32_t node = 0;
    std::vector<Half> in, out;
  };
  struct Pair {
    std::int32_t from = 0, to = 0;
    std::int64_t amount = 0;
  };
  using Plan = std::vector<Pair>;

  std::int32_t nodes() const { return table_.nodes(); }

  // Nodes that were split off apart may leave ways that come by others twice: what lies between is
  // no use.
  std::vector<std::int32_t> without_loops(const std::vector<std::int32_t>& arcs) const {
    std::vector<std::int32_t> way;
    for (const std::int32_t arc : arcs) {
      const auto again = std::ranges::find_if(
          way, [&](std::int32_t other) { return arcs_[other].tail == arcs_[arc].tail; });
      way.erase(again, way.end());
      way.push_back(arc);
    }
    return way;
  }

  // Those far from what is kept first: what is left joins nodes that may carry trees.
  std::vector<std::int32_t> order() const {
    std::vector<std::int32_t> distance(static_cast<std::size_t>(nodes()), nodes()), queue;
    for (std::int32_t node = 0; node < nodes(); ++node)
      if (kept_[node] != 0) {
        distance[node] = 0;
        queue.push_back(node);
      }
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const auto reach = [&](std::int32_t next) {
        if (distance[next] < nodes()) return;
        distance[next] = distance[queue[i]] + 1;
        queue.push_back(next);
      };
      for (const std::int32_t tail : table_.tails_of(queue[i])) reach(tail);
      for (const auto& [head, bundle] : table_.out_of(queue[i])) reach(head);
    }
    std::vector<std::int32_t> order;
    for (std::int32_t node = 0; node < nodes(); ++node)
      if (kept_[node] == 0) order.push_back(node);
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [&](std::int32_t node) { return distance[node]; });
    return order;
  }

  Star star(std::int32_t node) const {
    Star star{.node = node, .in = {}, .out = {}};
    for (const std::int32_t tail : table_.tails_of(node))
      star.in.push_back({tail, table_.capacity(tail, node)});
    for (const auto& [head, bundle] : table_.out_of(node))
      star.out.push_back({head, bundle.capacity});
    return star;
  }

  void split(std::int32_t node) {
    apply(node, allowed(node, full_plan(star(node))));
    for (bool more = true; more;) more = apply(node, allowed(node, rest_plan(star(node))));
    Star rest = star(node);
    for (; !rest.in.empty() && !rest.out.empty(); rest = star(node))
      if (!split_pair(rest)) ask_for_fewer();
    for (const Half& half : rest.in) table_.erase(half.node, node);
    for (const Half& half : rest.out) table_.erase(node, half.node);
  }

  // A ninth fewer, of trees that are cut into many first.
  void ask_for_fewer() {
    constexpr std::int64_t kFiner = 1 << 16;
    if (finer_ == 1) {
      table_.multiply(kFiner);
      for (TreeRoot& root : roots_) root.trees = checked_mul(root.trees, kFiner);
      finer_ = kFiner;
    }
    for (TreeRoot& root : roots_) root.trees -= (root.trees + 8) / 9;
  }

  // One pair: the way out to the node that has least so far and lacks more; else any, back to where
  // it came from last.
  bool split_pair(const Star& star) {
    std::vector<Pair> pairs;
    std::vector<std::pair<int, std::int64_t>>
        ranks;  // of the pairs: the first to be tried is least
    for (const Half& out : star.out) {
      const std::int64_t has = entering(out.node, star.node),
                         lacks = all_trees() - trees_at(out.node);
      for (const Half& in : star.in) {
        const std::int64_t amount = std::min(in.capacity, out.capacity);
        const bool needed = in.node != out.node && (kept_[out.node] == 0 || has < lacks);
        pairs.push_back({in.node, out.node,
                         needed && kept_[out.node] != 0 ? std::min(amount, lacks - has) : amount});
        ranks.emplace_back(needed ? 0 : in.node != out.node ? 1 : 2, has);
      }
    }
    std::vector<std::size_t> order(pairs.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return ranks[i]; });
    return std::ranges::any_of(
        order, [&](std::size_t i) { return apply(star.node, allowed(star.node, {pairs[i]})); });
  }
  // The capacity into a node but for that from another.
  std::int64_t entering(std::int32_t node, std::int32_t but_from) const {
    std::int64_t capacity = 0;
    for (const std::int32_t tail : table_.tails_of(node))
      if (tail != but_from) capacity += table_.capacity(tail, node);
    return capacity;
  }
  std::int64_t all_trees() const {
    return std::transform_reduce(roots_.begin(), roots_.end(), std::int64_t{0}, std::plus<>(),
                                 [](const TreeRoot& root) { return root.trees; });
  }

  // What a plan leaves of a star's arcs.
  struct Rest {
    const Star& star;
    std::vector<std::int64_t> in, out;
    Plan plan = {};

    explicit Rest(const Star& of) : star(of) {
      for (const Half& half : of.in) in.push_back(half.capacity);
      for (const Half& half : of.out) out.push_back(half.capacity);
    }
    bool is_back(std::size_t i, std::size_t j) const { return star.in[i].node == star.out[j].node; }
    void take(std::size_t i, std::size_t j, std::int64_t most) {
      const std::int64_t amount = std::min({most, in[i], out[j]});
      if (amount <= 0) return;
      plan.push_back({star.in[i].node, star.out[j].node, amount});
      in[i] -= amount;
      out[j] -= amount;
    }
  };

  // First of all each root's trees straight to every kept node, where they are not yet; then what
  // came through other nodes to kept ones, and the other way round, in even shares; then all that
  // is left between kept ones.
  // At last what even shares leave. What comes last is what cuts take first.
  Plan full_plan(const Star& star) const {
    Rest rest(star);
    for (std::size_t shift = 1; shift <= rest.out.size(); ++shift)
      for (std::size_t i = 0; i < rest.in.size(); ++i) {
        const std::size_t j = (i + shift) % rest.out.size();
        const std::int32_t from = star.in[i].node, to = star.out[j].node;
        if (from == to || kept_[from] == 0 || kept_[to] == 0) continue;
        rest.take(i, j, trees_at(from) - table_.capacity(from, to));
      }
    for (const auto& [from_kept, to_kept] : {std::pair(false, true), {true, false}, {true, true}})
      share(from_kept, to_kept, rest);
    take_all(rest);
    return std::move(rest.plan);
  }
  std::int64_t trees_at(std::int32_t node) const {
    std::int64_t trees = 0;
    for (const TreeRoot& root : roots_)
      if (root.node == node) trees += root.trees;
    return trees;
  }

  // From each arc of a kind in an even share for each arc of the other.
  void share(bool from_kept, bool to_kept, Rest& rest) const {
    const auto chosen = [&](const std::vector<Half>& halves, bool kept) {
      std::vector<std::size_t> places;
      for (std::size_t i = 0; i < halves.size(); ++i)
        if ((kept_[halves[i].node] != 0) == kept) places.push_back(i);
      return places;
    };
    const auto froms = chosen(rest.star.in, from_kept), tos = chosen(rest.star.out, to_kept);
    const std::vector<std::int64_t> in = rest.in, out = rest.out;
    for (const std::size_t i : froms)
      for (const std::size_t j : tos) {
        std::int64_t enters = 0, leaves = 0;  // but from where j leads, and to where i comes from
        for (const std::size_t other : froms)
          if (!rest.is_back(other, j)) enters += in[other];
        for (const std::size_t other : tos)
          if (!rest.is_back(i, other)) leaves += out[other];
        if (!rest.is_back(i, j) && enters > 0 && leaves > 0)
          rest.take(i, j, mul_div(in[i], out[j], std::max(enters, leaves)));
      }
    for (std::size_t shift = 0; shift < tos.size(); ++shift)  // what rounding left
      for (std::size_t i = 0; i < froms.size(); ++i)
        if (const std::size_t j = tos[(i + shift) % tos.size()]; !rest.is_back(froms[i], j))
          rest.take(froms[i], j, 1);
  }

  // All that is left, what leads back to where it came from last.
  static Plan rest_plan(const Star& star) {
    Rest rest(star);
    take_all(rest);
    return std::move(rest.plan);
  }
  static void take_all(Rest& rest) {
    for (const bool back : {false, true})
      for (std::size_t shift = 1; shift <= rest.out.size(); ++shift)
        for (std::size_t i = 0; i < rest.in.size(); ++i)
          if (const std::size_t j = (i + shift) % rest.out.size(); rest.is_back(i, j) == back)
            rest.take(i, j, rest.in[i]);
  }

  // The network with the plan carried out.
  std::vector<CapacityArc> arcs_with(std::int32_t node, const Plan& plan) const {
    std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> more;
    for (const Pair& pair : plan) {
      more[{pair.from, node}] -= pair.amount;
      more[{node, pair.to}] -= pair.amount;
      if (pair.from != pair.to) more[{pair.from, pair.to}] += pair.amount;
    }
    std::vector<CapacityArc> arcs;
    for (std::int32_t tail = 0; tail < nodes(); ++tail)
      for (const auto& [head, bundle] : table_.out_of(tail))
        arcs.push_back({tail, head, bundle.capacity});
    for (CapacityArc& arc : arcs)
      if (const auto change = more.find({arc.tail, arc.head}); change != more.end()) {
        arc.capacity += change->second;
        more.erase(change);
      }
    for (const auto& [ends, amount] : more) arcs.push_back({ends.first, ends.second, amount});
    return arcs;
  }

  // What is left of a plan that keeps every set fed.
  Plan allowed(std::int32_t node, Plan plan) const {
    while (!plan.empty()) {
      const auto cut = overfull_cut(nodes(), arcs_with(node, plan), roots_, goals_);
      if (!cut) break;
      std::int64_t over = cut->lacking - cut->capacity;
      for (auto pair = plan.rbegin(); pair != plan.rend() && over > 0; ++pair) {
        const bool from = cut->inside[pair->from] != 0, to = cut->inside[pair->to] != 0;
        if (from != to || from == (cut->inside[node] != 0)) continue;
        const std::int64_t less = std::min(over, pair->amount);
        pair->amount -= less;
        over -= less;
      }
      WEFT_ASSERT(over == 0);
      std::erase_if(plan, [](const Pair& pair) { return pair.amount == 0; });
    }
    return plan;
  }

  // Whether there was anything to carry out.
  bool apply(std::int32_t node, const Plan& plan) {
    for (const auto& [from, to, amount] : plan)
      for (std::int64_t left = amount; left > 0;) {
        const WeightedPath &into = table_.last(from, node), &out_of = table_.last(node, to);
        const std::int64_t some = std::min({left, into.capacity, out_of.capacity});
        if (from != to) {
          WeightedPath way{some, into.arcs};
          way.arcs.insert(way.arcs.end(), out_of.arcs.begin(), out_of.arcs.end());
          table_.add(from, to, std::move(way));
        }
        table_.take(from, node, some);
        table_.take(node, to, some);
        left -= some;
      }
    return !plan.empty();
  }

  WayTable table_;
  std::span<const CapacityArc> arcs_;
  std::vector<TreeRoot> roots_;
  std::span<const std::int32_t> goals_;
  const std::vector<char>& kept_;
  std::int64_t finer_ = 1;
};

}  // namespace

std::int64_t WayBundle::capacity() const {
  return std::transform_reduce(ways.begin(), ways.end(), std::int64_t{0}, std::plus<>(),
                               [](const WeightedPath& way) { return way.capacity; });
}

SplitNetwork split_off(std::int32_t nodes, std::span<const CapacityArc> arcs,
                       std::span<const TreeRoot> roots, std::span<const std::int32_t> goals,
                       const std::vector<char>& kept) {
  [[maybe_unused]] const auto is_kept = [&](std::int32_t node) {
    return kept[static_cast<std::size_t>(node)] != 0;
  };
  WEFT_ASSERT(std::ssize(kept) == nodes);
  WEFT_ASSERT(std::ranges::all_of(goals, is_kept));
  WEFT_ASSERT(std::ranges::all_of(roots, is_kept, &TreeRoot::node));
  return Splitting(nodes, arcs, roots, goals, kept).split();
}

}  // namespace weft::graph
