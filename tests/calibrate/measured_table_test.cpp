// Tables of measured times: what is read of each program's, and what is refused. The tables are
// written after the programs' documentation, their numbers by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/base/error.hpp"
#include "weft/calibrate/measured_table.hpp"

namespace weft::calibrate {
namespace {

MeasuredTable only(const std::string& text, const std::string& path = "t.txt") {
  const MeasuredTables read = read_measured_tables(text, path);
  EXPECT_EQ(read.tables.size(), 1u);
  return read.tables.at(0);
}

constexpr const char* kLatency =
    "# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n"
    "1                       1.25\n2                       1.50\n";

TEST(MeasuredTable, reads_osu_latency) {
  const MeasuredTable table = only(kLatency);
  EXPECT_EQ(table.benchmark, "OSU latency");
  EXPECT_EQ(table.pattern, Pattern::one_way);
  EXPECT_EQ(table.ranks, 2);
  EXPECT_FALSE(table.stream());
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[1].size_B, 2);
  EXPECT_DOUBLE_EQ(table.rows[1].time_s, 1.5e-6);
  EXPECT_EQ(table.rows[1].line, 5);
}

// 800 MB/s of two pairs: a pair's messages of 1,000 bytes follow each other by 2 * 1000 / 800e6 s.
TEST(MeasuredTable, reads_osu_streams) {
  const MeasuredTable pairs = only(
      "# OSU MPI Multiple Bandwidth / Message Rate Test v5.9\n# [ pairs: 2 ] [ window size: 32 ]\n"
      "# Size                  MB/s        Messages/s\n1000 800.0 800000.0\n");
  EXPECT_EQ(pairs.pairs, 2);
  EXPECT_EQ(pairs.ranks, 4);
  EXPECT_EQ(pairs.window, 32);
  EXPECT_DOUBLE_EQ(pairs.rows[0].time_s, 2.5e-6);
  const MeasuredTable both = only(
      "# OSU MPI Bi-Directional Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n1000 800.0\n");
  EXPECT_EQ(both.pattern, Pattern::both_ways);
  EXPECT_EQ(both.window, 64);
  EXPECT_DOUBLE_EQ(both.rows[0].time_s, 2.5e-6);
  EXPECT_EQ(only("# OSU MPI Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n1000 800.0\n")
                .rows[0]
                .time_s,
            1.25e-6);
}

TEST(MeasuredTable, reads_osu_collectives) {
  for (const auto& [title, kind] :
       {std::pair("Allreduce", CollectiveKind::allreduce),
        std::pair("Allgather", CollectiveKind::allgather),
        std::pair("All-to-All Personalized Exchange", CollectiveKind::alltoall),
        std::pair("Reduce_scatter", CollectiveKind::reduce_scatter),
        std::pair("Reduce", CollectiveKind::reduce), std::pair("Gather", CollectiveKind::gather),
        std::pair("Scatter", CollectiveKind::scatter),
        std::pair("Broadcast", CollectiveKind::broadcast)}) {
    const MeasuredTable table =
        only(std::string("\n# OSU MPI ") + title +
             " Latency Test v7.4\n# Size  Avg Latency(us)  Min Latency(us)  Max Latency(us)  "
             "Iterations\n4 3.5 3.1 3.9 1000\n");
    EXPECT_EQ(table.collective, kind) << title;
    EXPECT_EQ(table.ranks, 0);
    EXPECT_DOUBLE_EQ(table.rows[0].time_s, 3.5e-6);
  }
}

TEST(MeasuredTable, leaves_out_what_sends_nothing) {
  for (const char* title : {"Allreduce Latency Test\n# Size Avg Latency(us)",
                            "Bandwidth Test\n# Size Bandwidth (MB/s)"}) {
    const MeasuredTable table = only(std::string("# OSU MPI ") + title + "\n0 0.03\n4 3.5\n");
    ASSERT_EQ(table.rows.size(), 1u) << title;
    EXPECT_EQ(table.rows[0].size_B, 4);
  }
  EXPECT_EQ(only("# OSU MPI Latency Test v7.4\n# Size Latency (us)\n0 1.2\n1 1.2\n").rows.size(),
            2u);
}

constexpr const char* kImb =
    "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n"
    "#---------------------------------------------------\n# Benchmarking PingPong \n"
    "# #processes = 2 \n# ( 2 additional processes waiting in MPI_Barrier)\n"
    "#---------------------------------------------------\n"
    "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
    "            0         1000         1.20         0.00\n"
    "         1024         1000         2.00       512.00\n\n"
    "# Benchmarking Allreduce \n# #processes = 4 \n"
    "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
    "            0         1000         0.03         0.03         0.03\n"
    "            4         1000         3.00         5.00         4.00\n\n"
    "# Benchmarking Barrier \n# #processes = 4 \n"
    " #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n         1000  1.0  1.0  1.0\n\n"
    "# All processes entering MPI_Finalize\n";

// What launchers print around a table is none of it.
TEST(MeasuredTable, passes_over_what_launchers_print) {
  const std::string noise =
      "--------------------------------------------------------------------------\n"
      "WARNING: There was an error initializing an OpenFabrics device.\n\n  Local host:   n1\n"
      "[n1:04711] 3 more processes have sent help message help-mpi-btl.txt / error in init\n";
  EXPECT_EQ(only(noise + kLatency).rows.size(), 2u);
  EXPECT_EQ(only(kLatency + noise).rows.size(), 2u);
  std::string between = kLatency;
  between.insert(between.find("# Size"), noise);
  EXPECT_EQ(only(between).rows.size(), 2u);
  between = kLatency;
  between.insert(between.find("1   "), noise);
  EXPECT_EQ(only(between).rows.size(), 2u);
  EXPECT_EQ(read_measured_tables(noise + kImb + noise, "imb.txt").tables.size(), 2u);
}

// As editors leave it, or with noise.
TEST(MeasuredTable, takes_a_last_line_without_newline) {
  const std::string text = "# OSU MPI Latency Test v7.4\n# Size Latency (us)\n1 1.9\n2 1.0";
  EXPECT_EQ(only(text).rows.size(), 2u);
  EXPECT_EQ(only("# OSU MPI Bandwidth Test v5.9\n# Size Bandwidth (MB/s)\n1 4.5\n2 8").rows.size(),
            2u);
  EXPECT_EQ(only(text + "\n4 0.4\n").rows.size(), 3u);  // odd, but whole
}

TEST(MeasuredTable, reads_who_was_where_from_the_probe) {
  const MeasuredTable table = only(
      "# weft-probe Allreduce Latency Test\n# Library: Open MPI v4.1.4\n# Ranks: 3\n"
      "# Hosts: a a b\n# Where: two machines\n# Size       Avg Latency(us)\n4 3.5\n");
  EXPECT_EQ(table.benchmark, "weft-probe allreduce");
  EXPECT_EQ(table.ranks, 3);
  EXPECT_EQ(table.hosts, (std::vector<std::string>{"a", "a", "b"}));
  EXPECT_EQ(table.where, "two machines");
}

TEST(MeasuredTable, reads_all_of_an_imb_file) {
  const MeasuredTables read = read_measured_tables(kImb, "imb.txt");
  ASSERT_EQ(read.tables.size(), 2u);
  EXPECT_EQ(read.tables[0].benchmark, "IMB PingPong");
  EXPECT_EQ(read.tables[0].ranks, 2);
  ASSERT_EQ(read.tables[0].rows.size(), 2u);
  EXPECT_DOUBLE_EQ(read.tables[0].rows[1].time_s, 2e-6);
  EXPECT_EQ(read.tables[1].collective, CollectiveKind::allreduce);
  EXPECT_EQ(read.tables[1].ranks, 4);
  ASSERT_EQ(read.tables[1].rows.size(), 1u);  // nothing is sent by 0 bytes
  EXPECT_DOUBLE_EQ(read.tables[1].rows[0].time_s, 4e-6);
  ASSERT_EQ(read.remarks.size(), 1u);
  EXPECT_NE(read.remarks[0].find("Barrier"), std::string::npos);
}

TEST(MeasuredTable, reads_imb_streams_and_groups) {
  const MeasuredTable stream = only(
      "# Benchmarking Uniband\n# #processes = 4\n#bytes #repetitions   Mbytes/sec      Msg/sec\n"
      "0 1000 0.00 100\n1000 1000 800.0 800000\n");
  EXPECT_EQ(stream.pairs, 2);
  ASSERT_EQ(stream.rows.size(), 1u);
  EXPECT_DOUBLE_EQ(stream.rows[0].time_s, 2.5e-6);
  const MeasuredTable groups = only(
      "# Benchmarking Multi-PingPong\n# ( 2 groups of 2 processes each running simultaneous )\n"
      "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec] Mbytes/sec\n8 1000 1 3 2 4\n");
  EXPECT_EQ(groups.pairs, 2);
  EXPECT_EQ(groups.ranks, 4);
  EXPECT_EQ(groups.pairing, Pairing::neighbours);
}

constexpr const char* kNccl =
    "# nThread 1 nGpus 4 minBytes 1024 maxBytes 2048 step: 2(factor)\n# Using devices\n"
    "#  Rank  0 Group  0 Pid 1 on box device  0 [0x01] A\n#  Rank  1 Group  0 Pid 1 on box\n"
    "#                                              out-of-place                  in-place\n"
    "#   size  count  type  redop  root   time  algbw  busbw #wrong   time  algbw  busbw #wrong\n"
    "#    (B) (elements)                  (us) (GB/s) (GB/s)          (us) (GB/s) (GB/s)\n"
    "  100000  25000 float   sum    -1  50.00   2.00   2.00      0  49.00   2.04   2.04      0\n"
    "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 2.0\n";

TEST(MeasuredTable, reads_who_was_where_from_nccl_tests) {
  EXPECT_EQ(only(kNccl, "all_reduce_perf.txt").hosts, (std::vector<std::string>{"box", "box"}));
  // Releases before 2.13 have no group.
  std::string old = kNccl;
  for (std::size_t at = 0; (at = old.find("Group  0 ")) != std::string::npos;) old.erase(at, 9);
  old.replace(old.rfind(" on box"), 7, " on other");
  EXPECT_EQ(only(old, "all_reduce_perf.txt").hosts, (std::vector<std::string>{"box", "other"}));
  old.erase(old.find(" on box"), 7);  // not of all
  EXPECT_TRUE(only(old, "all_reduce_perf.txt").hosts.empty());
}

TEST(MeasuredTable, reads_nccl_tests) {
  const MeasuredTable table = only(kNccl, "all_reduce_perf.txt");
  EXPECT_EQ(table.collective, CollectiveKind::allreduce);
  EXPECT_EQ(table.ranks, 2);
  EXPECT_DOUBLE_EQ(table.rows[0].time_s, 5e-5);
  // The whole result of an allgather; --size is one block of two. Its busbw is (n - 1) / n algbw.
  std::string gathered = kNccl;
  gathered.replace(gathered.find("2.00   2.00"), 11, "2.00   1.00");
  EXPECT_EQ(only(gathered, "all_gather_perf.txt").rows[0].size_B, 50000);
}

// A row of n ranks has busbw / algbw = 2 (n - 1) / n for an allreduce, (n - 1) / n for an
// allgather: 1 of two ranks, 1.875 of 16, 0.75 of four.
TEST(MeasuredTable, refuses_nccl_tests_whose_bus_bandwidth_is_that_of_other_ranks) {
  const auto table = [](const char* program, int ranks, int groups, const char* busbw) {
    std::string text = fmt::format("# Collective test starting: {}_perf\n", program);
    for (int r = 0; r < ranks; ++r)
      text += fmt::format("#  Rank {} Group {} Pid 1 on box device {} [0x01] A\n", r,
                          r * groups / ranks, r);
    return text + "# size count type redop root time algbw busbw #wrong\n" +
           "# (B) (elements) (us) (GB/s) (GB/s)\n" +
           fmt::format("16000000 4000000 float sum -1 1000.0 16.00 {} 0\n", busbw);
  };
  EXPECT_EQ(only(table("all_reduce", 16, 1, "30.00")).ranks, 16);
  EXPECT_EQ(only(table("all_reduce", 2, 1, "16.00")).ranks, 2);
  EXPECT_EQ(only(table("all_gather", 4, 1, "12.00")).ranks, 4);
  EXPECT_EQ(only(table("broadcast", 4, 1, "16.00")).ranks, 4);
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      (void)read_measured_tables(text, "t.txt");
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "(accepted)";
  };
  EXPECT_EQ(refusal(table("all_reduce", 16, 1, "16.00")),
            "t.txt:20: busbw / algbw is 1.000, that of allreduce of 2 ranks, but for 16 ranks it "
            "must be 1.875; keep the \"# Rank\" lines of one collective");
  EXPECT_NE(refusal(table("all_gather", 16, 1, "12.00")).find("that of allgather of 4 ranks"),
            std::string::npos);
  EXPECT_NE(refusal(table("broadcast", 4, 1, "12.00")).find("that of no broadcast"),
            std::string::npos);
  // Eight groups of two, each row of one of them; and sixteen ranks in groups of 3 or 2.
  const MeasuredTable groups = only(table("all_reduce", 16, 8, "16.00"));
  EXPECT_EQ(groups.ranks, 16);
  EXPECT_EQ(groups.group_count(), 8);
  EXPECT_NE(refusal(table("all_reduce", 16, 7, "16.00")).find("name 7 groups of 2 to 3 ranks"),
            std::string::npos);
  EXPECT_NE(
      refusal(table("all_reduce", 16, 8, "30.00"))
          .find("but for 2 ranks it must be 1.000; keep the \"# Rank\" lines of one collective"),
      std::string::npos);
}

