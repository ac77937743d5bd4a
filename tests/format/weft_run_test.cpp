// The text that weft-bench run performs.
#include <gtest/gtest.h>

#include "weft/algorithm/rings/ring.hpp"
#include "weft/base/error.hpp"
#include "weft/format/format.hpp"
#include "weft/program/operations.hpp"

namespace weft::format {
namespace {

using program::Agent;
using program::OperationKind;

std::string written(const Program& program, std::optional<program::Claim> claim = {}) {
  return find_format("weft-run").write_program(program, {.path = "f", .claim = claim})[0].content;
}

// Two ranks, a block of the buffer each. Rank r first sends block r, which is reduced at the other
// rank, and then gets it back: the ring of two. Blocks of 12 bytes are the unit.
TEST(WeftRun, has_operations_with_what_they_wait_for) {
  const Program ring =
      lower(schedule::verify_own(algorithm::ring_allreduce(2)), {.size_B = 24, .element_B = 4});
  const std::string text = written(ring);
  EXPECT_TRUE(
      text.starts_with("weft-run 2\nname ring\ncollective allreduce\nranks 2\nsize 2\n"
                       "unit_B 12\nbuffers data\nrank 0\n"))
      << text;
  EXPECT_NE(text.find("receive-reduce 1 0 0:"), std::string::npos) << text;
  EXPECT_NE(text.find("receive 1 1 0:"), std::string::npos) << text;
}

// What has no proof takes the claim, which names the buffer of the result. Work that moves nothing
// only waits.
TEST(WeftRun, names_buffers_and_the_result) {
  program::ProgramBuilder builder(1, {.name = "one", .buffers = {"data", "output"}});
  const auto work =
      builder.add(Agent(0), {.kind = OperationKind::compute, .seconds = 1e-3, .waits = {}});
  builder.add(
      Agent(0),
      {.kind = OperationKind::copy, .reads = {{0, 0, 8}}, .writes = {{1, 0, 8}}, .waits = {work}});
  const Program program = std::move(builder).build();
  EXPECT_EQ(written(program,
                    program::Claim{.collective = schedule::allgather(1), .size_B = 8, .output = 1}),
            "weft-run 2\nname one\ncollective allgather\nranks 1\nsize 1\nunit_B 8\n"
            "buffers data output\nresult 1\nrank 0\npass\ncopy 0:0+1 to 1:0+1 after 0\n");
  EXPECT_THROW(written(program), InvalidInput);
}

// Both ends count the messages of a pair alike, though the receiver takes them in another order.
TEST(WeftRun, numbers_messages_alike_at_both_ends) {
  program::ProgramBuilder builder(2, {.name = "crossed"});
  for (const std::int32_t tag : {0, 1})
    builder.add(
        Agent(0),
        {.kind = OperationKind::send, .peer = Agent(1), .tag = tag, .reads = {{0, tag, 1}}});
  for (const std::int32_t tag : {1, 0})
    builder.add(
        Agent(1),
        {.kind = OperationKind::receive, .peer = Agent(0), .tag = tag, .writes = {{0, tag, 1}}});
  const std::string text =
      written(std::move(builder).build(), program::Claim{schedule::broadcast(2), 2});
  EXPECT_NE(
      text.find("send 1 0 0:0+1\nsend 1 1 0:1+1\nrank 1\nreceive 0 1 0:1+1\nreceive 0 0 0:0+1"),
      std::string::npos)
      << text;
}

}  // namespace
}  // namespace weft::format
