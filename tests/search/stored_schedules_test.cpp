// The stored schedules that synthesis found, at the printed numbers of steps.
#include <gtest/gtest.h>

#include "weft/algorithm/expansion_catalogue.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/search/synthesis/bounds.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {
namespace {

struct StoredCase {
  const char* topology;
  int steps;
  Rational bandwidth_factor;
};

// Zhao et al., Table 9: the base topologies whose schedules are not breadth-first.
TEST(StoredSchedules, take_the_printed_steps_and_meet_the_cut_bound) {
  for (const StoredCase& each : {StoredCase{"diamond", 3, {7, 8}},
                                 {"debruijn-mod:2,3", 4, {7, 8}},
                                 {"debruijn-mod:2,4", 5, {15, 16}},
                                 {"debruijn-mod:3,2", 3, {8, 9}},
                                 {"debruijn-mod:4,2", 3, {15, 16}}}) {
    const Fabric fabric(build_topology(each.topology));
    const Network network(fabric, topology::place(fabric.topology(), {}), {},
                          make_routing("shortest", fabric, 1));
    const auto schedule = algorithm::StoredSchedules::shipped().find(fabric.topology());
    ASSERT_TRUE(schedule.has_value()) << each.topology;
    const auto verified = verify(*schedule, &fabric.topology());
    ASSERT_TRUE(verified) << verified.fault().text;
    const schedule::Cost cost = schedule::cost(*verified, network);
    EXPECT_EQ(cost.steps, each.steps) << each.topology;
    EXPECT_EQ(cost.bandwidth_factor, each.bandwidth_factor) << each.topology;
    const Instance instance = make_instance(network, graph::Sense::along);
    EXPECT_EQ(cut_bound(instance) * instance.round_factor, each.bandwidth_factor) << each.topology;
  }
}

}  // namespace
}  // namespace weft::search
