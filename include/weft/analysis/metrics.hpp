// Measures of a network's structure, each on its own; report.hpp has them together.
//
// All are taken on the core (distances.hpp): the switches and the links between them or, without
// switches, the whole network. Bisection and symmetry look at the whole network.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "weft/topology/topology.hpp"

namespace weft::analysis {

/// Least and largest numbers of links that leave or enter a node; loops and parallel links count.
struct DegreeRange {
  std::int32_t min_out = 0, max_out = 0;
  std::int32_t min_in = 0, max_in = 0;

  bool regular() const { return min_out == max_out && min_in == max_in && min_out == min_in; }
};
/// O(nodes).
DegreeRange degree_range(const Topology& topology);

/// Every link is one direction of a cable that has two (loops apart, which are their own reverse).
bool is_bidirectional(const Topology& topology);

/// The ports of the node with the most: one for each end of a cable there, so that one-way links
/// take one each at both ends, the two directions of a cable one together, a loop none. O(links).
std::int32_t most_ports(const Topology& topology);

/// The fewest links to remove so that some node no longer reaches another; 0 when that is so
/// already or there is one node only. In a bidirectional network it is also the fewest cables. O(n)
/// unit flows, each stopped at the best cut so far: about links * connectivity in all; O(links) for
/// simple Cayley graphs, whose degree it is.
std::int32_t edge_connectivity(const Topology& topology);

/// The same between hosts over all links, switches being ways alone: the fewest links to remove so
/// that some host no longer reaches another. What counts where hosts hang on several separate
/// planes of switches.
std::int32_t host_edge_connectivity(const Topology& topology);

/// The pieces that the switches and the links between them fall into, whatever the directions of
/// links: 1 on most networks, one for each rail where hosts hang on several; 0 without switches.
std::int32_t switch_planes(const Topology& topology);

/// The length of the shortest cycle, nothing when there is none. In a bidirectional network: of the
/// graph of its cables, where going back over the same cable is no cycle; parallel cables make 2
/// and a loop 1. Else of directed cycles, 2 for a pair of opposite links. O(nodes * links); for
/// Cayley graphs O(links).
std::optional<std::int32_t> girth(const Topology& topology);

/// Limits on the cables that join two halves of the network in its narrowest place. The halves hold
/// equally many hosts (one more where the number is odd); switches go to either side. A cable
/// counts once, a one-way link is a cable.
struct Bisection {
  std::int64_t upper = 0;    // cut by halves that were found: METIS, then exchange of node pairs
  std::int64_t lower = 0;    // no halves cut fewer: from the second eigenvalue of the Laplacian
  std::string_view formula;  // where one is known for the family
  std::string_view source;   // of the formula

  bool exact() const { return upper == lower; }
};
/// By formula where one gives the exact value; else from searched_bisection, and from the formulas
/// for limits.
Bisection bisection(const Topology& topology);
Bisection searched_bisection(const Topology& topology);

/// The link-reversed network is isomorphic to the network itself (hosts to hosts, switches to
/// switches; the classes of links and the pairing of cables are ignored). By canonical forms
/// (nauty). A reduce-scatter on such a network is an allgather reversed.
bool is_reverse_symmetric(const Topology& topology);

/// One of the two is the other under other numbers (hosts to hosts, switches to switches; the
/// classes of links and the pairing of cables are ignored). By canonical forms (nauty).
bool are_isomorphic(const Topology& a, const Topology& b);

/// Any core node is taken to any other by an automorphism of the whole network (hosts to hosts,
/// switches to switches; link classes and the pairing of cables are ignored). By nauty and Traces.
bool is_vertex_transitive(const Topology& topology);

}  // namespace weft::analysis
