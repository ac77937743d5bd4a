// Traces on the command line: exported, imported, written by a step and run.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/process/command_line.hpp"
#include "support/protobuf_bytes.hpp"
#include "weft/base/file.hpp"

namespace weft::test {
namespace {

using nlohmann::json;

json answer_of(const std::string& line) {
  const Ran ran = run_weft(words_of(line + " --json"));
  EXPECT_EQ(ran.code, 0) << line << '\n' << ran.err;
  return ran.code == 0 ? json::parse(ran.out) : json();
}

std::string why(const std::string& line) {
  const Ran ran = run_weft(words_of(line));
  EXPECT_EQ(ran.code, 2) << line;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  return ran.err;
}

// A ring's allreduce: 2 (N - 1) messages a rank, and a reduction behind the first half of them.
TEST(TraceCommands, export_a_collective_and_prove_what_they_import) {
  const ScratchFolder folder;
  const std::string ring = folder.path("ring.weft"), prefix = folder.path("ring"),
                    back = folder.path("back.weft");
  ASSERT_EQ(run_weft(words_of("schedule allreduce -t ring:8 -a ring -q -o " + ring)).code, 0);
  const json exported = answer_of("export " + ring + " --to chakra --size 1MB -o " + prefix);
  EXPECT_EQ(exported["files"], 8);
  const json imported = answer_of("import " + prefix + " --from chakra -o " + back);
  EXPECT_EQ(imported["ranks"], 8);
  EXPECT_EQ(imported["messages"], 8 * 14);
  EXPECT_EQ(imported["operations"], 8 * 28);
  EXPECT_EQ(imported["collective"], "allreduce");
  EXPECT_EQ(imported["proved"], true);
  EXPECT_EQ(imported["message_bytes"], 8 * 14 * 125'000);
  const Ran told = run_weft(words_of("import " + prefix + ".0.et -o " + back));  // recognised
  EXPECT_NE(told.err.find("; proved: allreduce of 1000000B"), std::string::npos) << told.err;
  const double program_s = answer_of("simulate " + back + " -t ring:8")["time"];
  const double schedule_s =
      answer_of("simulate " + ring + " -t ring:8 --size 1MB --sync dataflow")["time"];
  EXPECT_NEAR(program_s, schedule_s, 1e-12);
  const json run = answer_of("train --trace " + prefix + " -t ring:8 --reduce-bandwidth 10GBps");
  EXPECT_EQ(run["messages"], 8 * 14);
  EXPECT_NEAR(run["time"].get<double>(), schedule_s, 1e-11);
}

// Ranks of a trace compute on a GPU, as those of a step do. The gradients of VGG-16 are 138.4 M of
// 2 B: whatever the schedule, each of four processors adds up 3/4 of them on average, in 20.7 ms at
// 10 GB/s.
TEST(TraceCommands, sum_on_the_gpu_that_computes) {
  const ScratchFolder folder;
  const std::string step = folder.path("step");
  const std::string machine = " -t ring:4 --machine roce-400";
  answer_of("train vgg-16 --batch 8 --buckets 1GB --write-trace " + step + machine);
  const std::string line = "train --trace " + step + machine;
  const json on_gpu = answer_of(line), on_core = answer_of(line + " --reduce-bandwidth 10GBps");
  EXPECT_EQ(on_gpu["speeds"]["reduce_bandwidth"], (json{{"value", nullptr}, {"from", "gpus"}}));
  EXPECT_GT(on_core["time"].get<double>(), 20.7e-3);
  EXPECT_LT(on_gpu["time"].get<double>(), 20.7e-3);
  EXPECT_NE(run_weft(words_of(line)).err.find("sums run on a100 and are free, as in machine gpus"),
            std::string::npos);
}

// Layers in turn and one allreduce behind them: all ranks begin it at once, as in the answer.
TEST(TraceCommands, write_a_step_as_goal_that_takes_as_long) {
  const ScratchFolder folder;
  const std::string goal = folder.path("step.goal"), program = folder.path("step.weft");
  const json step = answer_of(
      "train vgg-16 -t ring:4 --link 10GBps,1us --buckets 1GB --batch 8 --write-goal " + goal);
  answer_of("import " + goal + " -o " + program);
  const json run = answer_of("simulate " + program + " -t ring:4 --link 10GBps,1us");
  EXPECT_NEAR(run["time"].get<double>(), step["time"].get<double>(), 1e-7);
  for (const std::string more : {"--alltoall flow", "--skew zipf:1"})
    EXPECT_NE(
        why("train switch-base-256 -t ring:4 --parallel expert --write-goal " + goal + " " + more)
            .find("to expand"),
        std::string::npos)
        << more;
  EXPECT_NE(why("train --trace " + goal + " -t ring:4 --write-goal " + goal).find("--write-goal"),
            std::string::npos);
}

// The ranges of one reduction exchanged for those of another.
TEST(TraceCommands, name_what_a_wrong_file_does) {
  const ScratchFolder folder;
  const std::string ring = folder.path("ring.weft"), prefix = folder.path("ring");
  ASSERT_EQ(run_weft(words_of("schedule allreduce -t ring:4 -a ring -q -o " + ring)).code, 0);
  ASSERT_EQ(run_weft(words_of("export " + ring + " --to chakra --size 4KB -q -o " + prefix)).code,
            0);
  std::string bytes = read_text(prefix + ".2.et");
  const auto range = [](std::uint64_t offset) {  // one range read of buffer 0
    return wire::varint(1) + wire::varint(0) + wire::varint(offset) + wire::varint(1000);
  };
  const std::size_t at = bytes.find(range(2000));
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, range(2000).size(), range(1000));
  ASSERT_EQ(range(2000).size(), range(1000).size());
  folder.file("ring.2.et", bytes);
  const std::string out = folder.path("x.weft");
  const Ran ran = run_weft(words_of("import " + prefix + " --from chakra -o " + out));
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find("incorrect. It does not perform allreduce of 4000B: "), std::string::npos)
      << ran.out;
  EXPECT_EQ(run_weft(words_of("verify " + out)).code, 2);  // nothing was written
  const Ran as_json = run_weft(words_of("import " + prefix + " --from chakra --json -o " + out));
  EXPECT_EQ(json::parse(as_json.out)["proved"], false);
}

TEST(TraceCommands, say_that_foreign_files_cannot_be_proved) {
  const ScratchFolder folder;
  folder.file("a.0.et", wire::header() + wire::send(0, 1, 0, 8));
  folder.file("a.1.et", wire::header() + wire::receive(0, 0, 0, 8));
  const std::string line =
      "import " + folder.path("a") + " --from chakra -o " + folder.path("a.weft");
  const Ran ran = run_weft(words_of(line));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("the files do not name the bytes that move, so it can be"),
            std::string::npos)
      << ran.err;
  EXPECT_TRUE(answer_of(line)["proved"].is_null());
}

