// What is to be synthesised, in plain integers: ranks, arcs between them, chunks, steps, rounds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/graph/rows.hpp"
#include "weft/graph/sense.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::search {

/// All links from one vertex to another. In a step of r rounds it carries r * weight chunks.
struct Arc {
  int tail = 0, head = 0;
  std::int64_t weight = 0;    // bandwidth in units of Instance::unit_Bps
  std::vector<LinkId> links;  // of the network; of a reversed instance too
  std::vector<std::int64_t> link_weights;
};

/// A network for an allgather: each node starts with its shard and must get those of all others.
struct Instance {
  int nodes = 0;  // with a rank each, that of their number
  // Numbered after the nodes; they hand on what comes in a step, and keep nothing.
  int switches = 0;
  std::vector<Arc> arcs;                   // no two of the same tail and head, no loops
  graph::Rows<int> in_arcs, out_arcs;      // by vertex
  std::vector<std::vector<int>> distance;  // [from][to], in arcs into nodes
  int diameter = 0;                        // of nodes
  /// T_B of a round when a shard is one chunk: B / (N * unit bandwidth).
  Rational round_factor;

  /// What a bound has to look at: one source for all that a symmetry takes it to, and the class of
  /// each arc, whose arcs a symmetry takes to each other. All sources, and classes of one arc,
  /// where none is known (seen_by_symmetry).
  std::vector<int> sources;
  std::vector<int> arc_class;
  int classes = 0;
  int order = 1;  // of the symmetry, of which only the identity keeps any node

  int vertices() const { return nodes + switches; }
  bool is_switch(int v) const { return v >= nodes; }
  const Arc& arc(int a) const { return arcs[a]; }
  std::span<const int> in(int v) const { return in_arcs[v]; }
  std::span<const int> out(int v) const { return out_arcs[v]; }
  int distance_between(int from, int to) const { return distance[from][to]; }
  int arc_count() const { return static_cast<int>(arcs.size()); }
};

struct InstanceLimits {
  int nodes = 64;         // at most
  bool switches = false;  // whether hosts may have a switch each in place of each other
};

/// The instance of a network whose ranks are its hosts, with its arcs along the links or against
/// them: a reduce-scatter is an allgather against the links, reversed in time. Throws InvalidInput
/// for ranks that share a node, a network that is not strongly connected, one beyond the limits,
/// hosts beside switches with several neighbours (which could hand on, too), and bandwidths that
/// are not small multiples of a common one.
Instance make_instance(const Network& network, graph::Sense sense, const InstanceLimits& = {});

/// The instance with one source of those, and one class of the arcs, that a symmetry takes to each
/// other: a class for each generator where the network is a Cayley graph whose arcs of a generator
/// are equally fast, and by shifts of hosts behind switches. As it was elsewhere.
Instance seen_by_symmetry(Instance instance, const Network& network);

/// How one chunk spreads: for each node but the source the arc over which it comes and the step,
/// from 1 on.
struct Landing {
  int arc = -1;
  int step = 0;
};

/// A solution: the rounds of each step, and for each (source, chunk, node) the arrival.
struct Plan {
  int chunks = 0;
  std::vector<int> rounds;        // by step
  std::vector<Landing> landings;  // [(source * chunks + chunk) * nodes + node]

  int steps() const { return static_cast<int>(rounds.size()); }
  int total_rounds() const;
};

}  // namespace weft::search
