// What flows take of links, against formulas.
#include "weft/simulation/fluid/flow_path.hpp"

#include <gtest/gtest.h>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

constexpr double kBandwidth = 1e10;
constexpr std::int64_t kSizeB = 1'000'000;
constexpr double kBare = kSizeB / kBandwidth;  // of a message that has a link to itself

Network line_of(int nodes) {
  const Fabric fabric(make_topology("mesh:" + std::to_string(nodes)),
                      LinkSpeed{.bandwidth_Bps = 10'000'000'000, .latency_ps = 0});
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric)};
}

// A message from one rank to another.
Program message(const Network& network, std::int32_t from, std::int32_t to) {
  const Collective collective{.kind = CollectiveKind::point_to_point,
                              .ranks = network.ranks(),
                              .root = schedule::Rank(from),
                              .peer = schedule::Rank(to)};
  return lower(schedule::verify_own(algorithm::build_schedule("direct", collective, &network)),
               {.size_B = kSizeB});
}

// Two nodes that send to each other, and how long that takes in units of one message alone.
double exchange(const SimulationOptions& options) {
  const Network pair = line_of(2);
  const Program there = message(pair, 0, 1), back = message(pair, 1, 0);
  const std::vector<Job> jobs{{there, pair}, {back, pair}};
  return simulate_together(jobs, options).front().time_s / kBare;
}

TEST(FlowPath, answers_take_a_twentieth_of_the_way_back) {
  EXPECT_NEAR(exchange({}), 1, 1e-9);
  EXPECT_NEAR(exchange({.sharing = Sharing::smpi}), 1.05, 1e-9);
}

TEST(FlowPath, shared_cables_have_their_bandwidth_once) {
  EXPECT_NEAR(exchange({.cables = Cables::shared}), 2, 1e-9);
  EXPECT_NEAR(exchange({.sharing = Sharing::smpi, .cables = Cables::shared}), 2 * 1.05, 1e-9);
}

// Over one link and over three of them: weights 3 to 1, where the latencies are 0.
TEST(FlowPath, weighs_by_the_links_under_smpi) {
  const Network line = line_of(4);
  const Program near = message(line, 0, 1), far = message(line, 0, 3);
  const std::vector<Job> jobs{{near, line}, {far, line}};
  const auto equal = simulate_together(jobs, {});
  EXPECT_NEAR(equal[0].time_s / kBare, 2, 1e-9);
  const auto weighed = simulate_together(jobs, {.sharing = Sharing::smpi});
  EXPECT_NEAR(weighed[0].time_s / kBare, 4. / 3, 1e-9);
  EXPECT_NEAR(weighed[1].time_s / kBare, 2, 1e-9);
}

TEST(FlowPath, refuses_shared_cables_of_unequal_directions) {
  BuiltTopology built{make_topology("mesh:2"), {}};
  built.speeds.bandwidth_Bps = {1'000'000'000, 2'000'000'000};
  const Fabric fabric(built);
  const Network pair(fabric, topology::place(fabric.topology(), {}), {},
                     make_routing("shortest", fabric));
  const Program there = message(pair, 0, 1);
  EXPECT_NO_THROW(simulate(there, pair, {}));
  EXPECT_THROW(simulate(there, pair, {.cables = Cables::shared}), InvalidInput);
}

TEST(FlowPath, shared_cables_are_of_the_fluid_model) {
  const Network pair = line_of(2);
  EXPECT_THROW(
      simulate(message(pair, 0, 1), pair, {.model = Model::alpha_beta, .cables = Cables::shared}),
      InvalidInput);
}

}  // namespace
}  // namespace weft::simulation
