// Trees of switches on random damaged networks.
#include <gtest/gtest.h>

#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/random.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {
namespace {

// Some cables of trees are dead, and some hosts idle. Each of s + steps - 1 steps has M / s times
// the load of a link over all of its data, at most, and the busiest link has its load in all: T_B
// is between that load, in units of M/B, and (s + steps - 1) / s of it. No link has more than M
// each way, and messages go to neighbours.
TEST(SwitchTreeProperty, is_right_on_damaged_trees) {
  const char* const kTrees[] = {"fat-tree:4,2", "fat-tree:2,4", "fat-tree:4,3",
                                "leaf-spine:leaves=5,spines=3,hosts=3", "xgft:2;4,4;2,2"};
  int served = 0;
  for (int i = 0; i < test::samples(120); ++i) {
    Rng rng = Rng(7).split(static_cast<std::uint64_t>(i));
    const std::string whole = kTrees[rng.below(5)];
    const std::int64_t cables = topology::make_topology(whole).cable_count();
    std::string damaged = "without(";
    for (int dead = 0; dead < 3; ++dead)
      damaged += "cable=" + std::to_string(rng.below(cables)) + ", ";
    damaged += whole + ")";
    SCOPED_TRACE(damaged);
    const Fabric fabric(topology::build_topology(damaged));
    Placement placement = topology::place(fabric.topology(), {});
    std::erase_if(placement.nodes, [&](NodeId host) {
      return fabric.topology().out_degree(host) == 0 || rng.below(4) == 0;
    });
    if (placement.nodes.size() < 2) continue;
    const Network network(fabric, placement, {}, make_routing("shortest", fabric));
    const std::int32_t ranks = network.ranks();
    for (const Collective& collective :
         {schedule::allreduce(ranks), schedule::reduce(ranks), schedule::broadcast(ranks)}) {
      if (misfit(find_algorithm("switch-tree"), {collective, &network})) continue;
      ++served;
      constexpr std::int64_t kSegments = 256;
      const Schedule schedule = build_schedule("switch-tree", collective, &network,
                                               {.values = {{"segments", kSegments}}});
      const auto verified = schedule::verify(schedule, &network.topology());
      ASSERT_TRUE(verified) << verified.fault().text;
      const Cost cost = schedule::cost(*verified, network);
      EXPECT_LE(cost.max_link_load, Rational(1));
      const Rational most =
          cost.max_link_load * Rational(fabric.node_egress_Bps(), fabric.bandwidth_Bps(LinkId(0)));
      EXPECT_GE(cost.bandwidth_factor, most);
      EXPECT_LE(cost.bandwidth_factor,
                most * Rational(kSegments + schedule.stored_steps() - 1, kSegments));
      for (std::int32_t route = 0; route < schedule.route_count(); ++route)
        EXPECT_EQ(schedule.route(schedule::RouteId(route)).size(), 1U);
    }
  }
  EXPECT_GT(served, 0);
}

}  // namespace
}  // namespace weft::algorithm