// A step, written and run on the network that it was priced on.
TEST(TraceCommands, run_a_step_that_was_written) {
  const ScratchFolder folder;
  const std::string prefix = folder.path("step"), network = " -t torus:2x4 --link 50GBps,1us";
  const json step = answer_of(
      "train gpt-2-small --parallel tensor=2,pipeline=2,data=2 --micro-batches 4 --buckets 25MB "
      "--write-trace " +
      prefix + network);
  const json run = answer_of("train --trace " + prefix + network);
  EXPECT_EQ(run["trace_ranks"], 8);
  EXPECT_NEAR(run["time"].get<double>(), step["time"].get<double>(), 1e-8);
  EXPECT_NEAR(run["shares"]["compute"].get<double>(), step["shares"]["compute"].get<double>(),
              1e-8);
  const double sum = run["shares"]["compute"].get<double>() +
                     run["shares"]["communication"].get<double>() +
                     run["shares"]["idle"].get<double>();
  EXPECT_NEAR(sum, run["time"].get<double>(), 1e-9);
  ASSERT_EQ(run["rank_shares"].size(), 8);
  EXPECT_LE(run["bound"].get<double>(), run["time"].get<double>());
  const Ran told = run_weft(words_of("train --trace " + prefix + network));
  EXPECT_NE(told.out.find("8 ranks"), std::string::npos) << told.out;
  EXPECT_NE(told.out.find("recursive-doubling"), std::string::npos) << told.out;
  // On another network the same trace takes another time.
  const json slow = answer_of("train --trace " + prefix + " -t ring:8 --link 1GBps,1us");
  EXPECT_GT(slow["time"].get<double>(), run["time"].get<double>());
}

// Of the longer trace some files would stay and be read as ranks of the shorter one.
TEST(TraceCommands, write_no_trace_into_a_longer_one) {
  const ScratchFolder folder;
  const std::string prefix = folder.path("step"),
                    step = "train resnet-50 -q --write-trace " + prefix;
  ASSERT_EQ(run_weft(words_of(step + " -t ring:4")).code, 0);
  const Ran told = run_weft(words_of(step + " -t ring:2"));
  EXPECT_EQ(told.code, 2);
  EXPECT_NE(told.err.find("exists and would be read with the 2 ranks files that are written"),
            std::string::npos)
      << told.err;
  EXPECT_EQ(run_weft(words_of(step + " -t ring:4")).code, 0);
}

TEST(TraceCommands, write_nothing_where_a_folder_is_in_the_way) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.path("step.3.et"));
  const Ran told =
      run_weft(words_of("train resnet-50 -q -t ring:4 --write-trace " + folder.path("step")));
  EXPECT_EQ(told.code, 2);
  EXPECT_NE(told.err.find("step.3.et' is a folder"), std::string::npos) << told.err;
  EXPECT_FALSE(std::filesystem::exists(folder.path("step.0.et")));
}

