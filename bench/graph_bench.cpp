// Compares the kernels on plain graphs with those of Boost.Graph, on random graphs of 8 arcs a
// node. The kernels are breadth-first search from node 0, and maximum flows from node 0 to ten
// others, which bounds and connectivity need.
//
// The results of both must be equal.
#include <benchmark/benchmark.h>

#include <boost/graph/breadth_first_search.hpp>
#include <limits>
#include <numeric>
#include <vector>

#include "support/judges/boost_max_flow.hpp"
#include "weft/base/random.hpp"
#include "weft/graph/breadth_first.hpp"
#include "weft/graph/max_flow.hpp"
#include "weft/graph/rows.hpp"

namespace {

using namespace weft;

constexpr std::int32_t kSinks = 10;

struct Instance {
  std::int32_t nodes;
  std::vector<support::CapacityArc> arcs;
};

Instance instance(const benchmark::State& state) {
  const auto nodes = static_cast<std::int32_t>(state.range(0));
  Rng random(7);
  return {nodes, support::random_arcs(random, nodes, 8 * nodes, state.range(1))};
}

graph::MaxFlow ours_on(const Instance& given) {
  graph::MaxFlow flow(given.nodes);
  for (const auto& arc : given.arcs) flow.add_arc(arc.tail, arc.head, arc.capacity);
  return flow;
}

std::int64_t ours(graph::MaxFlow& flow) {
  std::int64_t sum = 0;
  for (std::int32_t sink = 1; sink <= kSinks; ++sink) {
    sum += flow.max_flow(0, sink, std::numeric_limits<std::int64_t>::max());
    flow.forget_flow();
  }
  return sum;
}

std::int64_t boosts(support::BoostMaxFlow& flow) {
  std::int64_t sum = 0;
  for (std::int32_t sink = 1; sink <= kSinks; ++sink) sum += flow.max_flow(0, sink);
  return sum;
}

void BM_MaxFlow(benchmark::State& state) {
  const Instance given = instance(state);
  graph::MaxFlow flow = ours_on(given);
  support::BoostMaxFlow judge(given.nodes, given.arcs);
  std::int64_t sum = 0;
  for (auto _ : state) benchmark::DoNotOptimize(sum = ours(flow));
  if (sum != boosts(judge)) state.SkipWithError("not Boost's flows");
  state.SetItemsProcessed(state.iterations() * kSinks);
}

void BM_BoostPushRelabel(benchmark::State& state) {
  const Instance given = instance(state);
  support::BoostMaxFlow flow(given.nodes, given.arcs);
  graph::MaxFlow judge = ours_on(given);
  std::int64_t sum = 0;
  for (auto _ : state) benchmark::DoNotOptimize(sum = boosts(flow));
  if (sum != ours(judge)) state.SkipWithError("not our flows");
  state.SetItemsProcessed(state.iterations() * kSinks);
}

using BoostGraph = boost::compressed_sparse_row_graph<boost::directedS>;

graph::Rows<std::int32_t> heads_of(const Instance& given) {
  return graph::rows_by<std::int32_t>(
      given.nodes, static_cast<std::int32_t>(given.arcs.size()),
      [&](std::int32_t i) { return given.arcs[i].tail; },
      [&](std::int32_t i) { return given.arcs[i].head; });
}

// The sum of all distances.
std::int64_t ours(const graph::Rows<std::int32_t>& heads) {
  const graph::BreadthFirst search(heads.size(), 0, [&](std::int32_t at, auto&& reach) {
    for (const std::int32_t head : heads[at]) reach(head);
  });
  std::int64_t sum = 0;
  for (const std::int32_t node : search.order()) sum += search.distances()[node];
  return sum;
}

std::int64_t boosts(const BoostGraph& graph) {
  std::vector<std::int32_t> distance(boost::num_vertices(graph), 0);
  boost::breadth_first_search(graph, 0,
                              boost::visitor(boost::make_bfs_visitor(boost::record_distances(
                                  distance.data(), boost::on_tree_edge()))));
  return std::accumulate(distance.begin(), distance.end(), std::int64_t{0});
}

BoostGraph boost_graph(const Instance& given) {
  std::vector<std::pair<std::int32_t, std::int32_t>> ends;
  for (const auto& arc : given.arcs) ends.emplace_back(arc.tail, arc.head);
  return {boost::edges_are_unsorted, ends.begin(), ends.end(),
          static_cast<std::size_t>(given.nodes)};
}

void BM_BreadthFirst(benchmark::State& state) {
  const Instance given = instance(state);
  const auto heads = heads_of(given);
  std::int64_t sum = 0;
  for (auto _ : state) benchmark::DoNotOptimize(sum = ours(heads));
  if (sum != boosts(boost_graph(given))) state.SkipWithError("not Boost's distances");
}

void BM_BoostBreadthFirst(benchmark::State& state) {
  const Instance given = instance(state);
  const BoostGraph graph = boost_graph(given);
  std::int64_t sum = 0;
  for (auto _ : state) benchmark::DoNotOptimize(sum = boosts(graph));
  if (sum != ours(heads_of(given))) state.SkipWithError("not our distances");
}

void ladder(benchmark::internal::Benchmark* bench) {
  for (const std::int64_t capacity : {1, 1000})
    for (const std::int64_t nodes : {100, 1000, 10'000}) bench->Args({nodes, capacity});
  bench->ArgNames({"nodes", "capacity"})->Unit(benchmark::kMillisecond);
}
BENCHMARK(BM_MaxFlow)->Apply(ladder);
BENCHMARK(BM_BoostPushRelabel)->Apply(ladder);

void sizes(benchmark::internal::Benchmark* bench) {
  for (const std::int64_t nodes : {1000, 100'000}) bench->Args({nodes, 1});
  bench->ArgNames({"nodes", "capacity"})->Unit(benchmark::kMicrosecond);
}
BENCHMARK(BM_BreadthFirst)->Apply(sizes);
BENCHMARK(BM_BoostBreadthFirst)->Apply(sizes);

}  // namespace
