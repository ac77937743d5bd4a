// Node lanes: what they do with several ranks on a node, and what that costs.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "support/judges/executor.hpp"
#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/several_ranks.hpp"

namespace weft::algorithm {
namespace {

using test::on;

// So many ranks on each node, in rows or in turn.
Network with_ranks(const char* expression, std::int32_t each, bool in_turn) {
  const Network one = on(expression);
  if (!in_turn) return one.with_placement(topology::several_on_each(one.placement(), each));
  Placement placement;
  for (std::int32_t turn = 0; turn < each; ++turn)
    placement.nodes.insert(placement.nodes.end(), one.placement().nodes.begin(),
                           one.placement().nodes.end());
  return one.with_placement(std::move(placement));
}

Rational factor(const Schedule& schedule, const Network& network) {
  return schedule::cost(schedule::verify_own(schedule, &network.topology()), network)
      .bandwidth_factor;
}

TEST(NodeLanes, serves_each_collective_wherever_ranks_are) {
  for (const char* expression : {"ring:3", "2dfc:3x3", "leaf-spine:leaves=2,spines=2,hosts=2"})
    for (const bool in_turn : {false, true})
      for (const CollectiveKind kind : find_algorithm("node-lanes").collectives) {
        const Network network = with_ranks(expression, 3, in_turn);
        const Collective collective{.kind = kind, .ranks = network.ranks(), .root = Rank(4)};
        SCOPED_TRACE(std::string(expression) + " " + std::string(name_of(kind)));
        const auto variants = build_variants("node-lanes", collective, &network,
                                             {.values = {{"segments", std::int64_t{3}}}});
        EXPECT_FALSE(variants.empty());
        for (const Schedule& variant : variants) EXPECT_EQ(test::execute(variant).violation, "");
      }
}

// A message between nodes goes from a rank to the one of the same place.
TEST(NodeLanes, keeps_to_lanes) {
  const Network network = with_ranks("torus:3x3", 4, true);
  const Schedule schedule =
      schedule::expand_symmetry(build_schedule("node-lanes", schedule::allreduce(36), &network));
  for (std::int64_t m = 0; m < schedule.stored_messages(); ++m) {
    const auto from = schedule.message(m).from.value(), to = schedule.message(m).to.value();
    EXPECT_TRUE(from % 9 == to % 9 || from / 9 == to / 9) << from << " to " << to;
  }
}

// Lanes carry a share each, so that links carry what they do with one rank a node: bfb's optimum,
// 2 (N - 1) / N of M at the full bandwidth of all links, which no lane that knows nothing of the
// network comes to on these.
TEST(NodeLanes, load_links_as_one_rank_a_node_does) {
  for (const char* expression : {"ring:5", "2dfc:4x4", "torus:3x3"}) {
    const Network nodes = on(expression);
    const Network network = with_ranks(expression, 2, false);
    for (const CollectiveKind kind : {CollectiveKind::allgather, CollectiveKind::allreduce}) {
      const Rational bound = Collective{.kind = kind, .ranks = nodes.ranks()}.port_bound();
      const Collective collective{.kind = kind, .ranks = network.ranks()};
      EXPECT_EQ(factor(build_schedule("node-lanes", collective, &network,
                                      {.values = {{"lane", std::string("bfb")}}}),
                       network),
                bound)
          << expression;
      EXPECT_EQ(factor(build_schedule("node-lanes", collective, &network), network), bound);
    }
  }
}

// In steps, in T_B of one segment and in that of many: within nodes all take as many steps more,
// and no link.
using Price = std::array<Rational, 3>;
Price price_of(const Schedule& schedule, const Network& network) {
  return {Rational(schedule.with_segments({}).steps()), factor(schedule.with_segments({}), network),
          factor(schedule.with_segments({.count = 64}), network)};
}

// Recursive doubling of 8 nodes takes 3 steps, and more of the links of a ring than what goes
// around it in more steps: a variant that another beats is none.
TEST(NodeLanes, has_variants_that_no_other_beats) {
  const Network network = with_ranks("ring:8", 2, false);
  const auto variants = build_variants("node-lanes", schedule::allreduce(16), &network);
  ASSERT_GE(variants.size(), 2u);  // 3 steps within 8 nodes need more of the links of a ring
  std::int64_t fewest = variants[0].steps();
  std::set<std::string> names;
  for (const Schedule& variant : variants) {
    fewest = std::min(fewest, variant.steps());
    names.insert(variant.algorithm());
  }
  EXPECT_EQ(fewest, 1 + 3 + 1);
  EXPECT_EQ(names.size(), variants.size());
  for (const Schedule& one : variants)
    for (const Schedule& other : variants) {
      if (one == other) continue;
      const Price a = price_of(one, network), b = price_of(other, network);
      EXPECT_FALSE(b[0] <= a[0] && b[1] <= a[1] && b[2] <= a[2])
          << other.algorithm() << " beats " << one.algorithm();
    }
}

// On 16 nodes with a cable to each of 6 others bfb sends 6 messages in each of its 2 steps, which
// no other does in less of both steps and bandwidth; recursive doubling one in each of 4 steps.
TEST(NodeLanes, has_variants_of_fewer_messages_where_these_cost) {
  const Network free = with_ranks("2dfc:4x4", 2, false);
  HostParameters host;
  host.startup_ps = 1'000'000;
  const auto fewest = [](const Network& network) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const Schedule& each : build_variants("node-lanes", schedule::allgather(32), &network)) {
      std::int64_t sent = 0;  // one after the other
      for (std::int64_t t = 0; t < each.stored_steps(); ++t) {
        std::vector<std::int64_t> of_rank(32, 0);
        for (const Message& message : each.messages(t)) ++of_rank[message.from.index()];
        sent += std::ranges::max(of_rank);
      }
      least = std::min(least, sent);
    }
    return least;
  };
  EXPECT_GT(fewest(free), 1 + 4);
  EXPECT_EQ(fewest(free.with_host(host)), 1 + 4);
}

TEST(NodeLanes, needs_several_nodes_and_several_ranks_on_one) {
  const auto fits = [](const Network& network) {
    const auto found = applicable(schedule::allreduce(network.ranks()), &network);
    return std::ranges::count(found, "node-lanes", &Algorithm::name) == 1;
  };
  EXPECT_TRUE(fits(with_ranks("ring:4", 2, false)));
  EXPECT_FALSE(fits(on("ring:4")));
  Network uneven = with_ranks("ring:4", 2, false);
  Placement placement = uneven.placement();
  placement.nodes.pop_back();
  EXPECT_TRUE(fits(uneven.with_placement(placement)));
  placement.nodes.assign(4, placement.nodes.front());
  EXPECT_FALSE(fits(uneven.with_placement(placement)));
}

}  // namespace
}  // namespace weft::algorithm
