// A tree grows by the cheapest way to a place that it lacks, from whichever place it has; to be
// farther from the root costs, too. What is fuller costs more, so that equal ways share the load.
// Where an orbit fills up before the trees are complete they are tried again: it costs more from
// the start, and the distance from the root less.
//
// Trees of one root, behind switches, divide what a host can send: where links of hosts bound all,
// each host passes on one tree, to as many others as there are trees, and is a leaf of the rest. A
// tree that takes leaves of the ones before first finds them: places that have room left.
#include "weft/flow/trees/tree_growth.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/union_find.hpp"
#include "weft/graph/rows.hpp"

namespace weft::flow {

namespace {

using graph::CapacityArc;
using graph::Sense;

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
  std::int64_t most(std::int32_t arc) const { return most_[of_arc_[arc]]; }
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
  Growth(const Carrier& carrier, std::span<const CapacityArc> arcs,
         std::span<const HostShift> shifts, const GrowthOptions& options)
      : carrier_(carrier),
        options_(options),
        orbits_(arcs, shifts),
        out_(graph::rows_by<std::int32_t>(
            carrier.nodes, static_cast<std::int32_t>(arcs.size()),
            [&](std::int32_t arc) { return arcs[arc].tail; },
            [](std::int32_t arc) { return arc; })) {}

  std::optional<std::vector<GrownTree>> grow(std::span<const std::int32_t> roots) {
    // What an arc more from the root costs, in arcs: above, trees are as good as stars; they are
    // tried with prices as they are.
    constexpr std::int64_t kMuch = 16, kMost = kMuch << 6;
    const std::int64_t arc = orbits_.least_price();
    depth_price_ = kMost * arc;
    std::optional<std::vector<GrownTree>> best;
    for (std::int64_t round = 0; round < options_.rounds; ++round) {
      deals_ = options_.join == JoinFirst::those_with_room && round % 2 == 0;
      if (auto grown = trees_of(roots)) {
        if (!best || depth_of(*grown) < depth_of(*best)) best = std::move(grown);
        if (options_.join == JoinFirst::the_cheapest) break;
      }
      const bool flat = depth_price_ > kMuch * arc;
      orbits_.empty(flat ? 1.0 : 1.5);
      depth_price_ -= flat ? depth_price_ / 4 * 3 : depth_price_ / 8;
    }
    return best;
  }

 private:
  static std::int32_t depth_of(const std::vector<GrownTree>& trees) {
    std::int32_t depth = 0;
    for (const GrownTree& tree : trees)
      for (const GrownHop& hop : tree.hops) depth = std::max(depth, hop.depth + 1);
    return depth;
  }

  // The cheapest way to a node so far.
  struct Reached {
    std::int64_t price = INT64_MAX;
    std::int32_t depth = 0;  // of the place where it begins
    std::int32_t arc = -1;   // that comes last; none for a place of the tree
  };
  using Entry = std::tuple<std::int64_t, std::int32_t, std::int32_t>;  // price, depth, node

  // Of each root in turn.
  std::optional<std::vector<GrownTree>> trees_of(std::span<const std::int32_t> roots) {
    std::vector<GrownTree> grown;
    for (std::int64_t i = 0; i < options_.trees; ++i)
      for (const std::int32_t root : roots) {
        auto tree = tree_of(root, options_.trees - i);
        if (!tree) return std::nullopt;
        grown.push_back(*std::move(tree));
      }
    return grown;
  }

  std::optional<GrownTree> tree_of(std::int32_t root, std::int64_t to_come) {
    GrownTree tree{root, {}};
    depth_.assign(carrier_.nodes, -1);
    depth_[root] = 0;
    senders_.assign(1, {root});
    root_ = root;
    of_root_ = root_share(root);
    deal_between_switches(to_come);
    while (tree.hops.size() + 1 < carrier_.places.size()) {
      auto hop = next_hop();
      if (!hop) return std::nullopt;
      if (!orbits_.take(hop->arcs)) continue;
      join(hop->to, hop->depth + 1);
      if (hop->from == root) --of_root_;
      tree.hops.push_back(*std::move(hop));
    }
    return tree;
  }

