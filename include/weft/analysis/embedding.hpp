// Whether one network holds another: node for node, cable for cable.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::analysis {

enum class Containment : std::uint8_t { contained, not_contained, undecided };

struct Embedding {
  Containment answer = Containment::undecided;
  /// By node of the guest (switch, where it has switches): another node of the host for each, with
  /// at least as many cables between any two. Empty unless contained.
  std::vector<NodeId> nodes;
  /// Cables of the host, between its switches or nodes, that the guest lacks; where it is contained
  /// with as many nodes and no spare cable, the two are isomorphic.
  std::int64_t spare_cables = 0;
  bool isomorphic = false;
};

/// By search with backtracking: the guest's nodes in an order in which each is linked to earlier
/// ones, candidates with the degree that it needs. Hosts on switches and the directions of links
/// are left out of account. Undecided after `limit` tries; exact on networks of a few dozen nodes.
/// Throws InvalidInput for a guest or host of more than 10,000 nodes.
Embedding find_embedding(const Topology& guest, const Topology& host,
                         std::int64_t limit = 20'000'000);

}  // namespace weft::analysis
