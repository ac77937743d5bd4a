// Programs of unequal blocks: the same schedules, whose units have bytes of their own.
#include <gtest/gtest.h>

#include <random>

#include "support/every_schedule.hpp"
#include "support/samples.hpp"
#include "weft/base/error.hpp"
#include "weft/program/block_sizes.hpp"
#include "weft/program/operations.hpp"
#include "weft/program/prove.hpp"

namespace weft::program {
namespace {

std::shared_ptr<const BlockSizes> blocks(const std::vector<std::int64_t>& sizes) {
  return std::make_shared<const BlockSizes>(sizes);
}

// A third of them empty.
std::shared_ptr<const BlockSizes> random_blocks(std::int64_t count, std::mt19937_64& random) {
  std::vector<std::int64_t> sizes{1};
  while (std::ssize(sizes) < count)
    sizes.push_back(random() % 3 == 0 ? 0 : static_cast<std::int64_t>(random() % 40));
  std::ranges::shuffle(sizes, random);
  return blocks(sizes);
}

// Mean 20 / 3 = 6.67 a block, so that 7 stands for the sizes themselves. At 10 the total of 30 is
// cut at 30 * 2/20, 30 * 2/20 and 30 * 20/20; a reduce-scatter of 10 in all at 1, 1 and 10.
TEST(BlockSizes, share_out_what_a_call_is_given) {
  const BlockSizes sizes({2, 0, 18});
  const auto allgather = schedule::allgather(3);
  EXPECT_EQ(sizes.natural_size_B(allgather), 7);
  EXPECT_EQ(*sizes.at(allgather, 7), sizes);
  EXPECT_EQ(*sizes.at(allgather, 10), BlockSizes({3, 0, 27}));
  EXPECT_EQ(sizes.natural_size_B(schedule::reduce_scatter(3)), 20);
  EXPECT_EQ(*sizes.at(schedule::reduce_scatter(3), 10), BlockSizes({1, 0, 9}));
  EXPECT_EQ(*sizes.at(allgather, 10, 5), BlockSizes({0, 0, 6}));  // 6 elements cut at 0.6, 0.6
  EXPECT_EQ(sizes.largest(), 18);
  EXPECT_DOUBLE_EQ(sizes.skew(), 18 * 3 / 20.0);
}

TEST(BlockSizes, refuse_what_is_no_size) {
  EXPECT_THROW(BlockSizes({1, -1}), InvalidInput);
  EXPECT_THROW(BlockSizes({0, 0}), InvalidInput);
  EXPECT_THROW(BlockSizes({INT64_MAX, 1}), InvalidInput);
  EXPECT_THROW(static_cast<void>(BlockSizes({1, 2}).at(schedule::allgather(3), 1)), InvalidInput);
  EXPECT_THROW(static_cast<void>(BlockSizes({1, 2}).at(schedule::broadcast(2), 1)), InvalidInput);
}

// Each pair exchanges its own bytes, and pairs without bytes nothing.
TEST(UnequalBlocks, give_each_message_its_bytes) {
  const auto verified =
      schedule::verify_own(algorithm::build_schedule("spread", schedule::alltoall(3)));
  const std::vector<std::int64_t> rows{9, 1, 0,  //
                                       5, 0, 7,  //
                                       0, 4, 100};
  const auto sizes = blocks(rows);
  const Program program =
      lower(verified, {.size_B = sizes->natural_size_B(schedule::alltoall(3)), .blocks = sizes});
  std::int64_t messages = 0, sent_B = 0;
  StepProgram step;
  for (std::int64_t t = 0; t < program.steps(); ++t) {
    program.step(t, step);
    for (const Transfer& transfer : step.transfers) {
      if (transfer.from == transfer.to) continue;
      ++messages;
      sent_B += transfer.bytes;
      EXPECT_EQ(transfer.bytes, rows[transfer.from.value() * 3 + transfer.to.value()]);
    }
  }
  EXPECT_EQ(messages, 4);  // 1, 5, 7 and 4
  EXPECT_EQ(sent_B, 17);
  EXPECT_DOUBLE_EQ(program.payload_B(), 17);
  EXPECT_EQ(message_sizes(program).least_B, 1);
  EXPECT_FALSE(program.translates_alike());
  EXPECT_FALSE(program.has_whole_units());
}

// By execution: the proof of a schedule is one of all sizes.
TEST(UnequalBlocks, are_moved_right_by_every_algorithm) {
  std::mt19937_64 random(11);
  int proved = 0;
  for (const algorithm::Algorithm& algorithm : algorithm::algorithms())
    for (const std::int32_t ranks : test::samples({2, 4, 5, 6, 8}))
      for (const test::NamedSchedule& each : test::schedules_of(algorithm, ranks)) {
        const schedule::Collective& collective = each.schedule.collective();
        if (!takes_block_sizes(collective.kind)) continue;
        const auto sizes = random_blocks(collective.blocks(), random);
        for (const std::int64_t size_B : {sizes->natural_size_B(collective), std::int64_t{37}}) {
          const Program program =
              lower(schedule::verify_own(each.schedule), {.size_B = size_B, .blocks = sizes});
          const ProveResult result =
              prove(program, {.collective = collective, .size_B = size_B, .blocks = sizes});
          ASSERT_TRUE(result) << each.label << ": " << result.fault().text;
          EXPECT_EQ(*result->blocks(), *program.blocks());
          ++proved;
        }
      }
  EXPECT_GT(proved, 100);
}

// A program of other blocks is refuted.
TEST(UnequalBlocks, do_not_prove_blocks_of_other_sizes) {
  const schedule::Collective collective = schedule::allgather(4);
  const auto verified = schedule::verify_own(algorithm::build_schedule("ring", collective));
  const auto sizes = blocks({10, 20, 30, 40});
  const Program program = lower(verified, {.size_B = 25, .blocks = sizes});
  EXPECT_TRUE(prove(program, {.collective = collective, .size_B = 25, .blocks = sizes}));
  EXPECT_FALSE(prove(program, {.collective = collective, .size_B = 25}));
  EXPECT_FALSE(
      prove(program, {.collective = collective, .size_B = 25, .blocks = blocks({40, 30, 20, 10})}));
}

// Blocks that happen to be alike are those that nobody gave sizes.
TEST(UnequalBlocks, of_one_size_are_equal_blocks) {
  for (const algorithm::Algorithm& algorithm : algorithm::algorithms())
    for (const test::NamedSchedule& each : test::schedules_of(algorithm, 6)) {
      const schedule::Collective& collective = each.schedule.collective();
      if (!takes_block_sizes(collective.kind)) continue;
      const auto verified = schedule::verify_own(each.schedule);
      const std::int64_t size_B = collective.size_is_block() ? 1001 : 6 * 1001;
      const Program equal = lower(verified, {.size_B = size_B});
      const Program given = lower(
          verified, {.size_B = size_B,
                     .blocks = blocks(std::vector<std::int64_t>(collective.blocks(), 12345))});
      StepProgram one, other;
      for (std::int64_t t = 0; t < equal.steps(); ++t) {
        equal.step(t, one);
        given.step(t, other);
        ASSERT_EQ(one.transfers.size(), other.transfers.size()) << each.label;
        for (std::size_t i = 0; i < one.transfers.size(); ++i)
          ASSERT_EQ(one.transfers[i].bytes, other.transfers[i].bytes) << each.label;
      }
    }
}

}  // namespace
}  // namespace weft::program
