#include "weft/flow/cayley_orbits.hpp"

#include <algorithm>

#include "weft/base/id_vector.hpp"
#include "weft/topology/views.hpp"

namespace weft::flow {

namespace {

bool has_equal_hosts(const Topology& topology) {
  const auto attachment = topology::as_attached_hosts(topology);
  if (!attachment) return false;
  IdVector<NodeId, Int> hosts(topology.node_count(), 0);
  for (const NodeId host : topology.hosts()) ++hosts[attachment->switch_of[host]];
  for (const NodeId node : topology.switches())
    if (hosts[node] != hosts[topology.switches()[0]]) return false;
  return true;
}

bool have_equal_capacities(const FlowGraph& graph, const ArcOrbits& orbits) {
  std::vector<std::int64_t> capacity(orbits.count, 0);
  for (Int e = 0; e < graph.arcs(); ++e) {
    std::int64_t& of_orbit = capacity[orbits.orbit_of_arc[e]];
    if (of_orbit == 0) of_orbit = graph.capacity[e];
    if (of_orbit != graph.capacity[e]) return false;
  }
  return true;
}

// Parallel links repeat a generator: the first stands for all of them, and for its inverse where
// taking inverses is an automorphism.
Int first_alike(const topology::CayleyView& view, Int index, bool inverts) {
  const Group::Element generator = view.generators()[index];
  const Group::Element inverse = inverts ? view.group().inverse(generator) : generator;
  Int first = 0;
  while (view.generators()[first] != generator && view.generators()[first] != inverse) ++first;
  return first;
}

}  // namespace

bool inverts(const topology::CayleyView& view) {
  if (!view.group().is_abelian()) return false;
  std::vector<Group::Element> generators = view.generators(), inverses;
  for (const Group::Element generator : generators)
    inverses.push_back(view.group().inverse(generator));
  std::ranges::sort(generators);
  std::ranges::sort(inverses);
  return generators == inverses;
}

std::optional<ArcOrbits> cayley_orbits(const Topology& topology, const FlowGraph& graph) {
  const auto view = topology::as_cayley(topology);
  if (!view || (topology.has_switches() && !has_equal_hosts(topology))) return std::nullopt;
  std::vector<Int> of_arc(graph.arcs(), -1);
  const Int up = view->degree(), down = up + 1;
  std::vector<Int> representative;
  const bool inverted = inverts(*view);
  for (Int i = 0; i < view->degree(); ++i)
    representative.push_back(first_alike(*view, i, inverted));
  for (const LinkId link : topology.links()) {
    const Int arc = graph.arc_of_link[link.index()];
    if (arc < 0 || of_arc[arc] >= 0) continue;
    if (topology.has_switches() && topology.is_host(topology.tail(link)))
      of_arc[arc] = up;
    else if (topology.has_switches() && topology.is_host(topology.head(link)))
      of_arc[arc] = down;
    else
      of_arc[arc] = representative[view->generator(link)];
  }
  std::vector<Int> number(down + 1, -1);
  Int count = 0;
  for (Int& orbit : of_arc) {
    if (number[orbit] < 0) number[orbit] = count++;
    orbit = number[orbit];
  }
  ArcOrbits orbits = transitive_orbits(graph, std::move(of_arc));
  return have_equal_capacities(graph, orbits) ? std::optional(std::move(orbits)) : std::nullopt;
}

}  // namespace weft::flow
