// GOAL, as text.
#include <gtest/gtest.h>

#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/rings/ring.hpp"
#include "weft/base/error.hpp"
#include "weft/format/format.hpp"
#include "weft/program/operations.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::format {
namespace {

using program::Agent;
using program::OperationKind;

Program read(const std::string& text) {
  return find_format("goal").read_program(
      {.path = "f", .read = [&](const std::string&) { return text; }});
}

std::string written(const Program& program, const HostParameters& host = {}) {
  return find_format("goal").write_program(program, {.path = "f", .host = host})[0].content;
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

// 5 us of work beside the message and 2 us after it; the message takes 1 us + 1 us.
constexpr const char* kText = R"(// a comment
num_ranks 2

rank 0 {
  w: calc 5000 cpu 1
  s: send 12500b to 1 tag 7 cpu 0 nic 0 /* several
lines */
}
rank 1 {
after: calc 2000
l_2: recv 12500 b from 0 tag 7
after requires l_2
})";

TEST(Goal, reads_operations_and_what_they_require) {
  const Program program = read(kText);
  EXPECT_EQ(program.ranks(), 2);
  EXPECT_EQ(program.message_count(), 1);
  const auto result = simulation::simulate(program, test::on("ring:2"));
  EXPECT_NEAR(result.agent_times_s[0], 5e-6, 1e-15);
  EXPECT_NEAR(result.agent_times_s[1], 4e-6, 1e-15);
}

TEST(Goal, comes_back_as_it_was) {
  const std::string once = written(read(kText));
  EXPECT_EQ(written(read(once)), once);
  EXPECT_EQ(once,
            "num_ranks 2\nrank 0 {\nl0: calc 5000 cpu 1\nl1: send 12500b to 1 tag 7\n}\n"
            "rank 1 {\nl0: recv 12500b from 0 tag 7\nl1: calc 2000\nl1 requires l0\n}\n");
  EXPECT_EQ(recognise(kText, "f").name, "goal");
}

// b starts with a's start, at 3 us, though a goes on to 10 us; c starts with b, on the other
// stream.
TEST(Goal, starts_after_a_start) {
  const std::string text =
      "num_ranks 1\nrank 0 {\nz: calc 3000\na: calc 7000\na requires z\n"
      "b: calc 1000 cpu 3\nb irequires a\nc: calc 0\nc irequires b\n}\n";
  EXPECT_NEAR(simulation::simulate(read(text), test::on("complete:2")).time_s, 10e-6, 1e-15);
  const std::string other =
      "num_ranks 1\nrank 0 {\nz: calc 3000\na: calc 7000\na requires z\n"
      "b: calc 9000 cpu 3\nb irequires a\n}\n";
  EXPECT_NEAR(simulation::simulate(read(other), test::on("complete:2")).time_s, 12e-6, 1e-15);
}

// As others write it: blanks anywhere, braces beside operations, cpus and nics of messages, tags of
// 32 bits without a sign.
TEST(Goal, reads_what_its_grammar_allows) {
  const Program program = read(
      "num_ranks 2\r\nrank 0 {l1 :send 8b to 1 tag 4294967294 cpu 7 nic 3\r\n} rank 1 {\r\n"
      "l1:recv 8 b from 0 tag 4294967294 nic 2\r\nl2: calc 5 cpu 9\r\n}\r\n");
  EXPECT_EQ(program.message_count(), 1);
  EXPECT_EQ(written(program),
            "num_ranks 2\nrank 0 {\nl0: send 8b to 1 tag 4294967294\n}\nrank 1 {\n"
            "l0: recv 8b from 0 tag 4294967294\nl1: calc 5 cpu 1\n}\n");
}

TEST(Goal, refuses_the_tag_that_means_any) {
  ProgramBuilder builder(2);
  builder.add(Agent(0), {.peer = Agent(1), .tag = -1, .bytes = 8});
  builder.add(Agent(1), {.kind = OperationKind::receive, .peer = Agent(0), .tag = -1, .bytes = 8});
  EXPECT_THROW(written(std::move(builder).build()), InvalidInput);
}

// The dependencies of a schedule are kept, so that it takes the time of the dataflow reading.
TEST(Goal, keeps_the_time_of_a_schedule) {
  constexpr std::int64_t kBytes = 12500;
  const Program ring =
      lower(schedule::verify_own(algorithm::ring_allreduce(8)), {.size_B = 8 * kBytes});
  const HostParameters host{.reduce_bandwidth_Bps = 12'500'000'000};  // 1 us a block
  EXPECT_NEAR(simulation::simulate(read(written(ring)), test::on("ring:8")).time_s, 14 * 2e-6,
              1e-15);
  EXPECT_NEAR(simulation::simulate(read(written(ring, host)), test::on("ring:8")).time_s,
              14 * 2e-6 + 7 * 1e-6, 1e-15);
}

TEST(Goal, refuses_what_it_cannot_read) {
  const auto rank = [](const std::string& line) {
    return "num_ranks 1\nrank 0 {\n" + line + "\n}\n";
  };
  EXPECT_EQ(refusal(rank("a: send 8b to 1")), "f:3: rank 1 is out of range (0 to 0)");
  EXPECT_EQ(refusal(rank("a: recv 8b from -1")),
            "f:3: a receive from any rank (-1) is not supported, because the order of arrival "
            "decides its meaning; name the rank");
  EXPECT_EQ(refusal(rank("a: recv 8b from 0 tag -1")),
            "f:3: tag -1 (any) is not supported, because the order of arrival decides its "
            "meaning; name the tag");
  EXPECT_EQ(refusal(rank("a: send 0b to 0")), "f:3: '0' is not a number of bytes (1 or more)");
  EXPECT_EQ(refusal(rank("a: calc 1 cpu 256")), "f:3: cpu 256 is out of range (0 to 255)");
  EXPECT_EQ(refusal(rank("a: calc 1 cpu 2\ncalc 1\ncalc 0 cpu 4\nb: calc 1 cpu 3")),
            "f:6: rank 0 computes on cpu 3 and, in line 3, on cpu 2; a rank can compute on cpu 0 "
            "and one other");
  EXPECT_EQ(refusal(rank("a: calc 1 tag 2")), "f:3: 'tag' is not supported; cpu is");
  EXPECT_EQ(refusal(rank("7a: calc 1")),
            "f:3: '7a' is not a label (letters, digits and _, a letter first)");
  EXPECT_EQ(refusal(rank("a:")), "f:3: an operation is missing after label a");
  EXPECT_EQ(refusal(rank("a requires b")), "f:3: label a does not exist before this line");
  EXPECT_EQ(refusal(rank("a: calc 1\nb: calc 1\na drequires b")),
            "f:5: 'drequires' is not supported; use requires (after its end) or irequires (after "
            "its start)");
  EXPECT_EQ(refusal(rank("a: calc 1\nb: calc 1\na irequires b\nb irequires a")),
            "f:3: operations of rank 0 require each other in a circle, with this one in it or "
            "after it; remove one 'requires'");
  EXPECT_EQ(refusal(rank("a: calc 1\nb: calc 1\na requires b\nb requires a")),
            "f:3: operations of rank 0 require each other in a circle, with this one in it or "
            "after it; remove one 'requires'");
  EXPECT_EQ(refusal(rank("a: calc 1\na: calc 1")), "f:4: label a is repeated");
  EXPECT_EQ(refusal("num_ranks 2\nrank 0 {\n}\n"),
            "f:3: the file has 1 of 2 ranks; add the others, or change num_ranks");
  EXPECT_EQ(refusal("num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 0\n}\nrank 1 {\n}\n"),
            "f:3: a message from 0 to 1 with tag 0 is sent and never received; add the other "
            "end, or remove it");
  EXPECT_EQ(refusal("num_ranks 2\nrank 0 {\nb: recv 8b from 1\na: send 8b to 1\na requires b\n}\n"
                    "rank 1 {\nb: recv 8b from 0\na: send 8b to 0\na requires b\n}\n"),
            "f:3: messages wait for each other in a circle: 4 of 4 operations can never start; "
            "ranks 0 <- 1 <- 0, each waiting for the next: let one of them send before it waits");
  EXPECT_EQ(refusal("num_ranks 16777216\n"), "f:1: the file is too short for 16777216 ranks");
  EXPECT_EQ(refusal("num_ranks 1\nrank 0 {\n"),
            "f:2: the file ends within rank 0; add } at its end");
  EXPECT_EQ(refusal("rank 0 {\n}\n"), "f:1: num_ranks is missing");
  EXPECT_EQ(refusal(""), "'f' is not a GOAL file: num_ranks is missing; add num_ranks N");
}

// GOAL's ranks are hosts, each with a processor; a switch is none.
TEST(Goal, refuses_switches_that_combine) {
  const Network network = test::on("xgft:1;4;1");
  const auto schedule = algorithm::build_schedule("switch-tree", schedule::allreduce(4), &network);
  const Program program =
      lower(schedule::verify_own(schedule, &network.topology()), {.size_B = 64});
  for (const char* format : {"goal", "simgrid-trace"}) try {
      find_format(format).write_program(program, {.path = "f"});
      ADD_FAILURE() << format;
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find("1 helper (switches that combine"),
                std::string::npos)
          << error.what();
    }
}

}  // namespace
}  // namespace weft::format
