// No proved schedule is below the bounds of its network.
#include <gtest/gtest.h>

#include <vector>

#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/schedule/cost.hpp"

namespace weft::evaluate {
namespace {

Network with_links(std::string_view expression, std::vector<std::string> links) {
  LinkOptions speeds;
  for (const std::string& link : links) topology::parse_link_option(link, speeds);
  const Fabric fabric(build_topology(expression), speeds);
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric)};
}

int check_all(const Network& network, std::string_view label) {
  int schedules = 0;
  for (const CollectiveKind kind : schedule::kCollectiveKinds)
    for (const std::int32_t root : {0, network.ranks() / 2}) {
      const Collective collective{.kind = kind,
                                  .ranks = network.ranks(),
                                  .root = Rank(root),
                                  .peer = Rank(network.ranks() - 1)};
      if (root != 0 && !collective.rooted()) continue;
      const LowerBounds bounds = lower_bounds(collective, network, Cuts::taken);
      EXPECT_TRUE(bounds.cut && bounds.cut->searched) << label;
      for (const auto* algorithm : algorithm::applicable(collective, &network)) {
        const auto verified = schedule::verify_own(
            algorithm::build_schedule(algorithm->name, collective, &network), &network.topology());
        EXPECT_GE(schedule::cost(verified, network).bandwidth_factor, bounds.greatest())
            << algorithm->name << ' ' << name_of(kind) << " from " << root << " on " << label
            << ": " << bounds.cut->text;
        ++schedules;
      }
    }
  return schedules;
}

TEST(CutBoundProperty, no_schedule_is_below_it) {
  int schedules = 0;
  for (const char* expression : test::samples({"ring:6",
                                               "uniring:5",
                                               "mesh:3x3",
                                               "torus:3x4",
                                               "hypercube:3",
                                               "kautz:2,2",
                                               "complete:6",
                                               "circulant:8,1,3",
                                               "bipartite:2,3",
                                               "genkautz:3,7",
                                               "diamond",
                                               "hosts(2, ring:4)",
                                               "hosts(1, mesh:4)",
                                               "fat-tree:2,3",
                                               "xgft:2;4,2;1,2",
                                               "xgft:2;4,4;1,1",
                                               "dragonfly:a=2,p=1,h=1",
                                               "dragonfly:a=2,p=2,h=1",
                                               "random-regular:8,3,seed=2",
                                               "without(cable=0~1, torus:3x3)",
                                               "without(cable=4, mesh:3x3)",
                                               "biring:4,4"}))
    schedules += check_all(test::on(expression), expression);
  EXPECT_GT(schedules, test::samples(500));
}

TEST(CutBoundProperty, no_schedule_is_below_it_with_unequal_links) {
  int schedules = 0;
  schedules += check_all(with_links("hamming:4x2", {"x=800Gbps,1us", "y=100Gbps,1us"}), "boxes");
  schedules += check_all(with_links("torus:4x3", {"x=25Gbps,1us", "y=100Gbps,1us"}), "torus");
  schedules += check_all(with_links("xgft:2;4,2;1,2", {"terminal=200Gbps,1us"}), "fast hosts");
  schedules += check_all(with_links("dragonfly:a=2,p=2,h=1", {"global=25Gbps,1us"}), "dragonfly");
  EXPECT_GT(schedules, 80);
}

}  // namespace
}  // namespace weft::evaluate
