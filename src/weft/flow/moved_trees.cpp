// An arc that a tree takes is taken, moved, by the trees of all roots, which load each arc of its
// orbit alike. So a way has room while the orbits of its arcs have, all trees together.
//
// A tree grows by the cheapest way to a place that it lacks, from whichever place it has; to be
// farther from the root costs, too. What is fuller costs more, so that equal ways share the load.
// Where an orbit fills up before the trees are complete they are tried again: it costs more from
// the start, and the distance from the root less.
#include "weft/flow/moved_trees.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/union_find.hpp"
#include "weft/flow/host_shifts.hpp"
#include "weft/graph/rows.hpp"

namespace weft::flow {

namespace {

using graph::CapacityArc;
using graph::Sense;
using graph::TreeRate;

// An arc of a tree: a way between places.
struct Hop {
  std::int32_t from = 0, to = 0;   // nodes
  std::int32_t depth = 0;          // arcs from the root to its end, less one
  std::vector<std::int32_t> arcs;  // of the carrier
};

struct MovingTree {
  std::int32_t root = 0;  // a node
  std::vector<Hop> hops;  // parents first
};

// What trees of some roots load once they are moved everywhere.
class Orbits {
 public:
  Orbits(std::span<const CapacityArc> arcs, std::span<const HostShift> shifts) {
    std::int64_t group = 1;
    UnionFind joined(arcs.size());
    for (const HostShift& shift : shifts) {
      group *= shift.radix;
      for (std::size_t arc = 0; arc < arcs.size(); ++arc)
        joined.join(static_cast<std::int32_t>(arc), shift.arcs[arc]);
    }
    std::vector<std::int64_t> size(arcs.size(), 0);
    for (std::size_t arc = 0; arc < arcs.size(); ++arc) {
      of_arc_.push_back(joined.find(static_cast<std::int32_t>(arc)));
      ++size[of_arc_.back()];
    }
    for (std::size_t arc = 0; arc < arcs.size(); ++arc) {
      const std::int64_t times = size[of_arc_[arc]];  // of the group's motions, those that keep it
      most_.push_back(times == 0 ? 0 : arcs[of_arc_[arc]].capacity / (group / times));
    }
    used_.assign(arcs.size(), 0);
    weight_.assign(arcs.size(), 1.0);
    reprice();
  }

  std::int64_t room(std::int32_t arc) const { return most_[of_arc_[arc]] - used_[of_arc_[arc]]; }
  std::int64_t price(std::int32_t arc) const { return price_[of_arc_[arc]]; }
  std::int64_t least_price() const {
    std::int64_t least = INT64_MAX;
    for (const std::int32_t orbit : of_arc_)
      if (most_[orbit] > 0) least = std::min(least, price_[orbit]);
    return least;
  }

  /// Loads a way; false, and nothing is loaded, where an orbit has less room than it has arcs of
  /// it, which then counts as full.
  bool take(std::span<const std::int32_t> arcs) {
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      const std::int32_t orbit = of_arc_[arcs[i]];
      if (++used_[orbit] <= most_[orbit]) continue;
      for (std::size_t j = 0; j <= i; ++j) --used_[of_arc_[arcs[j]]];
      used_[orbit] = most_[orbit];
      full_.push_back(orbit);
      return false;
    }
    for (const std::int32_t arc : arcs) {
      reprice(of_arc_[arc]);
      if (room(arc) == 0) full_.push_back(of_arc_[arc]);
    }
    return true;
  }

  /// Empties all; what was full costs so many times more from now on.
  void empty(double times) {
    for (const std::int32_t orbit : full_) weight_[orbit] *= times;
    full_.clear();
    std::ranges::fill(used_, 0);
    reprice();
  }

 private:
  void reprice() {
    price_.resize(most_.size());
    for (std::size_t orbit = 0; orbit < most_.size(); ++orbit)
      reprice(static_cast<std::int32_t>(orbit));
  }
  void reprice(std::int32_t orbit) {
    constexpr double kUnit = 1 << 20;
    const auto most = static_cast<double>(most_[orbit]), used = static_cast<double>(used_[orbit]);
    price_[orbit] =
        most_[orbit] == 0
            ? 0
            : std::llround(kUnit * weight_[orbit] * (1 + 4 * used / most) / std::sqrt(most)) + 1;
  }

  std::vector<std::int32_t> of_arc_;               // an arc of the orbit
  std::vector<std::int64_t> most_, used_, price_;  // by orbit, a tree's way over any arc is one
  std::vector<double> weight_;
  std::vector<std::int32_t> full_;
};

class Growth {
 public:
  Growth(const Carrier& carrier, const TreeRate& rate, std::span<const HostShift> shifts)
      : carrier_(carrier),
        orbits_(rate.arcs, shifts),
        out_(graph::rows_by<std::int32_t>(
            carrier.nodes, static_cast<std::int32_t>(rate.arcs.size()),
            [&](std::int32_t arc) { return rate.arcs[arc].tail; },
            [](std::int32_t arc) { return arc; })) {}

