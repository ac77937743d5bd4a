// LLF, GLF and FOREST: what each step sends, for any placement and root.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/judges/executor.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/dragonfly/broadcast.hpp"
#include "weft/algorithm/dragonfly/lanes.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/schedule/crossings.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {
namespace {

Network on(const std::string& expression, const char* routing = "minimal") {
  const Fabric fabric(build_topology(expression));
  return {
      fabric, topology::place(fabric.topology(), {}), {}, network::make_routing(routing, fabric)};
}

/// Ranks on these hosts, several on one where they repeat.
Network placed(const std::string& expression, const std::vector<int>& hosts) {
  const Fabric fabric(build_topology(expression));
  Placement placement;
  for (const int host : hosts) placement.nodes.push_back(fabric.topology().hosts()[host]);
  return {fabric, placement, {}, network::make_routing("minimal", fabric)};
}

/// "0>4 0>2,4>5": messages by step.
std::string sends(const Schedule& schedule) {
  std::string text;
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t) {
    if (t > 0) text += ' ';
    std::string step;
    for (const Message& message : schedule.messages(t))
      step +=
          fmt::format("{}{}>{}", step.empty() ? "" : ",", message.from.value(), message.to.value());
    text += step;
  }
  return text;
}

int group_of(const Network& network, Agent rank) {
  const auto attached = topology::as_attached_hosts(network.topology());
  const NodeId host = network.placement().nodes[rank.index()];
  return attached->switch_of[host].value() / topology::as_dragonfly(network.topology())->a;
}

// Groups of routers {0,1}, {2,3}, {4,5}; router 0 is linked to group 1 (router 2), router 1 to
// group 2 (router 4), router 3 to router 5. Hosts and ranks 2 r and 2 r + 1 are on router r.
constexpr const char* kSmall = "dragonfly:a=2,p=2,h=1,g=3";

TEST(DragonflyBroadcast, llf_serves_groups_from_the_router_that_owns_the_link) {
  const Network network = on(kSmall);
  // 1: 0 to 2 (router 1); 2: 0 to 4 (router 2, group 1), 2 to 8 (router 4, group 2);
  // 3: 4 to 6 (router 3), 8 to 10 (router 5); 4: each to its neighbour on the router.
  EXPECT_EQ(sends(dragonfly_broadcast(network, Rank(0), GroupOrder::local_links_first)),
            "0>2 0>4,2>8 4>6,8>10,0>1,2>3 4>5,6>7,8>9,10>11");
}

TEST(DragonflyBroadcast, glf_grows_a_tree_over_the_groups) {
  const Network network = on(kSmall);
  // Groups 0, 1, 2: 0 to group 2 first, over router 4 to which its link leads, then to group 1.
  EXPECT_EQ(sends(dragonfly_broadcast(network, Rank(0), GroupOrder::global_links_first)),
            "0>8 0>4,8>10 0>2,4>6,8>9,10>11 0>1,2>3,4>5,6>7");
}

TEST(DragonflyBroadcast, forest_shares_the_groups_among_trees) {
  // One rank a router, groups 0..4, routers 0, 1 of group 0 own the links to groups {1, 2}, {3, 4}.
  const Network network = on("dragonfly:a=2,p=1,h=2,g=5");
  const Schedule forest = dragonfly_broadcast(network, Rank(0), GroupOrder::forest);
  std::map<int, int> parent;  // of each group
  for (std::int64_t t = 0; t < forest.stored_steps(); ++t)
    for (const Message& message : forest.messages(t))
      if (group_of(network, message.from) != group_of(network, message.to))
        parent[group_of(network, message.to)] = message.from.value();
  // Trees of three: the source sends to its second group, then to its first.
  EXPECT_EQ(parent, (std::map<int, int>{{1, 0}, {2, 0}, {3, 1}, {4, 1}}));
}

TEST(DragonflyBroadcast, a_lone_root_makes_llf_serial_and_forest_equal_to_glf) {
  // Host 0 alone in group 0, two ranks on one router of each of the 8 others.
  std::vector<int> hosts{0};
  for (int q = 1; q < 9; ++q) hosts.insert(hosts.end(), {8 * q, 8 * q + 1});
  const Network network = placed("dragonfly:a=4,p=2,h=2", hosts);
  const Schedule llf = dragonfly_broadcast(network, Rank(0), GroupOrder::local_links_first);
  EXPECT_EQ(llf.steps(), 8 + 1);  // eight groups in turn, then a neighbour
  EXPECT_EQ(sends(dragonfly_broadcast(network, Rank(0), GroupOrder::forest)),
            sends(dragonfly_broadcast(network, Rank(0), GroupOrder::global_links_first)));
}

