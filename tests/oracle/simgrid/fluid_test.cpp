// SimGrid judges the fluid simulator.
//
// Flows share by 1 / route latency, as SimGrid's do. Agreement within 1e-4: SimGrid stops a flow
// when what is left of it is below its precision.
#include <gtest/gtest.h>

#include "oracle/simgrid/simgrid_run.hpp"
#include "weft/algorithm/exchange/pairwise.hpp"
#include "weft/algorithm/rings/ring.hpp"
#include "weft/algorithm/trees/tree.hpp"
#include "weft/base/parallel.hpp"
#include "weft/order/order_study.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

constexpr double kAgreement = 1e-4;

// SimGrid runs in forks, and a fork inherits the locks that other threads hold at that moment.
const bool kNoOtherThreads = (set_threads(1), true);

struct Case {
  const char* topology;
  const char* routing = "shortest";
  LinkOptions links = {.all = LinkSpeed{.bandwidth_Bps = 1'250'000'000, .latency_ps = 1'000'000},
                       .by_class = {}};
};

Network make_network(const Case& c) {
  const Fabric fabric(build_topology(c.topology), c.links);
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing(c.routing, fabric)};
}

void expect_agreement(const Case& c, const schedule::Schedule& schedule, std::int64_t size_B) {
  const Network network = make_network(c);
  const Program program = lower(schedule::verify_own(schedule), {.size_B = size_B});
  const double ours = simulate(program, network, {.sharing = Sharing::rtt}).time_s;
  const double theirs = test::simulate_in_simgrid(program, network).time_s;
  EXPECT_NEAR(ours, theirs, kAgreement * theirs) << schedule.algorithm() << " on " << c.topology
                                                 << ", " << c.routing << ", " << size_B << " B";
}

void expect_agreement_of_all(const Case& c) {
  const std::int32_t n = make_network(c).ranks();
  for (const std::int64_t size_B : {std::int64_t{1000}, std::int64_t{1} << 20}) {
    expect_agreement(c, algorithm::ring_allreduce(n), size_B * n);
    expect_agreement(c, algorithm::shift_alltoall(n), size_B);
    expect_agreement(c, algorithm::pairwise_alltoall(n), size_B);
    expect_agreement(c, algorithm::spread_alltoall(n), size_B);
    expect_agreement(c, algorithm::binomial_broadcast(n, Rank(n / 3)), size_B);
  }
}

TEST(SimGrid, agrees_on_rings) {
  expect_agreement_of_all({"ring:16"});
  expect_agreement_of_all({"uniring:9"});
}
TEST(SimGrid, agrees_on_tori) {
  expect_agreement_of_all({"torus:4x4", "dimension-order-up"});
  expect_agreement_of_all({"torus:3x3x2"});
  expect_agreement_of_all({"torus:4x4x4", "dimension-order-up"});
}
TEST(SimGrid, agrees_on_hamming_networks) {
  expect_agreement_of_all({"2dfc:4x4"});
  expect_agreement_of_all({"hamming:2x3x4", "dimension-order"});
}
TEST(SimGrid, agrees_on_a_dragonfly) {
  Case dragonfly{"dragonfly:a=4,p=2,h=2,g=5", "minimal"};
  dragonfly.links.by_class["global"] = {.bandwidth_Bps = 600'000'000, .latency_ps = 3'000'000};
  expect_agreement_of_all(dragonfly);
}
TEST(SimGrid, agrees_on_random_regular_networks) {
  expect_agreement_of_all({"random-regular:24,3,seed=5"});
  expect_agreement_of_all({"random-regular:20,5,seed=8", "shortest-random"});
}

// Rank orders as searches leave them: messages meet that a linear order keeps apart.
TEST(SimGrid, agrees_on_rank_orders) {
  const Network network = make_network({"hosts(2, random-regular:16,4,seed=3)"});
  const auto hosts = network.topology().hosts();
  for (const char* algorithm : {"binomial", "scatter-doubling"}) {
    const order::OrderStudy study(
        network, {.algorithm = algorithm, .simulation = {.sharing = Sharing::rtt}});
    const auto found = study.search(order::OrderObjectiveKind::time, {.attempts = 50});
    Placement placement;
    for (const std::int32_t host : found.result.order) placement.nodes.push_back(hosts[host]);
    const Network placed(network.fabric(), placement, {},
                         make_routing("shortest", network.fabric()));
    const Collective broadcast{schedule::CollectiveKind::broadcast, placed.ranks()};
    const Program program = lower(
        schedule::verify_own(algorithm::build_schedule(algorithm, broadcast)), {.size_B = 65536});
    const double theirs = test::simulate_in_simgrid(program, placed).time_s;
    EXPECT_NEAR(found.found.time_s, theirs, kAgreement * theirs) << algorithm;
  }
}

}  // namespace
}  // namespace weft::simulation
