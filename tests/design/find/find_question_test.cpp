#include "weft/design/find/find_question.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "weft/analysis/distances.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace weft::design {
namespace {

FindAnswer found(const FindQuestion& asked) {
  return find(asked, search::Catalogue::by_rule());
}

// 16 nodes of degree 4: a Moore graph of two steps would have 17 (1 + 4 + 12), and one-way 21.
TEST(FindQuestion, measures_what_it_finds) {
  for (const bool one_way : {false, true}) {
    const FindAnswer answer = found({.nodes = {16}, .degree = 4, .one_way = one_way});
    ASSERT_EQ(answer.sizes.size(), 1U);
    const FoundSize& size = answer.sizes[0];
    ASSERT_TRUE(size.bounds.has_value());
    EXPECT_EQ(size.bounds->steps, 2);
    EXPECT_EQ(size.bounds->bandwidth_factor, Rational(15, 16));
    ASSERT_FALSE(size.front.empty());
    for (const FoundNetwork& network : size.front) {
      EXPECT_GE(network.line.facts.steps, size.bounds->steps);
      EXPECT_GE(network.line.facts.bandwidth_factor, size.bounds->bandwidth_factor);
      EXPECT_EQ(network.diameter,
                analysis::summarize_distances(make_topology(network.line.expression)).diameter());
      EXPECT_LE(*network.distance_bound, size.bounds->throughput * (1 + 1e-12));
      if (!one_way) {
        EXPECT_TRUE(network.two_way) << network.line.expression;
      }
      EXPECT_FALSE(network.throughput || network.time_s) << "nobody asked";
    }
  }
}

// Two-way cables of odd degree join an even number of nodes only.
TEST(FindQuestion, tells_which_ports_stay_idle) {
  const FindAnswer answer = found({.nodes = {8, 9}, .degree = 3});
  ASSERT_EQ(answer.sizes.size(), 2U);
  EXPECT_FALSE(answer.sizes[0].leaves_ports_idle);
  EXPECT_TRUE(answer.sizes[1].leaves_ports_idle);
  EXPECT_EQ(answer.sizes[1].nearest_without_idle, 8);
  EXPECT_FALSE(answer.sizes[0].front[0].diameter) << "of several sizes only where it is asked for";
  EXPECT_FALSE(found({.nodes = {9}, .degree = 1}).sizes[0].bounds) << "pairs alone can be wired";
}

// 1 MiB over 4 ports of 12.5 GB/s, 3 steps of 2 us and T_B = 1: 6 us + 20.97152 us.
TEST(FindQuestion, times_an_allgather) {
  const AllgatherTime time{
      .step_ps = 2'000'000, .size_B = 1 << 20, .egress_Bps = 4 * 12'500'000'000};
  EXPECT_DOUBLE_EQ(time.of_s(3, 1), 26.97152e-6);
}

bool is_refused(const FindQuestion& asked) {
  try {
    require_findable(asked);
    return false;
  } catch (const InvalidInput&) {
    return true;
  }
}

TEST(FindQuestion, refuses_before_any_work) {
  EXPECT_TRUE(is_refused({.nodes = {8, 9}, .steps = CountRange{2, 4}})) << "curves of one size";
  EXPECT_TRUE(is_refused({.nodes = {kMostCurveNodes + 1}, .steps = CountRange{2, 4}}));
  EXPECT_FALSE(is_refused({.nodes = {8}, .steps = CountRange{2, 4}}));
  NetworkSpec local;
  local.links.by_class["local"] = {};
  EXPECT_TRUE(is_refused({.nodes = {8}, .size_B = 1 << 20, .network = local}))
      << "a network to be found has no classes";
}

}  // namespace
}  // namespace weft::design
