// A network as the search for isomorphisms sees it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weft/graph_solvers/automorphisms.hpp"
#include "weft/topology/topology.hpp"

namespace weft::analysis {

using Pair = std::pair<std::int32_t, std::int32_t>;  // the ends of a cable, the lower first
using Pairs = std::vector<Pair>;

Pair ends_of(const Topology& topology, LinkId link);
Pairs cables_of(const Topology& topology);

/// Whether a host hangs on one switch by one cable.
bool is_leaf_host(const Topology& topology, NodeId node);

/// Of a switch without hosts; one with hosts has so many more.
inline constexpr std::int64_t kSwitchColour = std::int64_t{1} << 32;

/// A graph for the search, with what its nodes stand for: hosts that hang on one switch are a
/// colour of it, and parallel cables a node between their ends.
struct Shape {
  graph::ColouredGraph graph;
  std::vector<std::int32_t> node_of;                  // by node of the graph; -1: parallel cables
  std::vector<std::vector<std::int32_t>> leaf_hosts;  // by node of the network, ascending
};

Shape shape_of(const Topology& topology, const Pairs& cables);

/// The isomorphism `image` from the fabric's shape to the family's (by node of the graph; of
/// parallel cables it says nothing) followed by automorphisms, such that the family's hosts and
/// then its switches, in their order, get what stands first by name: a switch with hosts by the
/// first of them. Names are in the order of people, then nodes by number. Where the search takes
/// too many steps, what is left keeps its place.
std::vector<int> ordered_by_names(const Topology& fabric, const Shape& from, const Shape& to,
                                  std::vector<int> image);

}  // namespace weft::analysis
