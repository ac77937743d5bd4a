// Measures routing speed: time per flow of one step, by routing, network and pattern.
//
// The pattern is a shift of the hosts: by 1 (neighbours on a ring or grid) or by about half of them
// (long paths). Tables are filled before the clock starts, except in "fill", which times the search
// for one destination's row. Each run checks that the routes end at their destinations.
#include <benchmark/benchmark.h>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/registry.hpp"

namespace weft::network {
namespace {

std::vector<Flow> shift(const Topology& topology, double fraction) {
  const auto hosts = topology.hosts();
  const auto n = hosts.size();
  const auto by =
      std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(n) * fraction));
  std::vector<Flow> flows;
  for (std::size_t i = 0; i < n; ++i) flows.push_back({hosts[i], hosts[(i + by) % n]});
  return flows;
}

void route(benchmark::State& state, const char* routing_name, const char* expression,
           double fraction) {
  const Fabric fabric(make_topology(expression), LinkSpeed{});
  const auto routing = make_routing(routing_name, fabric);
  const auto flows = shift(fabric.topology(), fraction);
  RouteTable routes;
  routing->route(flows, routes);
  std::int64_t links = 0;
  for (std::int64_t i = 0; i < routes.size(); ++i) {
    const auto path = routes.links(i);
    links += static_cast<std::int64_t>(path.size());
    if (fabric.topology().head(path.back()) != flows[i].to)
      state.SkipWithError("a route ends elsewhere");
  }
  for (auto _ : state) {
    routes.clear();
    routing->route(flows, routes);
    benchmark::DoNotOptimize(routes.latency_ps(0));
  }
  state.SetItemsProcessed(state.iterations() * routes.size());
  state.counters["links_per_flow"] =
      static_cast<double>(links) / static_cast<double>(routes.size());
  state.counters["links/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(links),
                         benchmark::Counter::kIsRate);
}

// A random permutation of the hosts of a tree that isn't slimmed, which takes no link twice.
void permute(benchmark::State& state, const char* expression) {
  const Fabric fabric(make_topology(expression), LinkSpeed{});
  const auto routing = make_routing("pattern-aware", fabric);
  std::vector<NodeId> to(fabric.topology().hosts().begin(), fabric.topology().hosts().end());
  Rng(1).shuffle(to);
  std::vector<Flow> flows;
  for (std::size_t i = 0; i < to.size(); ++i)
    flows.push_back({NodeId(static_cast<std::int32_t>(i)), to[i]});
  RouteTable routes;
  routing->route(flows, routes);
  std::vector<bool> used(static_cast<std::size_t>(fabric.topology().link_count()), false);
  for (std::int64_t i = 0; i < routes.size(); ++i)
    for (const LinkId link : routes.links(i)) {
      if (used[link.index()]) state.SkipWithError("a link is used twice");
      used[link.index()] = true;
    }
  for (auto _ : state) {
    routes.clear();
    routing->route(flows, routes);
    benchmark::DoNotOptimize(routes.latency_ps(0));
  }
  state.SetItemsProcessed(state.iterations() * routes.size());
}

// Rows for 64 destinations of a fresh routing.
void fill(benchmark::State& state, const char* expression) {
  const Fabric fabric(make_topology(expression), LinkSpeed{});
  const auto nodes = fabric.topology().node_count();
  std::vector<Flow> flows;
  for (int i = 0; i < 64; ++i) flows.push_back({NodeId(nodes - 1 - i), NodeId(i)});
  RouteTable routes;
  for (auto _ : state) {
    state.PauseTiming();
    const auto routing = make_routing("shortest", fabric);
    routes.clear();
    state.ResumeTiming();
    routing->route(flows, routes);
  }
  state.SetItemsProcessed(state.iterations() * 64);
}

BENCHMARK_CAPTURE(permute, tree_1024, "fat-tree:32,2");
BENCHMARK_CAPTURE(permute, tree_4096, "fat-tree:16,3");
BENCHMARK_CAPTURE(permute, tree_32768, "fat-tree:32,3");
BENCHMARK_CAPTURE(permute, tree_65536, "fat-tree:16,4");
BENCHMARK_CAPTURE(permute, tree_3375_odd, "fat-tree:15,3");
BENCHMARK_CAPTURE(route, ring_neighbours, "shortest", "ring:1024", 0.0);
BENCHMARK_CAPTURE(route, torus_neighbours, "shortest", "torus:16x16", 0.0);
BENCHMARK_CAPTURE(route, torus_far, "shortest", "torus:16x16", 0.47);
BENCHMARK_CAPTURE(route, torus3_far, "shortest", "torus:8x8x8", 0.47);
BENCHMARK_CAPTURE(route, torus3_far_dimension_order, "dimension-order", "torus:8x8x8", 0.47);
BENCHMARK_CAPTURE(route, hosts_torus_far, "shortest", "hosts(4, torus:8x8)", 0.47);
BENCHMARK_CAPTURE(route, hypercube_far, "shortest", "hypercube:12", 0.47);
BENCHMARK_CAPTURE(route, hamming_far, "shortest", "2dfc:64x64", 0.47);
BENCHMARK_CAPTURE(route, random_regular_far, "shortest", "hosts(4, random-regular:64,8,seed=7)",
                  0.47);
BENCHMARK_CAPTURE(route, kautz_neighbours, "shortest", "genkautz:8,1000", 0.0);
BENCHMARK_CAPTURE(route, kautz_far, "shortest", "genkautz:8,1000", 0.47);
BENCHMARK_CAPTURE(route, random_regular_drawn, "shortest-random",
                  "hosts(4, random-regular:64,8,seed=7)", 0.47);
BENCHMARK_CAPTURE(route, torus_split, "shortest-split", "torus:8x8", 0.47);
BENCHMARK_CAPTURE(route, fat_tree, "d-mod-k", "xgft:3;8,8,8;1,8,8", 0.47);
BENCHMARK_CAPTURE(route, dragonfly, "minimal", "dragonfly:a=16,p=8,h=8,g=129", 0.47);
BENCHMARK_CAPTURE(route, dragonfly_shortest, "shortest", "dragonfly:a=8,p=4,h=4", 0.47);
BENCHMARK_CAPTURE(fill, genkautz_16384, "genkautz:8,16384");

}  // namespace
}  // namespace weft::network
