// Where links differ by thousands a few thin ones decide, and balancing flows on all the others
// shows it only in the end. Two relaxations show it before:
//
// Arcs join parts, the fastest first, as in a maximum spanning tree. No other sets of nodes are
// held together by faster arcs than those that lead out. Each of these parts S (the single nodes
// among them), at most 2 n - 1, is a cut: ranks(S) * ranks(V \ S) pairs each way share what leaves
// S, and what enters it. The smaller part of two that join is gone through, and the tightest
// one so far kept: O(arcs log n + n^2) at most.
//
// Arcs of the tree's fast side, above the widest step between its speeds, are taken for infinitely
// fast: parts become nodes, and flows of the network of parts have at least the f of the whole. Its
// prices, 0 within parts, are prices of the whole that prove the same bound.
#include "weft/flow/throughput/bottlenecks.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "weft/base/error.hpp"
#include "weft/base/union_find.hpp"
#include "weft/flow/throughput/balance.hpp"

namespace weft::flow {

namespace {

constexpr double kWidestStep = 8;  // between speeds, to take what is above for infinite
// Of the network of parts: the flow on the whole needs the rest of the time.
constexpr std::int64_t kMostSweeps = 40;
constexpr double kShareOfTime = 0.25;

// An average over the orbit of what arcs ask.
std::vector<double> by_orbit(const ArcOrbits& orbits, std::span<const std::int64_t> of_arc) {
  WEFT_ASSERT(of_arc.size() == orbits.orbit_of_arc.size());
  std::vector<double> price(orbits.count, 0), arcs(orbits.count, 0);
  for (std::size_t e = 0; e < of_arc.size(); ++e) {
    price[orbits.orbit_of_arc[e]] += static_cast<double>(of_arc[e]);
    ++arcs[orbits.orbit_of_arc[e]];
  }
  for (Int k = 0; k < orbits.count; ++k) price[k] /= arcs[k];
  return price;
}

// Parts that arcs join, each with its nodes and what leaves and enters it.
class Parts {
 public:
  explicit Parts(const FlowGraph& graph)
      : graph_(graph), all_ranks_(all_ranks(graph)), part_(graph.nodes), parts_(graph.nodes) {
    std::iota(part_.begin(), part_.end(), 0);
    for (Int node = 0; node < graph.nodes; ++node)
      parts_[node] = {.nodes = {node}, .ranks = graph.ranks[node]};
    for (Int e = 0; e < graph.arcs(); ++e) {
      parts_[graph.tail[e]].leaves += graph.capacity[e];
      parts_[graph.head(e)].enters += graph.capacity[e];
    }
    for (Int node = 0; node < graph.nodes; ++node) look(node);
  }

  /// Whether its ends were in two parts.
  bool join_ends(Int arc) {
    Int small = part_[graph_.tail[arc]], large = part_[graph_.head(arc)];
    if (small == large) return false;
    if (parts_[small].nodes.size() > parts_[large].nodes.size()) std::swap(small, large);
    std::int64_t from_small = 0, to_small = 0;
    for (const Int node : parts_[small].nodes) {
      for (Int e = graph_.heads.first(node); e < graph_.heads.first(node + 1); ++e)
        if (part_[graph_.head(e)] == large) from_small += graph_.capacity[e];
      for (const Int e : graph_.in_arcs[node])
        if (part_[graph_.tail[e]] == large) to_small += graph_.capacity[e];
    }
    Part& into = parts_[large];
    Part& gone = parts_[small];
    for (const Int node : gone.nodes) part_[node] = large;
    into.nodes.insert(into.nodes.end(), gone.nodes.begin(), gone.nodes.end());
    into.ranks += gone.ranks;
    into.leaves += gone.leaves - from_small - to_small;
    into.enters += gone.enters - from_small - to_small;
    gone = {};
    look(large);
    return true;
  }

