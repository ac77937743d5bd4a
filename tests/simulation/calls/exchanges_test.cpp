// Exchanges: what they add to a call, by formulas.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "weft/algorithm/algorithm.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

constexpr std::int64_t kBlock_B = 4096;
constexpr double kRate = 2e9;
constexpr std::array kModels = {Model::alpha_beta, Model::fluid, Model::packet};

Network network(const char* topology, HostParameters host, std::int32_t per_host) {
  const Fabric fabric(make_topology(topology),
                      {.bandwidth_Bps = 1'000'000'000, .latency_ps = 1'000'000});
  return {fabric, topology::place(fabric.topology(), {.per_host = {per_host}}), host,
          make_routing("shortest", fabric)};
}

Program allgather(const char* algorithm, std::int32_t ranks) {
  return lower(schedule::verify_own(algorithm::build_schedule(
                   algorithm, {.kind = CollectiveKind::allgather, .ranks = ranks}, nullptr, {})),
               {.size_B = kBlock_B});
}

// How much longer the program takes if messages of from_B bytes and more count.
double extra_s(const Program& program, const char* topology, std::int64_t from_B, Model model,
               std::int32_t per_host = 1) {
  const HostParameters with{.exchanges = {from_B, static_cast<std::int64_t>(kRate)}};
  const SimulationOptions options{.model = model, .packet = {.packet_B = 1024, .flit_B = 1024}};
  return simulate(program, network(topology, with, per_host), options).time_s -
         simulate(program, network(topology, {}, per_host), options).time_s;
}

// Recursive doubling exchanges 1, 2 and 4 blocks. From two blocks on, six count.
TEST(Exchanges, add_large_messages_of_pairs) {
  const Program doubling = allgather("recursive-doubling", 8);
  for (const Model model : kModels) {
    EXPECT_NEAR(extra_s(doubling, "complete:8", 2 * kBlock_B, model), 6 * kBlock_B / kRate, 1e-11)
        << name_of(model);
    EXPECT_NEAR(extra_s(doubling, "complete:8", 5 * kBlock_B, model), 0, 1e-15) << name_of(model);
    EXPECT_NEAR(extra_s(repeat(doubling, 3), "complete:8", 0, model), 3 * 7 * kBlock_B / kRate,
                1e-11)
        << name_of(model);
  }
}

// Neighbour exchange sends one block, then two in each of the three other steps.
TEST(Exchanges, add_those_of_neighbours_but_no_shifts) {
  for (const Model model : kModels) {
    EXPECT_NEAR(extra_s(allgather("neighbor", 8), "complete:8", 0, model), 7 * kBlock_B / kRate,
                1e-11)
        << name_of(model);
    EXPECT_NEAR(extra_s(allgather("ring", 8), "complete:8", 0, model), 0, 1e-15) << name_of(model);
    // A ring of two is an exchange.
    EXPECT_NEAR(extra_s(allgather("ring", 2), "complete:2", 0, model), kBlock_B / kRate, 1e-11)
        << name_of(model);
  }
}

// With two ranks a host the first step stays inside. In the others each host exchanges twice 2 and
// twice 4 blocks.
TEST(Exchanges, sum_the_ranks_of_a_host) {
  const Program doubling = allgather("recursive-doubling", 8);
  for (const Model model : {Model::alpha_beta, Model::fluid})
    EXPECT_NEAR(extra_s(doubling, "complete:4", 0, model, 2), 12 * kBlock_B / kRate, 1e-11)
        << name_of(model);
}

}  // namespace
}  // namespace weft::simulation
