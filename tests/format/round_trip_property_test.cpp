// Programs that are written out, in other systems' files and back: what does the same takes as
// long.
#include <gtest/gtest.h>

#include <map>

#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "support/trace_files.hpp"
#include "weft/base/random.hpp"
#include "weft/format/format.hpp"
#include "weft/program/file.hpp"
#include "weft/program/operations.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::format {
namespace {

using program::Agent;
using program::OperationKind;
using program::OperationSpec;

constexpr std::int32_t kRanks = 6;

// Waits for some of the operations that the agent has.
std::vector<std::int32_t> some_waits(std::int32_t operations, Rng& rng) {
  std::vector<std::int32_t> waits;
  for (std::int32_t o = 0; o < operations; ++o)
    if (rng.below(3) == 0) waits.push_back(o);
  return waits;
}

// Operations of all kinds in any order that can run: a send before its receive is added, and each
// waits for earlier ones. Work takes whole nanoseconds, which GOAL counts; no message goes to its
// sender, which would be a copy, too. Other work and reductions of what comes never share a stream:
// they would take turns, and of those that become ready together no file says which is first.
Program any_program(Rng rng) {
  const bool reduces = rng.below(2) == 0;
  ProgramBuilder builder(kRanks, {.name = "any"});
  std::vector<std::int32_t> operations(kRanks);
  const auto add = [&](Agent at, OperationSpec spec) {
    spec.waits = some_waits(operations[at.index()], rng);
    const bool works = spec.kind >= OperationKind::copy;
    spec.stream = works && (reduces || rng.below(2) == 0) ? program::Stream::compute
                                                          : program::Stream::communication;
    operations[at.index()] = builder.add(at, std::move(spec)) + 1;
  };
  for (int i = 0; i < 24; ++i) {
    const std::int64_t first = rng.below(kRanks);
    const Agent from(first), to((first + 1 + rng.below(kRanks - 1)) % kRanks);
    const std::int64_t bytes = 1 + rng.below(100'000);
    const auto tag = static_cast<std::int32_t>(rng.below(3));
    switch (rng.below(4)) {
      case 0:
        add(from, {.kind = OperationKind::compute,
                   .seconds = static_cast<double>(rng.below(50'000)) * 1e-9});
        break;
      case 1:
        add(from, {.kind = rng.below(2) == 0 ? OperationKind::copy : OperationKind::reduce,
                   .bytes = bytes});
        break;
      default:
        add(from, {.kind = OperationKind::send, .peer = to, .tag = tag, .bytes = bytes});
        add(to, {.kind = reduces && rng.below(2) == 0 ? OperationKind::receive_reduce
                                                      : OperationKind::receive,
                 .peer = from,
                 .tag = tag,
                 .bytes = bytes});
    }
  }
  return std::move(builder).build();
}

// Bytes of work are nanoseconds, too.
Network network() {
  const Network free = test::on("ring:6");
  return free.with_host(
      {.copy_bandwidth_Bps = 1'000'000'000, .reduce_bandwidth_Bps = 1'000'000'000});
}

class RoundTrip : public testing::TestWithParam<int> {
 protected:
  const Rng rng_ = Rng(61).split(static_cast<std::uint64_t>(GetParam()));
};

TEST_P(RoundTrip, keeps_the_bytes_of_a_program_file) {
  const std::string bytes = program::encode(any_program(rng_));
  EXPECT_EQ(program::encode(program::decode(bytes, "f")), bytes);
}

// A copy or reduction becomes work of the same time, which streams keep apart as before.
TEST_P(RoundTrip, through_goal_keeps_times) {
  const Program program = any_program(rng_);
  const Network network = format::network();
  const Format& goal = find_format("goal");
  const auto again = [&](const std::string& text) {
    return goal.read_program({.path = "f", .read = [&](const std::string&) { return text; }});
  };
  const std::string text =
      goal.write_program(program, {.path = "f", .host = network.host()})[0].content;
  const auto before = simulation::simulate(program, network);
  const auto after = simulation::simulate(again(text), test::on("ring:6"));
  EXPECT_EQ(after.messages, before.messages);
  for (std::size_t rank = 0; rank < before.agent_times_s.size(); ++rank)
    EXPECT_NEAR(after.agent_times_s[rank], before.agent_times_s[rank], 1e-12) << rank << text;
  // Labels apart, which count the operations.
  const std::string twice = goal.write_program(again(text), {.path = "f"})[0].content;
  EXPECT_EQ(goal.write_program(again(twice), {.path = "f"})[0].content, twice);
}

// A trace has the program's messages, step by step.
TEST_P(RoundTrip, through_traces_keeps_messages) {
  const Program program = any_program(rng_);
  const Format& traces = find_format("simgrid-trace");
  std::map<std::string, std::string> files;
  for (const File& file : traces.write_program(program, {.path = "f", .host = network().host()}))
    files[file.path] = file.content;
  const Program back = traces.read_program(
      {.path = "f", .read = [&](const std::string& path) { return files.at(path); }});
  EXPECT_EQ(back.ranks(), program.ranks());
  EXPECT_EQ(back.message_count(), program.message_count());
  EXPECT_EQ(back.payload_B(), program.payload_B());
  EXPECT_EQ(peers_of(back), peers_of(program));
}

// Chakra's nodes have all of a program's operations; weft's own attributes keep the rest.
TEST_P(RoundTrip, through_chakra_keeps_operations_and_times) {
  const Program program = any_program(rng_);
  const Network network = format::network();
  const Format& chakra = find_format("chakra");
  const auto write = [&](const Program& what) {
    std::vector<std::string> files;
    for (const File& file : chakra.write_program(what, {.path = "f", .host = network.host()}))
      files.push_back(file.content);
    return files;
  };
  const auto files = write(program);
  const Program back = chakra.read_program(test::trace_source(files));
  EXPECT_EQ(write(back), files);
  EXPECT_EQ(back.payload_B(), program.payload_B());
  const auto before = simulation::simulate(program, network);
  const auto after = simulation::simulate(back, network);
  for (std::size_t rank = 0; rank < before.agent_times_s.size(); ++rank)
    EXPECT_NEAR(after.agent_times_s[rank], before.agent_times_s[rank], 1e-12) << rank;
}

INSTANTIATE_TEST_SUITE_P(Seeds, RoundTrip, testing::Range(0, test::samples(50)));

}  // namespace
}  // namespace weft::format
