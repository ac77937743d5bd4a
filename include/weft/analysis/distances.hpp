// Distances, in links: from one node, and between all pairs at once.
//
// All pairs are found by bit-parallel breadth-first search, 512 sources at a time
// (src/weft/analysis/bit_bfs.cpp has the method), on all threads, exactly and with a result that
// does not depend on their number.
//
//   DistanceSummary summary = summarize_distances(torus);
//   if (summary.connected()) print(summary.diameter(), *summary.average());
//
// The core of a network: its switches and the links between them or, where it has no switches, all
// of it. Degree, diameter and average distance of a network are those of its core.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/graph/breadth_first.hpp"
#include "weft/topology/topology.hpp"

namespace weft::analysis {

/// Stands for the distance to a node that cannot be reached.
inline constexpr std::int32_t kUnreachable = graph::kUnreached;

/// Distances over all ordered pairs of distinct places (nodes, or ranks of which several may share
/// a node).
struct DistanceSummary {
  std::int64_t places = 0;
  std::vector<std::int64_t> pairs_at;      // [k] = pairs at distance k; the last entry is not zero
  std::vector<std::int32_t> eccentricity;  // by place: the largest finite distance from it

  /// Every place reaches every other.
  bool connected() const { return reachable_pairs() == places * (places - 1); }
  std::int64_t reachable_pairs() const;
  /// The largest finite distance; 0 for a single place.
  std::int32_t diameter() const;
  /// The least eccentricity: the fewest steps in which some place reaches all.
  std::int32_t radius() const;
  /// The sum of all finite distances.
  std::int64_t sum() const;
  /// sum / reachable pairs, exactly; nothing when there is no such pair.
  std::optional<Rational> average() const;
};

/// Between all nodes of the core. O(links * nodes / 512 * levels of dense search) time, 200 bytes a
/// node and thread; O(links) where the network is a Cayley graph by its expression, whose
/// automorphisms give every node the distances of one.
DistanceSummary summarize_distances(const Topology& topology);

/// Between these places over all links, terminal ones included; a node may stand for several
/// places. What a bound on the steps of a collective needs, with the ranks' nodes as places.
/// O(links) for all hosts of a Cayley graph alike.
DistanceSummary summarize_distances(const Topology& topology, std::span<const NodeId> places);

/// The distance from `source` to every node over all links, by node id, kUnreachable where there is
/// no way. O(nodes + links).
std::vector<std::int32_t> distances_from(const Topology& topology, NodeId source);

/// The distance from every node to `target`, likewise.
std::vector<std::int32_t> distances_to(const Topology& topology, NodeId target);

}  // namespace weft::analysis
