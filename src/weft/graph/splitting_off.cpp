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

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/graph/tree_cuts.hpp"

namespace weft::graph {

namespace {

std::int64_t capacity_of(const std::vector<Way>& ways) {
  return std::transform_reduce(ways.begin(), ways.end(), std::int64_t{0}, std::plus<>(),
                               [](const Way& way) { return way.capacity; });
}

class Splitting {
 public:
  Splitting(std::int32_t nodes, std::span<const CapacityArc> arcs, std::span<const TreeRoot> roots,
            std::span<const std::int32_t> goals, const std::vector<char>& kept)
      : nodes_(nodes), arcs_(arcs), roots_(roots.begin(), roots.end()), goals_(goals), kept_(kept) {
    for (std::size_t i = 0; i < arcs.size(); ++i)
      if (arcs[i].capacity > 0)
        between_[{arcs[i].tail, arcs[i].head}].push_back(
            {arcs[i].capacity, {static_cast<std::int32_t>(i)}});
  }

  SplitNetwork split() && {
    for (const std::int32_t node : order()) split(node);
    SplitNetwork result{.bundles = {}, .roots = std::move(roots_), .finer = finer_};
    for (const auto& [ends, ways] : between_) {
      WayBundle& bundle = result.bundles.emplace_back(WayBundle{ends.first, ends.second, {}});
      for (const Way& way : ways) add(bundle.ways, {way.capacity, without_loops(way.arcs)});
    }
    return result;
  }

 private:
  using Ends = std::pair<std::int32_t, std::int32_t>;
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
    std::vector<std::int32_t> distance(nodes_, nodes_), queue;
    for (std::int32_t node = 0; node < nodes_; ++node)
      if (kept_[node] != 0) {
        distance[node] = 0;
        queue.push_back(node);
      }
    std::vector<std::vector<std::int32_t>> beside(nodes_);
    for (const auto& [ends, ways] : between_) {
      beside[ends.first].push_back(ends.second);
      beside[ends.second].push_back(ends.first);
    }
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const std::int32_t next : beside[queue[i]])
        if (distance[next] == nodes_) {
          distance[next] = distance[queue[i]] + 1;
          queue.push_back(next);
        }
    std::vector<std::int32_t> order;
    for (std::int32_t node = 0; node < nodes_; ++node)
      if (kept_[node] == 0) order.push_back(node);
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [&](std::int32_t node) { return distance[node]; });
    return order;
  }

  Star star(std::int32_t node) const {
    Star star{.node = node, .in = {}, .out = {}};
    for (const auto& [ends, ways] : between_) {
      if (ends.second == node) star.in.push_back({ends.first, capacity_of(ways)});
      if (ends.first == node) star.out.push_back({ends.second, capacity_of(ways)});
    }
    return star;
  }

  void split(std::int32_t node) {
    apply(node, allowed(node, even_plan(star(node))));
    for (bool more = true; more;) more = apply(node, allowed(node, rest_plan(star(node))));
    Star rest = star(node);
    for (; !rest.in.empty() && !rest.out.empty(); rest = star(node))
      if (!split_pair(rest)) ask_for_fewer();
    for (const Half& half : rest.in) between_.erase({half.node, node});
    for (const Half& half : rest.out) between_.erase({node, half.node});
  }

  // A ninth fewer, of trees that are cut into many first.
  void ask_for_fewer() {
    constexpr std::int64_t kFiner = 1 << 16;
    if (finer_ == 1) {
      for (auto& [ends, ways] : between_)
        for (Way& way : ways) way.capacity = checked_mul(way.capacity, kFiner);
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
    for (const auto& [ends, ways] : between_)
      if (ends.second == node && ends.first != but_from) capacity += capacity_of(ways);
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
  Plan even_plan(const Star& star) const {
    Rest rest(star);
    for (std::size_t shift = 1; shift <= rest.out.size(); ++shift)
      for (std::size_t i = 0; i < rest.in.size(); ++i) {
        const std::size_t j = (i + shift) % rest.out.size();
        const std::int32_t from = star.in[i].node, to = star.out[j].node;
        if (from == to || kept_[from] == 0 || kept_[to] == 0) continue;
        const auto there = between_.find({from, to});
        rest.take(i, j,
                  trees_at(from) - (there == between_.end() ? 0 : capacity_of(there->second)));
      }
    for (const auto& [from_kept, to_kept] : {std::pair(false, true), {true, false}, {true, true}})
      share(from_kept, to_kept, rest);
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
    for (const bool back : {false, true})
      for (std::size_t shift = 1; shift <= rest.out.size(); ++shift)
        for (std::size_t i = 0; i < rest.in.size(); ++i)
          if (const std::size_t j = (i + shift) % rest.out.size(); rest.is_back(i, j) == back)
            rest.take(i, j, rest.in[i]);
    return std::move(rest.plan);
  }

  // The network with the plan carried out.
  std::vector<CapacityArc> arcs_with(std::int32_t node, const Plan& plan) const {
    std::map<Ends, std::int64_t> capacity;
    for (const auto& [ends, ways] : between_) capacity[ends] = capacity_of(ways);
    for (const Pair& pair : plan) {
      capacity[{pair.from, node}] -= pair.amount;
      capacity[{node, pair.to}] -= pair.amount;
      if (pair.from != pair.to) capacity[{pair.from, pair.to}] += pair.amount;
    }
    std::vector<CapacityArc> arcs;
    for (const auto& [ends, amount] : capacity)
      if (amount > 0) arcs.push_back({ends.first, ends.second, amount});
    return arcs;
  }

  // What is left of a plan that keeps every set fed.
  Plan allowed(std::int32_t node, Plan plan) const {
    while (!plan.empty()) {
      const auto cut = overfull_cut(nodes_, arcs_with(node, plan), roots_, goals_);
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
    for (const Pair& pair : plan) {
      std::vector<Way>& into = between_[{pair.from, node}];
      std::vector<Way>& out_of = between_[{node, pair.to}];
      for (std::int64_t left = pair.amount; left > 0;) {
        const std::int64_t some = std::min({left, into.back().capacity, out_of.back().capacity});
        if (pair.from != pair.to) {
          Way way{some, into.back().arcs};
          way.arcs.insert(way.arcs.end(), out_of.back().arcs.begin(), out_of.back().arcs.end());
          add(between_[{pair.from, pair.to}], std::move(way));
        }
        for (std::vector<Way>* ways : {&into, &out_of})
          if ((ways->back().capacity -= some) == 0) ways->pop_back();
        left -= some;
      }
      if (into.empty()) between_.erase({pair.from, node});
      if (out_of.empty()) between_.erase({node, pair.to});
    }
    return !plan.empty();
  }
  static void add(std::vector<Way>& ways, Way way) {
    const auto same = std::ranges::find(ways, way.arcs, &Way::arcs);
    if (same == ways.end())
      ways.push_back(std::move(way));
    else
      same->capacity += way.capacity;
  }

  std::int32_t nodes_;
  std::span<const CapacityArc> arcs_;
  std::vector<TreeRoot> roots_;
  std::span<const std::int32_t> goals_;
  const std::vector<char>& kept_;
  std::map<Ends, std::vector<Way>> between_;
  std::int64_t finer_ = 1;
};

}  // namespace

std::int64_t WayBundle::capacity() const {
  return capacity_of(ways);
}

SplitNetwork split_off(std::int32_t nodes, std::span<const CapacityArc> arcs,
                       std::span<const TreeRoot> roots, std::span<const std::int32_t> goals,
                       const std::vector<char>& kept) {
  return Splitting(nodes, arcs, roots, goals, kept).split();
}

}  // namespace weft::graph
