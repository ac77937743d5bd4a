// Networks of packet switches that hold so many hosts.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/design/network_design.hpp"
#include "weft/topology/functions.hpp"

namespace weft::design {

bool is_prime_power(int q);
/// Ports between switches of slimfly:q.
int slim_fly_degree(int q);

/// One switch, leaves and spines (three levels where two do not reach) without oversubscription and
/// with 2 : 1 and 3 : 1, switches that are all joined to each other, likewise, Slim Fly, HyperX of
/// two and three dimensions, Dragonfly: of each family the one with the fewest switches that holds
/// the nodes and, but for tapered trees, lets its hosts send at full speed in uniform traffic.
/// Where switch_models() has several, each family is of the model that makes it cheapest in all.
/// For several ports a node, so many planes. Throws InvalidInput where no family reaches the size,
/// naming the least radix with which one does.
std::vector<CandidateNetwork> switched_candidates(const DesignQuestion& asked);

/// The hosts that a network has room for beyond those asked for, which nobody buys: those that
/// asked.placement gives no rank. Throws InvalidInput where the policy does not fit the network.
/// Precondition: it holds as many as asked for.
topology::Failures spare_hosts(const topology::BuiltTopology& built, const DesignQuestion& asked);

}  // namespace weft::design
