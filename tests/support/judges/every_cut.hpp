// Every cut of a small network, one by one, and random networks to take them of.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/base/random.hpp"
#include "weft/base/rational.hpp"
#include "weft/flow/rank_trees.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::test {

/// A set of nodes, a bit each, and the bandwidth of the links that leave it.
struct NodeSet {
  std::uint32_t nodes = 0;
  std::int64_t leaving = 0;

  bool holds(NodeId node) const { return (nodes >> node.value() & 1U) != 0; }
};

/// All sets but the empty one and the whole; hosts without a rank pass nothing on beside switches.
/// The capacity is each link's. O(2^nodes * links).
std::vector<NodeSet> every_cut(const Topology& topology, std::span<const std::int64_t> capacity,
                               std::span<const NodeId> places);

/// What links carry, in bytes/s.
std::vector<std::int64_t> capacities(const Fabric& fabric);

/// The least capacity for each root that is cut off, over those cuts; nothing where none is cut off
/// by any. What trees on links of such capacities can have at most (flow/rank_trees.hpp).
std::optional<Rational> least_for_each_root(const Topology& topology,
                                            std::span<const std::int64_t> capacity,
                                            const flow::RankTreesQuestion& question);

enum class Directions {
  alike,   // cables, as fast one way as the other: what enters a switch can leave it
  unlike,  // one-way links too
};

/// Up to 10 nodes, of them up to 4 switches and 2 hosts or more; links of four speeds, some
/// parallel. Parts of it may not reach each other.
Fabric random_fabric(Rng& rng, Directions directions);

/// The nodes of 2 to `most` ranks on any hosts, some together.
std::vector<NodeId> random_places(Rng& rng, const Topology& topology, std::int32_t most);

}  // namespace weft::test
