// Measures breadth-first broadcast: its exact cost, and its schedule with proof and price.
#include <benchmark/benchmark.h>

#include <stdexcept>
#include <string>

#include "weft/algorithm/bfb.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/registry.hpp"

namespace {

using namespace weft;

struct Case {
  const char* topology;
  Rational factor;  // T_B of the allgather
};

const Case kCases[] = {
    {"hypercube:10", Rational(1023, 1024)},      {"torus:50x50", Rational(2499, 2500)},
    {"genkautz:4,1024", Rational(341, 256)},     {"genkautz:4,10000", Rational(9983, 7500)},
    {"genkautz:16,2000", Rational(187, 175)},    {"hypercube:17", Rational(131071, 131072)},
    {"torus:320x320", Rational(102399, 102400)},
};

// Arguments: the case, and whether symmetry is used.
BfbOptions options_of(const benchmark::State& state) {
  return {.symmetries =
              state.range(1) != 0 ? algorithm::Symmetries::use : algorithm::Symmetries::expand};
}

void time_cost(benchmark::State& state, const Case& each) {
  const Fabric fabric(build_topology(each.topology));
  for (auto _ : state)
    if (bfb_cost(fabric, CollectiveKind::allgather, options_of(state)).bandwidth_factor !=
        each.factor)
      throw std::logic_error("wrong T_B");
  state.SetLabel(each.topology);
}

void time_schedule(benchmark::State& state, const Case& each) {
  const Fabric fabric(build_topology(each.topology));
  for (auto _ : state) {
    const Schedule schedule = bfb_schedule(fabric, CollectiveKind::allgather, options_of(state));
    if (!schedule::verify(schedule, &fabric.topology())) throw std::logic_error("not right");
  }
  state.SetLabel(each.topology);
}

void cost(benchmark::State& state) {
  time_cost(state, kCases[state.range(0)]);
}
BENCHMARK(cost)
    ->ArgsProduct({{0, 1, 2, 4}, {0, 1}})
    ->Args({3, 0})
    ->Args({5, 1})
    ->Args({6, 1})
    ->Unit(benchmark::kMillisecond);

void verified_schedule(benchmark::State& state) {
  time_schedule(state, kCases[state.range(0)]);
}
BENCHMARK(verified_schedule)
    ->ArgsProduct({{0, 1, 2}, {0, 1}})
    ->Args({5, 1})
    ->Args({6, 1})
    ->Unit(benchmark::kMillisecond);

// Table 6 of Zhao et al., and the two networks that TACOS is timed on.
const Case kPrinted[] = {
    {"hypercube:2", Rational(3, 4)},       {"hypercube:3", Rational(7, 8)},
    {"hypercube:4", Rational(15, 16)},     {"hypercube:5", Rational(31, 32)},
    {"hypercube:6", Rational(63, 64)},     {"hypercube:10", Rational(1023, 1024)},
    {"torus:2x2", Rational(3, 4)},         {"torus:3x3", Rational(8, 9)},
    {"torus:4x4", Rational(15, 16)},       {"torus:5x5", Rational(24, 25)},
    {"torus:6x6", Rational(35, 36)},       {"torus:50x50", Rational(2499, 2500)},
    {"torus:32x32", Rational(1023, 1024)}, {"genkautz:4,1024", Rational(341, 256)},
};

void printed_cost(benchmark::State& state) {
  time_cost(state, kPrinted[state.range(0)]);
}
BENCHMARK(printed_cost)
    ->ArgsProduct({benchmark::CreateDenseRange(0, 13, 1), {0, 1}})
    ->Unit(benchmark::kMillisecond);

void printed_schedule(benchmark::State& state) {
  time_schedule(state, kPrinted[state.range(0)]);
}
BENCHMARK(printed_schedule)
    ->ArgsProduct({benchmark::CreateDenseRange(0, 13, 1), {0, 1}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
