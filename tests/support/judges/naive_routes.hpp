// Naive routes, to judge routings by: distances by repeated relaxation, the lowest next node by
// trying all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weft/network/routing.hpp"
#include "weft/topology/topology.hpp"

namespace weft::test {

/// Links from each node to `target` (-1: unreachable); where there are switches, a host on the way
/// counts as nodes of them more, so that the fewest are passed. O(nodes * links).
std::vector<int> naive_distances_to(const Topology& topology, NodeId target);
/// What the link adds to a distance to the target: 1, or nodes + 1 where it leads to a relay.
int naive_length(const Topology& topology, LinkId link, NodeId target);

/// The shortest path that takes the lowest next node at each hop, and the lowest parallel link;
/// empty when from == to or unreachable.
std::vector<LinkId> naive_shortest(const Topology& topology, NodeId from, NodeId to);

/// Whether the links lead one after the other from `from` to `to`.
bool is_chain(const Topology& topology, std::span<const LinkId> links, NodeId from, NodeId to);

/// One flow for each ordered pair of nodes, equal ones included.
std::vector<network::Flow> all_pairs(const Topology& topology);
/// One flow for each ordered pair of hosts.
std::vector<network::Flow> host_pairs(const Topology& topology);

/// The same graph under a name that says nothing of its structure.
Topology anonymous(const Topology& topology);

/// `nodes` nodes, about `links` one-way links and cables at random, parallel links and self-loops
/// included; every third node a switch where `switches` says so.
enum class Switches : std::uint8_t { none, some };
Topology random_graph(std::uint64_t seed, int nodes, int links, Switches switches);

}  // namespace weft::test
