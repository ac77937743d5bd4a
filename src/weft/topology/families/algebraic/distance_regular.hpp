// Distance-regular graphs of degree 4, and Petersen's graph, of degree 3.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// What is known of one graph. For a node at distance i of another, b[i] of its neighbours are one
/// further away and c[i - 1] one nearer; the diameter is the length of either.
struct DistanceRegularGraph {
  std::string_view name;
  std::vector<std::string_view> aliases;
  std::string_view rule;  // how it is constructed
  std::vector<int> b, c;

  int diameter() const { return static_cast<int>(b.size()); }
};

/// Petersen's graph, then the fifteen of Zhao et al., Table 8, by size.
std::span<const DistanceRegularGraph> distance_regular_graphs();

/// The graph of that name or alias, in any case of letters, built by its rule. Throws InvalidInput
/// for an unknown name (with the nearest ones).
Topology distance_regular(std::string_view name);

}  // namespace weft::topology
