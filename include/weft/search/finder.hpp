// Topology finder: which networks of N nodes and d ports have the best allgather.
//
//   const auto found = find_topologies(Catalogue::load("share/catalogue"),
//                                      {.first_nodes = 1024, .last_nodes = 1024, .degree = 4});
//   for (const FoundTopology& line : found[0].front) print(line.expression, line.facts.steps);
//
// From the bases of a catalogue all networks are made that line graphs, degree expansion, Cartesian
// powers and products and bidirectional(X) lead to, smallest first; their costs follow from the
// algebra of expansions, without a schedule. At each size and degree only those are kept that no
// other equals in steps, in bandwidth factor and in what can be made of it.
// Source: Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications",
// section 5.4.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/search/catalogue.hpp"
#include "weft/search/graph_search.hpp"

namespace weft::search {

struct FinderOptions {
  int first_nodes = 2;  // every N in [first_nodes, last_nodes]
  int last_nodes = 2;
  int degree = 4;
  Direction direction = Direction::one_way;  // bidirectional: every link needs a reverse
};

/// The largest N and degree that are taken.
inline constexpr int kMostFinderNodes = 100'000;
inline constexpr int kMostFinderDegree = 64;

struct FoundTopology {
  std::string expression;       // build_topology() makes it
  algorithm::Prediction facts;  // of the allgather by the algorithm, exact
  ReachedBy algorithm = ReachedBy::expand;
  std::string source;  // how its bases were obtained
  int idle_ports =
      0;  // of every node, where a network of fewer ports is best; the cost counts them
};

struct FoundFront {
  int nodes = 0;
  std::vector<FoundTopology> front;  // fewest steps first, the bandwidth factor falling
};

/// The Pareto-efficient networks of each size; empty where no network is known. Throws InvalidInput
/// for sizes and degrees out of range.
std::vector<FoundFront> find_topologies(const Catalogue& catalogue, const FinderOptions& options);

/// The size nearest to `nodes` for which a connected network of this degree can exist; nothing
/// where there is none. Of two at the same distance the smaller.
std::optional<int> nearest_feasible_nodes(int nodes, int degree, Direction direction);

/// The least that the distances from a node to `nodes` - 1 others add up to where at most `nearest`
/// are next to it, and at most `growth` times as many one link farther, `growth` 1 or more. O(the
/// largest distance).
std::int64_t least_distances(std::int64_t nodes, std::int64_t nearest, std::int64_t growth);

/// An upper bound on the all-to-all throughput of any network of this size and degree, in
/// capacities of a link: as many nodes as possible at every distance.
Rational throughput_bound(int nodes, int degree, Direction direction);

}  // namespace weft::search
