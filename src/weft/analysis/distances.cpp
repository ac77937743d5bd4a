#include "weft/analysis/distances.hpp"

#include <algorithm>
#include <numeric>

#include "bit_bfs.hpp"
#include "flat_graph.hpp"
#include "transitive.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/graph/breadth_first.hpp"

namespace weft::analysis {

using graph::BreadthFirst;

namespace {

// Of the graph's nodes `places`, each of which stands for one place.
DistanceSummary summarize(const FlatGraph& graph, std::span<const std::int32_t> places) {
  std::vector<std::int32_t> weight(graph.node_count, 0);
  for (std::int32_t v : places) ++weight[v];
  BitBfsResult found = bit_bfs(graph, places, weight);

  DistanceSummary summary;
  summary.places = static_cast<std::int64_t>(places.size());
  summary.pairs_at = std::move(found.pairs_at);
  summary.eccentricity = std::move(found.eccentricity);
  if (!summary.pairs_at.empty()) summary.pairs_at[0] -= summary.places;  // a place and itself
  while (!summary.pairs_at.empty() && summary.pairs_at.back() == 0) summary.pairs_at.pop_back();
  WEFT_ASSERT(summary.eccentricity.size() == places.size());
  WEFT_ASSERT(summary.reachable_pairs() <= summary.places * (summary.places - 1));
  return summary;
}

// The same where every place sees what the first one sees.
DistanceSummary summarize_one(const FlatGraph& graph, std::span<const std::int32_t> places) {
  WEFT_ASSERT(!places.empty());
  std::vector<std::int64_t> weight(graph.node_count, 0);
  for (const std::int32_t v : places) ++weight[v];
  DistanceSummary summary;
  summary.places = static_cast<std::int64_t>(places.size());
  std::vector<std::int32_t> layer{places.front()}, next;
  std::vector<bool> seen(graph.node_count, false);
  seen[places.front()] = true;
  for (; !layer.empty(); layer.swap(next)) {
    std::int64_t found = 0;
    next.clear();
    for (const std::int32_t v : layer) {
      found += weight[v];
      for (const std::int32_t head : graph.out(v)) {
        if (seen[head]) continue;
        seen[head] = true;
        next.push_back(head);
      }
    }
    summary.pairs_at.push_back(found * summary.places);
  }
  summary.pairs_at[0] -= summary.places;  // a place and itself
  while (!summary.pairs_at.empty() && summary.pairs_at.back() == 0) summary.pairs_at.pop_back();
  summary.eccentricity.assign(places.size(), summary.diameter());
  return summary;
}

// Every host equally often, or every node where there are no switches.
bool are_all_alike(const Topology& topology, std::span<const NodeId> places) {
  if (places.empty() || topology.hosts().empty() || places.size() % topology.hosts().size() != 0)
    return false;
  IdVector<NodeId, std::size_t> count(topology.node_count(), 0);
  for (const NodeId node : places) ++count[node];
  const std::size_t each = places.size() / topology.hosts().size();
  return std::ranges::all_of(topology.hosts(), [&](NodeId host) { return count[host] == each; });
}

BreadthFirst search_from(const Topology& topology, NodeId source) {
  return {topology.node_count(), source.value(), [&](std::int32_t at, auto&& reach) {
            for (const LinkId link : topology.out_links(NodeId(at)))
              reach(topology.head(link).value());
          }};
}

BreadthFirst search_to(const Topology& topology, NodeId target) {
  return {topology.node_count(), target.value(), [&](std::int32_t at, auto&& reach) {
            for (const LinkId link : topology.in_links(NodeId(at)))
              reach(topology.tail(link).value());
          }};
}

}  // namespace

std::int64_t DistanceSummary::reachable_pairs() const {
  return std::accumulate(pairs_at.begin(), pairs_at.end(), std::int64_t{0});
}

std::int32_t DistanceSummary::diameter() const {
  return pairs_at.empty() ? 0 : static_cast<std::int32_t>(pairs_at.size()) - 1;
}

std::int32_t DistanceSummary::radius() const {
  return eccentricity.empty() ? 0 : *std::min_element(eccentricity.begin(), eccentricity.end());
}

std::int64_t DistanceSummary::sum() const {
  std::int64_t total = 0;
  for (std::size_t k = 0; k < pairs_at.size(); ++k)
    total += static_cast<std::int64_t>(k) * pairs_at[k];
  return total;
}

std::optional<Rational> DistanceSummary::average() const {
  const std::int64_t pairs = reachable_pairs();
  if (pairs == 0) return std::nullopt;
  return Rational(sum(), pairs);
}

DistanceSummary summarize_distances(const Topology& topology) {
  const FlatGraph graph = flatten_core(topology);
  std::vector<std::int32_t> places(graph.node_count);
  std::iota(places.begin(), places.end(), 0);
  return is_known_vertex_transitive(topology) ? summarize_one(graph, places)
                                              : summarize(graph, places);
}

DistanceSummary summarize_distances(const Topology& topology, std::span<const NodeId> places) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(places.size());
  for (NodeId node : places) {
    WEFT_ASSERT(node.value() >= 0 && node.value() < topology.node_count());
    numbers.push_back(node.value());
  }
  const bool one_is_all = are_all_alike(topology, places) && is_known_vertex_transitive(topology);
  return one_is_all ? summarize_one(flatten(topology), numbers)
                    : summarize(flatten(topology), numbers);
}

std::vector<std::int32_t> distances_from(const Topology& topology, NodeId source) {
  WEFT_ASSERT(source.value() >= 0 && source.value() < topology.node_count());
  return search_from(topology, source).distances();
}

std::vector<std::int32_t> distances_to(const Topology& topology, NodeId target) {
  WEFT_ASSERT(target.value() >= 0 && target.value() < topology.node_count());
  return search_to(topology, target).distances();
}

}  // namespace weft::analysis
