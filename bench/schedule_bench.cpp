// Measures building, proving and pricing of schedules, by algorithm, size and form.
//
// "plain" stores every message; "symmetric" stores those of the first rank. Each run checks that
// the schedule is correct, and on simple networks that its bandwidth factor is the one of theory.
#include <benchmark/benchmark.h>

#include <optional>
#include <string>

#include "peak_memory.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/disjoint_trees.hpp"
#include "weft/program/copies.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/registry.hpp"

namespace weft {
namespace {

using algorithm::Symmetries;

Network on(const std::string& expression, const char* routing = "shortest") {
  const Fabric fabric(build_topology(expression));
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing(routing, fabric)};
}

struct Case {
  const char* algorithm;
  CollectiveKind kind;
  const char* topology;  // "family:%d" with the number of ranks, or a whole expression
  Symmetries symmetries;
};

void count(benchmark::State& state, const Schedule& schedule) {
  state.SetItemsProcessed(state.iterations() * schedule.stored_messages());
  state.counters["stored_messages"] = static_cast<double>(schedule.stored_messages());
  state.counters["messages"] = static_cast<double>(schedule.message_count());
  state.counters["peak_MB"] = bench::peak_memory_MB();
}

Schedule build(const Case& c, const Network& network) {
  return build_schedule(c.algorithm, {c.kind, network.ranks()}, &network,
                        {.symmetries = c.symmetries});
}

void verify_case(benchmark::State& state, Case c) {
  const Network network = on(c.topology);
  const Schedule schedule = build(c, network);
  for (auto _ : state)
    if (!verify(schedule)) state.SkipWithError("wrong schedule");
  count(state, schedule);
}

void cost_case(benchmark::State& state, Case c) {
  const Network network = on(c.topology);
  const Verified verified = schedule::verify_own(build(c, network));
  for (auto _ : state)
    if (cost(verified, network).steps != verified.schedule().steps())
      state.SkipWithError("wrong cost");
  count(state, verified.schedule());
}

void file_case(benchmark::State& state, Case c) {
  const Schedule schedule = build(c, on(c.topology));
  std::string bytes;
  for (auto _ : state) {
    bytes = schedule::encode(schedule);
    if (!(schedule::decode(bytes) == schedule)) state.SkipWithError("wrong file");
  }
  count(state, schedule);
  state.counters["file_B"] = static_cast<double>(bytes.size());
}

#define WEFT_SCHEDULE_BENCH(name, ...)                    \
  BENCHMARK_CAPTURE(verify_case, name, Case{__VA_ARGS__}) \
      ->Unit(benchmark::kMillisecond)                     \
      ->MeasureProcessCPUTime()                           \
      ->UseRealTime();                                    \
  BENCHMARK_CAPTURE(cost_case, name, Case{__VA_ARGS__})   \
      ->Unit(benchmark::kMillisecond)                     \
      ->MeasureProcessCPUTime()                           \
      ->UseRealTime()

WEFT_SCHEDULE_BENCH(ring_allreduce_1024_plain, "ring", CollectiveKind::allreduce, "uniring:1024",
                    Symmetries::expand);
WEFT_SCHEDULE_BENCH(ring_allreduce_1024_symmetric, "ring", CollectiveKind::allreduce,
                    "uniring:1024", Symmetries::use);
WEFT_SCHEDULE_BENCH(bruck_allgather_16384_plain, "bruck", CollectiveKind::allgather, "hypercube:14",
                    Symmetries::expand);
WEFT_SCHEDULE_BENCH(bruck_allgather_16384_symmetric, "bruck", CollectiveKind::allgather,
                    "hypercube:14", Symmetries::use);
WEFT_SCHEDULE_BENCH(bruck_alltoall_16384_symmetric, "bruck", CollectiveKind::alltoall,
                    "hypercube:14", Symmetries::use);
WEFT_SCHEDULE_BENCH(bruck_alltoall_torus_128x128, "bruck", CollectiveKind::alltoall,
                    "torus:128x128", Symmetries::use);
WEFT_SCHEDULE_BENCH(recursive_doubling_allreduce_16384_plain, "recursive-doubling",
                    CollectiveKind::allreduce, "hypercube:14", Symmetries::expand);
WEFT_SCHEDULE_BENCH(recursive_doubling_allreduce_16384_symmetric, "recursive-doubling",
                    CollectiveKind::allreduce, "hypercube:14", Symmetries::use);
WEFT_SCHEDULE_BENCH(pairwise_alltoall_1024_plain, "pairwise", CollectiveKind::alltoall,
                    "hypercube:10", Symmetries::expand);

BENCHMARK_CAPTURE(file_case, ring_allreduce_1024_plain,
                  Case{"ring", CollectiveKind::allreduce, "uniring:1024", Symmetries::expand})
    ->Unit(benchmark::kMillisecond);

// Spanning trees that share no link, and the broadcast over them: d of depth at most 2 D fit into
// Kautz(d, 2), whose nodes have d links each.
void disjoint_trees_case(benchmark::State& state, const std::string& name) {
  const Topology topology = make_topology(name);
  const Collective collective = schedule::broadcast(topology.node_count());
  std::optional<Schedule> built;
  for (auto _ : state) built = algorithm::disjoint_trees(topology, collective);
  if (!verify(*built)) state.SkipWithError("wrong schedule");
  count(state, *built);
  state.counters["steps"] = static_cast<double>(built->steps());
  state.SetLabel(name);
}

void disjoint_trees_on_kautz(benchmark::State& state) {
  disjoint_trees_case(state, "kautz:" + std::to_string(state.range(0)) + ",2");
}
BENCHMARK(disjoint_trees_on_kautz)->RangeMultiplier(2)->Range(4, 16)->Unit(benchmark::kMillisecond);

void disjoint_trees_on_random(benchmark::State& state) {
  disjoint_trees_case(state, "random-regular:" + std::to_string(state.range(0)) + ",4,seed=1");
}
BENCHMARK(disjoint_trees_on_random)
    ->RangeMultiplier(4)
    ->Range(64, 4096)
    ->Unit(benchmark::kMillisecond);

// Measures the copies of hosts in an all-to-all by Bruck with every message stored. MULTITREE's
// allgather stores blocks apart.
void copies_case(benchmark::State& state, const char* algorithm, CollectiveKind kind,
                 const std::string& topology) {
  const Network network = on(topology);
  const Verified verified = schedule::verify_own(
      build({algorithm, kind, topology.c_str(), Symmetries::expand}, network), &network.topology());
  for (auto _ : state)
    if (!program::plan_copies(verified, network::BlockLayout::combined))
      state.SkipWithError("no plan");
  count(state, verified.schedule());
}

void copies_of_bruck(benchmark::State& state) {
  copies_case(state, "bruck", CollectiveKind::alltoall, "ring:" + std::to_string(state.range(0)));
}
BENCHMARK(copies_of_bruck)->RangeMultiplier(2)->Range(32, 512)->Unit(benchmark::kMillisecond);

void copies_of_multitree(benchmark::State& state) {
  copies_case(state, "multitree", CollectiveKind::allgather,
              "kautz:" + std::to_string(state.range(0)) + ",2");
}
BENCHMARK(copies_of_multitree)->RangeMultiplier(2)->Range(4, 16)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace weft
