// Every algorithm under every reading of its steps: simulations end, and send every message.
#include <gtest/gtest.h>

#include "weft/algorithm/algorithm.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

Network star(std::int32_t ranks, int ports) {
  const Fabric fabric(make_topology("xgft:1;" + std::to_string(ranks) + ";1"),
                      {.bandwidth_Bps = 1'000'000'000, .latency_ps = 1'000'000});
  const HostParameters host{.startup_ps = 500'000,
                            .startup_receive_ps = 200'000,
                            .ports = ports,
                            .copy_bandwidth_Bps = 4'000'000'000,
                            .reduce_bandwidth_Bps = 2'000'000'000};
  return {fabric, topology::place(fabric.topology(), {}), host, make_routing("shortest", fabric)};
}

void check(const algorithm::Algorithm& algorithm, const Collective& collective,
           const Network& network) {
  const schedule::Schedule schedule = build_schedule(algorithm.name, collective, &network);
  const Program program =
      lower(schedule::verify_own(schedule, &network.topology()),
            {.size_B = std::int64_t{1000} * collective.ranks * schedule.units_per_block()});
  std::int64_t messages = 0;
  program::StepProgram step;
  for (std::int64_t t = 0; t < program.steps(); ++t) {
    program.step(t, step);
    messages += static_cast<std::int64_t>(step.transfers.size());
  }
  for (const Sync sync : {Sync::lockstep, Sync::per_rank, Sync::dataflow})
    for (const Release release : {Release::injected, Release::delivered, Release::acknowledged}) {
      const SimulationResult result =
          simulate(program, network, {.sync = sync, .release = release});
      EXPECT_EQ(result.messages, messages) << algorithm.name << " under " << name_of(sync);
      EXPECT_EQ(result.time_s > 0, messages > 0) << algorithm.name << " under " << name_of(sync);
    }
}

TEST(Fluid, ends_for_every_algorithm) {
  for (const std::int32_t ranks : {2, 3, 5, 8, 9}) {
    const Network network = star(ranks, ranks % 2 == 0 ? 0 : 2);
    for (const schedule::CollectiveKind kind : schedule::kCollectiveKinds) {
      const Collective collective{.kind = kind, .ranks = ranks, .peer = Rank(1)};
      for (const algorithm::Algorithm* algorithm : applicable(collective, &network))
        check(*algorithm, collective, network);
    }
  }
}

}  // namespace
}  // namespace weft::simulation
