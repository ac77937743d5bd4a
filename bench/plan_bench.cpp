// Measures plans of all collectives for the hosts of a job, as the prolog of the job makes them.
//
// Each result is checked: every size of every collective has a range.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "peak_memory.hpp"
#include "weft/advise/plan/plan_choice.hpp"
#include "weft/network/network.hpp"
#include "weft/plan/plan.hpp"
#include "weft/plan_reader/mapped_plan.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft {
namespace {

// Hosts of the network are taken in their order, the first of them.
Network network_on(const std::string& expression, std::int64_t hosts) {
  const Fabric fabric(build_topology(expression));
  return {fabric,
          topology::place(fabric.topology(), {.ranks = hosts}),
          {},
          network::make_routing("auto", fabric)};
}

void plan_case(benchmark::State& state, const std::string& expression, std::int64_t hosts) {
  const Network network = network_on(expression, hosts);
  advise::PlanOptions options;
  options.collectives = advise::planned_names("all").equal;
  for (std::int64_t size_B = 64; size_B <= 64 << 20; size_B *= 2) options.sizes_B.push_back(size_B);
  advise::ChosenPlan chosen;
  for (auto _ : state) chosen = advise::choose_plan(network, options);
  std::int64_t next_B = 0;
  for (const plan::PlannedRange& range : chosen.plan.ranges) {
    if (range.first_B != next_B) state.SkipWithError("ranges leave sizes out");
    next_B = range.last_B == plan::kNoEnd ? 0 : range.last_B + 1;
  }
  state.counters["ranges"] = static_cast<double>(chosen.plan.ranges.size());
  state.counters["peak_MB"] = bench::peak_memory_MB();
  state.SetLabel(expression);
}

BENCHMARK_CAPTURE(plan_case, leaf_spine, "leaf-spine:leaves=8,spines=4,hosts=32", 256)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_case, three_tiers, "xgft:3;8,8,4;1,4,4", 256)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_case, rails, "rail:boxes=32,gpus=8,spines=4", 256)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_case, dragonfly, "dragonfly:a=8,p=4,h=4", 256)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_case, torus, "torus:16x16", 256)->Unit(benchmark::kMillisecond);

// Measures the start of a process: it maps a plan of 1,000 ranks, checks it and reads its own part
// of every schedule.
void open_case(benchmark::State& state) {
  const Network network = network_on("ring:1000", 1000);
  advise::PlanOptions options;
  options.collectives = {CollectiveKind::allreduce, CollectiveKind::allgather};
  options.algorithms = {"ring", "bfb", "double-binary-tree"};
  options.sizes_B = {1024, 1 << 20, 64 << 20};
  const std::string path = std::filesystem::temp_directory_path() /
                           ("weft-open-" + std::to_string(::getpid()) + ".plan");
  const std::string bytes = plan::encode(advise::choose_plan(network, options).plan);
  std::ofstream(path, std::ios::binary) << bytes;
  std::uint64_t ends = 0;
  std::size_t schedules = 0;
  for (auto _ : state) {
    const plan::MappedPlan opened(path);
    schedules = opened.schedules().size();
    for (std::size_t i = 0; i < schedules; ++i)
      ends += opened.ends(static_cast<std::int32_t>(i), 999);
    if (opened.ranks() != 1000) state.SkipWithError("not the plan's ranks");
  }
  benchmark::DoNotOptimize(ends);
  std::remove(path.c_str());
  state.counters["schedules"] = static_cast<double>(schedules);
  state.counters["file_MB"] = static_cast<double>(bytes.size()) / 1e6;
}
BENCHMARK(open_case)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace weft
