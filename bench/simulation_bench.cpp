// Measures fluid simulation: transfers per second by algorithm, network and routing.
//
// Sizes are 64 KiB a message. Each run checks that all messages were sent and that the time is that
// of the first run. bench/simgrid_compare.cpp compares with SimGrid and measures memory.
#include <benchmark/benchmark.h>

#include "weft/algorithm/algorithm.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

void run(benchmark::State& state, const char* topology, const char* algorithm,
         Collective (*collective)(std::int32_t), const char* routing, Sync sync,
         bool link_statistics = false) {
  const Fabric fabric(build_topology(topology));
  const Network network(fabric, topology::place(fabric.topology(), {}), {},
                        make_routing(routing, fabric));
  const Collective c = collective(network.ranks());
  const std::int64_t size_B = std::int64_t{65536} * (c.size_is_block() ? 1 : network.ranks());
  const Program program =
      lower(schedule::verify_own(build_schedule(algorithm, c, &network)), {.size_B = size_B});
  const SimulationOptions options{.sync = sync, .link_statistics = link_statistics};
  const double expected_s = simulate(program, network, options).time_s;
  std::int64_t messages = 0;
  for (auto _ : state) {
    const SimulationResult result = simulate(program, network, options);
    messages = result.messages;
    if (result.time_s != expected_s) state.SkipWithError("a run took another time");
  }
  state.SetItemsProcessed(state.iterations() * messages);
}

Collective allreduce_of(std::int32_t n) {
  return schedule::allreduce(n);
}
Collective alltoall_of(std::int32_t n) {
  return schedule::alltoall(n);
}

#define WEFT_CASE(name, ...) \
  BENCHMARK_CAPTURE(run, name, __VA_ARGS__)->Unit(benchmark::kMillisecond)
WEFT_CASE(ring_64, "ring:64", "ring", allreduce_of, "shortest", Sync::per_rank);
WEFT_CASE(ring_256, "ring:256", "ring", allreduce_of, "shortest", Sync::per_rank);
WEFT_CASE(ring_1024, "ring:1024", "ring", allreduce_of, "shortest", Sync::per_rank);
WEFT_CASE(ring_256_dataflow, "ring:256", "ring", allreduce_of, "shortest", Sync::dataflow);
WEFT_CASE(shift_64, "torus:8x8", "shift", alltoall_of, "dimension-order", Sync::per_rank);
WEFT_CASE(shift_256, "torus:16x16", "shift", alltoall_of, "dimension-order", Sync::per_rank);
WEFT_CASE(shift_256_shortest, "torus:16x16", "shift", alltoall_of, "shortest", Sync::per_rank);
WEFT_CASE(shift_512, "torus:8x8x8", "shift", alltoall_of, "dimension-order", Sync::per_rank);
WEFT_CASE(shift_512_lockstep, "torus:8x8x8", "shift", alltoall_of, "dimension-order",
          Sync::lockstep);
WEFT_CASE(spread_256, "torus:16x16", "spread", alltoall_of, "dimension-order", Sync::per_rank);
WEFT_CASE(spread_256_shortest, "torus:16x16", "spread", alltoall_of, "shortest", Sync::per_rank);
// Counts bytes of links message by message, so that equivalent messages are not merged.
WEFT_CASE(opt_512, "fat-tree:8,3", "opt", alltoall_of, "d-mod-k", Sync::per_rank);
WEFT_CASE(opt_512_by_messages, "fat-tree:8,3", "opt", alltoall_of, "d-mod-k", Sync::per_rank, true);
WEFT_CASE(shift_tree_512, "fat-tree:8,3", "shift", alltoall_of, "d-mod-k", Sync::per_rank);
WEFT_CASE(shift_tree_512_by_messages, "fat-tree:8,3", "shift", alltoall_of, "d-mod-k",
          Sync::per_rank, true);
WEFT_CASE(do_256, "2dfc:16x16", "do", alltoall_of, "shortest", Sync::per_rank);
WEFT_CASE(md_256, "2dfc:16x16", "md", alltoall_of, "shortest", Sync::per_rank);
WEFT_CASE(multitree_256, "2dfc:16x16", "multitree", alltoall_of, "shortest", Sync::per_rank);
WEFT_CASE(kautz_c_272, "kautz:16,2", "kautz-c", alltoall_of, "shortest", Sync::per_rank);
WEFT_CASE(kautz_m_272, "kautz:16,2", "multitree", alltoall_of, "shortest", Sync::per_rank);
WEFT_CASE(kautz_c_4160, "kautz:64,2", "kautz-c", alltoall_of, "shortest", Sync::per_rank);

}  // namespace
}  // namespace weft::simulation
