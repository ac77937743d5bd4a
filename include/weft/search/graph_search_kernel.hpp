// The inner loop of the graph search: what the BFB allgather of a candidate graph costs, or that
// the candidate cannot beat what is known already.
//
// BFB sends every shard along shortest paths: in step t node u receives the shards of the nodes v
// at distance t from v to u, over in-links that end a shortest path. The best split of these
// shards over the in-links has the largest load
//
//   U_t(u) = max over non-empty sets S of in-links of |{v : all usable in-links of v in S}| / |S|
//
// (Hall's condition for fractional load balance), so a breadth-first search that collects, for
// every v, the mask of its usable in-links, a histogram of masks and its subset sums give the
// optimum, without a linear program: T_B = (d/N) sum over t of max over u of U_t(u).
//
// Cayley digraphs (links x -> x s) look alike from every node, and translating v to the unit turns
// "last link of a shortest path from v to u" into "last letter of a shortest word": the mask of x
// is the set of generators s with x s^-1 in the layer before, which the search sees as it goes.
// Other graphs are searched backwards from a root, the masks handed on from layer to layer; a graph
// with a group acting freely needs one root an orbit.
//
// Loads are integers: a shard counts lcm(1..degree) units, so that every share is whole.
// Source: Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications",
// section 6.1 and Theorem 19.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/topology/topology.hpp"

namespace weft::search {

/// Node numbers inside the search, which handles at most kMostNodes nodes.
using Node = std::uint16_t;
inline constexpr int kMostNodes = 16384;
/// The largest degree: masks of in-links have this many bits.
inline constexpr int kMostDegree = 8;

/// lcm(1..degree): the units of load that one shard counts. degree in [1, kMostDegree].
std::int64_t units_per_shard(int degree);

/// Steps (T_L), and the largest load of a link summed over the steps, in units.
struct CandidateCost {
  int steps = 0;
  std::int64_t load = 0;

  friend bool operator==(const CandidateCost&, const CandidateCost&) = default;
};

/// T_B of a load in a graph of this size and degree, a multiple of M/B.
Rational bandwidth_factor(std::int64_t load, int nodes, int degree);

/// The least load known for each number of steps: what a candidate has to beat.
class ParetoTargets {
 public:
  /// Whether a graph of at least `steps` steps and at least `load` may be an improvement.
  bool open(int steps, std::int64_t load) const {
    const auto last = static_cast<int>(least_.size()) - 1;
    return load - slack_ < least_[steps < last ? steps : last];
  }
  /// From now on a cost as good as one before counts as an improvement too.
  void accept_ties() { slack_ = 1; }
  /// Takes the cost in; says whether it was an improvement.
  bool improve(CandidateCost cost);
  /// The costs of the front, fewest steps first.
  std::vector<CandidateCost> front() const;

 private:
  static constexpr std::int64_t kNone = INT64_MAX;
  std::int64_t slack_ = 0;
  std::vector<std::int64_t> least_{kNone};  // by steps; the last entry holds for all above
};

/// Links as rows: row r of in_neighbours holds, for every node v, the tail of its r-th in-link.
struct InNeighbours {
  int nodes = 0;
  std::vector<std::vector<Node>> rows;  // [degree][nodes]

  int degree() const { return static_cast<int>(rows.size()); }
};

/// The rows of a network. Throws InvalidInput where it is not regular.
InNeighbours in_neighbours(const Topology& topology);

/// Costs candidates of one size and degree; holds its memory from call to call.
class CandidateKernel {
 public:
  /// nodes in [2, kMostNodes], degree in [1, kMostDegree].
  CandidateKernel(int nodes, int degree);

  /// Bounds the growth from one layer to the next, from the second on: degree for digraphs, degree
  /// - 1 where every link has a reverse.
  void set_growth(int growth) { growth_ = growth; }

  /// The cost of the Cayley digraph with links x -> next[s][x], if it may improve on the targets;
  /// nothing when it cannot or when the generators do not reach every node. `next` has degree rows.
  /// O(nodes * degree + steps * degree * 2^degree).
  std::optional<CandidateCost> cayley(std::span<const Node* const> next,
                                      const ParetoTargets& targets);

  /// The cost of a graph with the given roots, one of each orbit of its symmetry (all nodes when it
  /// has none); as above. O(roots * (nodes * degree + steps * degree * 2^degree)).
  std::optional<CandidateCost> rooted(const InNeighbours& graph, std::span<const Node> roots,
                                      const ParetoTargets& targets);

  /// How many pairs of a node and a root are more than `steps` apart, summed over the roots: what a
  /// climb towards fewer steps descends on. Above `limit` the count may be cut short.
  /// O(roots * nodes * degree).
  std::int64_t far_pairs(const InNeighbours& graph, std::span<const Node> roots, int steps,
                         std::int64_t limit);

 private:
  std::int64_t layer_load(std::size_t first, std::size_t last, const std::uint8_t* masks);
  int least_steps(int done, std::size_t layer, std::size_t left) const;
  bool search_backwards(const InNeighbours& graph, Node root, const ParetoTargets& targets);
  void add_in_links(const InNeighbours& graph, Node root);
  std::int64_t settle(std::size_t step, std::int64_t load);

  int nodes_, degree_, growth_;
  std::int64_t units_per_shard_, units_per_link_;  // a shard's, and its share when split evenly
  std::vector<Node> queue_;
  std::vector<std::uint8_t> masks_, settled_;
  std::vector<std::uint32_t> histogram_;
  std::vector<std::uint32_t> share_;      // by subset: units of a shard over the subset's size
  std::vector<std::int64_t> step_loads_;  // of the current candidate, over the roots so far
};

}  // namespace weft::search
