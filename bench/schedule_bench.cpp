// Building, proving and pricing of schedules, by algorithm, size and form.
//
// "plain" writes out every message; "symmetric" stores those of rank 0. Each run checks that the
// schedule is right and its bandwidth factor is the one that theory gives, where the network makes
// it simple.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "weft/algorithm/algorithm.hpp"
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

double peak_memory_MB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
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
  state.counters["peak_MB"] = peak_memory_MB();
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

}  // namespace
}  // namespace weft
