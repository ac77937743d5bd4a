// Tables within logs, as jobs leave them. The texts are ours, after the programs' own and reports
// of people who measured; what is right follows from their documentation.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/process/source_dir.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/calibrate/measured_table.hpp"

namespace weft::calibrate {
namespace {

MeasuredTables read(const std::string& text, const std::string& path = "t.txt") {
  return read_measured_tables(text, path);
}

MeasuredTables read_case(const std::string& name) {
  return read(read_file(test::source_dir() + "/tests/data/cases/" + name), name);
}

std::string refusal_of(const std::string& text, bool strict = false) {
  try {
    (void)read_measured_tables(text, "t.txt", strict);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "(accepted)";
}

const std::string kOsu = "# OSU MPI Latency Test v5.8\n# Size Latency (us)\n";

TEST(BenchmarkLogs, read_osu_behind_lines_of_a_launcher) {
  const MeasuredTables measured = read_case("osu-log-line-with-digit.txt");
  ASSERT_EQ(measured.tables.size(), 1u);
  const MeasuredTable& table = measured.tables[0];
  ASSERT_EQ(table.rows.size(), 5u);
  EXPECT_EQ(table.rows[0].size_B, 0);
  EXPECT_DOUBLE_EQ(table.rows[0].time_s, 1.63e-6);
  EXPECT_EQ(table.rows[4].size_B, 4'194'304);
  EXPECT_DOUBLE_EQ(table.rows[4].time_s, 390e-6);
  EXPECT_EQ(measured.remarks,
            (std::vector<std::string>{"osu-log-line-with-digit.txt: not read: line of text (2 "
                                      "times, first on line 1)"}));
}

TEST(BenchmarkLogs, text_ends_a_table_unless_its_sizes_go_on) {
  const std::string rows = "1 1.5\n2 1.6\n";
  for (const std::string behind :
       {"real 0m12.3s\nuser 0m1.0s\n", "real 12.34\nsys 0.1\n",
        "0.04user 0.02system 0:01.23elapsed\n", "n5 done\n1 2\n", "8 processes\n",
        "START\n{\"a\": 1}\n12 34 56\n", "143\nbye\n"}) {
    const MeasuredTables measured = read(kOsu + rows + behind);
    EXPECT_EQ(measured.tables.at(0).rows.size(), 2u) << behind;
    EXPECT_EQ(measured.remarks.size(), 1u) << behind;
  }
  EXPECT_EQ(read(kOsu + "1 1.5\n[n1:42] UCX WARN slow\n2 1.6\n").tables.at(0).rows.size(), 2u);
  EXPECT_EQ(refusal_of(kOsu + rows + "real 0m1s\n", true),
            "t.txt:5: line of text is not supported, and --strict refuses what weft cannot read");
  // Rows that lost something are no text.
  EXPECT_EQ(refusal_of(kOsu + rows + "4"),
            "t.txt:5: 1 column, but the heading has more; the file may be truncated");
  EXPECT_EQ(refusal_of(kOsu + rows + "4 1.x\n8 1.9\n"),
            "t.txt:5: the latency is '1.x' (expected a number above 0)");
  EXPECT_EQ(refusal_of(kOsu + rows + "4 1.7 1.8\n").substr(0, 18), "t.txt:5: 3 columns");
}

TEST(BenchmarkLogs, read_osu_with_validation_and_other_owners) {
  const std::string checked = "# OSU MPI Latency Test v7.4\n# Size Latency (us) Validation\n";
  EXPECT_EQ(read(checked + "1 1.5 Pass\n2 1.6 Pass\n").tables.at(0).rows.size(), 2u);
  EXPECT_EQ(refusal_of(checked + "1 1.5 Pass\n2 1.6 Fail\n"),
            "t.txt:4: the benchmark found wrong data; measure again when it passes");
  // OpenSHMEM's are no tables of MPI; those of CUDA buffers are.
  EXPECT_EQ(read("# OSU OpenSHMEM Put Test v5.8\n# Size Latency (us)\n1 9.5\n" + kOsu + "1 1.5\n")
                .tables.size(),
            1u);
  EXPECT_EQ(read("# OSU MPI-CUDA Latency Test v5.8\n# Send Buffer on HOST (H) and Receive Buffer "
                 "on HOST (H)\n# Size Latency (us)\n1 1.5\n")
                .tables.at(0)
                .benchmark,
            "OSU latency");
}

TEST(BenchmarkLogs, leave_rates_of_0_out) {
  const MeasuredTables slow =
      read("# OSU MPI Bandwidth Test v5.3\n# Size      Bandwidth (MB/s)\n1 0.00\n2 0.01\n");
  ASSERT_EQ(slow.tables.at(0).rows.size(), 1u);
  EXPECT_EQ(slow.remarks.at(0), "t.txt: the row of 1 B (line 3): left out, because its rate is 0");
}

TEST(BenchmarkLogs, read_imb_from_its_first_size) {
  const MeasuredTables measured = read_case("imb-0-bytes-to.txt");
  ASSERT_EQ(measured.tables.size(), 1u);
  EXPECT_EQ(measured.tables[0].ranks, 1408);
  ASSERT_EQ(measured.tables[0].rows.size(), 2u);  // 0 bytes send nothing
  EXPECT_EQ(measured.tables[0].rows[0].size_B, 8);
  EXPECT_DOUBLE_EQ(measured.tables[0].rows[0].time_s, 27.94e-6);
}

TEST(BenchmarkLogs, read_imb_whose_time_ran_out) {
  const MeasuredTables measured = read(
      "# Benchmarking Allreduce\n# #processes = 1\n#bytes #repetitions t_min[usec] t_max[usec] "
      "t_avg[usec]\n8 1000 0.1 0.1 0.1\n"
      "# Benchmarking Allreduce\n# #processes = 4\n#bytes #repetitions t_min[usec] t_max[usec] "
      "t_avg[usec]\n8 1000 1 3 2\n16 time-out.; Time limit (secs_per_sample * msg_sizes) "
      "reached\n");
  ASSERT_EQ(measured.tables.size(), 1u);
  EXPECT_EQ(measured.tables[0].ranks, 4);
  EXPECT_EQ(measured.remarks.size(), 2u);
}

TEST(BenchmarkLogs, read_nccl_tests_behind_labels) {
  const MeasuredTables srun = read_case("nccltests-srun-label.txt");
  ASSERT_EQ(srun.tables.size(), 1u);
  EXPECT_EQ(srun.tables[0].collective, CollectiveKind::allreduce);
  EXPECT_EQ(srun.tables[0].ranks, 2);
  EXPECT_EQ(srun.tables[0].hosts, (std::vector<std::string>{"nodeA", "nodeB"}));
  ASSERT_EQ(srun.tables[0].rows.size(), 3u);
  EXPECT_DOUBLE_EQ(srun.tables[0].rows[1].time_s, 104e-6);
  std::string tagged = read_file(test::source_dir() + "/tests/data/cases/nccltests-srun-label.txt");
  for (std::size_t at = 0; (at = tagged.find("0: ", at)) != std::string::npos;) {
    if (at == 0 || tagged[at - 1] == '\n') tagged.replace(at, 3, "[1,0]<stdout>:");
    ++at;
  }
  EXPECT_EQ(read(tagged).tables.at(0).rows.size(), 3u);
}

// busbw / algbw is 1: rank r and r + 8 are a group, and eight of them run at once.
TEST(BenchmarkLogs, reads_groups_that_run_at_once) {
  const MeasuredTable table = read_case("groups.txt").tables.at(0);
  EXPECT_EQ(table.ranks, 16);
  EXPECT_EQ(table.group_count(), 8);
  for (std::size_t r = 0; r < 8; ++r) EXPECT_EQ(table.groups[r], table.groups[r + 8]);
  EXPECT_EQ(table.rows.size(), 4u);
}

TEST(BenchmarkLogs, refuse_processes_that_ran_alone) {
  const auto why = [](const std::string& name) {
    try {
      (void)read_case(name);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("(accepted)");
  };
  EXPECT_EQ(why("not-mpi.txt"),
            "not-mpi.txt:21: each process ran by itself, because the benchmark was built without "
            "MPI; build it with make MPI=1");
}

const std::string kHead =
    "# nThread 1 nGpus 1\n# Collective test starting: all_reduce_perf\n# Using devices\n"
    "#  Rank  0 Group  0 Pid 1 on n1 device  0 [0x01] A\n"
    "#  Rank  1 Group  0 Pid 2 on n1 device  1 [0x02] A\n"
    "#  Rank  2 Group  0 Pid 1 on n2 device  0 [0x01] A\n"
    "#  Rank  3 Group  0 Pid 2 on n2 device  1 [0x02] A\n";
const std::string kColumns =
    "#       size   count   type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw "
    "#wrong\n#        (B)  (elements)  (us)  (GB/s)  (GB/s)  (us)  (GB/s)  (GB/s)\n";

// 4 ranks on 2 hosts: busbw / algbw is 1.5; 1 MB in 100 us is 10 GB/s.
TEST(BenchmarkLogs, read_nccl_tests_with_lines_of_nccl_in_the_table) {
  const MeasuredTables measured =
      read(kHead + "NCCL version 2.20.5+cuda12.4\n" + kColumns +
           "n1:10:20 [0] NCCL INFO Channel 00/02 :    0   1\n"
           "  1000000 250000 float sum -1n1:10:20 [0] NCCL INFO Launch mode Parallel\n"
           "  100.00 10.00 15.00 0 101.00 9.90 14.85 0\n"
           "  2000000 500000 float sum -1\n"
           "n1:11:21 [1] NCCL INFO comm 0x1 rank 1 nranks 4\n"
           "  200.00 10.00 15.00 N/A 200.00 10.00 15.00 N/A\n"
           "  4000000 1000000 float sum -1 400.00 10.00 15.00 0 400.00 10.00 15.00 0\n"
           "# Out of bounds values : 0 OK\n");
  ASSERT_EQ(measured.tables.size(), 1u);
  const MeasuredTable& table = measured.tables[0];
  EXPECT_EQ(table.ranks, 4);
  EXPECT_EQ(table.hosts, (std::vector<std::string>{"n1", "n1", "n2", "n2"}));
  ASSERT_EQ(table.rows.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_DOUBLE_EQ(table.rows[i].time_s, 100e-6 * (1 << i)) << i;
  EXPECT_EQ(refusal_of(kHead + kColumns + "1000000 250000 float sum -1 100.00 10.00\n"),
            "t.txt:10: 7 columns but the heading has 13; the line may be truncated");
  EXPECT_EQ(refusal_of(kHead + kColumns + "1000000 250000 float sum -1\n"),
            "t.txt:10: the file ends within this row; it may be truncated");
}

// busbw / algbw is 0.75 of four ranks in an allgather and an all-to-all; an allreduce's name of a
// file that says otherwise does not count.
TEST(BenchmarkLogs, name_collectives_by_their_file_where_rates_do_not) {
  std::string head = kHead;
  head.erase(head.find("# Collective"), head.find("# Using") - head.find("# Collective"));
  const std::string gathered =
      head + kColumns + "4000000 1000000 float none -1 400.00 10.00 7.50 0 400.00 10.00 7.50 0\n";
  EXPECT_EQ(read(gathered, "logs/nccl_allgather.log").tables.at(0).collective,
            CollectiveKind::allgather);
  EXPECT_EQ(read(gathered, "nccl-alltoall.log").tables.at(0).collective, CollectiveKind::alltoall);
  EXPECT_NE(
      refusal_of(gathered).find("the table does not state its collective; name the file like its"),
      std::string::npos);
  const std::string reduced =
      head + kColumns + "4000000 1000000 float sum -1 400.00 10.00 15.00 0 400.00 10.00 15.00 0\n";
  EXPECT_EQ(read(reduced, "gathered.log").tables.at(0).collective, CollectiveKind::allreduce);
  // Releases of 2020 leave redop blank where there is none.
  EXPECT_EQ(read(head + "# size count type redop time algbw busbw error time algbw busbw error\n"
                        "4000000 1000000 float 400.00 10.00 7.50 N/A 400.00 10.00 7.50 N/A\n",
                 "nccl_alltoall.log")
                .tables.at(0)
                .rows.size(),
            1u);
}

TEST(BenchmarkLogs, read_all_runs_of_a_log) {
  std::string gathered =
      kHead + kColumns + "4000000 1000000 float none -1 400.00 10.00 7.50 0 400.00 10.00 7.50 0\n";
  gathered.replace(gathered.find("all_reduce"), 10, "all_gather");
  const MeasuredTables measured =
      read(kHead + kColumns +
           "4000000 1000000 float sum -1 400.00 10.00 15.00 0 400.00 10.00 15.00 0\n" + gathered);
  ASSERT_EQ(measured.tables.size(), 2u);
  EXPECT_EQ(measured.tables[1].collective, CollectiveKind::allgather);
  EXPECT_EQ(measured.tables[1].rows.at(0).size_B, 1'000'000);  // a block
}

// With -I each half has four more columns, with -C 1 the processor's times, with -T a time of day.
TEST(BenchmarkLogs, read_other_columns_of_nccl_tests) {
  EXPECT_DOUBLE_EQ(
      read(
          kHead +
          "# size count type redop root time algbw busbw #wrong i_min i_max i_p99 i_cv% time algbw "
          "busbw #wrong i_min i_max i_p99 i_cv% timestamp\n"
          "1000000 250000 float sum -1 100.00 10.00 15.00 0 99 101 101 1.0 100.0 10.00 15.00 0 99 "
          "101 101 1.0 2026-05-01 12:00:00\n")
          .tables.at(0)
          .rows.at(0)
          .time_s,
      100e-6);
  const MeasuredTables in_place =
      read(kHead +
           "#                         in-place\n# size count type redop root time algbw busbw "
           "#wrong\n1000000 250000 float sum -1 100.00 10.00 15.00 0\n");
  EXPECT_DOUBLE_EQ(in_place.tables.at(0).rows.at(0).time_s, 100e-6);
  EXPECT_EQ(in_place.remarks.size(), 1u);
  // 4 MB at 10 GB/s take 400 us; the processor is done after 9.
  const MeasuredTables processor =
      read(kHead +
           "# size count type redop root cputime algbw busbw #wrong cputime algbw busbw #wrong\n"
           "1000 250 float sum -1 9.00 0.01 0.02 0 9.00 0.01 0.02 0\n"
           "4000000 1000000 float sum -1 9.00 10.00 15.00 0 9.00 10.00 15.00 0\n");
  ASSERT_EQ(processor.tables.at(0).rows.size(), 1u);
  EXPECT_DOUBLE_EQ(processor.tables[0].rows[0].time_s, 400e-6);
  EXPECT_EQ(processor.remarks.size(), 2u);
  const MeasuredTables types =
      read(kHead + kColumns +
           "4000000 1000000 float sum -1 400.00 10.00 15.00 0 400.00 10.00 15.00 0\n"
           "4000000 1000000 float prod -1 500.00 8.00 12.00 0 500.00 8.00 12.00 0\n");
  EXPECT_EQ(types.tables.at(0).rows.size(), 1u);
  EXPECT_EQ(types.remarks.size(), 1u);
}

std::string json_of(const std::string& results, int ranks = 4) {
  std::string devices;
  for (int r = 0; r < ranks; ++r)
    devices += fmt::format("{}{{\"rank\":{},\"group\":0,\"hostname\":\"n{}\",\"device\":{}}}",
                           r > 0 ? "," : "", r, r / 2, r % 2);
  return "{\"version\":1,\"args\":[\"./build/all_reduce_perf\",\"-J\",\"x\"],\"env\":[],"
         "\"config\":{\"nthreads\":1,\"devices\":[" +
         devices + "]},\"results\":[" + results + "],\"out_of_bounds\":{\"count\":0}}\n";
}

TEST(BenchmarkLogs, read_json_of_nccl_tests) {
  const std::string times = "\"alg_bw\":10.0,\"bus_bw\":15.0,\"nwrong\":0}";
  const auto row = [&](const std::string& time) {
    return "{\"size\":1000000,\"count\":250000,\"type\":\"float\",\"redop\":\"sum\",\"root\":\""
           "    -1\",\"out_of_place\":{" +
           time + times + ",\"in_place\":{\"time\":101.0," + times + "}";
  };
  const MeasuredTables measured = read(json_of(row("\"time\":100.0,")), "r.json");
  ASSERT_EQ(measured.tables.size(), 1u);
  const MeasuredTable& table = measured.tables[0];
  EXPECT_EQ(table.collective, CollectiveKind::allreduce);
  EXPECT_EQ(table.ranks, 4);
  EXPECT_EQ(table.hosts, (std::vector<std::string>{"n0", "n0", "n1", "n1"}));
  EXPECT_DOUBLE_EQ(table.rows.at(0).time_s, 100e-6);
  EXPECT_DOUBLE_EQ(read(json_of(row("\"cpu_time\":9.0,"))).tables.at(0).rows.at(0).time_s, 100e-6);
  EXPECT_EQ(refusal_of(json_of(row("\"time\":\"nan\","))),
            "t.txt: result 1: time is \"nan\" (expected a number of 0 or more)");
  EXPECT_EQ(refusal_of(json_of(row("\"time\":100.0,"), 2)).substr(0, 29),
            "t.txt: busbw / algbw is 1.500");
  EXPECT_EQ(refusal_of(json_of(row("\"time\":100.0,")).substr(0, 500)).substr(0, 48),
            "t.txt: the file is not JSON; it may be truncated");
}

}  // namespace
}  // namespace weft::calibrate
