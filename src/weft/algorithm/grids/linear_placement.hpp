// Where a view's node numbers are ranks: for algorithms that follow a network's structure.
#pragma once

#include "weft/network/network.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {

/// Whether there is one rank on every node of the core and rank r is on node r, directly or by the
/// one host of its switch.
inline bool rank_is_node(const Network& network, std::int64_t nodes) {
  if (network.ranks() != nodes) return false;
  const auto attached = topology::as_attached_hosts(network.topology());
  for (const schedule::Rank rank : ids<schedule::Rank>(network.ranks())) {
    const NodeId node = network.placement().nodes[rank.index()];
    const NodeId place =
        attached && network.topology().is_host(node) ? attached->switch_of[node.index()] : node;
    if (place.value() != rank.value()) return false;
  }
  return true;
}

}  // namespace weft::algorithm
