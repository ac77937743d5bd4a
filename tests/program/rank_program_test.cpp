#include "weft/program/rank_program.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/every_schedule.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::program {
namespace {

using schedule::Rank;

TEST(RankProgram, a_ring_rank_receives_left_and_sends_right) {
  // Allgather of 10 bytes a block on 4 ranks: in step t rank 1 receives block 0 - t from rank 0 and
  // sends block 1 - t.
  const int n = 4;
  ScheduleBuilder builder(schedule::allgather(n), {.symmetry = Symmetry::translations({n})});
  for (int t = 0; t < n - 1; ++t) builder.at(t).send(Rank(0), Rank(1), builder.block(mod(-t, n)));
  const Program program = lower(verify_own(std::move(builder).build()), {.size_B = 10});
  const RankProgram rank = rank_program(program, Agent(1));
  ASSERT_EQ(rank.operations().size(), 6U);
  for (int t = 0; t < n - 1; ++t) {
    const Operation& receive = rank.operations()[static_cast<std::size_t>(2 * t)];
    const Operation& send = rank.operations()[static_cast<std::size_t>(2 * t + 1)];
    EXPECT_EQ(receive.kind, OperationKind::receive);
    EXPECT_EQ(receive.peer, Agent(0));
    EXPECT_EQ(rank.ranges(receive)[0], (ByteRange{10 * mod(-t, n), 10}));
    EXPECT_EQ(send.kind, OperationKind::send);
    EXPECT_EQ(send.peer, Agent(2));
    EXPECT_EQ(rank.ranges(send)[0], (ByteRange{10 * mod(1 - t, n), 10}));
    EXPECT_EQ(send.step, t);
  }
  EXPECT_THROW(rank_program(program, Agent(4)), InvalidInput);
}

// Both ends of every message name the same bytes of the row of blocks, in the same step.
TEST(RankProgram, both_ends_of_every_message_agree) {
  for (const std::int32_t ranks : {1, 2, 5, 8})
    for (const algorithm::Algorithm& algorithm : algorithm::algorithms())
      for (const test::NamedSchedule& named : test::schedules_of(algorithm, ranks)) {
        const Program program = lower(schedule::verify_own(named.schedule), {.size_B = 37});
        std::map<std::tuple<std::int64_t, int, int, std::int64_t, std::int64_t>, std::int64_t>
            balance;
        std::int64_t total = 0;
        for (std::int32_t a = 0; a < program.agents(); ++a) {
          const RankProgram rank = rank_program(program, Agent(a));
          for (const Operation& operation : rank.operations()) {
            if (operation.kind == OperationKind::copy_to_self) continue;
            const bool sends = operation.kind == OperationKind::send;
            const int from = sends ? a : operation.peer.value(),
                      to = sends ? operation.peer.value() : a;
            for (const ByteRange& range : rank.ranges(operation)) {
              balance[{operation.step, from, to, range.offset_B, range.bytes}] += sends ? 1 : -1;
              total += sends ? range.bytes : 0;
            }
          }
        }
        for (const auto& [key, count] : balance) EXPECT_EQ(count, 0) << named.label;

        std::int64_t expected = 0;  // the other view of the same program
        StepProgram step;
        for (std::int64_t t = 0; t < program.steps(); ++t) {
          program.step(t, step);
          for (const Transfer& transfer : step.transfers)
            expected += transfer.from == transfer.to ? 0 : transfer.bytes;
        }
        EXPECT_EQ(total, expected) << named.label;
      }
}

}  // namespace
}  // namespace weft::program
