// Where a view's node numbers are ranks: for algorithms that follow a network's structure.
#pragma once

#include <optional>

#include "weft/network/network.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {

/// Whether there is one rank on every node of the core and rank r is on node r, directly or by the
/// one host of its switch.
inline bool rank_is_node(const Network& network, std::int64_t nodes) {
  if (network.ranks() != nodes) return false;
  const auto attached = topology::as_attached_hosts(network.topology());
  if (network.topology().has_switches() && !attached) return false;  // a node is no host's alone
  for (const schedule::Rank rank : ids<schedule::Rank>(network.ranks())) {
    const NodeId node = network.placement().nodes[rank.index()];
    const NodeId place =
        attached && network.topology().is_host(node) ? attached->switch_of[node] : node;
    if (place.value() != rank.value()) return false;
  }
  return true;
}

/// The torus whose node r is rank r, directly or by the one host of its switch.
inline std::optional<topology::TorusView> torus_of_ranks(const Network* network) {
  if (network == nullptr) return std::nullopt;
  auto torus = topology::as_torus(network->topology());
  if (!torus || !rank_is_node(*network, torus->size())) return std::nullopt;
  return torus;
}

}  // namespace weft::algorithm
