// Measures all-to-all throughput: Cayley networks up to a million nodes, symmetric networks of the
// direct-connect paper, and intervals of 1 % on networks without symmetry. It also measures the
// search for disjoint paths between two nodes.
//
// Each result is checked: exact values against closed forms or printed digits, intervals for their
// gap.
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>

#include "weft/flow/cheapest_paths.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/topology/registry.hpp"

namespace {

using namespace weft;

// `expected` 0: only the gap is checked.
void measure(benchmark::State& state, const std::string& name, double expected, double tolerance,
             const flow::ThroughputOptions& options = {}) {
  const Topology topology = make_topology(name);
  flow::Throughput result;
  for (auto _ : state) {
    result = flow::all_to_all_throughput(topology, {}, options);
    benchmark::DoNotOptimize(result);
  }
  if (expected > 0 && std::abs(result.throughput / expected - 1) > tolerance)
    state.SkipWithError("the throughput is wrong");
  if (result.gap() > options.gap) state.SkipWithError("the gap is too large");
  state.SetLabel(name + " " + std::string(flow::to_string(result.method)));
  state.counters["throughput"] = result.throughput;
  state.counters["gap"] = result.gap();
  state.counters["rounds"] = static_cast<double>(result.rounds);
}

// m^k nodes, m even: a ring's link carries m / 2 * m / 2 / 2 = m^2 / 8 pairs for each line of
// senders, times m^(k - 1) receivers' coordinates.
void BM_Torus(benchmark::State& state) {
  const std::string m = std::to_string(state.range(0));
  measure(state, "torus:" + m + "x" + m + "x" + m, 8 / std::pow(state.range(0), 4), 1e-12);
}
BENCHMARK(BM_Torus)->Arg(10)->Arg(32)->Arg(100)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_Line3OfK44(benchmark::State& state) {
  measure(state, "line^3(bipartite:4,4)", 1.88e-3, 3e-3);
}
BENCHMARK(BM_Line3OfK44)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_DeBruijn(benchmark::State& state) {
  measure(state, "debruijn:4,4", 4.04e-3, 2e-3);
}
BENCHMARK(BM_DeBruijn)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_OnePercent(benchmark::State& state, const std::string& name) {
  measure(state, name, 0, 0,
          {.method = flow::ThroughputMethod::approximate, .gap = 0.01, .time_limit_s = 300});
}
BENCHMARK_CAPTURE(BM_OnePercent, genkautz, "genkautz:4,1024")
    ->Unit(benchmark::kSecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_OnePercent, random_regular, "random-regular:1024,4,seed=1")
    ->Unit(benchmark::kSecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_OnePercent, debruijn, "debruijn:4,5")->Unit(benchmark::kSecond)->UseRealTime();

// Measures paths of a message to the farthest node: on Kautz(d, 2), where d exist, and on a random
// network of degree 8.
void cheapest(benchmark::State& state, const std::string& name, std::size_t most) {
  const Fabric fabric(make_topology(name), {});
  const NodeId to(fabric.topology().node_count() / 2);
  std::vector<std::vector<flow::Path>> sets;
  for (auto _ : state) {
    sets = flow::cheapest_paths(fabric, NodeId(0), to);
    benchmark::DoNotOptimize(sets);
  }
  if (sets.empty() || sets.back().size() != most) state.SkipWithError("not as many paths");
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(most));
  state.SetLabel(name);
}

void BM_CheapestPathsKautz(benchmark::State& state) {
  cheapest(state, "kautz:" + std::to_string(state.range(0)) + ",2",
           static_cast<std::size_t>(state.range(0)));
}
BENCHMARK(BM_CheapestPathsKautz)->RangeMultiplier(2)->Range(4, 64)->Unit(benchmark::kMicrosecond);

void BM_CheapestPathsRandom(benchmark::State& state) {
  cheapest(state, "random-regular:" + std::to_string(state.range(0)) + ",8,seed=1", 8);
}
BENCHMARK(BM_CheapestPathsRandom)
    ->RangeMultiplier(8)
    ->Range(64, 32768)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
