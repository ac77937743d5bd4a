// Helpers in switches: they have no host's start-up, ports or processor; times derived by hand.
#include <gtest/gtest.h>

#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/program/operations.hpp"
#include "weft/program/prove.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

// Links of 1 MB/s and 10 us.
constexpr LinkSpeed kSpeed{.bandwidth_Bps = 1'000'000, .latency_ps = 10'000'000};

Network star(HostParameters host) {
  const Fabric fabric(make_topology("xgft:1;4;1"), kSpeed);
  return {fabric, topology::place(fabric.topology(), {}), host, make_routing("shortest", fabric)};
}

Program allreduce_of_four(const Network& network, std::int64_t size_B) {
  const auto schedule = algorithm::build_schedule("switch-tree", schedule::allreduce(4), &network);
  return lower(schedule::verify_own(schedule, &network.topology()), {.size_B = size_B});
}

constexpr Sync kSyncs[] = {Sync::lockstep, Sync::per_rank, Sync::dataflow};
constexpr Model kModels[] = {Model::alpha_beta, Model::fluid, Model::packet};

double time_us(const Program& program, const Network& network, Model model, Sync sync) {
  SimulationOptions options{.model = model, .sync = sync};
  options.packet.packet_B = 1'000;  // the message's: nothing is cut through the switch
  return simulate(program, network, options).time_s * 1e6;
}

// A host starts its message in 5 us and the switch none; 1,000 B take 1,000 us on a link and 10 us
// of latency, up and then down. That the switch combines four and sends four, has one port and a
// slow processor if it were a host, counts nothing; nor do the hosts, which only copy, reduce.
TEST(SwitchHelpers, cost_links_alone) {
  for (const HostParameters& host :
       {HostParameters{.startup_ps = 5'000'000},
        HostParameters{.startup_ps = 5'000'000, .ports = 1},
        HostParameters{.startup_ps = 5'000'000, .reduce_bandwidth_Bps = 10'000}}) {
    const Network network = star(host);
    const Program program = allreduce_of_four(network, 1'000);
    for (const Model model : kModels)
      for (const Sync sync : kSyncs) {
        if (model == Model::alpha_beta && sync != Sync::lockstep) continue;
        EXPECT_NEAR(time_us(program, network, model, sync), 5 + 2 * (10 + 1'000), 1e-3)
            << name_of(model);
      }
  }
}

// Receivers' start-ups of 3 us: of the four hosts at the end, side by side.
TEST(SwitchHelpers, receive_without_a_start_up) {
  const Network network = star({.startup_receive_ps = 3'000'000});
  const Program program = allreduce_of_four(network, 1'000);
  for (const Model model : kModels)
    EXPECT_NEAR(time_us(program, network, model, Sync::lockstep), 2 * (10 + 1'000) + 3, 1e-3)
        << name_of(model);
}

// A root that combines what a switch has summed up pays for one reduction: 1,000 B at 10 kB/s.
TEST(SwitchHelpers, leave_the_last_reduction_to_the_root) {
  const Network network = star({.reduce_bandwidth_Bps = 10'000});
  const auto schedule = algorithm::build_schedule("switch-tree", schedule::reduce(4), &network);
  const Program program =
      lower(schedule::verify_own(schedule, &network.topology()), {.size_B = 1'000});
  for (const Model model : kModels)
    EXPECT_NEAR(time_us(program, network, model, Sync::lockstep), 2 * (10 + 1'000) + 100'000, 1e-3)
        << name_of(model);
}

// Written out, the first message to land is a receive and the others are reductions; the execution
// of that proves what the verifier did.
TEST(SwitchHelpers, are_written_out_as_they_are_lowered) {
  const Network network = star({});
  const Program program = allreduce_of_four(network, 1'000);
  const Program written = write_out(program);
  int receives = 0, reductions = 0;
  for (const program::Operation& operation : written.operations()->of(schedule::Agent(4))) {
    receives += operation.kind == program::OperationKind::receive ? 1 : 0;
    reductions += operation.kind == program::OperationKind::receive_reduce ? 1 : 0;
  }
  EXPECT_EQ(receives, 1);
  EXPECT_EQ(reductions, 3);
  EXPECT_TRUE(program::prove(written, {.collective = schedule::allreduce(4), .size_B = 1'000}));
  for (const Sync sync : kSyncs)
    EXPECT_NEAR(time_us(written, network, Model::fluid, sync), 2 * (10 + 1'000), 1e-3);
}

}  // namespace
}  // namespace weft::simulation
