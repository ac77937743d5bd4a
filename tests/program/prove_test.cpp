#include "weft/program/prove.hpp"

#include <gtest/gtest.h>

#include <array>

#include "weft/algorithm/rings/ring.hpp"
#include "weft/base/error.hpp"
#include "weft/program/combine.hpp"
#include "weft/program/operations.hpp"

namespace weft::program {
namespace {

constexpr auto kSend = OperationKind::send;
constexpr auto kReceive = OperationKind::receive;
constexpr auto kReceiveReduce = OperationKind::receive_reduce;

// Rank 1 sends what it has of 8 bytes to rank 0, which adds it and sends the sum back.
struct Exchange {
  std::vector<std::int32_t> waits_for_sum = {0};  // of the send back
  std::int32_t landing_waits = 1;                 // whether rank 1's landing waits for its send
  ByteRange at_zero{0, 0, 8};

  Program build() const {
    ProgramBuilder builder(2);
    const std::vector<ByteRange> row{{0, 0, 8}};
    builder.add(Agent(0), {.kind = kReceiveReduce, .peer = Agent(1), .writes = {at_zero}});
    builder.add(Agent(0),
                {.kind = kSend, .peer = Agent(1), .tag = 1, .reads = row, .waits = waits_for_sum});
    builder.add(Agent(1), {.kind = kSend, .peer = Agent(0), .reads = row});
    std::vector<std::int32_t> landing;
    if (landing_waits > 0) landing = {0};
    builder.add(Agent(1),
                {.kind = kReceive, .peer = Agent(0), .tag = 1, .writes = row, .waits = landing});
    return std::move(builder).build();
  }
};

const Claim kAllreduce{.collective = schedule::allreduce(2), .size_B = 8};

std::string fault(const Program& program, const Claim& claim = kAllreduce) {
  const ProveResult result = prove(program, claim);
  return result ? "" : result.fault().text;
}

TEST(Prove, takes_an_allreduce_of_two) {
  EXPECT_EQ(fault(Exchange().build()), "");
  EXPECT_EQ(prove(Exchange().build(), kAllreduce)->collective(), schedule::allreduce(2));
  // What comes back was sent after rank 1's own data came, so that its landing need not wait.
  EXPECT_EQ(fault(Exchange{.landing_waits = 0}.build()), "");
}

TEST(Prove, refuses_a_race) {
  EXPECT_EQ(fault(Exchange{.waits_for_sum = {}}.build()),
            "agent 0, operation 0 (receive-reduce): it may access byte 0 of data before or after "
            "operation 1, because it does not wait for that operation");
}

TEST(Prove, knows_where_bytes_belong) {
  EXPECT_EQ(fault(Exchange{.at_zero = {0, 8, 8}}.build()),
            "agent 0, operation 0 (receive-reduce): it adds to byte 8 of data, which has no data");
}

TEST(Prove, knows_what_is_missing_in_the_end) {
  EXPECT_EQ(fault(Exchange().build(), {.collective = schedule::allreduce(2), .size_B = 16}),
            "rank 0 has not all contributions in byte 8 of data in the end");
  EXPECT_THROW((void)prove(Exchange().build(), {.collective = schedule::allreduce(3)}),
               InvalidInput);
}

TEST(Prove, follows_copies_through_other_buffers) {
  // Rank 0 packs the second half of its 8 bytes, sends it, and the other unpacks it.
  ProgramBuilder builder(2, {.buffers = {"data", "packed"}});
  const ByteRange half{0, 4, 4}, packed{1, 100, 4};
  const auto pack =
      builder.add(Agent(0), {.kind = OperationKind::copy, .reads = {half}, .writes = {packed}});
  builder.add(Agent(0), {.kind = kSend, .peer = Agent(1), .reads = {packed}, .waits = {pack}});
  builder.add(Agent(0), {.kind = kSend, .peer = Agent(1), .tag = 1, .reads = {{0, 0, 4}}});
  const auto came = builder.add(Agent(1), {.kind = kReceive, .peer = Agent(0), .writes = {packed}});
  builder.add(Agent(1),
              {.kind = OperationKind::copy, .reads = {packed}, .writes = {half}, .waits = {came}});
  builder.add(Agent(1), {.kind = kReceive, .peer = Agent(0), .tag = 1, .writes = {{0, 0, 4}}});
  EXPECT_EQ(fault(std::move(builder).build(), {.collective = schedule::broadcast(2), .size_B = 8}),
            "");
}

// Rank 0 adds what comes to `operand` and keeps the sum in another buffer, whence it goes back.
Program sum_elsewhere(ByteRange operand) {
  ProgramBuilder builder(2, {.buffers = {"data", "output"}});
  const std::vector<ByteRange> row{{0, 0, 8}}, result{{1, 0, 8}};
  builder.add(Agent(0),
              {.kind = kReceiveReduce, .peer = Agent(1), .reads = {operand}, .writes = result});
  builder.add(Agent(0), {.kind = kSend, .peer = Agent(1), .tag = 1, .reads = result, .waits = {0}});
  builder.add(Agent(1), {.kind = kSend, .peer = Agent(0), .reads = row});
  builder.add(Agent(1), {.kind = kReceive, .peer = Agent(0), .tag = 1, .writes = result});
  return std::move(builder).build();
}

TEST(Prove, takes_a_sum_with_an_operand_elsewhere) {
  Claim claim = kAllreduce;
  EXPECT_EQ(fault(sum_elsewhere({0, 0, 8}), claim),
            "rank 0 has not all contributions in byte 0 of data in the end");
  claim.output = 1;
  EXPECT_EQ(fault(sum_elsewhere({0, 0, 8}), claim), "");
  EXPECT_EQ(fault(sum_elsewhere({1, 0, 8}), claim),
            "agent 0, operation 0 (receive-reduce): it reads byte 0 of output, which has no data");
  claim.output = 2;
  EXPECT_THROW((void)prove(sum_elsewhere({0, 0, 8}), claim), InvalidInput);
}

TEST(Prove, refuses_operands_of_another_place) {
  ProgramBuilder builder(2, {.buffers = {"data", "output"}});
  builder.add(Agent(0), {.kind = kReceiveReduce,
                         .peer = Agent(1),
                         .reads = {{0, 0, 2}, {0, 4, 2}},
                         .writes = {{1, 0, 4}}});
  builder.add(Agent(1), {.kind = kSend, .peer = Agent(0), .reads = {{0, 0, 4}}});
  EXPECT_EQ(fault(std::move(builder).build()),
            "agent 0, operation 0 (receive-reduce): it adds data of byte 2 to its operand, which "
            "has byte 4 there");
  ProgramBuilder odd(2);
  EXPECT_THROW(
      odd.add(
          Agent(0),
          {.kind = kReceiveReduce, .peer = Agent(1), .reads = {{0, 0, 2}}, .writes = {{0, 4, 4}}}),
      InvalidInput);
}

TEST(Prove, takes_reduce_scatter_then_allgather_for_an_allreduce) {
  constexpr std::int64_t kBlock = 5, kRanks = 6;
  const std::array halves{
      lower(schedule::verify_own(algorithm::ring_reduce_scatter(kRanks)),
            {.size_B = kBlock * kRanks}),
      lower(schedule::verify_own(algorithm::ring_allgather(kRanks)), {.size_B = kBlock})};
  const Claim claim{.collective = schedule::allreduce(kRanks), .size_B = kBlock * kRanks};
  EXPECT_EQ(fault(then(halves), claim), "");
  EXPECT_NE(fault(overlay(halves), claim), "");  // on buffers of their own
}

// Both ranks send 8 bytes to a helper, 2, which adds them, the first to nothing, and returns them.
Program summed_by_a_helper(OperationKind first) {
  ProgramBuilder builder(2, {.helpers = 1});
  const std::vector<ByteRange> row{{0, 0, 8}};
  for (int r = 0; r < 2; ++r) {
    builder.add(Agent(r), {.kind = kSend, .peer = Agent(2), .reads = row});
    builder.add(Agent(r),
                {.kind = kReceive, .peer = Agent(2), .tag = 1, .writes = row, .waits = {0}});
  }
  builder.add(Agent(2), {.kind = first, .peer = Agent(0), .writes = row});
  builder.add(Agent(2), {.kind = kReceiveReduce, .peer = Agent(1), .writes = row, .waits = {0}});
  for (int r = 0; r < 2; ++r)
    builder.add(Agent(2), {.kind = kSend, .peer = Agent(r), .tag = 1, .reads = row, .waits = {1}});
  return std::move(builder).build();
}

TEST(Prove, takes_the_first_reduction_on_an_empty_helper_for_a_copy) {
  EXPECT_EQ(fault(summed_by_a_helper(kReceiveReduce)), "");
  EXPECT_EQ(fault(summed_by_a_helper(kReceive)), "");
  // An allgather combines nothing, there either.
  const Claim gathered{.collective = schedule::allgather(2), .size_B = 4};
  EXPECT_NE(fault(summed_by_a_helper(kReceiveReduce), gathered), "");
}

}  // namespace
}  // namespace weft::program