  void join(std::int32_t place, std::int32_t depth) {
    depth_[place] = depth;
    if (depth == std::ssize(senders_)) senders_.emplace_back();
    auto& alike = senders_[depth];
    alike.insert(std::ranges::upper_bound(alike, place), place);
  }

  /// Hops that a tree may have from its root.
  std::int64_t root_share(std::int32_t root) const {
    if (options_.join == JoinFirst::the_cheapest) return INT64_MAX;
    std::int64_t most = 0;
    for (const std::int32_t arc : out_[root]) most += orbits_.most(arc);
    return std::max<std::int64_t>(1, most / options_.trees);
  }

  /// Of links between switches it leaves even shares to the trees to come, every other round: what
  /// hosts pass on then takes few of them, but more where there are as many as hosts have.
  void deal_between_switches(std::int64_t to_come) {
    kept_back_.assign(carrier_.arcs.size(), 0);
    if (!deals_) return;
    for (std::size_t arc = 0; arc < kept_back_.size(); ++arc) {
      const auto& [tail, head, capacity] = carrier_.arcs[arc];
      if (carrier_.kept[tail] != 0 || carrier_.kept[head] != 0) continue;
      const std::int64_t room = orbits_.room(static_cast<std::int32_t>(arc));
      kept_back_[arc] = room - (room + to_come - 1) / to_come;
    }
  }

  /// Of a place that the tree lacks, where those that can pass on little are to come last.
  std::int64_t join_price(std::int32_t node) const {
    if (options_.join == JoinFirst::the_cheapest || carrier_.kept[node] == 0 || depth_[node] >= 0)
      return 0;
    std::int64_t most = 0, room = 0;
    for (const std::int32_t arc : out_[node]) {
      most += orbits_.most(arc);
      room += orbits_.room(arc);
    }
    const double lacking =
        1 - static_cast<double>(room) / static_cast<double>(std::max<std::int64_t>(most, 1));
    return std::llround(static_cast<double>(depth_price_) / 2 * lacking);
  }

  /// Whether a place of the tree has room to send. What has none gets none while the tree grows.
  bool may_send(std::int32_t place) const {
    return (place != root_ || of_root_ > 0) &&
           std::ranges::any_of(
               out_[place], [&](std::int32_t arc) { return orbits_.room(arc) > kept_back_[arc]; });
  }

  // Ways begin at places of the tree, the nearest to the root first, and end at places that it
  // lacks, of which the cheapest is all that counts.
  std::optional<GrownHop> next_hop() {
    reached_.assign(carrier_.nodes, {});
    queue_.clear();
    std::optional<Entry> end;
    std::int32_t depth = 0;  // of the places that ways begin at next
    std::size_t begun = 0;   // of these
    while (true) {
      while (depth < std::ssize(senders_) && begun == senders_[depth].size()) {
        ++depth;
        begun = 0;
      }
      const bool is_sender = depth < std::ssize(senders_) &&
                             (queue_.empty() || Entry(depth * depth_price_, depth,
                                                      senders_[depth][begun]) < queue_.front());
      if (!is_sender && queue_.empty()) break;
      if (is_sender) {
        const std::int64_t price = depth * depth_price_;
        if (end && price >= std::get<0>(*end)) break;
        auto& alike = senders_[depth];
        if (may_send(alike[begun]))
          extend({price, depth, alike[begun++]}, end);
        else
          alike.erase(alike.begin() + static_cast<std::ptrdiff_t>(begun));
        continue;
      }
      const Entry next = queue_.front();
      if (end && std::get<0>(next) >= std::get<0>(*end)) break;
      std::ranges::pop_heap(queue_, std::greater{});
      queue_.pop_back();
      const Reached& there = reached_[std::get<2>(next)];
      if (there.price == std::get<0>(next) && there.depth == std::get<1>(next)) extend(next, end);
    }
    if (!end) return std::nullopt;
    return hop_to(std::get<2>(*end));
  }

