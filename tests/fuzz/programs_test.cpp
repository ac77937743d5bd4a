// Readers of programs, ours and other systems', fed with damaged files: what they take can be
// written, read again and run.
#include <gtest/gtest.h>

#include <cmath>

#include "fuzz/feed.hpp"
#include "support/network_on.hpp"
#include "support/protobuf_bytes.hpp"
#include "support/trace_files.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/text.hpp"
#include "weft/format/chakra/frames.hpp"
#include "weft/format/execution_trace.hpp"
#include "weft/format/format.hpp"
#include "weft/program/file.hpp"
#include "weft/program/operations.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/training/trace/trace_run.hpp"

namespace {

using namespace weft;
using program::Agent;
using program::ByteRange;
using test::feed;
using test::Mutator;
namespace wire = test::wire;

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

// A trace's files in one text, each with its length before it.
std::string joined(const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files) text += wire::frame(file);
  return text;
}

std::vector<std::string> parted(std::string_view text) {
  std::vector<std::string> files;
  for (const std::string name = "all"; files.size() < 8;) {
    format::Frames frames(text, name);
    try {
      const auto file = frames.next();
      if (!file) break;
      files.emplace_back(*file);
      text.remove_prefix(static_cast<std::size_t>(file->data() + file->size() - text.data()));
    } catch (const InvalidInput&) {  // the rest is cut off
      break;
    }
  }
  return files;
}

// What is read is a trace that runs, and a program where it has no collectives; and it is written
// and read again.
TEST(Programs, read_damaged_chakra_traces) {
  const format::Format& chakra = format::find_format("chakra");
  const auto written = [&](const Program& program) {
    std::vector<std::string> files;
    for (const format::File& file : chakra.write_program(program, {.path = "f"}))
      files.push_back(file.content);
    return files;
  };
  const std::string groups = wire::frame(
      wire::number(1, 0) + wire::bytes(2, "## process_group:init ##") + wire::number(3, 1) +
      wire::bytes(8, wire::bytes(1, R"(['[{"pg_name": "0", "ranks": [0, 1]}]'])")));
  const std::string step =
      wire::header() + groups + wire::node(1, wire::kCompute, wire::micros(3)) +
      wire::collective(2, 0, 4096, wire::after(1) + wire::text("pg_name", "0")) +
      wire::collective(3, 6, 4096, wire::after(2));
  const std::vector<std::string> seeds{
      joined(written(ring())), joined(written(everything())), joined({step, step}),
      joined({wire::header() + wire::send(1, 1, 0, 8) + wire::receive(2, 1, 0, 8),
              wire::header() + wire::receive(1, 0, 0, 8) + wire::send(2, 0, 0, 8)})};
  std::vector<std::string> dictionary = test::bytes_of_numbers();
  for (const std::string& piece :
       {wire::after(1), wire::after(2), wire::micros(1), wire::number(1, 2), wire::number(3, 7),
        wire::int32("comm_dst", 1), wire::int64("comm_size", 8), std::string("\x1f\x8b"),
        wire::text("pg_name", "0"), wire::node(7, wire::kCompute), wire::send(8, 0, 0, 1)})
    dictionary.push_back(piece);
  static const Network network = test::on("complete:4");
  training::TraceQuestion asked{.operations_per_second = 1e12};
  asked.prices.algorithms = {"ring", "spread"};
  asked.prices.simulation.model = simulation::Model::alpha_beta;
  const int taken = feed(20'000, seeds, Mutator(dictionary), [&](const std::string& text) {
    const auto files = parted(text);
    const format::Trace trace = test::read_traces(files);
    std::vector<std::string> again;
    for (std::size_t rank = 0; rank < trace.ranks.size(); ++rank)
      again.push_back(format::encode(trace.ranks[rank], static_cast<std::int32_t>(rank),
                                     trace.groups, trace.program));
    EXPECT_EQ(test::read_traces(again).ranks.size(), trace.ranks.size());
    bool is_program = true;
    try {
      run(format::program_of(trace, "damaged"));
    } catch (const InvalidInput&) {
      is_program = false;
    }
    if (is_program) return;
    const double time_s = training::run_trace(trace, network, asked).time_s;
    EXPECT_TRUE(std::isfinite(time_s) && time_s >= 0) << time_s;
  });
  EXPECT_GT(taken, 100);
}

}  // namespace