TEST(DragonflyBroadcast, the_remedy_starts_from_the_widest_group) {
  // Host 0 alone in group 0; group 5 has a rank on each of its four routers (ranks 1 to 4), the
  // other groups one rank each (ranks 5 to 11).
  std::vector<int> hosts{0, 40, 42, 44, 46};
  for (const int q : {1, 2, 3, 4, 6, 7, 8}) hosts.push_back(8 * q);
  const Network network = placed("dragonfly:a=4,p=2,h=2", hosts);
  const Schedule plain = dragonfly_broadcast(network, Rank(0), GroupOrder::local_links_first);
  const Schedule rerooted =
      dragonfly_broadcast(network, Rank(0), GroupOrder::local_links_first, FirstRoot::widest_group);
  ASSERT_TRUE(verify(rerooted));
  EXPECT_EQ(rerooted.message(0).to, Agent(1));
  EXPECT_EQ(plain.steps(), 8);             // eight groups in turn
  EXPECT_EQ(rerooted.steps(), 1 + 2 + 2);  // over, two steps of the tree, two groups each
  const auto crossed = schedule::crossings(*verify(rerooted), network);
  EXPECT_EQ(crossed.of("global").messages, 8);
}

// Groups of four routers, one host each, and nine groups: group q's router r owns the links to
// groups by the arrangement of CODES, ports r and r + 4: router r of group 0 to groups r and r + 4,
// group 8 in place of its own. So router 0 is linked to groups 8 and 4, router 1 to 1 and 5, router
// 2 to 2 and 6, router 3 to 3 and 7; from another group q to group 0 it is the router 0, the lowest
// of those that own group 0, but group 8's router 0 % 4.
constexpr const char* kAsCodes = "dragonfly:a=4,p=1,h=2,arrangement=codes";

TEST(DragonflyBroadcast, couples_of_codes_sit_on_the_routers_of_the_root_group_s_links) {
  // The root on router 2 of group 0 (host 2), rank 1 on its router 1; groups 1 and 5 hang on that,
  // 2 and 6 on the root's router; 3, 4, 7 and 8 are distant and go to the team in turn from the
  // root on, since both serve a group already: 3 and 7 to the root, 4 and 8 to rank 1.
  // Ranks 2 to 9 are on router 3 of groups 1 to 8, ranks 10 to 17 on router 0 of them, which is
  // linked to group 0: they receive.
  std::vector<int> hosts{2, 1};
  for (int q = 1; q < 9; ++q) hosts.push_back(4 * q + 3);
  for (int q = 1; q < 9; ++q) hosts.push_back(4 * q);
  const Network network = placed(kAsCodes, hosts);
  const Schedule llf = dragonfly_broadcast(network, Rank(0), GroupOrder::local_links_first,
                                           FirstRoot::root, Couples::codes);
  std::map<int, std::vector<int>> receivers;  // by sender
  for (std::int64_t t = 0; t < llf.stored_steps(); ++t)
    for (const Message& message : llf.messages(t))
      if (group_of(network, message.from) != group_of(network, message.to))
        receivers[message.from.value()].push_back(message.to.value());
  EXPECT_EQ(receivers,
            (std::map<int, std::vector<int>>{{0, {11, 15, 12, 16}}, {1, {10, 14, 13, 17}}}));
}

TEST(DragonflyBroadcast, forest_grows_trees_over_the_couples_of_llf) {
  std::vector<int> hosts{2, 1};
  for (int q = 1; q < 9; ++q) hosts.push_back(4 * q);  // ranks 2 to 9
  const Network network = placed(kAsCodes, hosts);
  // Members 0; 3, 7, 4, 8 (groups 2, 6, 3, 7) and 1; 2, 6, 5, 9: binomial trees of five: the fourth
  // receiver first, then the second, which sends to the third; then the first.
  EXPECT_EQ(sends(dragonfly_broadcast(network, Rank(0), GroupOrder::forest, FirstRoot::root,
                                      Couples::codes)),
            "0>1 0>8,1>9 0>7,1>6 0>3,7>4,1>2,6>5");
}

TEST(DragonflyBroadcast, distant_groups_go_first_to_whom_sends_to_nobody) {
  // Group 0: the root on router 3, ranks 1 and 2 on routers 1 and 0. Groups 2 and 6 hang on router
  // 2, which holds no rank; of the others only group 1 is there, on router 1. The root and rank 2
  // send to nobody: in order of rank the root takes group 2, rank 2 group 6.
  const Network network = placed(kAsCodes, {3, 1, 0, 8, 24, 4});
  // The team is 0, 2 (router 0), 1: 0 to 1 first (two away), then to 2.
  EXPECT_EQ(sends(dragonfly_broadcast(network, Rank(0), GroupOrder::local_links_first,
                                      FirstRoot::root, Couples::codes)),
            "0>1 0>2,1>5 0>3,2>4");
}

