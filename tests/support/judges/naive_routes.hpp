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

/// What links add to a distance to the target: 1, and nodes for each host that is passed, where
/// there are switches. Hosts that reach the target and it them over links between hosts keep to
/// these, and pass no host by that, if an all-to-all among them is no faster over their links to
/// switches (all links as fast): their other links add kNever, and a link to one of them from
/// outside passes all hosts from there on.
class NaiveLengths {
 public:
  static constexpr int kNever = -1;
  NaiveLengths(const Topology& topology, NodeId target);
  /// `rest`: the distance of the link's head.
  int operator()(LinkId link, int rest) const;

 private:
  const Topology& topology_;
  NodeId target_;
  std::vector<char> mesh_;  // by node: of the target's own
};

/// Links from each node to `target` (-1: unreachable), as NaiveLengths counts them, so that the
/// fewest hosts are passed. O(nodes * links).
std::vector<int> naive_distances_to(const Topology& topology, NodeId target);

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
