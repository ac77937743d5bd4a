// Minimum cuts that make a bound as tight as cuts can.
//
// `lacking`: the largest (N - s) / C(S), C(S) the capacity into S. After Dinkelbach ("On Nonlinear
// Fractional Programming", 1967): a set is above p/q just when p C(S) + q s < q N, and the left
// side is a cut between a source, joined to every node by q for each of its ranks, and a node of S.
// So for each node that ranks hang on minimum cuts raise the ratio until none is below q N; then no
// set with that node is better, and later flows may keep it out of S, which makes them short.
//
// `whole`: the least C(S) of a set with the root and without some other rank: a flow from each
// other rank to the root and to those that were looked at before (Even 1975, as in
// edge_connectivity.cpp). Without a root that is done from one rank, in both directions where they
// differ.
//
// Hosts that hang on one switch are left out of the graph: S holds such a host beside its switch
// where its ranks cost less than its link, so that it is an arc of min(q ranks, p capacity) from
// the source, and S = the host alone is known before. What remains has as many flows as switches
// with hosts.
//
// Where the network is a Cayley graph with equal links, none parallel, and a rank on each node, no
// cut has less capacity than a node's links (Mader 1971; Hamidoune 1977 for one-way links), so that
// single nodes are the tightest of both kinds and no flow is needed.
#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "../transitive.hpp"
#include "oriented.hpp"
#include "weft/analysis/leaves.hpp"
#include "weft/base/checked.hpp"
#include "weft/graph/max_flow.hpp"

namespace weft::analysis {

namespace {

bool has_parallel_links(const Topology& topology, NodeId node) {
  std::vector<NodeId> heads;
  for (const LinkId link : topology.out_links(node)) heads.push_back(topology.head(link));
  std::sort(heads.begin(), heads.end());
  return std::adjacent_find(heads.begin(), heads.end()) != heads.end();
}

struct Leaf {
  std::int32_t host = 0;
  std::int64_t ranks = 0;
  std::int64_t up = 0;  // capacity towards its switch
};

// The network less the hosts that hang on one switch; capacities in units of their common divisor.
class Core {
 public:
  explicit Core(const Oriented& network)
      : network_(network), leaf_of_(leaf_switches(*network.topology)), leaves_(network.nodes()) {
    for (const OrientedLink& link : network.links) unit_ = std::gcd(unit_, link.capacity);
    std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> merged;
    std::map<std::int32_t, std::int64_t> up;
    for (const OrientedLink& link : network.links) {
      const std::int64_t capacity = link.capacity / unit_;
      sum_ = sum_ > kMost - capacity ? kMost : sum_ + capacity;
      if (leaf_of_[link.tail] >= 0)
        up[link.tail] += capacity;
      else if (leaf_of_[link.head] < 0)
        merged[{link.tail, link.head}] += capacity;
    }
    for (const auto& [ends, capacity] : merged)
      arcs_.push_back({ends.first, ends.second, capacity});
    for (std::size_t v = 0; v < network.nodes(); ++v)
      if (leaf_of_[v] >= 0)
        leaves_[leaf_of_[v]].push_back(
            {static_cast<std::int32_t>(v), network.ranks_at[v], up[static_cast<std::int32_t>(v)]});
    for (std::size_t v = 0; v < network.nodes(); ++v)
      if (leaf_of_[v] < 0 && has_ranks(v)) ranked_.push_back(static_cast<std::int32_t>(v));
  }

  const std::vector<OrientedLink>& arcs() const { return arcs_; }
  std::span<const Leaf> leaves(std::size_t node) const { return leaves_[node]; }
  /// Nodes with ranks on them or on their leaves.
  const std::vector<std::int32_t>& ranked() const { return ranked_; }
  /// The node itself, or the switch of a leaf.
  std::int32_t of(std::int32_t node) const {
    const std::int32_t leaf = leaf_of_[node];
    return leaf < 0 ? node : leaf;
  }
  std::int64_t unit() const { return unit_; }
  /// Whether ranks times capacities stay far from 63 bits.
  bool fits() const { return sum_ < kMost / (4 * network_.ranks); }

 private:
  static constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

  bool has_ranks(std::size_t v) const {
    return network_.ranks_at[v] > 0 ||
           std::ranges::any_of(leaves_[v], [](const Leaf& leaf) { return leaf.ranks > 0; });
  }

  const Oriented& network_;
  std::vector<std::int32_t> leaf_of_;
  std::vector<std::vector<Leaf>> leaves_;
  std::vector<OrientedLink> arcs_;
  std::vector<std::int32_t> ranked_;
  std::int64_t unit_ = 0, sum_ = 0;
};

// Dinkelbach's rising ratio p/q of `lacking`.
class Rising {
 public:
  Rising(const Oriented& network, const Core& core, const Rational& best)
      : network_(network), core_(core), kept_out_(network.nodes(), 0) {
    set_ratio(best);
  }

