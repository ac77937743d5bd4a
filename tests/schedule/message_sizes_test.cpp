#include "weft/schedule/message_sizes.hpp"

#include <gtest/gtest.h>

namespace weft::schedule {
namespace {

constexpr std::int64_t kSize_B = 1 << 20;

// Rank 0 sends its block to each other one and all blocks to itself; rank 1 two blocks to rank 2.
Schedule made_by_hand(std::int64_t segments) {
  ScheduleBuilder builder(allgather(4), {.segments = {segments, 1}});
  builder.at(0).send(Rank(0), Rank(1), builder.block(0));
  builder.at(0).send(Rank(0), Rank(0), builder.everything());
  builder.at(1).send(Rank(1), Rank(2), builder.blocks(0, 2));
  return std::move(builder).build();
}

TEST(MessageSizes, are_those_of_messages_to_others) {
  const MessageUnits units = message_units(made_by_hand(1));
  EXPECT_EQ(units.most, 2 * units.least);
  // --size of an allgather is a block.
  const MessageSizes whole = message_sizes(made_by_hand(1), kSize_B);
  EXPECT_EQ(whole.least_B, kSize_B);
  EXPECT_EQ(whole.most_B, 2 * kSize_B);
}

TEST(MessageSizes, are_smaller_in_segments) {
  const MessageSizes parts = message_sizes(made_by_hand(4), kSize_B);
  EXPECT_EQ(parts.least_B, kSize_B / 4);
  EXPECT_EQ(parts.most_B, kSize_B / 2);
}

TEST(MessageSizes, are_whole_bytes_and_none_where_nothing_is_sent) {
  EXPECT_EQ(message_sizes(made_by_hand(4), 2).least_B, 1);  // half a byte
  EXPECT_EQ(message_sizes(made_by_hand(4), 6).least_B, 1);  // one and a half
  EXPECT_EQ(message_sizes(made_by_hand(1), 0).most_B, 0);
  EXPECT_EQ(message_sizes(std::move(ScheduleBuilder(allgather(1))).build(), kSize_B).most_B, 0);
}

}  // namespace
}  // namespace weft::schedule
