// Measures T_B* by its cut, the schedules that attain it (packing), and all-to-alls over optimal
// flows.
//
// Each result is checked. T_B* must be that of theory, and the load of the busiest link over all
// steps of a schedule must be T_B*. T_B of an all-to-all must be the bound that prices prove.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <optional>
#include <string>

#include "peak_memory.hpp"
#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/flow/rank_trees.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/schedule/cost.hpp"

namespace weft {
namespace {

using test::on;

Rational egress(const Network& network) {
  return Rational(network.fabric().node_egress_Bps());
}

// Returns (N - 1)/N times the links of a host over those of the host with the fewest. This holds if
// no set of nodes has a smaller cut than that host. On generalized Kautz graphs of 4 links a node,
// nodes with a self-loop have 3.
Rational expected(const Network& network, const Rational& links_over_fewest) {
  return Rational(network.ranks() - 1, network.ranks()) * links_over_fewest;
}

void optimum_case(benchmark::State& state, const std::string& expression) {
  const Network network = on(expression);
  const flow::RankTreesQuestion question{.places = network.placement().nodes};
  flow::RankCut cut;
  for (auto _ : state) cut = flow::rank_cut(network.fabric(), question);
  const Rational factor =
      egress(network) * Rational(cut.lacking, network.ranks()) / Rational(cut.bandwidth_Bps);
  if (factor != expected(network, Rational(1))) state.SkipWithError("not the optimum");
  state.counters["peak_MB"] = bench::peak_memory_MB();
  state.SetLabel(expression);
}

// The fullest link's time over all steps, in units of M/B.
Rational fullest(const Network& network, const Schedule& schedule) {
  const Cost cost = schedule::cost(schedule::verify_own(schedule, &network.topology()), network);
  Rational most;
  for (const LinkId link : network.topology().links())
    most = std::max(most, cost.link_loads[link.index()] * egress(network) /
                              Rational(network.fabric().bandwidth_Bps(link)));
  return most;
}

void packing_case(benchmark::State& state, const std::string& expression,
                  const Rational& links_over_fewest) {
  const Network network = on(expression);
  const Collective collective = schedule::allgather(network.ranks());
  std::optional<Schedule> built;
  for (auto _ : state) built = build_schedule("packing", collective, &network);
  if (fullest(network, *built) != expected(network, links_over_fewest))
    state.SkipWithError("not at the optimum");
  state.SetItemsProcessed(state.iterations() * built->stored_messages());
  state.counters["steps"] = static_cast<double>(built->steps());
  state.counters["messages"] = static_cast<double>(built->message_count());
  state.counters["peak_MB"] = bench::peak_memory_MB();
  state.SetLabel(expression);
}

// The flow, its paths and the shares of blocks. B / (N f) at the upper bound of f, which is T_B*
// where that is exact (its gap apart); shares are rounded to 2^-20 of a block.
void flow_case(benchmark::State& state, const std::string& expression) {
  const Network network = on(expression);
  const Collective collective{.kind = CollectiveKind::alltoall, .ranks = network.ranks()};
  std::optional<Schedule> built;
  for (auto _ : state) built = build_schedule("flow", collective, &network);
  const flow::Throughput flow = flow::all_to_all_throughput(network.topology());
  const double links = static_cast<double>(network.fabric().node_egress_Bps()) /
                       static_cast<double>(network.fabric().bandwidth_Bps(LinkId(0)));
  const double least = links / (network.ranks() * flow.upper_bound);
  const double above = fullest(network, *built).to_double() / least - 1;
  if (above < -1e-12 || above > flow.gap() + 1e-5) state.SkipWithError("not at the throughput");
  state.SetItemsProcessed(state.iterations() * built->stored_messages());
  state.counters["gap"] = flow.gap();
  state.counters["above_bound"] = above;
  state.counters["peak_MB"] = bench::peak_memory_MB();
  state.SetLabel(expression);
}

#define WEFT_OPTIMUM_BENCH(measured, name, ...)  \
  BENCHMARK_CAPTURE(measured, name, __VA_ARGS__) \
      ->Unit(benchmark::kMillisecond)            \
      ->MeasureProcessCPUTime()                  \
      ->UseRealTime()

WEFT_OPTIMUM_BENCH(optimum_case, leaf_spine_1024, "leaf-spine:leaves=64,spines=16,hosts=16");
WEFT_OPTIMUM_BENCH(optimum_case, random_regular_1000, "random-regular:1000,8,seed=1");
WEFT_OPTIMUM_BENCH(optimum_case, genkautz_1000, "genkautz:4,1000");
WEFT_OPTIMUM_BENCH(optimum_case, rails_1024, "rail:boxes=128,gpus=8,spines=16");

WEFT_OPTIMUM_BENCH(packing_case, two_dgx_a100, "boxes(2, network:dgx-a100)", Rational(1));
WEFT_OPTIMUM_BENCH(packing_case, genkautz_64, "genkautz:4,64", Rational(4, 3));
WEFT_OPTIMUM_BENCH(packing_case, genkautz_256, "genkautz:4,256", Rational(4, 3));
WEFT_OPTIMUM_BENCH(packing_case, random_regular_256, "random-regular:256,8,seed=1", Rational(1));
WEFT_OPTIMUM_BENCH(packing_case, leaf_spine_256, "leaf-spine:leaves=16,spines=8,hosts=16",
                   Rational(1));
WEFT_OPTIMUM_BENCH(packing_case, leaf_spine_1024, "leaf-spine:leaves=64,spines=16,hosts=16",
                   Rational(1));
WEFT_OPTIMUM_BENCH(packing_case, rails_1024, "rail:boxes=128,gpus=8,spines=16", Rational(1));
WEFT_OPTIMUM_BENCH(packing_case, hosts_of_random_regular_256, "hosts(4, random-regular:64,6)",
                   Rational(1));
WEFT_OPTIMUM_BENCH(packing_case, hosts_of_random_regular_1000, "hosts(4, random-regular:250,8)",
                   Rational(1));
WEFT_OPTIMUM_BENCH(packing_case, dragonfly_1056, "dragonfly:a=8,p=4,h=4", Rational(1));
WEFT_OPTIMUM_BENCH(packing_case, damaged_dragonfly_1056, "without(cable=30, dragonfly:a=8,p=4,h=4)",
                   Rational(1));
WEFT_OPTIMUM_BENCH(packing_case, random_regular_1000, "random-regular:1000,8,seed=1", Rational(1));
WEFT_OPTIMUM_BENCH(packing_case, torus_100x100, "torus:100x100", Rational(1));
WEFT_OPTIMUM_BENCH(packing_case, cayley_10000, "cayley:Z10000;1,22,333", Rational(1));

WEFT_OPTIMUM_BENCH(flow_case, genkautz_128, "genkautz:4,128");
WEFT_OPTIMUM_BENCH(flow_case, random_regular_128, "random-regular:128,4,seed=1");

}  // namespace
}  // namespace weft
