#include "weft/design/bounds/optimum_question.hpp"

#include <gtest/gtest.h>

#include "support/network_on.hpp"
#include "weft/base/error.hpp"

namespace weft::design {
namespace {

OptimumQuestion asked_in(const Values& said) {
  OptimumQuestion asked;
  fields::set_members(asked, optimum_members(), said);
  return asked;
}

TEST(OptimumQuestion, reads_what_options_say) {
  const OptimumQuestion asked = asked_in({{"size", std::string("64MiB")},
                                          {"algorithms", std::string("ring,bfb")},
                                          {"segments", std::string("8")},
                                          {"steps", std::string("3..")},
                                          {"time-limit", std::string("2s")}});
  EXPECT_EQ(asked.size_B, std::int64_t{64} << 20);
  EXPECT_EQ(asked.algorithms, "ring,bfb");
  EXPECT_EQ(asked.segments, 8);
  ASSERT_TRUE(asked.steps.has_value());
  EXPECT_EQ(asked.steps->first, 3);
  EXPECT_EQ(asked.steps->last, 6);  // and three more
  EXPECT_EQ(asked.time_limit_s, 2);
  EXPECT_FALSE(asked.wants_no_schedules());
  EXPECT_TRUE(asked_in({{"algorithms", std::string("None")}}).wants_no_schedules());
}

TEST(OptimumQuestion, refuses_what_makes_no_sense) {
  for (const auto& [field, text] :
       {std::pair("size", "many"), std::pair("algorithms", "rign"), std::pair("segments", "0"),
        std::pair("steps", "3,5"), std::pair("time-limit", "soon"), std::pair("size", "0"),
        std::pair("algorithms", "none,ring")})
    EXPECT_THROW(asked_in({{field, std::string(text)}}), InvalidInput) << field;
}

// One way round, every block crosses 3 of 4 links, which carry a node's egress: (N - 1) / N.
TEST(OptimumQuestion, holds_schedules_against_the_optimum) {
  const Network network = test::on("uniring:4");
  const Collective collective = schedule::allgather(4);
  const OptimumAnswer found =
      answer({.size_B = 1 << 20, .algorithms = "ring"}, collective, network);
  EXPECT_EQ(found.best.bandwidth_factor, Rational(3, 4));
  ASSERT_TRUE(found.time_s.has_value());
  EXPECT_DOUBLE_EQ(*found.time_s, 3.0 * (1 << 20) / 12.5e9);
  ASSERT_FALSE(found.schedules.rows.empty());
  for (const PricedSchedule& row : found.schedules.rows)
    EXPECT_EQ(row.bandwidth_factor, Rational(3, 4)) << row.schedule;
  EXPECT_TRUE(found.curve.points.empty());
  EXPECT_TRUE(found.worth_naming.empty());
  EXPECT_TRUE(answer({.algorithms = "none"}, collective, network).schedules.rows.empty());
}

// Without time there is no flow: nothing is reached, and distances leave an all-to-all of torus:4x4
// a T_B of 2 (1/8 of a link for each pair).
TEST(OptimumQuestion, bounds_an_alltoall_without_time) {
  const OptimumAnswer found = answer({.algorithms = "none", .time_limit_s = 0},
                                     schedule::alltoall(16), test::on("torus:4x4"));
  EXPECT_DOUBLE_EQ(found.best.least, 2);
  EXPECT_EQ(found.best.reached, std::nullopt);
  EXPECT_FALSE(found.best.in_time);
}

TEST(OptimumQuestion, gives_a_curve_in_place_of_schedules) {
  const Network network = test::on("uniring:4");
  const OptimumAnswer found =
      answer({.algorithms = "ring", .steps = CountRange{3, 4}}, schedule::allgather(4), network);
  EXPECT_TRUE(found.schedules.rows.empty());
  EXPECT_FALSE(found.time_s.has_value());
  ASSERT_EQ(found.curve.points.size(), 2U);
  for (const StepPoint& point : found.curve.points) {
    EXPECT_EQ(point.bound, Rational(3, 4));
    ASSERT_TRUE(point.best.has_value());
    EXPECT_EQ(point.best->steps, 3);
  }
}

TEST(OptimumQuestion, makes_no_schedules_of_many_ranks_unasked) {
  const Network network = test::on("uniring:129");
  const OptimumAnswer found = answer({}, schedule::allgather(129), network);
  EXPECT_EQ(found.best.bandwidth_factor, Rational(128, 129));
  EXPECT_TRUE(found.schedules.rows.empty());
  EXPECT_EQ(found.worth_naming, std::vector<std::string>{"packing"});
}

}  // namespace
}  // namespace weft::design