// nccl-tests counts results that are not those of the collective, and sums up at the end.
TEST(MeasuredTable, refuses_nccl_tests_whose_data_check_failed) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      (void)read_measured_tables(text, "all_reduce_perf.txt");
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "(accepted)";
  };
  const auto table = [](const std::string& wrong, const std::string& end) {
    return "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
           "# (B) (elements) (us) (GB/s) (GB/s) (us) (GB/s) (GB/s)\n1000000 250000 float sum -1 "
           "100.0 10.00 17.50 " +
           wrong + " 100.0 10.00 17.50 0\n# Out of bounds values : " + end + "\n";
  };
  EXPECT_EQ(refusal(table("0", "0 OK")), "(accepted)");
  EXPECT_EQ(refusal(table("N/A", "0 OK")), "(accepted)");  // without a check
  for (const char* wrong : {"7", "1.2e+07"})
    EXPECT_NE(
        refusal(table(wrong, "7 FAILED")).find(std::string(":3: ") + wrong + " of its results"),
        std::string::npos)
        << refusal(table(wrong, "7 FAILED"));
  EXPECT_NE(refusal(table("0", "7 FAILED")).find(":4: the data check of this run failed"),
            std::string::npos);
}

// busbw / algbw = 2 (n - 1) / n = 1.75 of 8 ranks.
TEST(MeasuredTable, tells_an_allreduce_and_its_ranks_by_its_bus_bandwidth) {
  const MeasuredTable table = only(
      "# size count type redop root time algbw busbw #wrong\n"
      "# (B) (elements) (us) (GB/s) (GB/s)\n1000000 250000 float sum -1 100.0 10.00 17.50 0\n");
  EXPECT_EQ(table.collective, CollectiveKind::allreduce);
  EXPECT_EQ(table.ranks, 8);
}