  /// So many trees of each root, tried so many times.
  std::optional<std::vector<MovingTree>> grow(std::span<const std::int32_t> roots,
                                              std::int64_t trees, std::int64_t rounds) {
    // What an arc more from the root costs, in arcs: above, trees are as good as stars; they are
    // tried with prices as they are.
    constexpr std::int64_t kMuch = 16, kMost = kMuch << 6;
    const std::int64_t arc = orbits_.least_price();
    depth_price_ = kMost * arc;
    for (std::int64_t round = 0; round < rounds; ++round) {
      if (auto grown = trees_of(roots, trees)) return grown;
      const bool flat = depth_price_ > kMuch * arc;
      orbits_.empty(flat ? 1.0 : 1.5);
      depth_price_ -= flat ? depth_price_ / 4 * 3 : depth_price_ / 8;
    }
    return std::nullopt;
  }

 private:
  // The cheapest way to a node so far.
  struct Reached {
    std::int64_t price = INT64_MAX;
    std::int32_t depth = 0;  // of the place where it begins
    std::int32_t arc = -1;   // that comes last; none for a place of the tree
  };
  using Entry = std::tuple<std::int64_t, std::int32_t, std::int32_t>;  // price, depth, node

  // Of each root in turn.
  std::optional<std::vector<MovingTree>> trees_of(std::span<const std::int32_t> roots,
                                                  std::int64_t trees) {
    std::vector<MovingTree> grown;
    for (std::int64_t i = 0; i < trees; ++i)
      for (const std::int32_t root : roots) {
        auto tree = tree_of(root);
        if (!tree) return std::nullopt;
        grown.push_back(*std::move(tree));
      }
    return grown;
  }

  std::optional<MovingTree> tree_of(std::int32_t root) {
    MovingTree tree{root, {}};
    depth_.assign(static_cast<std::size_t>(carrier_.nodes), -1);
    depth_[root] = 0;
    while (tree.hops.size() + 1 < carrier_.places.size()) {
      auto hop = next_hop();
      if (!hop) return std::nullopt;
      if (!orbits_.take(hop->arcs)) continue;
      depth_[hop->to] = hop->depth + 1;
      tree.hops.push_back(*std::move(hop));
    }
    return tree;
  }

  // Places that the tree lacks end ways.
  std::optional<Hop> next_hop() {
    reached_.assign(static_cast<std::size_t>(carrier_.nodes), {});
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (const std::int32_t place : carrier_.places)
      if (depth_[place] >= 0) {
        reached_[place] = {depth_[place] * depth_price_, depth_[place], -1};
        queue.emplace(reached_[place].price, depth_[place], place);
      }
    while (!queue.empty()) {
      const auto [price, depth, node] = queue.top();
      queue.pop();
      if (std::pair(price, depth) != std::pair(reached_[node].price, reached_[node].depth))
        continue;
      if (carrier_.kept[node] != 0 && depth_[node] < 0) return hop_to(node);
      for (const std::int32_t arc : out_[node]) {
        const std::int32_t head = carrier_.arcs[arc].head;
        if (orbits_.room(arc) == 0) continue;
        const std::int64_t total = price + orbits_.price(arc);
        Reached& there = reached_[head];
        if (std::pair(total, depth) >= std::pair(there.price, there.depth)) continue;
        there = {total, depth, arc};
        queue.emplace(total, depth, head);
      }
    }
    return std::nullopt;
  }
  Hop hop_to(std::int32_t node) const {
    Hop hop{.from = node, .to = node, .depth = reached_[node].depth, .arcs = {}};
    while (reached_[hop.from].arc >= 0) {
      hop.arcs.push_back(reached_[hop.from].arc);
      hop.from = carrier_.arcs[hop.arcs.back()].tail;
    }
    std::ranges::reverse(hop.arcs);
    return hop;
  }

