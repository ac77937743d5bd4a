#include "support/judges/every_cut.hpp"

#include <algorithm>
#include <utility>

namespace weft::test {

std::vector<NodeSet> every_cut(const Topology& topology, std::span<const std::int64_t> capacity,
                               std::span<const NodeId> places) {
  const auto passes_on = [&](NodeId node) {
    return !topology.has_switches() || !topology.is_host(node) ||
           std::ranges::count(places, node) > 0;
  };
  std::vector<NodeSet> sets;
  for (std::uint32_t nodes = 1; nodes + 1 < (1U << topology.node_count()); ++nodes) {
    NodeSet set{.nodes = nodes};
    for (const LinkId link : topology.links()) {
      const NodeId from = topology.tail(link), to = topology.head(link);
      if (set.holds(from) && !set.holds(to) && passes_on(from) && passes_on(to))
        set.leaving += capacity[link.index()];
    }
    sets.push_back(set);
  }
  return sets;
}

std::vector<std::int64_t> capacities(const Fabric& fabric) {
  std::vector<std::int64_t> all;
  for (const LinkId link : fabric.topology().links()) all.push_back(fabric.bandwidth_Bps(link));
  return all;
}

std::optional<Rational> least_for_each_root(const Topology& topology,
                                            std::span<const std::int64_t> capacity,
                                            const flow::RankTreesQuestion& question) {
  const std::vector<NodeId>& places = question.places;
  std::optional<Rational> least;
  for (const NodeSet& set : every_cut(topology, capacity, places)) {
    // Data goes from the set's nodes to the others, or trees lead to roots among the others.
    const auto is_source = [&](NodeId node) {
      return set.holds(node) == (question.sense == graph::Sense::along);
    };
    const bool is_cut_off = question.goal
                                ? !is_source(places[static_cast<std::size_t>(*question.goal)])
                                : !std::ranges::all_of(places, is_source);
    if (!is_cut_off) continue;
    std::int64_t roots = 0;
    for (std::size_t rank = 0; rank < places.size(); ++rank)
      if (is_source(places[rank]) &&
          (question.roots.empty() ||
           std::ranges::count(question.roots, static_cast<std::int32_t>(rank)) > 0))
        ++roots;
    if (roots == 0) continue;
    const Rational rate(set.leaving, roots);
    if (!least || rate < *least) least = rate;
  }
  return least;
}

Fabric random_fabric(Rng& rng, Directions directions) {
  const auto switches = static_cast<std::int32_t>(rng.below(5));
  const auto hosts = static_cast<std::int32_t>(2 + rng.below(9 - switches));
  const std::int32_t nodes = switches + hosts;
  topology::TopologyBuilder builder(nodes);
  for (std::int32_t s = 0; s < switches; ++s)
    builder.set_kind(NodeId(s), topology::NodeKind::switch_node);
  std::vector<topology::ClassId> classes;
  for (const char* name : {"a", "b", "c", "d"}) classes.push_back(builder.link_class(name));
  const auto any = [&](std::int32_t count) {
    return NodeId(static_cast<std::int32_t>(rng.below(count)));
  };
  const auto join = [&](NodeId from, NodeId to) {
    const topology::ClassId speed = classes[rng.below(4)];
    if (directions == Directions::alike || rng.below(3) > 0)
      builder.add_cable(from, to, speed);
    else
      builder.add_link(from, to, speed);
  };
  for (std::int32_t h = switches; h < nodes; ++h)
    join(NodeId(h), switches > 0 ? any(switches) : any(nodes));
  for (std::int64_t i = rng.below(std::int64_t{2} * nodes); i > 0; --i)
    join(any(nodes), switches > 0 && rng.below(4) > 0 ? any(switches) : any(nodes));
  topology::LinkOptions speeds;
  for (const char* name : {"a", "b", "c", "d"})
    speeds.by_class[name] = {1'000 * (1 + rng.below(6)), 0};
  return Fabric(topology::BuiltTopology{std::move(builder).build({"random", "", {}}), {}}, speeds);
}

std::vector<NodeId> random_places(Rng& rng, const Topology& topology, std::int32_t most) {
  const auto hosts = topology.hosts();
  std::vector<NodeId> places;
  for (std::int64_t ranks = 2 + rng.below(most - 1); ranks > 0; --ranks)
    places.push_back(hosts[static_cast<std::size_t>(rng.below(std::ssize(hosts)))]);
  return places;
}

}  // namespace weft::test
