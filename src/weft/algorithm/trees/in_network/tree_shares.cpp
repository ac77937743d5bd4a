// Rising prices, then a linear program. One tree after the other is the cheapest that is found,
// where a cable costs exponentially more with each tree that has it and less the faster it is: in
// the limit of many trees and small rises equal shares of these are the best packing. The program
// gives the trees found the best shares: their sum is greatest while no cable carries more than it
// can in a second. Where the optimum is known (rails; routers with hosts, by Nash-Williams's
// theorem) the sum is that or within a per cent.
//
// A tree of cheap cables may be long, and many are about as cheap. So its nodes are joined again,
// from its middle on, by cables whose price and a little for their depth is least.
//
// Shares are rounded to `count` equal ones for each count up to `most`: down, and what is left over
// goes to one tree after the other, where the busiest cable is least busy with it.
//
// Source: Young, "Randomized Rounding without Solving the Linear Program", SODA 1995; Garg,
// Könemann, "Faster and Simpler Algorithms for Multicommodity Flow and Other Fractional Packing
// Problems", FOCS 1998.
#include "tree_shares.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>
#include <utility>

#include "weft/algorithm/trees/in_network/priced_trees.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/graph_solvers/linear_program.hpp"

namespace weft::algorithm::trees {

namespace {

constexpr int kRounds = 64;
constexpr double kRise = 0.5;         // of a price's logarithm, for a tree on the fastest cable
constexpr double kDepthPrice = 0.05;  // of a tree's mean price, for each cable on the way
constexpr double kNoShare = 1e-7;

// The node in the middle of a longest way, and a switch if there are two and one is.
NodeId middle_of(const Topology& topology, std::span<const TreeCable> cables) {
  WEFT_ASSERT(!cables.empty());
  SwitchTree any;
  for (const TreeCable& c : cables) any.branches.push_back({c.from, c.to, c.out, c.back, 1});
  const auto farthest_from = [&](NodeId top) {
    return with_top(any, top).branches.back().node;  // by depth
  };
  const SwitchTree along = with_top(any, farthest_from(any.branches.front().node));
  NodeId middle = along.branches.back().node;
  const auto parent_of = [&](NodeId node) {
    return std::ranges::find(along.branches, node, &SwitchBranch::node)->parent;
  };
  for (std::int32_t i = 0; i < along.height / 2; ++i) middle = parent_of(middle);
  return along.height % 2 != 0 && topology.is_host(middle) ? parent_of(middle) : middle;
}

// Takes off switches under which no end is left.
void prune(SwitchTree& tree, const SwitchGraph& graph) {
  IdVector<NodeId, char> is_needed(graph.nodes(), 0);
  for (const NodeId end : graph.ends()) is_needed[end] = 1;
  for (auto at = tree.branches.rbegin(); at != tree.branches.rend(); ++at)
    if (is_needed[at->node] != 0) is_needed[at->parent] = 1;
  std::erase_if(tree.branches,
                [&](const SwitchBranch& branch) { return is_needed[branch.node] == 0; });
}

// The same nodes, joined from the middle on by cables that are cheap and near to it.
SwitchTree flattened(const SwitchGraph& graph, const PricedTree& tree,
                     std::span<const double> prices) {
  struct Joint {
    double price = 0;
    SwitchBranch branch;
    bool operator>(const Joint& other) const {
      return std::pair(price, branch.up) > std::pair(other.price, other.branch.up);
    }
  };
  const double deeper = kDepthPrice * tree.price / static_cast<double>(tree.cables.size());
  SwitchTree flat{.top = middle_of(graph.topology(), tree.cables)};
  IdVector<NodeId, char> is_out(graph.nodes(), 0);
  for (const TreeCable& c : tree.cables) is_out[c.from] = is_out[c.to] = 1;
  std::priority_queue<Joint, std::vector<Joint>, std::greater<>> joints;
  const auto reach = [&](NodeId node, std::int32_t depth) {
    is_out[node] = 0;
    for (const SwitchLink& way : graph.ways(node))
      if (is_out[way.to] != 0)
        joints.push(
            {prices[way.cable] + deeper * depth, {way.to, node, way.back, way.out, depth + 1}});
  };
  reach(flat.top, 0);
  for (; !joints.empty();) {
    const SwitchBranch next = joints.top().branch;
    joints.pop();
    if (is_out[next.node] == 0) continue;
    flat.branches.push_back(next);
    reach(next.node, next.depth);
  }
  std::ranges::stable_sort(flat.branches, {}, &SwitchBranch::depth);
  prune(flat, graph);
  flat.height = flat.branches.back().depth;
  return flat;
}

class TreeShares {
 public:
  TreeShares(const SwitchGraph& graph, const Cables& cables)
      : graph_(graph), bandwidth_(cables.bandwidth().begin(), cables.bandwidth().end()) {
    const auto fastest = static_cast<double>(*std::ranges::max_element(bandwidth_));
    for (const std::int64_t bandwidth : bandwidth_)
      relative_.push_back(static_cast<double>(bandwidth) / fastest);
  }

