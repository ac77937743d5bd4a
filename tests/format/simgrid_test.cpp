// SimGrid's traces and platforms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

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

// A program written and read again.
Program again(const Program& program) {
  const Format& format = find_format("simgrid-trace");
  std::map<std::string, std::string> files;
  for (const File& file : format.write_program(program, {.path = "folder/traces"}))
    files[file.path] = file.content;
  return format.read_program(
      {.path = "folder/traces", .read = [&](const std::string& path) { return files.at(path); }});
}

Program read(const std::vector<std::string>& traces, double flops_per_s = 0) {
  return find_format("simgrid-trace")
      .read_program(
          {.path = "list", .flops_per_s = flops_per_s, .read = [&](const std::string& path) {
             if (path != "list") return traces.at(std::stoul(path));
             std::string names;
             for (std::size_t i = 0; i < traces.size(); ++i) names += std::to_string(i) + "\n";
             return names;
           }});
}

std::string refusal(const std::vector<std::string>& traces) {
  try {
    read(traces);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

// Receives and sends of a step, then a wait: the traces of a schedule take its time per rank.
TEST(SimgridTrace, comes_back_with_the_time_of_the_schedule) {
  constexpr std::int64_t kBytes = 12500;  // 1 us at 12.5 GB/s, and each link takes 1 us
  const Program ring =
      lower(schedule::verify_own(algorithm::ring_allreduce(8)), {.size_B = 8 * kBytes});
  const Program back = again(ring);
  EXPECT_EQ(back.ranks(), 8);
  EXPECT_EQ(back.message_count(), 8 * 14);
  EXPECT_EQ(back.payload_B(), 8 * 14 * kBytes);
  const auto result = simulation::simulate(back, test::on("ring:8"));
  EXPECT_NEAR(result.time_s, 14 * 2e-6, 1e-15);
}

TEST(SimgridTrace, writes_what_smpirun_replays) {
  const Program ring = lower(schedule::verify_own(algorithm::ring_allgather(3)), {.size_B = 10});
  const auto files = find_format("simgrid-trace").write_program(ring, {.path = "a/traces"});
  ASSERT_EQ(files.size(), 4U);
  EXPECT_EQ(files[0].content, "traces.0\ntraces.1\ntraces.2\n");
  EXPECT_EQ(files[2].path, "a/traces.1");
  EXPECT_EQ(files[2].content,
            "1 init\n1 irecv 0 0 10\n1 isend 2 0 10\n1 waitall\n1 irecv 0 1 10\n1 isend 2 1 10\n"
            "1 waitall\n1 finalize\n");
}

// Rank 0 works for 2 us and sends; what it does after a blocking send waits for it.
// A flow's blocks take ways of their own, on symmetric networks those of one source, moved.
TEST(Formats, of_messages_without_paths_refuse_those_with_some) {
  const Network network = test::on("torus:3x3");
  const Program flow =
      lower(schedule::verify_own(algorithm::build_schedule("flow", schedule::alltoall(9), &network),
                                 &network.topology()),
            {.size_B = 9'000});
  for (const char* format : {"simgrid-trace", "goal", "chakra"}) try {
      (void)find_format(format).write_program(flow, {.path = "a/file"});
      FAIL() << format;
    } catch (const InvalidInput& refusal) {
      EXPECT_NE(std::string(refusal.what()).find("cannot store the paths of messages, which"),
                std::string::npos)
          << refusal.what();
    }
}

TEST(SimgridTrace, reads_work_and_blocking_messages) {
  const Program program = read({"0 init\n0 compute 2e3\n0 send 1 0 12500\n0 recv 1 5 12500\n",
                                "1 init\n1 recv 0 0 12500\n1 sleep 3e-6\n1 isend 0 5 12500\n"
                                "1 wait 1 0 5\n1 finalize\n"},
                               1e9);
  // 2 us of work, 1 us latency + 1 us of bytes, 3 us of sleep, and 2 us back.
  EXPECT_NEAR(simulation::simulate(program, test::on("ring:2")).time_s, 9e-6, 1e-15);
  // Sizes are counts of 8 bytes after an init with an argument.
  EXPECT_EQ(read({"0 init 1\n0 isend 0 0 3\n0 irecv 0 0 3\n0 waitall\n"}).payload_B(), 24);
}

// Each wait is for the first request of its kind that is left. Where it looks through all, this
// takes minutes.
TEST(SimgridTrace, waits_for_many_requests_in_any_order) {
  constexpr int kMessages = 20'000;
  std::string trace = "0 init\n";
  for (int i = 0; i < kMessages; ++i) trace += fmt::format("0 isend 0 {0} 8\n0 irecv 0 {0} 8\n", i);
  for (int i = kMessages; i-- > 0;) trace += fmt::format("0 wait 0 0 {0}\n0 wait 0 0 {0}\n", i);
  EXPECT_EQ(read({trace}).payload_B(), 8 * kMessages);
}

TEST(SimgridTrace, refuses_what_it_cannot_read) {
  EXPECT_EQ(refusal({"0 init\n0 bcst 5\n"}),
            "0:2: unknown action 'bcst' of SMPI traces; did you mean bcast?");
  EXPECT_EQ(refusal({"0 compute 5\n"}),
            "0:1: compute counts operations; give the operations per second of a rank with "
            "--flops");
  EXPECT_EQ(refusal({"0 send 1 0 5\n"}), "0:1: rank 1 is out of range (0 to 0)");
  EXPECT_EQ(refusal({"0 send 0 0 -5\n"}),
            "0:1: size -5 is out of range (0 to 9223372036854775807)");
  EXPECT_EQ(refusal({"0 wait 0 0 7\n"}), "0:1: no message to wait for from 0 to 0");
  EXPECT_EQ(refusal({"0 sleep x\n"}), "0:1: 'x' is not a number");
  EXPECT_EQ(refusal({"0 init\n", "0 init\n"}),
            "1:1: an action of rank 1 is expected (RANK ACTION ...)");
  EXPECT_EQ(refusal({"0 init\n2 init\n"}),
            "0: rank 1 has no actions, but rank 2 has; a trace needs actions of every rank");
  EXPECT_EQ(refusal({"0 send 0 0 5\n"}),
            "0:1: a message from 0 to 0 with tag 0 is sent and never received; add the other "
            "end, or remove it");
}

// One trace for all ranks: named by a list, or given itself.
TEST(SimgridTrace, reads_one_trace_of_all_ranks) {
  const std::string trace =
      "0 init\n1 init\n0 send 1 0 1e6\n1 recv 0 0 1e6\n0 finalize\n1 finalize\n";
  const auto message = [](const Program& program) {
    return std::tuple(program.ranks(), program.message_count(), program.payload_B());
  };
  const auto expected = std::tuple(2, 1, 1'000'000);
  EXPECT_EQ(message(read({trace})), expected);
  const Format& format = recognise(trace, "all.txt");
  EXPECT_EQ(format.name, "simgrid-trace");
  EXPECT_EQ(message(format.read_program(
                {.path = "all.txt", .read = [&](const std::string&) { return trace; }})),
            expected);
}

// As SMPI's default algorithms run them; how many messages and bytes, follows from these.
TEST(SimgridTrace, collectives_become_messages) {
  struct Case {
    const char* action;
    std::int64_t messages, bytes;
  };
  for (const Case& each : {
           Case{"barrier", 6, 6},             // to rank 0 and back
           Case{"bcast 100 2", 3, 300},       // a tree
           Case{"bcast 100 2 1", 3, 1200},    // type 1 has 4 bytes
           Case{"reduce 100 0 1", 3, 300},    // to the root at once
           Case{"allreduce 100 0", 6, 600},   // to rank 0, and a tree
           Case{"alltoall 10 10", 12, 120},   // each to each
           Case{"allgather 10 10", 12, 120},  //
           Case{"alltoallv 9 1 2 3 4 9 1 2 3 4", -1, 0},
           Case{"gather 68 68 0 0 0", 3, 3 * 68 * 8},  // type 0 has 8 bytes
           Case{"scatter 68 68 3", 3, 3 * 68}, Case{"gatherv 5 5 5 5 5 1", 3, 15},
           Case{"scatterv 5 6 7 8 5", -1, 0}, Case{"allgatherv 5 5 5 5 5", 12, 60},
           Case{"reducescatter 1 1 1 1 0", 6, 15},  // 4 bytes to rank 0 from three, 1 to each
           Case{"scan 10 0", 6, 60},                // to all that follow
       }) {
    std::string trace;
    for (int rank = 0; rank < 4; ++rank)
      trace += fmt::format("{} init\n{} {}\n", rank, rank, each.action);
    if (each.messages < 0) {  // sizes that do not fit each other
      EXPECT_NE(refusal({trace}), "") << each.action;
      continue;
    }
    const Program program = read({trace});
    EXPECT_EQ(program.message_count(), each.messages) << each.action;
    EXPECT_EQ(program.payload_B(), each.bytes) << each.action;
  }
}

TEST(SimgridTrace, what_a_reduction_computes_follows_it) {
  std::string trace;
  for (int rank = 0; rank < 2; ++rank)
    trace += fmt::format("{0} init\n{0} allreduce 12500 1e3\n", rank);
  // To rank 0 and back, 1 us latency and 1 us of bytes each, and 1 us of work on either side.
  EXPECT_NEAR(simulation::simulate(read({trace}, 1e9), test::on("ring:2")).time_s, 5e-6, 1e-15);
}

// 4 hosts, 8 links, and a route for each of 12 pairs; opposite ranks are two links apart.
TEST(SimgridPlatform, names_the_route_of_each_pair) {
  const auto files =
      find_format("SimGrid-Platform").write_network(test::on("ring:4"), {.path = "p.xml"});
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[1].path, "p.xml.hosts");
  EXPECT_EQ(files[1].content, "rank0\nrank1\nrank2\nrank3\n");
  const auto count = [&](std::string_view what) {
    int found = 0;
    for (std::size_t at = 0; (at = files[0].content.find(what, at)) != std::string::npos; ++at)
      ++found;
    return found;
  };
  EXPECT_EQ(count("<host "), 4);
  EXPECT_EQ(count("<link "), 8);
  EXPECT_EQ(count("<route "), 12);
  EXPECT_EQ(count("<link_ctn "), 8 * 1 + 4 * 2);
  EXPECT_EQ(count("bandwidth=\"12500000000Bps\" latency=\"1000000ps\""), 8);
}

std::string why_unknown(const std::string& text) {
  try {
    return recognise(text, "f").name;
  } catch (const InvalidInput& error) {
    return error.what();
  }
}

TEST(Formats, are_named_or_recognised) {
  EXPECT_THROW(find_format("simgrid"), InvalidInput);
  EXPECT_EQ(recognise("traces.0\ntraces.1\n", "f").name, "simgrid-trace");
}

TEST(Formats, an_unknown_format_has_a_remedy_that_fits_every_command) {
  for (const char* none : {"three words here\n", "hello\n"})
    EXPECT_EQ(why_unknown(none),
              "f: the format of this file is unknown (weft recognises formats by their content); "
              "name it with weft import FILE --from FORMAT (weft list formats)");
  for (const char* nothing : {"", "\n\n"})
    EXPECT_EQ(why_unknown(nothing).substr(0, 21), "f: the file is empty;");
}

TEST(Formats, two_files_in_one_are_told_by_line) {
  const std::string conf = "SwitchName=s Nodes=n[1-2]\n";
  const std::string matrix = "\tGPU0\tGPU1\nGPU0\t X \tPIX\nGPU1\tPIX\t X \n";
  EXPECT_EQ(why_unknown("# a comment\n" + conf + matrix),
            "f:3: unexpected format nvidia-smi-topo in a file of slurm-topology-conf; check that "
            "the file is one file, or give --from");
  EXPECT_EQ(why_unknown("<system><cpu/></system>\n\n" + matrix).substr(0, 62),
            "f:3: unexpected format nvidia-smi-topo in a file of nccl-topol");
}

}  // namespace
}  // namespace weft::format
