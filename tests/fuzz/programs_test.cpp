// Readers of programs, ours and other systems', fed with damaged files: what they take can be
// written, read again and run.
#include <gtest/gtest.h>

#include <cmath>

#include "fuzz/feed.hpp"
#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/text.hpp"
#include "weft/format/format.hpp"
#include "weft/program/file.hpp"
#include "weft/program/operations.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/simulation/simulation.hpp"

namespace {

using namespace weft;
using program::Agent;
using program::ByteRange;
using test::feed;
using test::Mutator;

constexpr std::int32_t kRanks = 4;

Program ring() {
  const Schedule schedule =
      algorithm::build_schedule("ring", Collective{CollectiveKind::allreduce, kRanks}, nullptr);
  return write_out(lower(schedule::verify_own(schedule), {.size_B = 4096}));
}

// Each kind of operation, with all that it may have.
Program everything() {
  ProgramBuilder builder(2, {.name = "all", .size_B = 7, .buffers = {"data", "other"}});
  const ByteRange here{0, 3, 5}, there{1, 300, 5};
  const auto work = builder.add(Agent(0), {.kind = OperationKind::compute,
                                           .stream = program::Stream::compute,
                                           .seconds = 0.1,
                                           .origin = {2, 3, 4}});
  const auto copy = builder.add(
      Agent(0), {.kind = OperationKind::copy, .reads = {here}, .writes = {there}, .waits = {work}});
  builder.add(
      Agent(0),
      {.kind = OperationKind::reduce, .reads = {there}, .writes = {here}, .waits = {work, copy}});
  builder.add(Agent(0),
              {.kind = OperationKind::send, .peer = Agent(1), .tag = -7, .reads = {there}});
  builder.add(
      Agent(1),
      {.kind = OperationKind::receive_reduce, .peer = Agent(0), .tag = -7, .writes = {here}});
  return std::move(builder).build();
}

// On four hosts, if it has no more ranks and takes the routes of a network.
void run(const Program& program) {
  static const Network network = test::on("complete:4");
  if (program.agents() > kRanks || program.route_count() > 0) return;
  const double time_s = simulation::simulate(program, network).time_s;
  EXPECT_TRUE(std::isfinite(time_s) && time_s >= 0) << time_s;
}

TEST(Programs, read_damaged_program_files) {
  const std::vector<std::string> seeds{program::encode(ring()), program::encode(everything())};
  const Mutator mutate(test::bytes_of_numbers());
  const int taken = feed(20'000, seeds, mutate, [](const std::string& damaged) {
    const Program read = program::decode(test::with_right_checksum(damaged), "damaged");
    const std::string bytes = program::encode(read);
    EXPECT_EQ(program::encode(program::decode(bytes, "written")), bytes);
    run(read);
  });
  EXPECT_GT(taken, 100);
}

Program read(const char* format, const std::function<std::string(const std::string&)>& file) {
  return format::find_format(format).read_program(
      {.path = "damaged", .flops_per_s = 1e9, .read = file});
}

TEST(Programs, read_damaged_goal_files) {
  const format::Format& goal = format::find_format("goal");
  const auto again = [](const std::string& text) {
    return read("goal", [&](const std::string&) { return text; });
  };
  const std::vector<std::string> seeds{
      goal.write_program(ring(), {.path = "f"})[0].content,
      "// three\nnum_ranks 3\nrank 0 {\nw: calc 5000 cpu 1\ns: send 12500b to 1 tag 7 nic 0\n"
      "s requires w\n}\nrank 1 {\n a: calc 2 /* in\n between */\nr: recv 12500 b from 0 tag 7\n"
      "a requires r\n}\nrank 2 {\n}\n"};
  const Mutator mutate({"requires ",
                        "calc ",
                        "send 8b to 1\n",
                        "recv 8b from 0\n",
                        "l1",
                        "l0",
                        ":",
                        "/*",
                        "*/",
                        "//",
                        "}",
                        "\n",
                        " tag 1",
                        " cpu 1",
                        "9223372036854775807",
                        "16777216",
                        "-1",
                        "1e9",
                        "0",
                        "b"});
  const int taken = feed(20'000, seeds, mutate, [&](const std::string& text) {
    const Program program = again(text);
    const std::string written = goal.write_program(program, {.path = "f"})[0].content;
    EXPECT_EQ(goal.write_program(again(written), {.path = "f"})[0].content, written) << text;
    run(program);
  });
  EXPECT_GT(taken, 100);
}

// The list of traces and these, in one text.
TEST(Programs, read_damaged_traces) {
  const format::Format& traces = format::find_format("simgrid-trace");
  const auto again = [](const std::string& text) {
    const std::vector<std::string_view> parts = split(text, '\f');
    return read("simgrid-trace", [&](const std::string& path) {
      const auto part = path == "damaged" ? 0 : number_in<std::size_t>(path).value_or(parts.size());
      require(part < parts.size(), "there is no file {}", path);
      return std::string(parts[part]);
    });
  };
  const auto joined = [](const std::vector<format::File>& files) {
    std::string text;
    for (std::size_t i = 1; i < files.size(); ++i) text += std::to_string(i) + '\n';
    for (std::size_t i = 1; i < files.size(); ++i) text += '\f' + files[i].content;
    return text;
  };
  const std::vector<std::string> seeds{
      joined(traces.write_program(ring(), {.path = "f"})),
      "1\n2\n\f0 init\n0 compute 2e3\n0 send 1 0 12500\n0 recv 1 5 12500\n\f1 init 1\n"
      "1 irecv 0 0 12500\n1 sleep 3e-6\n1 wait 0 1 0\n1 isend 0 5 12500\n1 waitall\n1 finalize\n"};
  const Mutator mutate({"0 isend 1 1 8\n", "1 irecv 0 1 8\n", "waitall\n", "wait ", "sleep ",
                        "compute ", "init", "\f", "\n", "1", " 0", "-1", "1e300", "nan", "inf",
                        "9223372036854775807", "1e18"});
  const int taken = feed(20'000, seeds, mutate, [&](const std::string& text) {
    const Program program = again(text);
    const Program back = again(joined(traces.write_program(program, {.path = "f"})));
    EXPECT_EQ(back.message_count(), program.message_count()) << text;
    EXPECT_EQ(back.payload_B(), program.payload_B()) << text;
    run(program);
  });
  EXPECT_GT(taken, 100);
}

}  // namespace