  const Carrier& carrier_;
  Orbits orbits_;
  std::int64_t depth_price_ = 0;     // of an arc more from the root
  graph::Rows<std::int32_t> out_;    // arcs by tail
  std::vector<std::int32_t> depth_;  // by node, of the tree; -1: it lacks it
  std::vector<Reached> reached_;     // by node
};

// Visits each product of shifts, with where it takes nodes and arcs.
void for_each_motion(std::span<const HostShift> shifts, const std::vector<std::int32_t>& nodes,
                     const std::vector<std::int32_t>& arcs,
                     const std::function<void(std::span<const std::int32_t>,
                                              std::span<const std::int32_t>)>& visit) {
  if (shifts.empty()) return visit(nodes, arcs);
  std::vector<std::int32_t> node_images = nodes, arc_images = arcs;
  for (std::int32_t i = 0; i < shifts.front().radix; ++i) {
    for_each_motion(shifts.subspan(1), node_images, arc_images, visit);
    for (std::int32_t& image : node_images) image = shifts.front().nodes[image];
    for (std::int32_t& image : arc_images) image = shifts.front().arcs[image];
  }
}

std::vector<std::int32_t> unmoved(std::size_t count) {
  std::vector<std::int32_t> images(count);
  for (std::size_t i = 0; i < count; ++i) images[i] = static_cast<std::int32_t>(i);
  return images;
}

// The ranks on each place; nothing where they are not as many.
std::optional<std::vector<std::vector<std::int32_t>>> ranks_by_node(const Carrier& carrier) {
  std::vector<std::vector<std::int32_t>> ranks(static_cast<std::size_t>(carrier.nodes));
  for (std::size_t rank = 0; rank < carrier.roots.size(); ++rank)
    ranks[carrier.roots[rank].node].push_back(static_cast<std::int32_t>(rank));
  const auto as_many = [&](std::int32_t place) {
    return ranks[place].size() == ranks[carrier.places.front()].size();
  };
  if (!std::ranges::all_of(carrier.places, as_many)) return std::nullopt;
  return ranks;
}

PlacedTrees moved(const Carrier& carrier, Sense sense, std::span<const HostShift> shifts,
                  std::span<const MovingTree> trees,
                  std::span<const std::vector<std::int32_t>> ranks) {
  PlacedTrees result;
  std::vector<std::int32_t> place(static_cast<std::size_t>(carrier.nodes), 0);
  for (const std::int32_t node : carrier.places) {
    place[node] = static_cast<std::int32_t>(result.places.size());
    result.places.push_back(NodeId(node));
  }
  const auto add = [&](std::span<const std::int32_t> nodes, std::span<const std::int32_t> arcs) {
    std::vector<std::size_t> next(result.places.size(), 0);  // by place: its rank whose turn it is
    for (const MovingTree& tree : trees) {
      const std::int32_t root = nodes[tree.root];
      const std::vector<std::int32_t>& roots = ranks[root];
      graph::PackedTree& packed = result.trees.emplace_back(
          graph::PackedTree{.root = roots[next[place[root]]++ % roots.size()],
                            .multiplicity = 1,
                            .branches = graph::Branching(result.places.size())});
      packed.branches[place[root]] = {place[root], 0, -1};
      for (const Hop& hop : tree.hops) {
        const std::int32_t from = place[nodes[hop.from]], to = place[nodes[hop.to]];
        packed.branches[to] = {from, static_cast<std::int32_t>(result.arcs.size()), hop.depth};
        LinkWay way{1, {}};
        for (const std::int32_t arc : hop.arcs) way.links.push_back(carrier.links[arcs[arc]]);
        if (sense == Sense::against) std::ranges::reverse(way.links);
        result.arcs.push_back({from, to, {std::move(way)}});
      }
    }
  };
  for_each_motion(shifts, unmoved(static_cast<std::size_t>(carrier.nodes)),
                  unmoved(carrier.arcs.size()), add);
  std::ranges::stable_sort(result.trees, {}, &graph::PackedTree::root);
  return result;
}

}  // namespace

std::optional<PlacedTrees> moved_trees(const Carrier& carrier, const TreeRate& rate, Sense sense) {
  constexpr std::int64_t kMostHops = 8'000'000, kMostSteps = 16'000'000'000, kMostRounds = 40;
  const auto ranks = ranks_by_node(carrier);
  if (!ranks || carrier.goals.size() != carrier.places.size()) return std::nullopt;
  const std::vector<HostShift> shifts = host_shifts(carrier);
  if (shifts.empty()) return std::nullopt;
  std::vector<std::int32_t> apart;  // a place of each orbit
  UnionFind orbits(static_cast<std::size_t>(carrier.nodes));
  for (const HostShift& shift : shifts)
    for (const std::int32_t place : carrier.places) orbits.join(place, shift.nodes[place]);
  for (const std::int32_t place : carrier.places)
    if (orbits.find(place) == place) apart.push_back(place);
  const auto places = std::ssize(carrier.places);
  const std::int64_t trees = rate.trees * std::ssize((*ranks)[carrier.places.front()]);
  if (trees > kMostHops / places / places) return std::nullopt;
  const std::int64_t steps = trees * std::ssize(apart) * places * std::ssize(carrier.arcs);
  const std::int64_t rounds = std::min(kMostRounds, kMostSteps / steps);
  const auto grown = Growth(carrier, rate, shifts).grow(apart, trees, rounds);
  if (!grown) return std::nullopt;
  return moved(carrier, sense, shifts, *grown, *ranks);
}

}  // namespace weft::flow
