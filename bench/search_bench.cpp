// Measures graph search (candidates per second on one core) and rank orders (attempts per second).
//
// `costed` measures the kernel without targets, so it evaluates every candidate to its end. In
// `refused`, the bound is already met in the fewest known steps, as late in a search. `search`
// measures a whole search of a fixed number of slices. Each checks its results.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "weft/base/random.hpp"
#include "weft/order/order_study.hpp"
#include "weft/search/graph_search.hpp"
#include "weft/search/graph_search_kernel.hpp"
#include "weft/topology/group/group.hpp"
#include "weft/topology/registry.hpp"

namespace {

using namespace weft;
using namespace weft::search;

constexpr int kDegree = 4;

struct Instance {
  std::string group;
  int known_steps;  // in which (N - 1) / N is reached
};

const Instance kInstances[] = {{"Z32xZ2,k=15", 4}, {"Z64xZ16,k=3", 6}};

class Rows {
 public:
  explicit Rows(const Group& group) {
    for (Group::Element g = 0; g < group.order(); ++g) {
      const auto row = group.right_translation(g);
      rows_.emplace_back(row.begin(), row.end());
    }
  }

  void draw(Rng& rng, std::vector<const Node*>& next) const {
    for (auto& row : next)
      row = rows_[1 + rng.below(static_cast<std::int64_t>(rows_.size()) - 1)].data();
  }

 private:
  std::vector<std::vector<Node>> rows_;
};

void measure(benchmark::State& state, const ParetoTargets& targets, const Instance& instance) {
  const Group group = Group::parse(instance.group);
  const Rows rows(group);
  CandidateKernel kernel(group.order(), kDegree);
  std::vector<const Node*> next(kDegree);
  Rng rng(1);
  const std::int64_t bound = units_per_shard(kDegree) / kDegree * (group.order() - 1);
  for (auto _ : state) {
    rows.draw(rng, next);
    const auto cost = kernel.cayley(next, targets);
    if (cost && cost->load < bound) state.SkipWithError("a cost lies below the bound");
    benchmark::DoNotOptimize(cost);
  }
  state.SetLabel("N=" + std::to_string(group.order()));
  state.SetItemsProcessed(state.iterations());
}

void costed(benchmark::State& state) {
  measure(state, {}, kInstances[state.range(0)]);
}

void refused(benchmark::State& state) {
  const Instance& instance = kInstances[state.range(0)];
  const int order = Group::parse(instance.group).order();
  ParetoTargets targets;
  targets.improve(
      {instance.known_steps, units_per_shard(kDegree) / kDegree * std::int64_t{order - 1}});
  measure(state, targets, instance);
}

void whole_search(benchmark::State& state) {
  std::int64_t candidates = 0;
  const int nodes = static_cast<int>(state.range(0));
  for (auto _ : state) {
    const SearchSummary summary =
        search_graphs({.nodes = nodes, .degree = kDegree, .seconds = 1e9, .slices = 200});
    candidates += summary.candidates;
    if (summary.results.empty()) state.SkipWithError("nothing was found");
  }
  state.SetItemsProcessed(candidates);
}

// Rank orders on 512 switches of degree 8 with a host each: a two-opt search of 1,000 attempts, and
// annealing of the hops alone.
const std::string kSwitched = "hosts(1, random-regular:512,8,seed=1)";

void order_search(benchmark::State& state, order::OrderObjectiveKind objective,
                  const OrderSearchOptions& options) {
  const Fabric fabric(topology::build_topology(kSwitched),
                      {.all = LinkSpeed{12'500'000'000, 0}, .by_class = {}});
  const Network network(search::with_switch_delay(fabric, 100'000),
                        topology::place(fabric.topology(), {}), {},
                        make_routing("shortest", search::with_switch_delay(fabric, 100'000)));
  const order::OrderStudy study(network, {});
  for (auto _ : state) {
    const auto answer = study.search(objective, options);
    if (answer.result.value > answer.result.start_value) state.SkipWithError("worse than at first");
    state.counters["hops"] = static_cast<double>(answer.found.hops);
    state.counters["time_us"] = 1e6 * answer.found.time_s;
  }
  state.SetItemsProcessed(state.iterations() * options.attempts);
}

void two_opt(benchmark::State& state) {
  order_search(state, static_cast<order::OrderObjectiveKind>(state.range(0)), {});
}

void annealed_hops(benchmark::State& state) {
  order_search(state, order::OrderObjectiveKind::hops,
               {.method = OrderMethod::anneal, .attempts = state.range(0)});
}

BENCHMARK(two_opt)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);  // hops, makespan, time
BENCHMARK(annealed_hops)->Arg(10'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(costed)->DenseRange(0, 1);
BENCHMARK(refused)->DenseRange(0, 1);
BENCHMARK(whole_search)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);

}  // namespace
