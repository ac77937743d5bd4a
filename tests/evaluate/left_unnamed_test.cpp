#include "weft/evaluate/left_unnamed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/network_on.hpp"
#include "weft/evaluate/candidate.hpp"

namespace weft::evaluate {
namespace {

// Each algorithm that serves the collective and fits is a candidate or has a reason why it is none.
TEST(LeftUnnamed, accounts_with_candidates_for_all_that_fits) {
  for (const char* topology :
       {"torus:4x4", "boxes(2, network:dgx-a100)", "xgft:2;4,4;1,2", "line(complete:4)"}) {
    const Network network = test::on(topology);
    for (const CollectiveKind kind : schedule::kCollectiveKinds) {
      if (kind == CollectiveKind::point_to_point) continue;
      const Collective collective{.kind = kind, .ranks = network.ranks()};
      std::set<std::string> known;
      for (const auto* each : chosen_algorithms(collective, network, {}, {}))
        known.insert(each->name);
      for (const auto& left :
           {too_long(collective, network, {}, {}), left_unnamed(collective, network, {}, {})})
        for (const Dropped& each : left) {
          EXPECT_FALSE(each.reason.empty());
          EXPECT_TRUE(known.insert(each.algorithm).second) << each.algorithm << " twice";
        }
      for (const algorithm::Algorithm& each : algorithm::algorithms())
        EXPECT_EQ(known.contains(each.name), !algorithm::misfit(each, {collective, &network, {}}))
            << each.name << ' ' << name_of(kind) << " on " << topology;
    }
  }
}

// What is quick to build and may win is a candidate: 96 ranks behind switches, 400 of a torus.
TEST(LeftUnnamed, has_no_algorithm_that_needs_nothing_of_the_network) {
  const Network boxes = test::on("boxes(12, network:dgx-a100)");
  const Network torus = test::on("torus:20x20");
  const auto names = [](const Collective& collective, const Network& network) {
    std::set<std::string> found;
    for (const auto* each : chosen_algorithms(collective, network, {}, {}))
      found.insert(each->name);
    return found;
  };
  EXPECT_TRUE(names(schedule::allreduce(96), boxes).contains("packing"));
  EXPECT_TRUE(names(schedule::allreduce(96), boxes).contains("rabenseifner-nearest"));
  EXPECT_TRUE(names(schedule::broadcast(400), torus).contains("packing"));
  EXPECT_TRUE(names(schedule::allgather(400), torus).contains("gather-broadcast"));
}

}  // namespace
}  // namespace weft::evaluate
