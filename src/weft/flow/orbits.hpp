// Symmetry of a network as flow uses it: arcs that a group of automorphisms takes to each other
// carry the same load in some best flow and have the same price in some best proof, so that one
// number an orbit is enough, and one source for each orbit of hosts.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "weft/flow/flow_graph.hpp"

namespace weft::flow {

struct ArcOrbits {
  struct Source {
    Int host = 0;             // stands for its orbit
    std::int64_t weight = 1;  // ranks on the hosts of the orbit
  };

  Int count = 0;
  std::vector<Int> orbit_of_arc;
  std::vector<std::int64_t> capacity;  // by orbit, of all its arcs together
  std::vector<Source> sources;
};

/// No symmetry: every arc and every host by itself.
ArcOrbits trivial_orbits(const FlowGraph& graph);

/// Automorphisms that generate all those that keep hosts with their ranks, and capacities, by nauty
/// and Traces: the images of nodes.
std::vector<std::vector<Int>> automorphisms(const FlowGraph& graph);
/// Where one takes an arc.
Int image_of(const FlowGraph& graph, Int arc, std::span<const Int> images);

/// Orbits under the group that these generate.
ArcOrbits orbits_under(const FlowGraph& graph, std::span<const std::vector<Int>> automorphisms);
/// Orbits under all automorphisms, searched on the condensed graph; where that has more than
/// `most_nodes` nodes they are trivial.
ArcOrbits automorphism_orbits(const FlowGraph& graph,
                              Int most_nodes = std::numeric_limits<Int>::max());

/// Orbits under a group that takes any host to any other, with as many ranks, and whose arc orbits
/// are these (numbers from 0): the translations of a Cayley network and its generators.
ArcOrbits transitive_orbits(const FlowGraph& graph, std::vector<Int> orbit_of_arc);

}  // namespace weft::flow