  void look_at(std::int32_t node, std::vector<std::vector<char>>& found) {
    while (auto set = better_with(node)) {
      const auto cut = score(network_, *set);
      if (!cut || cut->capacity == 0 || cut->ratio() <= best_) break;
      set_ratio(cut->ratio());
      found.push_back(std::move(*set));
    }
    if (surcharge(static_cast<std::size_t>(node)) == 0) kept_out_[node] = 1;
  }

 private:
  void set_ratio(const Rational& ratio) {
    best_ = ratio;
    const Rational in_units = ratio * Rational(core_.unit());
    p_ = in_units.numerator();
    q_ = in_units.denominator();
  }
  std::int64_t price(const Leaf& leaf) const { return std::min(q_ * leaf.ranks, p_ * leaf.up); }
  /// What a node costs in S with the cheaper choice for each of its leaves.
  std::int64_t supply(std::size_t node) const {
    std::int64_t sum = q_ * network_.ranks_at[node];
    for (const Leaf& leaf : core_.leaves(node)) sum += price(leaf);
    return sum;
  }
  // S has a rank: where it is a leaf's, what the leaf inside costs more than its link.
  const Leaf* forced_leaf(std::size_t node) const {
    if (!network_.root && network_.ranks_at[node] > 0) return nullptr;
    const Leaf* cheapest = nullptr;
    for (const Leaf& leaf : core_.leaves(node)) {
      if (network_.root ? leaf.host != *network_.root : leaf.ranks == 0) continue;
      if (cheapest == nullptr || extra(leaf) < extra(*cheapest)) cheapest = &leaf;
    }
    return cheapest;
  }
  std::int64_t extra(const Leaf& leaf) const { return q_ * leaf.ranks - price(leaf); }
  std::int64_t surcharge(std::size_t node) const {
    const Leaf* forced = forced_leaf(node);
    return forced == nullptr ? 0 : extra(*forced);
  }

  std::optional<std::vector<char>> better_with(std::int32_t sink) {
    const auto at = static_cast<std::size_t>(sink);
    const std::int64_t enough = q_ * network_.ranks - supply(at) - surcharge(at);
    if (enough <= 0) return std::nullopt;
    const auto source = static_cast<std::int32_t>(network_.nodes());
    graph::MaxFlow graph(source + 1);
    for (std::size_t v = 0; v < network_.nodes(); ++v) {
      if (v == at) continue;
      const std::int64_t amount = kept_out_[v] != 0 ? enough : supply(v);
      if (amount > 0) graph.add_arc(source, static_cast<std::int32_t>(v), amount);
    }
    for (const OrientedLink& arc : core_.arcs())
      graph.add_arc(arc.tail, arc.head, p_ * arc.capacity);
    if (graph.max_flow(source, sink, enough) >= enough) return std::nullopt;
    return set_of(graph, at);
  }

  // Nodes beyond the cut, with the leaves that cost less inside.
  std::vector<char> set_of(const graph::MaxFlow& graph, std::size_t sink) const {
    std::vector<char> inside(network_.nodes(), 0);
    for (std::size_t v = 0; v < network_.nodes(); ++v) {
      if (core_.of(static_cast<std::int32_t>(v)) != static_cast<std::int32_t>(v) ||
          graph.on_source_side(static_cast<std::int32_t>(v)))
        continue;
      inside[v] = 1;
      for (const Leaf& leaf : core_.leaves(v))
        if (q_ * leaf.ranks <= p_ * leaf.up) inside[leaf.host] = 1;
    }
    if (const Leaf* forced = forced_leaf(sink)) inside[forced->host] = 1;
    return inside;
  }

  const Oriented& network_;
  const Core& core_;
  std::vector<char> kept_out_;  // by node: no set with it is better
  Rational best_;
  std::int64_t p_ = 0, q_ = 1;
};

// Least capacities of `whole`, into sets with `home`; turned: out of them.
class Least {
 public:
  Least(const Oriented& network, const Core& core, std::int32_t home, std::int64_t best)
      : network_(network), core_(core), with_home_(network.nodes(), 0), best_(best) {
    with_home_[home] = 1;
  }

  std::int64_t best() const { return best_; }

