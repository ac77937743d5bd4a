// Minimum cuts that make a bound as tight as cuts can: those of graph/tree_cuts.hpp, of trees from
// what has to cross them.
//
// `lacking`: trees from each node, as many as it has ranks, to all of these, or to the root alone.
// `whole` with a root: what the root has to reach where all links are turned; S is what such a set
// leaves out. Without a root that is done from any rank, in both directions where they differ.
// `pairs`: sets that `lacking` meets on its way.
//
// Where the network is a Cayley graph with equal links, none parallel, and a rank on each node, no
// cut has less capacity than a node's links (Mader 1971; Hamidoune 1977 for one-way links), so that
// single nodes are the tightest of both kinds and no flow is needed.
#include <algorithm>
#include <limits>
#include <numeric>

#include "../transitive.hpp"
#include "oriented.hpp"
#include "weft/graph/tree_cuts.hpp"

namespace weft::analysis {

namespace {

using graph::CapacityArc;
using graph::TreeRoot;

bool has_parallel_links(const Topology& topology, NodeId node) {
  std::vector<NodeId> heads;
  for (const LinkId link : topology.out_links(node)) heads.push_back(topology.head(link));
  std::sort(heads.begin(), heads.end());
  return std::adjacent_find(heads.begin(), heads.end()) != heads.end();
}

// Sets that data flows into.
class Search {
 public:
  explicit Search(const Oriented& network) : network_(network) {
    for (const OrientedLink& link : network.links) unit_ = std::gcd(unit_, link.capacity);
    for (const OrientedLink& link : network.links) {
      arcs_.push_back({link.tail, link.head, link.capacity / unit_});
      sum_ = sum_ > kMost - arcs_.back().capacity ? kMost : sum_ + arcs_.back().capacity;
    }
    for (std::size_t v = 0; v < network.nodes(); ++v)
      if (network.ranks_at[v] > 0) ranked_.push_back(static_cast<std::int32_t>(v));
  }

  /// Whether ranks times capacities stay far from 63 bits, and links times flows within this.
  bool fits(std::int64_t most_work) const {
    const std::int64_t flows =
        network_.root && network_.demand == CutDemand::lacking ? 1 : std::ssize(ranked_);
    return sum_ < kMost / (4 * network_.ranks) &&
           std::ssize(arcs_) <= most_work / std::max<std::int64_t>(flows, 1);
  }

  void look_for_lacking() {
    std::vector<TreeRoot> roots;
    for (const std::int32_t node : ranked_) roots.push_back({node, network_.ranks_at[node]});
    const std::vector<std::int32_t> goals = network_.root ? std::vector{*network_.root} : ranked_;
    add(graph::rising_cuts(nodes(), arcs_, roots, goals), true);
  }
  void look_for_whole() {
    const std::int32_t home = network_.root.value_or(ranked_.front());
    if (!network_.root && !is_balanced(network_)) reach_from(home, true);
    for (CapacityArc& arc : arcs_) std::swap(arc.tail, arc.head);
    reach_from(home, false);
  }

  std::vector<std::vector<char>> sets() && { return std::move(sets_); }

 private:
  static constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

  std::int32_t nodes() const { return static_cast<std::int32_t>(network_.nodes()); }

  void reach_from(std::int32_t home, bool inside) {
    std::vector<std::int32_t> goals;
    for (const std::int32_t node : ranked_)
      if (network_.peer ? node == *network_.peer : node != home) goals.push_back(node);
    add(graph::rising_cuts(nodes(), arcs_, std::vector<TreeRoot>{{home, 1}}, goals), inside);
  }

  // Sets are S, or what S leaves out.
  void add(std::vector<graph::TreeCut> cuts, bool inside) {
    for (graph::TreeCut& cut : cuts) {
      if (!inside)
        for (char& in : cut.inside) in = static_cast<char>(in == 0);
      sets_.push_back(std::move(cut.inside));
    }
  }

  const Oriented& network_;
  std::vector<CapacityArc> arcs_;  // in units
  std::vector<std::int32_t> ranked_;
  std::int64_t unit_ = 0, sum_ = 0;
  std::vector<std::vector<char>> sets_;
};

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

SearchedCuts search_cuts(const Oriented& network, std::int64_t most_work) {
  Search search(network);
  if (!search.fits(most_work)) return {};
  if (network.demand == CutDemand::whole)
    search.look_for_whole();
  else
    search.look_for_lacking();
  return {.complete = true, .sets = std::move(search).sets()};
}

}  // namespace weft::analysis
