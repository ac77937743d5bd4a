// Trees behind switches: messages of several ways share links, and take as long as the fullest one.
#include <gtest/gtest.h>

#include "support/samples.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

// Step by step the fullest link decides, M/B times T_B in all: links share evenly between messages,
// which are of one size. Latencies are left out.
TEST(PackedTrees, take_the_time_of_the_fullest_links) {
  for (const auto* topology : test::samples(
           {"leaf-spine:leaves=4,spines=2,hosts=4", "dragonfly:a=4,p=2,h=2", "hosts(2, torus:3x3)",
            "without(cable=13, leaf-spine:leaves=3,spines=2,hosts=4)",
            "rail:boxes=3,gpus=4,spines=2", "genkautz:4,12"}))
    for (const CollectiveKind kind : {CollectiveKind::allgather, CollectiveKind::allreduce}) {
      SCOPED_TRACE(topology);
      const Fabric fabric(topology::build_topology(topology).topology,
                          {.bandwidth_Bps = 1'000'000'000, .latency_ps = 0});
      const Network network(fabric, topology::place(fabric.topology(), {}), {},
                            network::make_routing("auto", fabric));
      const Collective collective{.kind = kind, .ranks = network.ranks()};
      const schedule::Verified verified = schedule::verify_own(
          algorithm::build_schedule("packing", collective, &network,
                                    {.values = {{"segments", std::int64_t{20}}}}),
          &network.topology());
      const std::int64_t size_B =
          kind == CollectiveKind::allgather ? 10'000'000 : 10'000'000 * network.ranks();
      const double expected = schedule::cost(verified, network).bandwidth_factor.to_double() * 1e7 *
                              network.ranks() / static_cast<double>(fabric.node_egress_Bps());
      const SimulationResult result =
          simulate(lower(verified, {.size_B = size_B}), network, {.sync = Sync::lockstep});
      EXPECT_GE(result.time_s, expected * 0.999);
      EXPECT_LE(result.time_s, expected * 1.02);
    }
}

}  // namespace
}  // namespace weft::simulation
