// Measures the topology finder: reading the shipped catalogue, one size, every size up to 2000, and
// the computation of one row of the catalogue. Run it from the source tree.
#include <benchmark/benchmark.h>

#include "weft/search/catalogue_builder.hpp"
#include "weft/search/finder.hpp"

namespace {

using namespace weft::search;

const Catalogue& shipped() {
  static const Catalogue catalogue = Catalogue::load("share/catalogue");
  return catalogue;
}

void load(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Catalogue::load("share/catalogue"));
}
BENCHMARK(load)->Unit(benchmark::kMillisecond);

void one_size(benchmark::State& state) {
  const FinderOptions options{1024, 1024, static_cast<int>(state.range(0))};
  for (auto _ : state)
    if (find_topologies(shipped(), options)[0].front.empty()) state.SkipWithError("no network");
}
BENCHMARK(one_size)->Arg(2)->Arg(4)->Arg(8)->Arg(16)->Unit(benchmark::kMillisecond);

void all_sizes(benchmark::State& state) {
  const FinderOptions options{2, 2000, static_cast<int>(state.range(0))};
  for (auto _ : state)
    if (find_topologies(shipped(), options).size() != 1999)
      state.SkipWithError("sizes are missing");
  state.SetItemsProcessed(state.iterations() * 1999);
}
BENCHMARK(all_sizes)->Arg(2)->Arg(4)->Arg(8)->Arg(16)->Unit(benchmark::kMillisecond);

// 4 / 1024 * load = 1.332 (Zhao et al., Table 7).
void genkautz(benchmark::State& state) {
  for (auto _ : state) {
    const GenKautzCost cost = genkautz_cost(4, 1024, Ways::one);
    if (cost.steps != 5 || cost.load.to_double() / 256 > 1.3325) state.SkipWithError("wrong cost");
  }
}
BENCHMARK(genkautz)->Unit(benchmark::kMillisecond);

}  // namespace
