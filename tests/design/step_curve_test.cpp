// The curve between few steps and a low T_B, against the schedules that a search proves.
#include "weft/design/step_curve.hpp"

#include <gtest/gtest.h>

#include "support/network_on.hpp"
#include "support/process/source_dir.hpp"
#include "weft/base/error.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/search/synthesis.hpp"

namespace weft::design {
namespace {

std::vector<StepPoint> curve_on(const Network& network, int first, int last) {
  const Collective collective = schedule::allgather(network.ranks());
  return step_curve(collective, network, *evaluate::optimum(collective, network).bandwidth_factor,
                    {.first = first, .last = last, .algorithms = {"bfb", "packing"}})
      .points;
}

// SCCL (PPoPP 2021, Table 4) reaches 3 rounds for 2 chunks in 2 steps, and 7 for 6 in 3, what cuts
// allow: a round of a chunk takes B / (8 links of a sixth of B) of M.
TEST(StepCurve, allows_what_sccl_found_on_the_dgx_1) {
  const auto curve =
      curve_on(test::on("file:" + test::source_dir() + "/examples/dgx1.edges"), 2, 4);
  ASSERT_EQ(curve.size(), 3U);
  EXPECT_LE(curve[0].bound, Rational(3, 2) * Rational(6, 8));
  EXPECT_GE(curve[0].bound, Rational(7, 6) * Rational(6, 8));
  EXPECT_EQ(curve[1].bound, Rational(7, 6) * Rational(6, 8));
  EXPECT_EQ(curve[2].bound, Rational(7, 6) * Rational(6, 8));
}

TEST(StepCurve, falls_and_is_never_above_a_schedule) {
  for (const char* topology : {"genkautz:2,7", "genkautz:3,8", "mesh:2x4", "kautz:2,2",
                               "circulant:9,1,2,4", "without(cable=0, hypercube:3)"}) {
    SCOPED_TRACE(topology);
    const Network network = test::on(topology);
    const int least =
        static_cast<int>(lower_bounds(schedule::allgather(network.ranks()), network).steps);
    const auto curve = curve_on(network, least, least + 4);
    for (std::size_t i = 0; i < curve.size(); ++i) {
      ASSERT_TRUE(curve[i].best.has_value());
      EXPECT_LE(curve[i].best->steps, curve[i].steps);
      EXPECT_LE(curve[i].bound, curve[i].best->bandwidth_factor);
      if (i > 0) {
        EXPECT_LE(curve[i].bound, curve[i - 1].bound);
        EXPECT_LE(curve[i].best->bandwidth_factor, curve[i - 1].best->bandwidth_factor);
      }
    }
    const auto found =
        search::synthesize(schedule::allgather(network.ranks()), network,
                           {.max_chunks = 2, .max_steps = least + 1, .time_limit_s = 20});
    for (const auto& point : found.pareto) {
      if (point.steps > least + 1) continue;
      EXPECT_GE(point.bandwidth_factor, curve[point.steps - least].bound);
    }
  }
}

// Two steps are the diameter, in which breadth-first broadcast has T_B 1; 19/20 is (N-1)/N, below
// which no schedule is, and a third step is enough for it, without any segments.
TEST(StepCurve, has_trees_of_each_depth) {
  const auto curve = curve_on(test::on("kautz:4,2"), 2, 4);
  ASSERT_TRUE(curve[0].best && curve[1].best && curve[2].best);
  EXPECT_LE(curve[0].best->bandwidth_factor, Rational(1));
  EXPECT_EQ(curve[1].best->bandwidth_factor, Rational(19, 20));
  EXPECT_EQ(curve[2].best->bandwidth_factor, Rational(19, 20));
  EXPECT_EQ(curve[2].best->steps, 3);
}

// Of a ring of six the rank opposite the root gets half of all each way over three links. In D + s
// - 1 steps s parts of a half follow each other: (D + s - 1)/s, with D = 3.
TEST(StepCurve, bounds_what_one_root_sends_in_so_few_steps) {
  const Network network = test::on("ring:6");
  for (const CollectiveKind kind : {CollectiveKind::broadcast, CollectiveKind::reduce}) {
    const Collective collective{.kind = kind, .ranks = 6, .root = Rank(2)};
    const auto curve = step_curve(collective, network, Rational(1),
                                  {.first = 3, .last = 5, .algorithms = {"packing"}})
                           .points;
    ASSERT_EQ(curve.size(), 3U);
    for (int s = 1; s <= 3; ++s) {
      const StepPoint& point = curve[static_cast<std::size_t>(s - 1)];
      EXPECT_EQ(point.bound, Rational(s + 2, s));
      ASSERT_TRUE(point.best.has_value());
      EXPECT_EQ(point.best->bandwidth_factor, Rational(s + 2, s));
    }
  }
}

// The bound of an allreduce is the optimum of any number of steps: on a torus 2(N-1)/N, which trees
// of the diameter's depth have in both halves.
TEST(StepCurve, is_never_below_the_optimum_of_other_collectives) {
  for (const CollectiveKind kind :
       {CollectiveKind::allreduce, CollectiveKind::broadcast, CollectiveKind::reduce}) {
    const Network network = test::on("torus:3x3");
    const Collective collective{.kind = kind, .ranks = 9};
    const Rational least = *evaluate::optimum(collective, network).bandwidth_factor;
    const auto curve =
        step_curve(collective, network, least, {.first = 2, .last = 5, .algorithms = {"packing"}})
            .points;
    for (const StepPoint& point : curve) {
      EXPECT_GE(point.bound, least);
      if (kind == CollectiveKind::allreduce) {
        EXPECT_EQ(point.bound, least);
      }
      if (!point.best) continue;
      EXPECT_LE(point.best->steps, point.steps);
      EXPECT_GE(point.best->bandwidth_factor, point.bound);
    }
    ASSERT_TRUE(curve.back().best.has_value());
    if (kind == CollectiveKind::allreduce) {
      EXPECT_EQ(curve.back().best->bandwidth_factor, Rational(16, 9));
    }
  }
}

// Of no time is left what takes none: bounds of any number of steps.
TEST(StepCurve, leaves_out_what_a_time_limit_came_before) {
  const Network network = test::on("torus:3x3");
  const Rational least(8, 9);
  const TimeLimit none(0.0);
  const StepCurve curve = step_curve(schedule::allgather(9), network, least,
                                     {.first = 2, .last = 3, .algorithms = {"bfb", "packing"}});
  ASSERT_EQ(curve.points.size(), 2U);
  for (const StepPoint& point : curve.points) {
    EXPECT_EQ(point.bound, least);
    EXPECT_FALSE(point.best.has_value());
  }
  ASSERT_EQ(curve.left_out.size(), 3U);
  EXPECT_EQ(curve.left_out[0].algorithm, "bfb");
  EXPECT_EQ(curve.left_out[1].algorithm, "packing");
  EXPECT_EQ(curve.left_out[2].algorithm, "packing (depth=2 and more)");
  EXPECT_FALSE(all_in_time(curve.left_out));
}

// Behind switches a step crosses several links, and no relaxation is there.
TEST(StepCurve, is_the_optimum_behind_switches) {
  const Network network = test::on("leaf-spine:leaves=2,spines=2,hosts=2");
  const StepCurve curve = step_curve(schedule::allgather(4), network, Rational(3, 4),
                                     {.first = 1, .last = 3, .algorithms = {"ring"}});
  for (const StepPoint& point : curve.points) {
    EXPECT_EQ(point.bound, Rational(3, 4));
    EXPECT_EQ(point.best.has_value(), point.steps >= 3);
  }
}

TEST(StepCurve, refuses_fewer_steps_than_the_diameter) {
  EXPECT_THROW(curve_on(test::on("mesh:2x4"), 3, 4), InvalidInput);
  // The diameter of a line of four is 3, its second node two links from its end.
  const Collective second{.kind = CollectiveKind::broadcast, .ranks = 4, .root = Rank(1)};
  const auto curve = [&](int first) {
    return step_curve(second, test::on("mesh:4"), Rational(1),
                      {.first = first, .last = 3, .algorithms = {"packing"}});
  };
  EXPECT_THROW(curve(1), InvalidInput);
  EXPECT_EQ(curve(2).points.size(), 2U);
}

}  // namespace
}  // namespace weft::design