  /// Sets without `node`, from which data flows to the home.
  void look_at(std::int32_t node, bool turned, std::vector<std::vector<char>>& found) {
    if (with_home_[node] == 0) {
      const auto sink = static_cast<std::int32_t>(network_.nodes());
      graph::MaxFlow graph(sink + 1);
      for (const OrientedLink& arc : core_.arcs())
        graph.add_arc(turned ? arc.head : arc.tail, turned ? arc.tail : arc.head, arc.capacity);
      for (std::size_t v = 0; v < network_.nodes(); ++v)
        if (with_home_[v] != 0) graph.add_arc(static_cast<std::int32_t>(v), sink, best_);
      const std::int64_t flow = graph.max_flow(node, sink, best_);
      if (flow < best_) {
        best_ = flow;
        found.push_back(set_of(graph, turned));
      }
    }
    with_home_[node] = 1;
  }

 private:
  // S is where the data goes: with the home, or turned with the node.
  std::vector<char> set_of(const graph::MaxFlow& graph, bool turned) const {
    std::vector<char> inside(network_.nodes(), 0);
    for (std::size_t v = 0; v < network_.nodes(); ++v)
      inside[v] =
          static_cast<char>(graph.on_source_side(core_.of(static_cast<std::int32_t>(v))) == turned);
    return inside;
  }

  const Oriented& network_;
  const Core& core_;
  std::vector<char> with_home_;
  std::int64_t best_;
};

void search_whole(const Oriented& network, const Core& core, const Rational& best,
                  SearchedCuts& cuts) {
  // ratio = N / capacity, and capacities are whole units.
  const Rational capacity = Rational(network.ranks) / best / Rational(core.unit());
  const std::int64_t least =
      capacity.numerator() / capacity.denominator() + (capacity.denominator() > 1 ? 1 : 0);
  const std::int32_t home = core.of(network.root ? *network.root : core.ranked().front());
  Least search(network, core, home, least);
  for (const std::int32_t node : core.ranked())
    if (!network.peer || node == core.of(*network.peer)) search.look_at(node, false, cuts.sets);
  if (network.root || is_balanced(network)) return;
  Least back(network, core, home, search.best());
  for (const std::int32_t node : core.ranked()) back.look_at(node, true, cuts.sets);
}

void search_lacking(const Oriented& network, const Core& core, const Rational& best,
                    SearchedCuts& cuts) {
  Rising search(network, core, best);
  if (network.root) return search.look_at(core.of(*network.root), cuts.sets);
  for (const std::int32_t node : core.ranked()) search.look_at(node, cuts.sets);
}

// Known before anything is built: without switches every node with ranks takes a flow.
bool is_hopeless(const Oriented& network, std::int64_t most_work) {
  const auto links = std::ssize(network.links);
  if (links > most_work) return true;
  const bool one_flow = network.root && network.demand == CutDemand::lacking;
  if (network.topology->has_switches() || one_flow) return false;
  return std::ranges::count_if(network.ranks_at, [](std::int64_t ranks) { return ranks > 0; }) >
         most_work / std::max<std::int64_t>(links, 1);
}

}  // namespace

bool is_balanced(const Oriented& network) {
  std::vector<std::int64_t> surplus(network.nodes(), 0);
  for (const OrientedLink& link : network.links) {
    surplus[link.tail] -= link.capacity;
    surplus[link.head] += link.capacity;
  }
  return std::ranges::all_of(surplus, [](std::int64_t more) { return more == 0; });
}

bool single_nodes_are_tightest(const Oriented& network) {
  const Topology& topology = *network.topology;
  const auto is_first = [&](const OrientedLink& link) {
    return link.capacity == network.links.front().capacity;
  };
  return network.demand != CutDemand::pairs && !topology.has_switches() &&
         std::ranges::all_of(network.ranks_at, [](std::int64_t ranks) { return ranks == 1; }) &&
         std::ranges::all_of(network.links, is_first) && !has_parallel_links(topology, NodeId(0)) &&
         is_known_vertex_transitive(topology);
}

SearchedCuts search_cuts(const Oriented& network, const Rational& best, std::int64_t most_work) {
  if (network.demand == CutDemand::pairs) {  // what others find: each is scored by its pairs
    Oriented other = network;
    other.demand = CutDemand::lacking;
    std::int64_t all = 1;  // every cut that lacks a rank has a ratio above 1 / (2 all)
    for (const OrientedLink& link : network.links) all = checked_add(all, link.capacity);
    return search_cuts(other, Rational(1, checked_mul(2, all)), most_work);
  }
  if (is_hopeless(network, most_work)) return {};
  const Core core(network);
  const std::int64_t flows =
      network.root && network.demand == CutDemand::lacking ? 1 : std::ssize(core.ranked());
  if (!core.fits() || core.ranked().empty() ||
      flows > most_work / std::max<std::int64_t>(std::ssize(core.arcs()), 1))
    return {};
  SearchedCuts cuts{.complete = true, .sets = {}};
  if (network.demand == CutDemand::whole)
    search_whole(network, core, best, cuts);
  else
    search_lacking(network, core, best, cuts);
  return cuts;
}

}  // namespace weft::analysis
