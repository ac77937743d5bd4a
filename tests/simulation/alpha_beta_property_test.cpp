// The alpha-beta model against its formula, with the route of every message on its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/samples.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

struct Case {
  const char* topology;
  CollectiveKind collective;
  const char* algorithm;
  const char* routing = "shortest-split";
};

/// Of each step the start-up, the longest latency and the busiest link.
struct Naive {
  double time_s = 0;
  IdVector<LinkId, double> link_bytes;
};
Naive naive(const Program& program, const Network& network) {
  Naive found{0, IdVector<LinkId, double>(network.topology().link_count())};
  const auto nodes = program.nodes_on(network);
  program::StepProgram step;
  for (std::int64_t t = 0; t < program.steps(); ++t) {
    program.step(t, step, program::Copies::left_out);
    IdVector<LinkId, double> loads(found.link_bytes.size());
    double longest_s = 0, busiest_s = 0;
    for (const program::Transfer& transfer : step.transfers) {
      network::RouteTable route;
      const network::Flow flow{nodes[transfer.from.index()], nodes[transfer.to.index()]};
      network.routing().route(std::span(&flow, 1), route);
      longest_s = std::max(longest_s, static_cast<double>(route.latency_ps(0)) * 1e-12);
      for (std::size_t l = 0; l < route.links(0).size(); ++l)
        loads[route.links(0)[l]] += static_cast<double>(transfer.bytes) *
                                    (route.shares(0).empty() ? 1 : route.shares(0)[l].to_double());
    }
    for (const LinkId link : loads.ids()) {
      busiest_s = std::max(busiest_s,
                           loads[link] / static_cast<double>(network.fabric().bandwidth_Bps(link)));
      found.link_bytes[link] += loads[link];
    }
    found.time_s += static_cast<double>(network.host().startup_ps) * 1e-12 + longest_s + busiest_s;
  }
  return found;
}

void compare(const Case& c, int run) {
  SCOPED_TRACE(testing::Message() << c.algorithm << " on " << c.topology << ", " << c.routing
                                  << ", run " << run);
  std::mt19937_64 random(static_cast<std::uint64_t>(run) * 1009 + 5);
  const Topology topology = topology::make_topology(c.topology);
  const Fabric fabric(topology, LinkSpeed{.bandwidth_Bps = 1'000'000'000, .latency_ps = 700'000});
  const Network network(fabric, topology::place(topology, {}), {.startup_ps = 3'000'000},
                        make_routing(c.routing, fabric));
  const Collective collective{c.collective, network.ranks()};
  const auto verified = schedule::verify_own(
      algorithm::build_schedule(c.algorithm, collective, &network, {}), &topology);
  const std::int64_t size_B = 1 + static_cast<std::int64_t>(random() % 100'000);
  const Program program = lower(verified, {.size_B = size_B});
  const SimulationResult found =
      simulate(program, network, {.model = Model::alpha_beta, .link_statistics = true});
  const Naive expected = naive(program, network);
  EXPECT_NEAR(found.time_s, expected.time_s, 1e-9 * expected.time_s);
  EXPECT_EQ(found.messages, program.message_count());
  ASSERT_EQ(std::ssize(found.link_bytes), topology.link_count());
  for (const LinkId link : topology.links())
    ASSERT_NEAR(found.link_bytes[link.index()], expected.link_bytes[link],
                1e-9 * (1 + expected.link_bytes[link]))
        << "link " << link.value();
  ASSERT_EQ(std::ssize(found.agent_times_s), program.agents());
  for (const double time_s : found.agent_times_s) EXPECT_LE(time_s, found.time_s);
}

constexpr auto kAllgather = CollectiveKind::allgather;
constexpr auto kAllreduce = CollectiveKind::allreduce;
constexpr auto kAlltoall = CollectiveKind::alltoall;

void compare_all(std::initializer_list<Case> cases) {
  for (const Case& c : cases)
    for (int run = 0; run < test::samples(8); ++run) compare(c, run);
}

// Where sizes do not divide evenly, messages to one node differ.
TEST(AlphaBeta, splits_messages_to_one_node_as_their_routes_do) {
  compare_all({{"random-regular:20,3,seed=2", kAlltoall, "spread"},
               {"random-regular:16,3,seed=4", kAlltoall, "bruck"},
               {"double-binary-tree:17", kAlltoall, "spread"},
               {"leaf-spine:leaves=3,spines=2,hosts=4", kAlltoall, "spread"},
               {"leaf-spine:leaves=3,spines=2,hosts=4", kAllgather, "spread", "widest-split"},
               {"without(cable=3,torus:4x4)", kAllreduce, "rabenseifner"}});
}

TEST(AlphaBeta, follows_one_agent_of_each_orbit) {
  compare_all({{"cayley:Z16xZ4,k=3;(1,3),(1,0),(6,1),(3,3)", kAlltoall, "spread"},
               {"cayley:Z16xZ4,k=3;(1,3),(1,0),(6,1),(3,3)", kAllreduce, "bfb"},
               {"circulant:15,2,4", kAlltoall, "spread"},
               {"shifted-ring:16", kAlltoall, "spread"},
               {"shifted-ring:16", kAllgather, "ring"},
               {"torus:4x5", kAlltoall, "spread", "dimension-order"},
               {"torus:4x3", kAllreduce, "torus-ring"},
               {"ring:9", kAlltoall, "spread", "dimension-order"}});
}

}  // namespace
}  // namespace weft::simulation