  // The way goes on by each arc of its last node that has room.
  void extend(const Entry& way, std::optional<Entry>& end) {
    const auto& [price, depth, node] = way;
    for (const std::int32_t arc : out_[node]) {
      const std::int32_t head = carrier_.arcs[arc].head;
      if (depth_[head] >= 0) continue;
      const std::int64_t least = price + orbits_.price(arc);
      if (end && least > std::get<0>(*end)) continue;
      if (orbits_.room(arc) <= kept_back_[arc]) continue;
      const std::int64_t total = least + join_price(head);
      Reached& there = reached_[head];
      if (std::pair(total, depth) >= std::pair(there.price, there.depth)) continue;
      there = {total, depth, arc};
      const Entry longer(total, depth, head);
      if (carrier_.kept[head] != 0) {
        if (!end || longer < *end) end = longer;
      } else {
        queue_.push_back(longer);
        std::ranges::push_heap(queue_, std::greater{});
      }
    }
  }

  GrownHop hop_to(std::int32_t node) const {
    GrownHop hop{.from = node, .to = node, .depth = reached_[node].depth, .arcs = {}};
    while (reached_[hop.from].arc >= 0) {
      hop.arcs.push_back(reached_[hop.from].arc);
      hop.from = carrier_.arcs[hop.arcs.back()].tail;
    }
    std::ranges::reverse(hop.arcs);
    return hop;
  }

  const Carrier& carrier_;
  GrowthOptions options_;
  Orbits orbits_;
  std::int64_t depth_price_ = 0;  // of an arc more from the root
  std::int32_t root_ = 0;         // of the tree
  bool deals_ = false;
  std::vector<std::int64_t> kept_back_;             // of arcs, for other trees
  std::int64_t of_root_ = 0;                        // hops that it may still have from there
  graph::Rows<std::int32_t> out_;                   // arcs by tail
  std::vector<std::int32_t> depth_;                 // by node, of the tree; -1: it lacks it
  std::vector<Reached> reached_;                    // by node
  std::vector<Entry> queue_;                        // a heap of the ways to switches
  std::vector<std::vector<std::int32_t>> senders_;  // places of the tree by depth, ascending
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

}  // namespace

std::optional<std::vector<GrownTree>> grow_trees(const Carrier& carrier,
                                                 std::span<const graph::CapacityArc> arcs,
                                                 std::span<const HostShift> shifts,
                                                 std::span<const std::int32_t> roots,
                                                 const GrowthOptions& options) {
  WEFT_ASSERT(arcs.size() == carrier.arcs.size() && !roots.empty());
  return Growth(carrier, arcs, shifts, options).grow(roots);
}

PlacedTrees placed_everywhere(const Carrier& carrier, Sense sense,
                              std::span<const HostShift> shifts, std::span<const GrownTree> trees,
                              std::span<const std::vector<std::int32_t>> ranks) {
  WEFT_ASSERT(std::ssize(ranks) == carrier.nodes && !trees.empty());
  PlacedTrees result;
  std::vector<std::int32_t> place(carrier.nodes, 0);
  for (const std::int32_t node : carrier.places) {
    place[node] = static_cast<std::int32_t>(result.places.size());
    result.places.push_back(NodeId(node));
  }
  const auto add = [&](std::span<const std::int32_t> nodes, std::span<const std::int32_t> arcs) {
    std::vector<std::size_t> next(result.places.size(), 0);  // by place: its rank whose turn it is
    for (const GrownTree& tree : trees) {
      const std::int32_t root = nodes[tree.root];
      const std::vector<std::int32_t>& roots = ranks[root];
      graph::PackedTree& packed = result.trees.emplace_back(
          graph::PackedTree{.root = roots[next[place[root]]++ % roots.size()],
                            .multiplicity = 1,
                            .branches = graph::Branching(result.places.size())});
      packed.branches[place[root]] = {place[root], 0, -1};
      for (const GrownHop& hop : tree.hops) {
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

}  // namespace weft::flow
