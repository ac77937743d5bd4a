// SimGrid's network model SMPI judges --factors smpi-3.32, --sharing smpi and --cables shared.
//
// The way back of a message is that of its answers in SimGrid's platforms, so that these are
// networks whose routes there and back are the same cables, or whose links are one-way. Message
// sizes stand on both sides of the factors' thresholds. Agreement within 1e-4, as in fluid_test.
#include <gtest/gtest.h>

#include "oracle/simgrid/simgrid_run.hpp"
#include "weft/algorithm/exchange/pairwise.hpp"
#include "weft/algorithm/rings/ring.hpp"
#include "weft/algorithm/trees/tree.hpp"
#include "weft/base/parallel.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

constexpr double kAgreement = 1e-4;
constexpr std::int64_t kThresholds[] = {257, 732, 1426, 3484, 5776, 9376, 15424, 65472};

// SimGrid runs in forks, and a fork inherits the locks that other threads hold at that moment.
const bool kNoOtherThreads = (set_threads(1), true);

Network make_network(const char* text, const char* routing = "shortest") {
  LinkOptions links{.all = LinkSpeed{.bandwidth_Bps = 1'250'000'000, .latency_ps = 24'000'000},
                    .by_class = {}};
  const BuiltTopology built = build_topology(text);
  const auto classes = built.topology.class_names();
  for (const std::string& name : classes)
    if (name != "terminal" && classes.size() > 1)
      links.by_class[name] = {.bandwidth_Bps = 1'000'000'000, .latency_ps = 50'000'000};
  const Fabric fabric(built, links);
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing(routing, fabric)};
}

SimulationOptions smpi_options(Cables cables) {
  SizeFactors factors;
  factors.all = *published_factors("smpi-3.32");
  return {.sharing = Sharing::smpi,
          .cables = cables,
          .factors = std::make_shared<const SizeFactors>(std::move(factors))};
}

void expect_agreement(const Network& network, const schedule::Schedule& schedule,
                      std::int64_t size_B, Cables cables) {
  const Program program = lower(schedule::verify_own(schedule), {.size_B = size_B});
  const double ours = simulate(program, network, smpi_options(cables)).time_s;
  const double theirs = test::simulate_in_simgrid(
                            program, network, {.model = test::SimgridModel::smpi, .cables = cables})
                            .time_s;
  EXPECT_NEAR(ours, theirs, kAgreement * theirs)
      << schedule.algorithm() << " on " << network.topology().name() << ", " << size_B << " B, "
      << name_of(cables);
}

void expect_agreement_of_all(const char* topology, const char* routing = "shortest") {
  const Network network = make_network(topology, routing);
  const std::int32_t n = network.ranks();
  for (const Cables cables : {Cables::duplex, Cables::shared})
    for (const std::int64_t message_B : {std::int64_t{1000}, std::int64_t{1} << 20}) {
      expect_agreement(network, algorithm::ring_allreduce(n), message_B * n, cables);
      expect_agreement(network, algorithm::shift_alltoall(n), message_B, cables);
      expect_agreement(network, algorithm::pairwise_alltoall(n), message_B, cables);
      expect_agreement(network, algorithm::spread_alltoall(n), message_B, cables);
      expect_agreement(network, algorithm::binomial_broadcast(n, Rank(n / 3)), message_B, cables);
    }
}

TEST(SimGridSmpi, agrees_on_a_ring) {
  expect_agreement_of_all("ring:9");
}
TEST(SimGridSmpi, agrees_on_a_full_network) {
  expect_agreement_of_all("complete:6");
}
TEST(SimGridSmpi, agrees_on_leaves_under_one_spine) {
  expect_agreement_of_all("leaf-spine:leaves=3,spines=1,hosts=4");
}
TEST(SimGridSmpi, agrees_on_a_dragonfly) {
  expect_agreement_of_all("dragonfly:a=4,p=2,h=1", "minimal");
}

// Answers come back by the network's route: round the rest of the ring, or by other links.
TEST(SimGridSmpi, agrees_on_one_way_networks) {
  expect_agreement_of_all("uniring:9");
  expect_agreement_of_all("kautz:2,2");
}

TEST(SimGridSmpi, agrees_at_every_threshold) {
  const Network network = make_network("leaf-spine:leaves=2,spines=1,hosts=4");
  for (const std::int64_t threshold_B : kThresholds)
    for (const std::int64_t message_B : {threshold_B - 1, threshold_B, threshold_B + 1})
      expect_agreement(network, algorithm::spread_alltoall(network.ranks()), message_B,
                       Cables::shared);
}

}  // namespace
}  // namespace weft::simulation
