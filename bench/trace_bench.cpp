// Measures execution traces of training steps, from the bytes of their files to the time on a
// network.
//
// 64 ranks form groups of 8. Each block of nodes has computing, an allreduce of its group and a
// message to the next rank. Each run checks the number of nodes. `peak_memory_MB` is that of the
// whole process.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "peak_memory.hpp"
#include "weft/format/execution_trace.hpp"
#include "weft/topology/registry.hpp"
#include "weft/training/trace/trace_run.hpp"

namespace weft::training {
namespace {

using format::RankTrace;
using format::TraceKind;
using format::TraceNode;

constexpr std::int32_t kRanks = 64, kGroup = 8, kBlock = 5;  // nodes of a block

std::vector<format::TraceGroup> groups() {
  std::vector<format::TraceGroup> all;
  for (std::int32_t first = 0; first < kRanks; first += kGroup) {
    all.push_back({.name = std::to_string(all.size()), .ranks = {}});
    for (std::int32_t i = 0; i < kGroup; ++i) all.back().ranks.push_back(first + i);
  }
  return all;
}

std::string file_of(std::int32_t rank, std::int64_t blocks) {
  RankTrace trace;
  const auto add = [&](TraceNode node, const char* name, std::vector<std::int32_t> after) {
    node.id = trace.nodes.size();
    return trace.add(node, name, after);
  };
  add({.kind = TraceKind::metadata}, format::kGroupsNode.data(), {});
  std::vector<std::int32_t> before;
  for (std::int64_t block = 0; block < blocks; ++block) {
    const auto computed = add({.duration_ps = 50'000'000}, "forward", before);
    const auto summed =
        add({.kind = TraceKind::collective, .group = rank / kGroup, .bytes = 1 << 20}, "allreduce",
            {computed});
    const auto tag = static_cast<std::int32_t>(block);
    add({.kind = TraceKind::send, .peer = (rank + 1) % kRanks, .tag = tag, .bytes = 65'536}, "send",
        {computed});
    const auto came = add({.kind = TraceKind::receive,
                           .peer = (rank + kRanks - 1) % kRanks,
                           .tag = tag,
                           .bytes = 65'536},
                          "receive", {});
    before = {add({.duration_ps = 20'000'000}, "backward", {summed, came})};
  }
  return format::encode(trace, rank, groups());
}

void traces(benchmark::State& state) {
  const std::int64_t blocks = state.range(0) / kRanks / kBlock;
  std::vector<std::string> files, names;
  for (std::int32_t rank = 0; rank < kRanks; ++rank) {
    files.push_back(file_of(rank, blocks));
    names.push_back(format::trace_file("trace", rank));
  }
  const format::ProgramSource source{
      .path = "trace",
      .read =
          [&](const std::string& path) {
            return files[static_cast<std::size_t>(std::ranges::find(names, path) - names.begin())];
          },
      .list = [&](const std::string&) { return names; }};
  const Fabric fabric(build_topology("torus:8x8"), {});
  const Network network{
      fabric, topology::place(fabric.topology(), {}), {}, make_routing("auto", fabric)};
  std::int64_t nodes = 0;
  for (auto _ : state) {
    const TraceRun run = run_trace(format::read_trace(source), network, {});
    nodes = run.nodes;
    if (nodes != kRanks * (1 + kBlock * blocks)) throw std::runtime_error("nodes are missing");
  }
  state.SetItemsProcessed(state.iterations() * nodes);
  state.counters["peak_memory_MB"] = bench::peak_memory_MB();
}
BENCHMARK(traces)->Arg(125'000)->Arg(250'000)->Arg(500'000)->Arg(1'000'000)->Unit(
    benchmark::kMillisecond);

}  // namespace
}  // namespace weft::training
