// SplitLoads: what an equal split over all shortest paths puts on the links, in floating point.
//
// The yardstick of routings. Flows to one destination are split together: what stands at a node
// goes in equal parts to the links that lie on a shortest path from there, farthest nodes first, so
// that a destination costs one search and one pass over the links, however many flows and paths it
// has. Exact shares of each flow, which are much slower, are the routing shortest-split.
#pragma once

#include <cstdint>
#include <span>

#include "weft/base/id_vector.hpp"
#include "weft/network/relay_search.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/topology.hpp"

namespace weft::network {

/// So much of a message from one node to another.
struct WeightedFlow {
  Flow flow;
  double amount = 0;
};

/// Adds up flows that split evenly over all shortest paths; keeps its memory between calls.
class SplitLoads {
 public:
  explicit SplitLoads(const Fabric& fabric) : passing_(fabric) {}

  /// The load of each link, in units of the amounts. Flows that no path serves load nothing.
  /// O(destinations * (nodes + links)).
  const IdVector<LinkId, double>& of(std::span<const WeightedFlow> flows);

 private:
  void pour(const RelayDistances& distances);

  Passing passing_;
  IdVector<LinkId, double> loads_;
  IdVector<NodeId, double> waiting_;  // what is to be split there
};

}  // namespace weft::network
