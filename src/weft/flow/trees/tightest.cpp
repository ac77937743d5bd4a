#include "tightest.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "weft/topology/cayley_view.hpp"

namespace weft::flow {

namespace {

// The links of a node, on networks whose nodes and links are alike.
std::optional<std::int64_t> even_degree(const Topology& topology, const Carrier& carrier,
                                        const RankTreesQuestion& question) {
  const auto is_one = [](const graph::CapacityArc& arc) { return arc.capacity == 1; };
  if (topology.has_switches() || !question.roots.empty() || question.goal ||
      !one_on_each_node(topology, question.places) || !std::ranges::all_of(carrier.arcs, is_one))
    return std::nullopt;
  const auto view = topology::as_cayley(topology);
  if (!view) return std::nullopt;
  std::vector<topology::Group::Element> generators = view->generators();
  std::ranges::sort(generators);
  if (std::ranges::adjacent_find(generators) != generators.end()) return std::nullopt;
  return view->degree() - std::ranges::count(generators, 0);
}

}  // namespace

bool one_on_each_node(const Topology& topology, std::vector<NodeId> places) {
  std::ranges::sort(places);
  return std::ssize(places) == topology.node_count() &&
         std::ranges::adjacent_find(places) == places.end();
}

Tightest tightest(const Topology& topology, const Carrier& carrier,
                  const RankTreesQuestion& question) {
  const std::int64_t lacking = topology.node_count() - 1;
  const auto degree = even_degree(topology, carrier, question);
  const std::int64_t trees = degree ? *degree / std::gcd(*degree, lacking) : 0;
  const bool counted = question.most_trees > 0;
  if (!degree || (counted && trees > question.most_trees)) {
    graph::TreeCut cut =
        graph::tightest_cut(carrier.nodes, carrier.arcs, carrier.roots, carrier.goals);
    if (!counted) return {std::move(cut), {}};
    graph::TreeRate rate = graph::fewest_trees(carrier.nodes, carrier.arcs, carrier.roots,
                                               carrier.goals, cut, question.most_trees);
    return {std::move(cut), std::move(rate)};
  }
  Tightest even{{std::vector<char>(carrier.nodes, 0), lacking, *degree},
                {trees, Rational(*degree, lacking) / Rational(trees), carrier.arcs}};
  even.cut.inside[carrier.goals.front()] = 1;
  for (graph::CapacityArc& arc : even.rate.arcs) arc.capacity = trees * lacking / *degree;
  return even;
}

}  // namespace weft::flow