// A name that is no UTF-8, which JSON cannot have.
TEST(TraceCommands, draw_nodes_of_any_name) {
  const ScratchFolder folder;
  const std::string node = wire::number(1, 1) + wire::bytes(2, "\xff\xfe\"") +
                           wire::number(3, wire::kCompute) + wire::micros(3);
  folder.file("a.0.et", wire::header() + wire::frame(node));
  folder.file("a.1.et", wire::header() + wire::frame(node));
  const Ran ran = run_weft(words_of("train --trace " + folder.path("a") +
                                    " -q -t ring:2 --chrome-trace " + folder.path("a.json")));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::parse(read_file(folder.path("a.json")))["traceEvents"].is_array(), true);
}

TEST(TraceCommands, name_the_node_of_a_call_that_nothing_serves) {
  const ScratchFolder folder;
  const std::string file = wire::header() + wire::node(1, wire::kCompute, wire::micros(3)) +
                           wire::collective(7, 0, 1 << 20);
  folder.file("a.0.et", file);
  folder.file("a.1.et", file);
  const std::string said =
      why("train --trace " + folder.path("a") + " -t ring:2 -q -a dragonfly-c");
  EXPECT_NE(said.find("a': node 7 of rank 0: no named algorithm can run the allreduce"),
            std::string::npos)
      << said;
}

// Each rank computes 3 us and joins a collective, which ends last.
TEST(TraceCommands, draw_when_nodes_run) {
  const ScratchFolder folder;
  const std::string file = wire::header() + wire::node(1, wire::kCompute, wire::micros(3)) +
                           wire::collective(2, 0, 1 << 20);
  folder.file("a.0.et", file);
  folder.file("a.1.et", file);
  const json run = answer_of("train --trace " + folder.path("a") + " -t ring:2 --chrome-trace " +
                             folder.path("a.json") + " --timeline " + folder.path("a.svg"));
  int computing = 0, joined = 0;
  double end_us = 0;
  const json events = json::parse(read_file(folder.path("a.json")))["traceEvents"];
  for (const json& event : events) {
    if (event["ph"] != "X") continue;
    const double dur_us = event["dur"].get<double>();
    if (event["args"]["node"] == 1) {
      ++computing;
      EXPECT_NEAR(dur_us, 3, 1e-9);
    } else {
      ++joined;
    }
    end_us = std::max(end_us, event["ts"].get<double>() + dur_us);
  }
  EXPECT_EQ(computing, 2);
  EXPECT_EQ(joined, 2);
  EXPECT_NEAR(end_us * 1e-6, run["time"].get<double>(), 1e-12);
  EXPECT_NE(read_file(folder.path("a.svg")).find("rank 1: collectives"), std::string::npos);
}

TEST(TraceCommands, refuse_options_that_count_for_nothing) {
  const ScratchFolder folder;
  const std::string file =
      wire::header() + wire::node(1, wire::kCompute, wire::micros(3)) + wire::collective(2, 0, 64);
  folder.file("a.0.et", file);
  folder.file("a.1.et", file);
  const std::string line = "train --trace " + folder.path("a") + " -t ring:2 ";
  EXPECT_EQ(run_weft(words_of(line)).code, 0);
  for (const char* option :
       {"--parallel data", "--batch 8", "--micro-batches 2", "--buckets 1MB", "--order a",
        "--prefetch 2", "--tokens 9", "--gradient-bytes 2", "--first-come", "--write-trace b",
        "--skew zipf:1", "--scatter-gather", "--capacity 2", "--layer-times b.csv"})
    EXPECT_NE(why(line + option).find("--trace"), std::string::npos) << option;
  const auto idle = run_weft(words_of(line + "--device h100"));
  EXPECT_EQ(idle.code, 0) << idle.err;
  EXPECT_NE(idle.err.find("--device, --precision and --efficiency have no effect, because"),
            std::string::npos)
      << idle.err;
  EXPECT_NE(why(line + "--alltoall flow").find("which has no all-to-all"), std::string::npos);
  EXPECT_NE(why("train vgg-16 --trace a -t ring:2")
                .find("and --trace both set the workload; leave one out"),
            std::string::npos);
  EXPECT_NE(why("train -t ring:2").find("no workload is named"), std::string::npos);
  EXPECT_NE(why("train --trace nothing -t ring:2").find("'nothing.0.et'"), std::string::npos);
  EXPECT_NE(why("train gpt-2-small -t ring:2 --write-trace nowhere/step").find("nowhere"),
            std::string::npos);
}

// 15.7e12 operations at half of 15.7e12 a second.
TEST(TraceCommands, take_operations_at_the_device_s_peak) {
  const ScratchFolder folder;
  folder.file("a.0.et", wire::header() + wire::node(1, wire::kCompute,
                                                    wire::int64("num_ops", 15'700'000'000'000)));
  const std::string line = "train --trace " + folder.path("a") + " -t ring:2 --device v100 ";
  EXPECT_NEAR(answer_of(line + "--precision fp32 --efficiency 0.5")["time"].get<double>(), 2, 1e-6);
  EXPECT_EQ(answer_of(line)["counted"], 1);
}

}  // namespace
}  // namespace weft::test
