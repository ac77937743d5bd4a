// The undirected network as partitioning sees it: cables as edges, hosts as weight.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/graph/rows.hpp"
#include "weft/topology/topology.hpp"

namespace weft::analysis {

/// A simple undirected graph; an edge's weight is the number of cables between its ends.
struct CutGraph {
  graph::Rows<std::int32_t> ends;     // the neighbours of a node: no loops, no repetitions
  std::vector<std::int32_t> cables;   // by place in `ends`
  std::vector<std::int32_t> weights;  // by node: hosts that it stands for; 0 may go to either side
  std::int64_t total_weight = 0;

  std::size_t node_count() const { return weights.size(); }
};

/// Hosts have weight 1, switches 0; in a network without hosts all have 1.
CutGraph cut_graph(const Topology& topology);

/// A cut graph whose hosts on a single cable have become weight of their switch.
struct Contracted {
  CutGraph graph;
  std::vector<std::int32_t> node_of;  // by node of the original: the node that it is part of
};
Contracted contract_leaves(const CutGraph& graph);

/// What the Laplacian L of a cut graph says of its halves.
struct Spectrum {
  double lambda = 0;                // second eigenvalue of L x = lambda W x, W the weights
  double error = 0;                 // its relative error is at most about this
  std::vector<double> eigenvector;  // by node
};

/// By Lanczos iteration on the inverse; nothing when the graph is disconnected, has fewer than two
/// nodes with weight, or the iteration does not converge. About 50 linear systems by conjugate
/// gradients.
std::optional<Spectrum> second_eigenvalue(const CutGraph& graph);

}  // namespace weft::analysis