  /// By arc, 1 across the tightest cut, 0 elsewhere.
  std::vector<std::int64_t> tightest_cut() const {
    std::vector<bool> inside(graph_.nodes, false);
    for (const Int node : tightest_) inside[node] = true;
    std::vector<std::int64_t> across;
    for (Int e = 0; e < graph_.arcs(); ++e) {
      const bool tail = inside[graph_.tail[e]], head = inside[graph_.head(e)];
      across.push_back(tail != head && tail == outwards_ ? 1 : 0);
    }
    return across;
  }

 private:
  struct Part {
    std::vector<Int> nodes = {};
    std::int64_t ranks = 0, leaves = 0, enters = 0;
  };

  void look(Int part) {
    const Part& at = parts_[part];
    if (at.ranks == 0 || at.ranks == all_ranks_) return;
    const double pairs = static_cast<double>(at.ranks) * static_cast<double>(all_ranks_ - at.ranks);
    const double load = pairs / static_cast<double>(std::min(at.leaves, at.enters));
    if (load <= largest_load_) return;
    largest_load_ = load;
    tightest_ = at.nodes;
    outwards_ = at.leaves <= at.enters;
  }

  const FlowGraph& graph_;
  std::int64_t all_ranks_;
  std::vector<Int> part_;  // by node
  std::vector<Part> parts_;
  double largest_load_ = 0;
  std::vector<Int> tightest_;
  bool outwards_ = true;
};

std::vector<Int> fastest_first(const FlowGraph& graph) {
  std::vector<Int> arcs(static_cast<std::size_t>(graph.arcs()));
  std::iota(arcs.begin(), arcs.end(), 0);
  std::ranges::stable_sort(arcs,
                           [&](Int a, Int b) { return graph.capacity[a] > graph.capacity[b]; });
  return arcs;
}

// How many arcs of a spanning tree, fastest first, are before the widest step of its speeds.
std::optional<std::size_t> before_widest_step(const FlowGraph& graph, std::span<const Int> tree) {
  std::optional<std::size_t> before;
  double widest = kWidestStep;
  for (std::size_t i = 1; i < tree.size(); ++i) {
    const double step = static_cast<double>(graph.capacity[tree[i - 1]]) /
                        static_cast<double>(graph.capacity[tree[i]]);
    if (step <= widest) continue;
    widest = step;
    before = i;
  }
  return before;
}

// Of the network whose parts, joined by these arcs, are a node each; nothing where it is not much
// smaller, or all ranks are in one part.
std::optional<std::vector<std::int64_t>> prices_between_parts(const FlowGraph& graph,
                                                              std::span<const Int> joined,
                                                              const ThroughputOptions& options) {
  UnionFind sets(static_cast<std::size_t>(graph.nodes));
  for (const Int e : joined) sets.join(graph.tail[e], graph.head(e));
  std::vector<Int> number(graph.nodes, 0), part;
  Int parts = 0;
  for (Int node = 0; node < graph.nodes; ++node) {
    const Int least = sets.find(node);
    if (least == node) number[node] = parts++;
    part.push_back(number[least]);
  }
  if (parts > graph.nodes / 2) return std::nullopt;
  const FlowGraph between = contracted(graph, part, parts);
  if (between.hosts.size() < 2) return std::nullopt;
  ThroughputOptions nearer = options;
  nearer.gap = options.gap / 4;
  nearer.time_limit_s = kShareOfTime * options.time_limit_s;
  return throughput_by_balance(between, trivial_orbits(between), nearer, kMostSweeps)
      .throughput.prices;
}

}  // namespace

std::vector<std::vector<double>> bottleneck_prices(const FlowGraph& graph, const ArcOrbits& orbits,
                                                   const ThroughputOptions& options) {
  const auto [least, most] = std::ranges::minmax(graph.capacity);
  if (least == most) return {};
  Parts parts(graph);
  std::vector<Int> tree;
  for (const Int e : fastest_first(graph))
    if (parts.join_ends(e)) tree.push_back(e);
  std::vector<std::vector<double>> prices{by_orbit(orbits, parts.tightest_cut())};
  if (const auto before = before_widest_step(graph, tree))
    if (const auto between = prices_between_parts(graph, std::span(tree).first(*before), options))
      prices.push_back(by_orbit(orbits, *between));
  return prices;
}

}  // namespace weft::flow
