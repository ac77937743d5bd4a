#include "weft/program/file.hpp"

#include <gtest/gtest.h>

#include "weft/algorithm/rings/ring.hpp"
#include "weft/base/error.hpp"
#include "weft/program/operations.hpp"

namespace weft::program {
namespace {

// Each kind of operation, with all that it may have.
Program everything() {
  ProgramBuilder builder(2, {.name = "all", .size_B = 7, .buffers = {"data", "other"}});
  const ByteRange here{0, 3, 5}, there{1, 300, 5};
  const auto work = builder.add(Agent(0), {.kind = OperationKind::compute,
                                           .stream = Stream::compute,
                                           .seconds = 0.1,
                                           .origin = {2, 3, 4}});
  const auto copy = builder.add(
      Agent(0), {.kind = OperationKind::copy, .reads = {here}, .writes = {there}, .waits = {work}});
  builder.add(
      Agent(0),
      {.kind = OperationKind::reduce, .reads = {there}, .writes = {here}, .waits = {work, copy}});
  const LinkId link(5);
  builder.add(Agent(0), {.kind = OperationKind::send,
                         .peer = Agent(1),
                         .tag = -7,
                         .route = builder.add_route(std::span(&link, 1)),
                         .reads = {there}});
  builder.add(Agent(1), {.kind = OperationKind::receive_reduce,
                         .peer = Agent(0),
                         .tag = -7,
                         .reads = {there},
                         .writes = {here}});
  return std::move(builder).build();
}

TEST(ProgramFile, comes_back_as_it_was) {
  const Program program = everything();
  const std::string bytes = encode(program);
  EXPECT_TRUE(is_program_file(bytes));
  const Program back = decode(bytes, "f");
  EXPECT_EQ(encode(back), bytes);
  EXPECT_EQ(back.name(), "all");
  EXPECT_EQ(back.size_B(), 7);
  EXPECT_EQ(back.operations()->buffers(), program.operations()->buffers());
  const Operation& send = back.operations()->of(Agent(0))[3];
  EXPECT_EQ(send.tag, -7);
  EXPECT_EQ(back.route(send.route)[0], LinkId(5));
  EXPECT_EQ(back.operations()->of(Agent(0))[0].seconds, 0.1);
  EXPECT_EQ(back.operations()->of(Agent(0))[0].origin, (Provenance{2, 3, 4}));
  EXPECT_EQ(back.operations()->waits(back.operations()->of(Agent(0))[2]).size(), 2U);
}

// A helper without a node would be placed by what follows in memory.
TEST(ProgramFile, refuses_helpers_without_a_node) {
  ProgramBuilder builder(
      2, {.name = "few", .helpers = 1, .binding = {.topology = "ring:3", .nodes = {NodeId(0)}}});
  const std::string bytes = encode(std::move(builder).build());
  EXPECT_THROW(decode(bytes, "f"), InvalidInput);
}

TEST(ProgramFile, claims_nothing) {
  const Program ring = lower(schedule::verify_own(algorithm::ring_allgather(4)), {.size_B = 9});
  EXPECT_TRUE(write_out(ring).collective());
  EXPECT_FALSE(decode(encode(ring), "f").collective());
}

TEST(ProgramFile, refuses_what_was_cut_or_changed) {
  const std::string bytes = encode(everything());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THROW(decode(bytes.substr(0, length), "f"), InvalidInput);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    EXPECT_THROW(decode(changed, "f"), InvalidInput) << at;
  }
  EXPECT_THROW(decode(bytes + "x", "f"), InvalidInput);
}

}  // namespace
}  // namespace weft::program
