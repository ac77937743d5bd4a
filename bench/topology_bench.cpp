// Measures building and reading of topologies: links per second by family and size, and the JSON
// round trip.
//
// Each run checks the number of links against its formula, and a round trip by the hash of the
// graph.
#include <benchmark/benchmark.h>

#include "weft/topology/files/files.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

void build(benchmark::State& state, const char* expression, std::int64_t links) {
  for (auto _ : state) {
    const Topology topology = make_topology(expression);
    if (topology.link_count() != links) state.SkipWithError("wrong number of links");
    benchmark::DoNotOptimize(topology.hash());
  }
  state.SetItemsProcessed(state.iterations() * links);
}

void json_round_trip(benchmark::State& state, const char* expression) {
  const BuiltTopology built = build_topology(expression);
  std::size_t bytes = 0;
  for (auto _ : state) {
    const std::string text = format_topology(built, TopologyFormat::json);
    const auto again = parse_topology(text, TopologyFormat::json, "bench.json");
    if (again.topology.hash() != built.topology.hash()) state.SkipWithError("another graph");
    bytes = text.size();
  }
  state.SetItemsProcessed(state.iterations() * built.topology.link_count());
  state.counters["file_B"] = static_cast<double>(bytes);
}

BENCHMARK_CAPTURE(build, kautz_4160, "kautz:64,2", 266'240);
BENCHMARK_CAPTURE(build, kautz_10100, "kautz:100,2", 1'010'000);
BENCHMARK_CAPTURE(build, genkautz_100000, "genkautz:8,100000", 800'000);
BENCHMARK_CAPTURE(build, torus_1000, "torus:10x10x10", 6'000);
BENCHMARK_CAPTURE(build, torus_97336, "torus:46x46x46", 584'016);
BENCHMARK_CAPTURE(build, hypercube_131072, "hypercube:17", 2'228'224);
BENCHMARK_CAPTURE(build, random_regular_1000, "random-regular:1000,8,seed=1", 8'000);
BENCHMARK_CAPTURE(build, random_regular_100000, "random-regular:100000,8,seed=1", 800'000);
BENCHMARK_CAPTURE(build, random_regular_dense, "random-regular:2000,900,seed=1", 1'800'000);
BENCHMARK_CAPTURE(build, hosts_900000, "hosts(8, random-regular:100000,8,seed=1)", 2'400'000);
// 513 groups of 32 routers: 31 local, 16 global and 32 terminal links (both ways) a router.
BENCHMARK_CAPTURE(build, dragonfly_279072, "dragonfly:a=32,p=16,h=16", 513 * 32 * (31 + 16 + 32));
BENCHMARK_CAPTURE(build, product_90000, "ring:300 * ring:300", 360'000);
BENCHMARK_CAPTURE(json_round_trip, torus_1000, "torus:10x10x10");
BENCHMARK_CAPTURE(json_round_trip, torus_97336, "torus:46x46x46");

}  // namespace
}  // namespace weft::topology
