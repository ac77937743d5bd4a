// The kernels on plain graphs beside Boost.Graph's: maximum flows on random graphs of 8 arcs a
// node, each time from node 0 to ten others, as bounds and connectivity ask for them.
//
// Each sum of flows is checked against the other's.
#include <benchmark/benchmark.h>

#include <limits>
#include <vector>

#include "support/judges/boost_max_flow.hpp"
#include "weft/base/random.hpp"
#include "weft/graph/max_flow.hpp"

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

void ladder(benchmark::internal::Benchmark* bench) {
  for (const std::int64_t capacity : {1, 1000})
    for (const std::int64_t nodes : {100, 1000, 10'000}) bench->Args({nodes, capacity});
  bench->ArgNames({"nodes", "capacity"})->Unit(benchmark::kMillisecond);
}
BENCHMARK(BM_MaxFlow)->Apply(ladder);
BENCHMARK(BM_BoostPushRelabel)->Apply(ladder);

}  // namespace