  void add(SwitchTree tree) {
    std::vector<std::int32_t> cables;
    for (const SwitchBranch& branch : tree.branches)
      cables.push_back(graph_.topology().cable(branch.up).value());
    std::ranges::sort(cables);
    if (!known_.insert(cables).second) return;
    trees_.push_back(std::move(tree));
    cables_of_.push_back(std::move(cables));
  }

  /// Adds trees that are cheap while those before them make their cables dearer.
  void find() {
    PricedTreeFinder finder(graph_);
    std::vector<double> busy(relative_.size(), 0), prices(relative_.size());
    for (int round = 0; round < kRounds; ++round) {
      const double busiest = *std::ranges::max_element(busy);
      for (std::size_t c = 0; c < prices.size(); ++c)
        prices[c] = std::max(std::exp(kRise * (busy[c] - busiest)), 1e-200) / relative_[c];
      SwitchTree tree = flattened(graph_, finder.find(prices), prices);
      for (const SwitchBranch& branch : tree.branches) {
        const std::size_t cable = graph_.topology().cable(branch.up).index();
        busy[cable] += 1 / relative_[cable];
      }
      add(std::move(tree));
    }
  }

  LaidTrees rounded(std::int64_t most) {
    LaidTrees best;
    if (!keep_those_with_shares()) return best;
    std::vector<std::int64_t> best_times;
    for (std::int64_t count = 1; count <= most; ++count) {
      auto [times, busiest] = rounded_to(count);
      if (!best_times.empty() && busiest >= best.busiest) continue;
      best.busiest = busiest;
      best_times = std::move(times);
    }
    for (std::size_t tree = 0; tree < trees_.size(); ++tree)
      best.trees.insert(best.trees.end(), static_cast<std::size_t>(best_times[tree]), trees_[tree]);
    return best;
  }

 private:
  /// Finds shares of the sum 1; false where the program is not solved.
  bool keep_those_with_shares() {
    graph::LinearProgram program;
    for (const double bandwidth : relative_) program.add_row({-graph::kUnbounded, bandwidth});
    std::vector<graph::LinearTerm> terms;
    for (const auto& cables : cables_of_) {
      terms.clear();
      for (const std::int32_t cable : cables) terms.push_back({cable, 1});
      program.add_column(-1, {}, terms);
    }
    if (!program.solve()) return false;
    std::size_t kept = 0;
    for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
      const double share = program.column_values()[tree] / -program.value();
      if (share < kNoShare) continue;
      shares_.push_back(share);
      std::swap(trees_[kept], trees_[tree]);
      std::swap(cables_of_[kept++], cables_of_[tree]);
    }
    trees_.resize(kept);
    cables_of_.resize(kept);
    return true;
  }

  /// How often each tree comes among so many, and the time of the busiest cable.
  std::pair<std::vector<std::int64_t>, Rational> rounded_to(std::int64_t count) const {
    std::vector<std::int64_t> times(trees_.size(), 0), load(bandwidth_.size(), 0);
    std::int64_t left = count;
    const auto take = [&](std::size_t tree, std::int64_t more) {
      times[tree] += more;
      left -= more;
      for (const std::int32_t cable : cables_of_[tree]) load[cable] += more;
    };
    for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
      const double exact = shares_[tree] * static_cast<double>(count);
      take(tree, std::min(left, static_cast<std::int64_t>(std::floor(exact + kNoShare))));
    }
    const auto busy_with_one_more = [&](std::size_t tree) {
      std::pair<double, double> busiest_and_all;
      for (const std::int32_t cable : cables_of_[tree]) {
        const double busy = static_cast<double>(load[cable] + 1) / relative_[cable];
        busiest_and_all.first = std::max(busiest_and_all.first, busy);
        busiest_and_all.second += busy;
      }
      return busiest_and_all;
    };
    while (left > 0) {
      std::size_t best = 0;
      auto least = busy_with_one_more(best);
      for (std::size_t tree = 1; tree < trees_.size(); ++tree)
        if (const auto busy = busy_with_one_more(tree); busy < least) {
          least = busy;
          best = tree;
        }
      take(best, 1);
    }
    Rational busiest;
    for (std::size_t c = 0; c < load.size(); ++c)
      if (load[c] > 0) busiest = std::max(busiest, Rational(load[c], bandwidth_[c]));
    return {std::move(times), busiest / Rational(count)};
  }

  const SwitchGraph& graph_;
  std::vector<std::int64_t> bandwidth_;  // by cable
  std::vector<double> relative_;         // by cable, to the fastest
  std::vector<SwitchTree> trees_;
  std::vector<std::vector<std::int32_t>> cables_of_;  // by tree, sorted
  std::vector<double> shares_;                        // by tree
  std::set<std::vector<std::int32_t>> known_;
};

}  // namespace

LaidTrees shared_trees(const SwitchGraph& graph, const Cables& cables,
                       std::vector<SwitchTree> known, std::int64_t most) {
  TreeShares shares(graph, cables);
  for (SwitchTree& tree : known) shares.add(std::move(tree));
  shares.find();
  return shares.rounded(most);
}

}  // namespace weft::algorithm::trees
