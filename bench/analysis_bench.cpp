// Measures embeddings, bisection, connectivity, and all-pairs distances: pairs per second over a
// ladder of sizes, on all cores.
//
// Each result is checked. On random regular networks all pairs exist, and the pairs at distance 1
// are the links. Generalized Kautz networks with n = d^k + d^(k-1) nodes are Kautz networks, so
// their diameter is k. bench/distances_vs_scipy.py measures SciPy and NetworkX on the same
// networks.
#include <benchmark/benchmark.h>

#include <string>

#include "peak_memory.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/analysis/embedding.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/topology/registry.hpp"

namespace {

using namespace weft;

void measure(benchmark::State& state, const std::string& name, int expected_diameter) {
  const Topology topology = make_topology(name);
  analysis::DistanceSummary summary;
  for (auto _ : state) {
    summary = analysis::summarize_distances(topology);
    benchmark::DoNotOptimize(summary);
  }
  const std::int64_t nodes = topology.node_count();
  if (!summary.connected() || summary.reachable_pairs() != nodes * (nodes - 1))
    state.SkipWithError("not all pairs were reached");
  if (expected_diameter > 0 && summary.diameter() != expected_diameter)
    state.SkipWithError("the diameter is wrong");
  state.SetLabel(name);
  state.SetItemsProcessed(state.iterations() * nodes * nodes);
  state.counters["diameter"] = summary.diameter();
  state.counters["distance_sum"] = static_cast<double>(summary.sum());
  state.counters["peak_memory_MB"] = bench::peak_memory_MB();
}

void BM_RandomRegularDegree8(benchmark::State& state) {
  measure(state, "random-regular:" + std::to_string(state.range(0)) + ",8,seed=1", 0);
}
BENCHMARK(BM_RandomRegularDegree8)
    ->Arg(1000)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void BM_GeneralizedKautzDegree8(benchmark::State& state) {
  measure(state, "genkautz:8," + std::to_string(state.range(0)), 0);
}
BENCHMARK(BM_GeneralizedKautzDegree8)
    ->Arg(1000)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void BM_KautzDiameter2(benchmark::State& state) {
  measure(state, "kautz:" + std::to_string(state.range(0)) + ",2", 2);
}
BENCHMARK(BM_KautzDiameter2)->Arg(30)->Arg(100)->Unit(benchmark::kMillisecond)->UseRealTime();

// Long and thin: every level is short.
void BM_Ring(benchmark::State& state) {
  const auto nodes = state.range(0);
  measure(state, "ring:" + std::to_string(nodes), static_cast<int>(nodes / 2));
}
BENCHMARK(BM_Ring)->Arg(1000)->Arg(10'000)->Unit(benchmark::kMillisecond)->UseRealTime();

// The costly measures, at the size up to which a report takes them unasked.
void BM_Bisection(benchmark::State& state) {
  const Topology topology =
      make_topology("random-regular:" + std::to_string(state.range(0)) + ",8,seed=1");
  analysis::Bisection found;
  for (auto _ : state) found = analysis::bisection(topology);
  if (found.lower < 1 || found.lower > found.upper) state.SkipWithError("the limits cross");
  state.counters["lower"] = static_cast<double>(found.lower);
  state.counters["upper"] = static_cast<double>(found.upper);
}
BENCHMARK(BM_Bisection)->Arg(500)->Arg(4000)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_EdgeConnectivity(benchmark::State& state) {
  const Topology topology =
      make_topology("random-regular:" + std::to_string(state.range(0)) + ",8,seed=1");
  std::int32_t found = 0;
  for (auto _ : state) found = analysis::edge_connectivity(topology);
  if (found < 1 || found > 8) state.SkipWithError("above the degree");
  state.counters["connectivity"] = found;
}
BENCHMARK(BM_EdgeConnectivity)->Arg(500)->Arg(4000)->Unit(benchmark::kMillisecond)->UseRealTime();

// A Hamming network of m x m holds the torus of m x m.
void BM_FindEmbedding(benchmark::State& state) {
  const std::string m = std::to_string(state.range(0));
  const Topology guest = make_topology("torus:" + m + "x" + m);
  const Topology host = make_topology("hamming:" + m + "x" + m);
  analysis::Embedding found;
  for (auto _ : state) found = analysis::find_embedding(guest, host);
  if (found.answer != analysis::Containment::contained) state.SkipWithError("not found");
  state.SetItemsProcessed(state.iterations() * guest.node_count());
}
BENCHMARK(BM_FindEmbedding)->RangeMultiplier(2)->Range(4, 64)->Unit(benchmark::kMicrosecond);

// A torus of 3 x m has triangles, one of 4 x m has none.
void BM_RefuteEmbedding(benchmark::State& state) {
  const std::string m = std::to_string(state.range(0));
  const Topology guest = make_topology("torus:3x" + m);
  const Topology host = make_topology("torus:4x" + m);
  analysis::Embedding found;
  for (auto _ : state) found = analysis::find_embedding(guest, host);
  if (found.answer != analysis::Containment::not_contained) state.SkipWithError("found");
}
BENCHMARK(BM_RefuteEmbedding)->Arg(4)->Arg(6)->Arg(8)->Arg(10)->Unit(benchmark::kMicrosecond);

}  // namespace
