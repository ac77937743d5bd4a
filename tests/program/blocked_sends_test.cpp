#include "weft/program/blocked_sends.hpp"

#include <gtest/gtest.h>

#include "weft/program/program.hpp"

namespace weft::program {
namespace {

// Each of `ranks` ranks sends to the next and then receives from the one before; the first `turned`
// ranks receive first.
Program ring(std::int32_t ranks, std::int32_t turned, std::int64_t bytes) {
  ProgramBuilder builder(ranks, {.name = "ring"});
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    OperationSpec send{
        .kind = OperationKind::send, .peer = Agent((rank + 1) % ranks), .bytes = bytes};
    OperationSpec receive{
        .kind = OperationKind::receive, .peer = Agent((rank + ranks - 1) % ranks), .bytes = bytes};
    const bool receives_first = rank < turned;
    (receives_first ? send : receive).waits = {0};
    builder.add(Agent(rank), receives_first ? receive : send);
    builder.add(Agent(rank), receives_first ? send : receive);
  }
  return std::move(builder).build();
}

// Nobody is ready to receive before its own send is over.
TEST(BlockedSends, name_the_ranks_of_a_ring_that_sends_before_it_receives) {
  const Program all_send = ring(4, 0, 1'000);
  BlockedSends blocked = blocked_sends(*all_send.operations(), 0);
  EXPECT_EQ(blocked.least_B, 1'000);
  std::ranges::sort(blocked.agents);
  EXPECT_EQ(blocked.agents, (std::vector{Agent(0), Agent(1), Agent(2), Agent(3)}));
  EXPECT_EQ(blocked_sends(*all_send.operations(), 1'000).agents.size(), 4U);
}

// Sends of less than the limit end by themselves, and one rank that receives first breaks the ring.
TEST(BlockedSends, are_none_where_sends_are_eager_or_a_rank_receives_first) {
  EXPECT_TRUE(blocked_sends(*ring(4, 0, 1'000).operations(), 1'001).agents.empty());
  EXPECT_TRUE(blocked_sends(*ring(4, 1, 1'000).operations(), 0).agents.empty());
}

// Sends that nothing waits for hold nobody up.
TEST(BlockedSends, are_none_of_sends_that_nothing_waits_for) {
  ProgramBuilder builder(2);
  for (const std::int32_t rank : {0, 1}) {
    builder.add(Agent(rank),
                {.kind = OperationKind::send, .peer = Agent(1 - rank), .bytes = 1'000});
    builder.add(Agent(rank),
                {.kind = OperationKind::receive, .peer = Agent(1 - rank), .bytes = 1'000});
  }
  EXPECT_TRUE(blocked_sends(*std::move(builder).build().operations(), 0).agents.empty());
}

}  // namespace
}  // namespace weft::program