TEST(DragonflyBroadcast, needs_a_dragonfly) {
  const Network torus = on("torus:4x4", "shortest");
  EXPECT_THROW(dragonfly_broadcast(torus, Rank(0), GroupOrder::forest), InvalidInput);
  EXPECT_THROW(dragonfly_broadcast(on(kSmall), Rank(12), GroupOrder::forest), InvalidInput);
  EXPECT_THROW(build_schedule("llf", schedule::broadcast(16), &torus), InvalidInput);
  EXPECT_THROW(build_schedule("glf", schedule::broadcast(16)), InvalidInput);
}

// Random sizes, arrangements, placements and roots: what holds for all of them.
class AnyPlacement : public testing::TestWithParam<std::uint64_t> {
 protected:
  void SetUp() override {
    Rng rng(GetParam());
    const auto draw = [&](int least, int most) {
      return least + static_cast<int>(rng.below(most - least + 1));
    };
    const int a = draw(1, 5), p = draw(1, 4), h = draw(1, 3);
    const int g = draw(2, a * h + 1);
    const char* arrangements[] = {"absolute", "relative", "circulant"};
    expression_ = fmt::format("dragonfly:a={},p={},h={},g={},arrangement={}", a, p, h, g,
                              arrangements[draw(0, 2)]);
    std::vector<int> hosts;
    const int ranks = draw(1, 2 * g * a * p);  // some share a host
    for (int r = 0; r < ranks; ++r) hosts.push_back(draw(0, g * a * p - 1));
    network_ = placed(expression_, hosts);
    root_ = Rank(draw(0, ranks - 1));
  }

  std::string expression_;
  std::optional<Network> network_;
  Rank root_;
};

TEST_P(AnyPlacement, every_variant_is_right_and_crosses_no_more_links_than_the_bounds) {
  SCOPED_TRACE(fmt::format("{} {} ranks root {}", expression_, network_->ranks(), root_.value()));
  std::map<int, std::set<NodeId>> routers;  // in use, of each group
  const auto attached = topology::as_attached_hosts(network_->topology());
  for (const Rank rank : ids<Rank>(network_->ranks()))
    routers[group_of(*network_, rank)].insert(
        attached->switch_of[network_->placement().nodes[rank.index()]]);
  const auto remote = static_cast<std::int64_t>(routers.size()) - 1;
  std::int64_t most_local = 2 * remote;
  for (const auto& [group, used] : routers)
    most_local += static_cast<std::int64_t>(used.size()) - 1;

  for (const char* name : {"llf", "llf-rerooted", "glf", "forest"}) {
    SCOPED_TRACE(name);
    const auto collective = schedule::broadcast(network_->ranks(), root_);
    const Schedule schedule = build_schedule(name, collective, &*network_);
    const auto verified = verify(schedule);
    ASSERT_TRUE(verified) << verified.fault().text;
    if (network_->ranks() <= 24) {
      EXPECT_TRUE(test::execute(schedule));
    }
    EXPECT_EQ(schedule.message_count(), network_->ranks() - 1);
    const auto crossed = schedule::crossings(*verified, *network_);
    EXPECT_EQ(crossed.of("global").messages, remote);
    EXPECT_LE(crossed.of("local").messages, most_local);
    for (std::int64_t t = 0; t < schedule.stored_steps(); ++t) {
      std::set<Agent> senders;  // a rank sends one message a step
      for (const Message& message : schedule.messages(t))
        EXPECT_TRUE(senders.insert(message.from).second) << t;
    }
    const Schedule reduce =
        build_schedule(name, schedule::reduce(network_->ranks(), root_), &*network_);
    EXPECT_TRUE(verify(reduce));
  }
}

TEST_P(AnyPlacement, lanes_and_two_trees_are_right) {
  SCOPED_TRACE(fmt::format("{} {} ranks root {}", expression_, network_->ranks(), root_.value()));
  for (const char* name : {"dragonfly-lanes", "dragonfly-two-trees"}) {
    SCOPED_TRACE(name);
    for (const auto& collective : {schedule::broadcast(network_->ranks(), root_),
                                   schedule::reduce(network_->ranks(), root_)}) {
      const Schedule schedule = build_schedule(name, collective, &*network_);
      const auto verified = verify(schedule);
      ASSERT_TRUE(verified) << verified.fault().text;
      if (network_->ranks() <= 24) {
        EXPECT_TRUE(test::execute(schedule));
      }
    }
  }
  // Every group is entered once by every lane.
  std::set<int> groups;
  for (const Rank rank : ids<Rank>(network_->ranks())) groups.insert(group_of(*network_, rank));
  const auto lanes = verify(dragonfly_lanes(*network_, root_));
  ASSERT_TRUE(lanes);
  EXPECT_EQ(schedule::crossings(*lanes, *network_).of("global").data,
            Rational(static_cast<std::int64_t>(groups.size()) - 1));
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyPlacement, testing::Range<std::uint64_t>(1, 121));

}  // namespace
}  // namespace weft::algorithm
