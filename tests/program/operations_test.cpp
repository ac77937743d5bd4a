#include "weft/program/operations.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/every_schedule.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/program/combine.hpp"

namespace weft::program {
namespace {

using schedule::Rank;

constexpr auto kSend = OperationKind::send;
constexpr auto kReceive = OperationKind::receive;
constexpr auto kCompute = OperationKind::compute;

TEST(Operations, a_ring_rank_sends_right_and_receives_left) {
  // Allgather of 10 bytes a block on 4 ranks: in step t rank 1 sends block 1 - t and receives block
  // 0 - t from rank 0. What it sends after the first step is what it received in the last one.
  const int n = 4;
  ScheduleBuilder builder(schedule::allgather(n), {.symmetry = Symmetry::translations({n})});
  for (int t = 0; t < n - 1; ++t) builder.at(t).send(Rank(0), Rank(1), builder.block(mod(-t, n)));
  const Program program = write_out(lower(verify_own(std::move(builder).build()), {.size_B = 10}));
  const Operations& operations = *program.operations();
  EXPECT_EQ(program.collective(), schedule::allgather(n));
  const auto rank = operations.of(Agent(1));
  ASSERT_EQ(rank.size(), 6U);
  for (int t = 0; t < n - 1; ++t) {
    const Operation& send = rank[2 * t];
    const Operation& receive = rank[2 * t + 1];
    EXPECT_EQ(send.kind, kSend);
    EXPECT_EQ(send.peer, Agent(2));
    EXPECT_EQ(operations.reads(send)[0], (ByteRange{0, 10 * mod(1 - t, n), 10}));
    EXPECT_EQ(send.origin.step, t);
    EXPECT_EQ(receive.kind, kReceive);
    EXPECT_EQ(receive.peer, Agent(0));
    EXPECT_EQ(operations.writes(receive)[0], (ByteRange{0, 10 * mod(-t, n), 10}));
    if (t == 0)
      EXPECT_TRUE(operations.waits(send).empty());
    else
      EXPECT_EQ(operations.waits(send)[0], 2 * t - 1);
  }
}

// Both ends of every message name the same bytes of the row of blocks, in the same step, and the
// operations carry what the generated program's transfers do.
TEST(Operations, both_ends_of_every_message_agree) {
  for (const std::int32_t ranks : {1, 2, 5, 8})
    for (const algorithm::Algorithm& algorithm : algorithm::algorithms())
      for (const test::NamedSchedule& named : test::schedules_of(algorithm, ranks)) {
        const Program generated = lower(schedule::verify_own(named.schedule), {.size_B = 37});
        const Program program = write_out(generated);
        const Operations& operations = *program.operations();
        std::map<std::tuple<std::int64_t, int, int, std::int64_t, std::int64_t>, std::int64_t>
            balance;
        std::int64_t total = 0;
        for (std::int32_t a = 0; a < program.agents(); ++a)
          for (const Operation& operation : operations.of(Agent(a))) {
            if (!operation.is_message()) continue;
            const bool sends = operation.kind == kSend;
            const int from = sends ? a : operation.peer.value(),
                      to = sends ? operation.peer.value() : a;
            for (const ByteRange& range :
                 sends ? operations.reads(operation) : operations.writes(operation)) {
              balance[{operation.origin.step, from, to, range.offset_B, range.bytes}] +=
                  sends ? 1 : -1;
              total += sends ? range.bytes : 0;
            }
          }
        for (const auto& [key, count] : balance) EXPECT_EQ(count, 0) << named.label;

        std::int64_t expected = 0;  // the other storage of the same program
        ASSERT_EQ(program.steps(), generated.steps()) << named.label;
        StepProgram of_generated, of_written;
        for (std::int64_t t = 0; t < program.steps(); ++t) {
          generated.step(t, of_generated);
          program.step(t, of_written);
          EXPECT_EQ(of_written.transfers.size(), of_generated.transfers.size()) << named.label;
          for (const Transfer& transfer : of_generated.transfers) expected += transfer.bytes;
        }
        EXPECT_EQ(total, expected) << named.label;
      }
}

TEST(Operations, are_in_the_step_of_the_messages_before_them) {
  // 0 computes and sends to 1, which sends on to 2; 2 sends something of its own to 0.
  ProgramBuilder builder(3);
  const auto work = builder.add(Agent(0), {.kind = kCompute, .seconds = 1});
  builder.add(Agent(0), {.kind = kSend, .peer = Agent(1), .bytes = 8, .waits = {work}});
  const auto came = builder.add(Agent(1), {.kind = kReceive, .peer = Agent(0), .bytes = 8});
  builder.add(Agent(1), {.kind = kSend, .peer = Agent(2), .bytes = 8, .waits = {came}});
  builder.add(Agent(2), {.kind = kReceive, .peer = Agent(1), .bytes = 8});
  builder.add(Agent(2), {.kind = kSend, .peer = Agent(0), .bytes = 5});
  builder.add(Agent(0), {.kind = kReceive, .peer = Agent(2), .bytes = 5});
  const Program program = std::move(builder).build();
  EXPECT_EQ(program.collective(), std::nullopt);
  ASSERT_EQ(program.steps(), 2);
  StepProgram step;
  program.step(0, step);
  EXPECT_EQ(step.transfers.size(), 2U);
  EXPECT_EQ(step.own.size(), 1U);
  program.step(1, step);
  ASSERT_EQ(step.transfers.size(), 1U);
  EXPECT_EQ(step.transfers[0].to, Agent(2));
}

// A message of step 1,000,000 is in the second step with an operation: nothing is held for those
// between. Operations still have the numbers that they came with.
TEST(Operations, have_no_steps_between_that_nothing_is_in) {
  ProgramBuilder builder(2);
  const auto add_message = [&](int from, int to, std::int64_t bytes, std::int64_t step) {
    builder.add(Agent(from), {.kind = kSend, .peer = Agent(to), .bytes = bytes, .origin = {step}});
    builder.add(Agent(to),
                {.kind = kReceive, .peer = Agent(from), .bytes = bytes, .origin = {step}});
  };
  add_message(0, 1, 5, 1'000'000);
  add_message(1, 0, 8, 3);
  const Program program = std::move(builder).build();
  ASSERT_EQ(program.steps(), 2);
  StepProgram step;
  for (const auto& [t, bytes] : {std::pair(0, 8), std::pair(1, 5)}) {
    program.step(t, step);
    ASSERT_EQ(step.transfers.size(), 1U);
    EXPECT_EQ(step.transfers[0].bytes, bytes);
  }
  EXPECT_EQ(program.operations()->of(Agent(0))[0].origin.step, 1'000'000);
  EXPECT_EQ(then(std::vector{program, program}).steps(), 4);
}

std::string refusal(auto&& make) {
  try {
    ProgramBuilder builder(2);
    make(builder);
    std::move(builder).build();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(Operations, refuse_what_cannot_run) {
  EXPECT_EQ(refusal([](ProgramBuilder& b) {
              b.add(Agent(0), {.kind = kSend, .peer = Agent(1), .bytes = 8});
            }),
            "a message from 0 to 1 with tag 0 is sent and never received; add the other end, or "
            "remove it");
  EXPECT_EQ(refusal([](ProgramBuilder& b) {
              b.add(Agent(1), {.kind = kReceive, .peer = Agent(0), .tag = 3, .bytes = 8});
            }),
            "a message from 0 to 1 with tag 3 is received and never sent; add the other end, or "
            "remove it");
  EXPECT_EQ(refusal([](ProgramBuilder& b) {
              b.add(Agent(0), {.kind = kSend, .peer = Agent(1), .bytes = 8});
              b.add(Agent(1), {.kind = kReceive, .peer = Agent(0), .bytes = 9});
            }),
            "a message from 0 to 1 with tag 0 is sent with 8 bytes and received with 9; make "
            "them the same");
  EXPECT_EQ(
      refusal([](ProgramBuilder& b) {
        for (int a : {0, 1}) {
          const auto came = b.add(Agent(a), {.kind = kReceive, .peer = Agent(1 - a), .bytes = 8});
          b.add(Agent(a), {.kind = kSend, .peer = Agent(1 - a), .bytes = 8, .waits = {came}});
        }
      }),
      "messages wait for each other in a circle: 4 of 4 operations can never start; ranks 0 <- 1 "
      "<- 0, each waiting for the next: let one of them send before it waits");
  EXPECT_EQ(refusal([](ProgramBuilder& b) {
              b.add(Agent(0), {.kind = kCompute, .seconds = 1, .waits = {0}});
            }),
            "operation 0 of agent 0 waits for 0, which does not come before it");
  EXPECT_NE(refusal([](ProgramBuilder& b) { b.add(Agent(2), {.kind = kCompute}); }), "");
  EXPECT_NE(refusal([](ProgramBuilder& b) {
              b.add(Agent(0), {.kind = kSend, .peer = Agent(1), .bytes = 0});
            }),
            "");
  EXPECT_NE(refusal([](ProgramBuilder& b) { b.add(Agent(0), {.kind = kCompute, .seconds = -1}); }),
            "");
}

}  // namespace
}  // namespace weft::program
