// Packings under the fluid model, which shares links as they come: 1 GiB takes as long as steps
// estimate.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/program/program.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::simulation {
namespace {

TEST(PackingTime, of_a_gibibyte_is_as_foretold) {
  const std::vector<std::string> networks{"genkautz:4,18",
                                          "kautz:2,3",
                                          "mesh:4x4",
                                          "without(cable=3, node=7, torus:4x4)",
                                          "random-regular:20,3,seed=5",
                                          "network:dgx-1",
                                          "debruijn:2,4",
                                          "leaf-spine:leaves=4,spines=2,hosts=4",
                                          "without(cable=17, leaf-spine:leaves=4,spines=2,hosts=4)",
                                          "boxes(2, network:dgx-a100)",
                                          "boxes(2, network:mi250)",
                                          "rail:boxes=3,gpus=4,spines=2",
                                          "hosts(2, random-regular:8,3,seed=1)",
                                          "hammingmesh:2x2,2x2"};
  constexpr std::int64_t kGibibyte = 1 << 30, kSegments = 64;
  for (const std::string& expression : test::samples(networks)) {
    const Network network = test::on(expression);
    for (const CollectiveKind kind :
         {CollectiveKind::allgather, CollectiveKind::allreduce, CollectiveKind::broadcast}) {
      SCOPED_TRACE(fmt::format("{} {}", expression, schedule::name_of(kind)));
      const Collective collective{.kind = kind, .ranks = network.ranks()};
      const auto verified =
          schedule::verify_own(algorithm::build_schedule("packing", collective, &network,
                                                         {.values = {{"segments", kSegments}}}),
                               &network.topology());
      const Program program = lower(
          verified,
          {.size_B = kind == CollectiveKind::allgather ? kGibibyte / collective.ranks : kGibibyte});
      const double foretold_s = simulate(program, network, {.model = Model::alpha_beta}).time_s;
      const double fluid_s = simulate(program, network, {.model = Model::fluid}).time_s;
      EXPECT_NEAR(fluid_s / foretold_s, 1, 0.02);
    }
  }
}

}  // namespace
}  // namespace weft::simulation
