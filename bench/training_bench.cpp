// Measures a step of training: its tasks, the prices of its collectives, and its run.
//
// Each result is checked: shares add up to the step, which is not below its bound.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "peak_memory.hpp"
#include "support/network_on.hpp"
#include "weft/training/training.hpp"
#include "weft/workload/device.hpp"

namespace weft {
namespace {

struct Case {
  std::string model, network, parallel;
  std::int32_t micro_batches = 1;
  simulation::Model simulated = simulation::Model::fluid;
  std::vector<std::int64_t> buckets_B = {1'000'000, 10'000'000, 100'000'000, 1'000'000'000};
};

void step_case(benchmark::State& state, const Case& asked_for) {
  setenv("WEFT_MODELS", WEFT_SOURCE_DIR "/share/models", 0);
  setenv("WEFT_DEVICES", WEFT_SOURCE_DIR "/share/devices", 0);
  const auto model = workload::read_training_model(asked_for.model);
  const auto device = workload::read_device("a100");
  const Network network = test::on(asked_for.network);
  training::TrainingQuestion asked;
  asked.step.parallel = training::parse_parallelism(asked_for.parallel, network.ranks());
  asked.step.samples = asked.step.micro_batches = asked_for.micro_batches;
  asked.simulation.model = asked_for.simulated;
  asked.buckets_B = asked_for.buckets_B;
  const auto times =
      workload::times_by_peak(model, device, "bf16", std::nullopt, asked.step.samples);
  training::Training found;
  for (auto _ : state) found = training::train(model, times, network, asked);
  const training::StepShares& shares = found.shares;
  const double sum_s =
      shares.compute_s + shares.gradients_s + shares.alltoall_s + shares.other_s + shares.idle_s;
  if (std::abs(sum_s - found.time_s) > 1e-9 * found.time_s) state.SkipWithError("shares are off");
  if (found.least_s > found.time_s * (1 + 1e-9)) state.SkipWithError("below the bound");
  state.counters["tasks"] = found.step.timeline.count();
  state.counters["peak_MB"] = bench::peak_memory_MB();
  state.SetLabel(asked_for.network + ", " + asked_for.parallel);
}

BENCHMARK_CAPTURE(step_case, gpt_2_large, Case{"gpt-2-large", "torus:8x8", "data"})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step_case, gpt_2_large_1024,
                  Case{.model = "gpt-2-large",
                       .network = "genkautz:4,1024",
                       .parallel = "data",
                       .simulated = simulation::Model::alpha_beta})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step_case, gpt_2_large_1024_fluid, Case{"gpt-2-large", "genkautz:4,1024", "data"})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step_case, dense_8b_512,
                  Case{"dense-8b", "hosts(8, torus:8x8)", "tensor=8,pipeline=8,data=8", 16})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace weft