TEST(MeasuredTable, says_where_a_table_is_wrong) {
  const auto expect = [](const std::string& text, const std::string& says) {
    try {
      (void)read_measured_tables(text, "t.txt");
      ADD_FAILURE() << text;
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
      EXPECT_TRUE(std::string(error.what()).starts_with("t.txt")) << error.what();
    }
  };
  const std::string title = "# OSU MPI Latency Test v7.4\n", heading = "# Size Latency (us)\n";
  expect("", "t.txt: the file is empty; give a table");
  expect("1 2\n3 4\n", "the file has no heading of OSU's benchmarks, IMB, nccl-tests or");
  expect(std::string("1\0", 2), "t.txt:1: the line has NUL bytes, so the file is not text");
  expect(title + "# Size Latency (ms)\n1 1\n",
         "t.txt:2: the columns differ from those of OSU latency: Size and a latency in (us)");
  expect(title + "# Size Bandwidth (MB/s)\n1 1\n",
         "t.txt:2: the columns differ from those of OSU latency");
  expect(title + "1 1\n", "t.txt:2: numbers without a heading");
  expect(heading + "1 1\n", "t.txt:1: a heading without the title");
  expect(title + heading + "1 1.5\n2\n", "t.txt:4: 1 column, but the heading has more");
  expect(title + heading + "1 1.5\n2 1.6 7\n", "t.txt:4: 3 columns");
  expect(title + heading + "1 -1.5\n",
         "t.txt:3: the latency is '-1.5' (expected a number above 0)");
  expect(title + heading + "1 0\n", "a number above 0");
  expect(title + heading + "1 nan\n", "a number above 0");
  expect(title + heading + "1 1e999\n", "a number above 0");
  expect(title + heading + "-1 1\n", "t.txt:3: the size is '-1'");
  expect(title + heading + "1 1\n2KiB 1\n4 1\n",
         "t.txt:4: the size is '2KiB' (expected a whole number of bytes)");
  expect(title + heading + "l0 1\n", "the file has no rows of a supported benchmark");
  expect(title + heading + "1 1\n2 x\n4 1\n", "t.txt:4: the latency is 'x'");
  expect(title + heading + "4 1\n2 1\n", "t.txt:4: size 2 follows size 4; sizes");
  expect(title + heading + "4 1\n4 1\n", "sizes must increase from row to row");
  expect(title + heading, "the file has no rows of a supported benchmark");
  expect(title + heading + "4 1\n" + title + "8 1\n", "t.txt:5: numbers without a heading");
  expect(title + heading + "2097152 210.5\n4194304 3", "t.txt:4: the last line has no newline");
  expect(
      "# OSU MPI Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n1048576 9000.5\n"
      "2097152 90",
      "the last line has no newline, and its rate is less than half of that of a");
  expect("# OSU MPI Non-blocking Allreduce Latency Test\n# Size Overall(us)\n4 1\n", "left out");
  expect(std::string(kLatency) + kImb, "t.txt:6: a table of IMB in a file of OSU tables");
  expect(std::string(kImb) + kNccl, "a table of nccl-tests in a file of IMB tables");
  expect(
      "# Benchmarking PingPong\n#bytes #repetitions t[msec] Mbytes/sec\n",
      "t.txt:2: the columns differ from those of IMB PingPong: #bytes and t[usec] or t_avg[usec]");
  expect("# Benchmarking PingPong\n#bytes #repetitions t[usec] Mbytes/sec\n1 2\n",
         "t.txt:3: 2 columns but the heading has 4; the line may be truncated");
  const std::string nccl = "# size time algbw busbw\n";
  expect(nccl + "# (B) (ms) (GB/s) (GB/s)\n",
         "t.txt:2: the units differ from those of nccl-tests: sizes in (B)");
  expect(nccl + "1000000 100 1.0 1.75\n",
         "t.txt:2: size / time is 10 GB/s, but algbw is 1; check the units");
  expect(nccl + "1000000 100 10.0\n",
         "t.txt:2: 3 columns but the heading has 4; the line may be truncated");
  expect(nccl + "1000000 100 10.0 10.0\n",
         "the table does not state its collective; name the file like its");
}

}  // namespace
}  // namespace weft::calibrate
