#include "weft/program/lift.hpp"

#include <gtest/gtest.h>

#include "weft/algorithm/algorithm.hpp"
#include "weft/program/operations.hpp"
#include "weft/program/prove.hpp"

namespace weft::program {
namespace {

constexpr auto kSend = OperationKind::send;
constexpr auto kReceive = OperationKind::receive;

// One byte a unit.
Program program_of(const char* algorithm, const Collective& collective) {
  const auto schedule = build_schedule(algorithm, collective, nullptr, {});
  const std::int64_t units = schedule.units_per_block();
  return write_out(
      lower(schedule::verify_own(schedule),
            {.size_B = collective.size_is_block() ? units : units * collective.ranks}));
}

TEST(Lift, gives_a_ring_back) {
  for (const auto& collective : {schedule::allreduce(5), schedule::allgather(5)}) {
    const Program program = program_of("ring", collective);
    const LiftResult lifted = lift(program, {.algorithm = "back"});
    ASSERT_TRUE(lifted) << lifted.reason();
    const schedule::Schedule& back = lifted->schedule();
    EXPECT_EQ(back.algorithm(), "back");
    EXPECT_EQ(back.collective(), collective);
    EXPECT_EQ(back.units_per_block(), 1);
    EXPECT_EQ(back.steps(), program.steps());
    EXPECT_EQ(back.message_count(), program.message_count());
  }
}

// Rank 1 receives the second half once it has sent the first one on.
TEST(Lift, keeps_pipelines_apart) {
  ProgramBuilder builder(3, {.size_B = 6});
  std::vector<std::int32_t> before;
  for (const std::int64_t half : {0, 3}) {
    const std::vector<ByteRange> part{{0, half, 3}};
    builder.add(Agent(0), {.kind = kSend, .peer = Agent(1), .reads = part});
    before = {builder.add(Agent(1),
                          {.kind = kReceive, .peer = Agent(0), .writes = part, .waits = before})};
    before = {
        builder.add(Agent(1), {.kind = kSend, .peer = Agent(2), .reads = part, .waits = before})};
    builder.add(Agent(2), {.kind = kReceive, .peer = Agent(1), .writes = part});
  }
  const auto proved =
      prove(std::move(builder).build(), {.collective = schedule::broadcast(3), .size_B = 6});
  ASSERT_TRUE(proved) << proved.fault().text;
  const LiftResult lifted = lift(*proved, {});
  ASSERT_TRUE(lifted) << lifted.reason();
  EXPECT_EQ(lifted->schedule().steps(), 3);
  EXPECT_EQ(lifted->schedule().message_count(), 4);
}

// Messages to different ranks wait for nothing: all are in one step.
TEST(Lift, takes_no_step_for_an_order_that_no_operation_waits_for) {
  ProgramBuilder builder(3, {.size_B = 3});
  const ByteRange row{0, 0, 3};
  for (const int peer : {1, 2})
    builder.add(Agent(0), {.kind = kSend, .peer = Agent(peer), .reads = {row}});
  for (const int rank : {1, 2})
    builder.add(Agent(rank), {.kind = kReceive, .peer = Agent(0), .writes = {row}});
  const auto proved =
      prove(std::move(builder).build(), {.collective = schedule::broadcast(3), .size_B = 3});
  ASSERT_TRUE(proved) << proved.fault().text;
  const LiftResult lifted = lift(*proved, {});
  ASSERT_TRUE(lifted) << lifted.reason();
  EXPECT_EQ(lifted->schedule().steps(), 1);
}

// Two ranks exchange all that they have, each into a buffer of its own, and add it afterwards.
Program exchange(bool sends_on) {
  ProgramBuilder builder(2, {.size_B = 2, .buffers = {"data", "came"}});
  const ByteRange row{0, 0, 2}, came{1, 0, 2};
  for (const int rank : {0, 1}) {
    const Agent self(rank), peer(1 - rank);
    const auto sent = builder.add(self, {.kind = kSend, .peer = peer, .reads = {row}});
    const auto landed = builder.add(self, {.kind = kReceive, .peer = peer, .writes = {came}});
    std::vector<std::int32_t> before{sent, landed};
    if (sends_on) {
      before.push_back(builder.add(
          self, {.kind = kSend, .peer = peer, .tag = 1, .reads = {came}, .waits = {landed}}));
      before.push_back(
          builder.add(self, {.kind = kReceive, .peer = peer, .tag = 1, .writes = {{1, 2, 2}}}));
    }
    builder.add(self,
                {.kind = OperationKind::reduce, .reads = {came}, .writes = {row}, .waits = before});
  }
  const auto proved =
      prove(std::move(builder).build(), {.collective = schedule::allreduce(2), .size_B = 2});
  EXPECT_TRUE(proved) << proved.fault().text;
  return *proved;
}

TEST(Lift, sees_reductions_that_come_later) {
  const LiftResult lifted = lift(exchange(false), {});
  ASSERT_TRUE(lifted) << lifted.reason();
  EXPECT_EQ(lifted->schedule().steps(), 1);
  EXPECT_EQ(lifted->schedule().message(0).arrival, Arrival::reduce);
}

// What came goes back as it is, and is added all the same.
TEST(Lift, refuses_two_versions_of_a_unit) {
  const LiftResult lifted = lift(exchange(true), {});
  ASSERT_FALSE(lifted);
  EXPECT_EQ(lifted.reason(), "rank 0 adds two versions of one unit, and keeps both (unit 0)");
}

TEST(Lift, coarsens_units) {
  const Program program = write_out(
      lower(schedule::verify_own(build_schedule("ring", schedule::allgather(4), nullptr, {})),
            {.size_B = 6}));
  const LiftResult lifted = lift(program, {.unit_B = 2});
  ASSERT_TRUE(lifted) << lifted.reason();
  EXPECT_EQ(lifted->schedule().units_per_block(), 1);
}

}  // namespace
}  // namespace weft::program
