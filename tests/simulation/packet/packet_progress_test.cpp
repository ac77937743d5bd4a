// What the packet simulator tells of its progress.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::simulation {
namespace {

// Every host of torus:4x4 sends 256 KiB to each of 15 others, 512 packets each, over two links on
// average: 245,760 hops and more events than that, so that there is a beat or more before the end.
// Watching changes no time.
TEST(PacketProgress, rises_to_the_whole_and_changes_nothing) {
  const Network network = test::on("torus:4x4");
  for (const Granularity unit : {Granularity::packet, Granularity::flit}) {
    const Schedule schedule = algorithm::build_schedule(
        "pairwise", {CollectiveKind::alltoall, network.ranks()}, &network, {});
    const Program program =
        lower(schedule::verify_own(schedule, &network.topology()), {.size_B = 1 << 18});
    SimulationOptions options{.model = unit == Granularity::flit ? Model::flit : Model::packet};
    const double silent_s = simulate(program, network, options).time_s;
    std::vector<double> shares;
    options.progress = [&](double share) { shares.push_back(share); };
    EXPECT_EQ(simulate(program, network, options).time_s, silent_s);
    ASSERT_FALSE(shares.empty());
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_GE(shares.front(), 0);
    EXPECT_LE(shares.back(), 1);
    EXPECT_GT(shares.back(), 0.1);
  }
}

}  // namespace
}  // namespace weft::simulation
