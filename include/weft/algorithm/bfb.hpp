// BFB, breadth-first broadcast: every block reaches the nodes at distance t in step t, over
// shortest ways alone, each node's in-links loaded as evenly as they can be.
//
//   const Fabric fabric(build_topology("torus:50x50"));
//   BfbCost cost = bfb_cost(fabric);                // T_L and T_B, exact, no schedule held
//   Schedule schedule = build_schedule("bfb", allgather(2500), &network);
//
// For any strongly connected network of hosts that are linked directly: irregular and degraded
// ones, parallel links, one-way links, unequal bandwidths, and, for blocks of one size, unequal
// latencies.
// Source: Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications",
// section 6 and appendix E.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/rational.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::algorithm {

struct BfbOptions {
  /// Chunks that a block is cut into; empty: as many as the exact optimum needs, or the best number
  /// up to kMaxUnitsPerBlock where it needs more.
  std::optional<Chunks> chunks = {};
  /// Bytes of a block for which links' latencies are balanced with their loads, slow ones left out
  /// where that is faster; empty: loads alone, for any size.
  std::optional<std::int64_t> block_B = {};
  /// Whether the symmetry of tori, circulants, Hamming networks and the like is used.
  Symmetries symmetries = Symmetries::use;
};

struct BfbCost {
  std::int64_t steps = 0;     // T_L
  Rational bandwidth_factor;  // T_B with `chunks` chunks, in units of M/B
  /// T_B when blocks may be cut at will, the optimum of linear program (1).
  Rational exact_bandwidth_factor;
  std::int64_t chunks = 1;             // units per block of the schedule
  std::vector<Rational> step_factors;  // of each step with `chunks` chunks, in units of M/B
};

/// The price of allgather, reduce-scatter (the allgather of the transpose graph, reversed) or
/// allreduce (one after the other) on the network. O(links) a node, on all threads; one node is
/// enough where the network's symmetry is known. Precondition: no options.block_B, with which loads
/// are not all that counts. Throws InvalidInput for another collective,
/// switches, a network that is not strongly connected, and numbers of chunks out of range.
BfbCost bfb_cost(const Fabric& fabric, CollectiveKind kind = CollectiveKind::allgather,
                 const BfbOptions& options = {});
/// The same with links all alike.
BfbCost bfb_cost(const Topology& topology, CollectiveKind kind = CollectiveKind::allgather,
                 const BfbOptions& options = {});

/// The schedule of that price, rank r on node r. Where the symmetry of the network is known and
/// nodes are numbered as the elements of its group, one receiver's messages. Messages of a step
/// over one link are one message. Throws InvalidInput as bfb_cost does, and where the schedule
/// would be too large to hold.
Schedule bfb_schedule(const Fabric& fabric, CollectiveKind kind = CollectiveKind::allgather,
                      const BfbOptions& options = {});

}  // namespace weft::algorithm

namespace weft {
using algorithm::bfb_cost;
using algorithm::bfb_schedule;
using algorithm::BfbCost;
using algorithm::BfbOptions;
}  // namespace weft
