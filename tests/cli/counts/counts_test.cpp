// alltoallv, allgatherv and reduce-scatterv: --counts of simulate, compare and export.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/process/answer.hpp"
#include "support/process/command_test.hpp"

namespace {

using nlohmann::json;
using weft::test::answer_of;
using weft::test::run_weft;
using weft::test::words_of;

using Counts = weft::test::CommandTest;

// A one-way ring at 1 GB/s: the block of 8 KB makes three hops of 8 us. All that a rank receives,
// 11 KB less its own 1 KB over one link, takes 10 us at least.
TEST_F(Counts, are_bytes_of_a_file_unless_a_size_is_given) {
  const std::string counts = file("row.txt", "8000, 1KB\n1000  # of rank 2\n\n1000\n");
  const std::string line =
      "simulate allgatherv -t uniring:4 --link 8Gbps,0s -a ring --counts " + counts;
  const json found = answer_of(line);
  EXPECT_NEAR(found["time"].get<double>(), 24e-6, 1e-12);
  EXPECT_EQ(found["collective"], "allgatherv");
  EXPECT_EQ(found["size"], 2750);
  EXPECT_EQ(found["counts"]["from"], counts);
  EXPECT_EQ(found["counts"]["natural_size"], 2750);
  EXPECT_NEAR(found["counts"]["largest_by_mean"].get<double>(), 8000 / 2750.0, 1e-12);
  EXPECT_NEAR(found["least"]["time"].get<double>(), 10e-6, 1e-12);
  // Twice the mean, twice the bytes.
  EXPECT_NEAR(answer_of(line + " --size 5500")["time"].get<double>(), 48e-6, 1e-12);
}

// Rows are senders: rank 1 alone sends, 5000 bytes to rank 0 over one link.
TEST_F(Counts, of_alltoallv_are_rows_of_senders) {
  const std::string counts = file("matrix.csv", "0,0,0\n5000,0,0\n0,0,0\n");
  const json found = answer_of(
      "simulate all-to-all-v -t complete:3 --link 8Gbps,0s -a shift --links all --counts " +
      counts);
  EXPECT_NEAR(found["time"].get<double>(), 5e-6, 1e-12);
  EXPECT_EQ(found["messages"], 1);
  EXPECT_EQ(found["counts"]["empty_blocks"], 8);
  for (const json& link : found["link_loads"])
    EXPECT_EQ(link["bytes"], link["from"] == 1 && link["to"] == 0 ? 5000 : 0);
}

// Blocks without data have no ratios; the run once ended with a floating-point exception.
TEST_F(Counts, of_no_data_are_refused) {
  const std::string counts = file("row.txt", "1000 2000 3000 4000\n");
  const auto ran =
      run_weft(words_of("simulate allgatherv -t ring:4 -a ring --size 0 --counts " + counts));
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err.find("weft: a call of size 0 with --counts moves no data"), 0u) << ran.err;
}

TEST_F(Counts, of_one_size_take_as_long_as_equal_blocks) {
  const std::string counts = file("equal.txt", "7 7 7 7\n7 7 7 7\n7 7 7 7\n7 7 7 7\n");
  for (const char* model : {"alpha-beta", "fluid", "packet", "flit"}) {
    const std::string on = std::string(" -t ring:4 -a shift --size 4KiB --model ") + model;
    EXPECT_EQ(answer_of("simulate alltoallv --counts " + counts + on)["time"],
              answer_of("simulate alltoall" + on)["time"])
        << model;
  }
}

// The bound holds for every row, and drawn counts are those of the seed.
TEST_F(Counts, are_compared_with_what_no_schedule_beats) {
  for (const char* collective : {"alltoallv", "allgatherv", "reduce_scatterv"})
    for (const char* counts : {"zipf:1.2", "uniform:0.5,1.5", "one-hot:2", "normal:0.5"}) {
      const std::string line = std::string("compare ") + collective +
                               " -t xgft:2;4,2;1,2 --sizes 64KiB,1MiB --counts " + counts;
      const json found = answer_of(line);
      ASSERT_EQ(found["least"].size(), 2) << line;
      EXPECT_EQ(found["winners"].empty(), false) << line;
      EXPECT_FALSE(found.contains("bandwidth_factor_bound"));
      for (const json& row : found["rows"])
        for (const json& least : found["least"]) {
          if (row["size"] != least["size"] || row["time"].is_null()) continue;
          EXPECT_GE(row["time"].get<double>(), least["time"].get<double>() * (1 - 1e-9)) << line;
        }
      EXPECT_EQ(found["rows"], answer_of(line + " --threads 1")["rows"]) << line;
      EXPECT_NE(found["rows"], answer_of(line + " --seed 2")["rows"]) << line;
    }
  const auto ran =
      run_weft(words_of("compare alltoallv -t ring:4 --counts moe:2,0.8 --sizes 1MiB"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("counts: moe:2,0.8 (largest block "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("lower bound"), std::string::npos) << ran.out;
}

// What lies on a straight line between other sizes is what a simulation of its own finds.
TEST_F(Counts, have_one_time_whatever_other_sizes_are_asked_for) {
  for (const char* collective : {"alltoallv", "allgatherv"}) {
    const std::string line = std::string("compare ") + collective +
                             " -t xgft:2;4,2;1,2 -a spread,bruck --effort full --counts zipf:1";
    const json among = answer_of(line + " --sizes 1KiB:64MiB");
    for (const char* size : {"2KiB", "512KiB", "8MiB"})
      for (const json& alone : answer_of(line + " --sizes " + size)["rows"])
        for (const json& row : among["rows"]) {
          if (row["size"] != alone["size"] || row["algorithm"] != alone["algorithm"]) continue;
          EXPECT_NEAR(row["time"].get<double>(), alone["time"].get<double>(),
                      1e-9 * alone["time"].get<double>())
              << row;
        }
  }
}

// A ring passes on a large block as a whole, N - 1 times; in segments it takes little more than
// the bound. By itself it is no candidate for blocks of one size.
TEST_F(Counts, are_served_by_a_pipelined_ring) {
  const std::string on = " -t xgft:2;4,4;1,4 --counts one-hot:1 --sizes 16MiB";
  const json found = answer_of("compare allgatherv -a ring,pipelined-ring --effort full" + on);
  const double least_s = found["least"][0]["time"];
  for (const json& row : found["rows"]) {
    const double ratio = row["time"].get<double>() / least_s;
    if (row["algorithm"] == "ring")
      EXPECT_NEAR(ratio, 15, 0.01);
    else
      EXPECT_LT(ratio, 1.27);  // 1 + 14 / 60 in 60 segments, and latencies
  }
  for (const char* collective : {"allgatherv", "reduce-scatterv"})
    EXPECT_EQ(answer_of(std::string("compare ") + collective + on)["winners"][0]["algorithms"][0],
              "pipelined-ring");
  for (const json& each : answer_of("compare allgather -t ring:4 --sizes 1MiB")["algorithms"])
    EXPECT_NE(each["algorithm"], "pipelined-ring");
}

// Ranks of one host exchange nothing over the network: 0 and 1 are on the first of two hosts, so
// that 3000 + 500 bytes of the 103,500 cross a link of 1 GB/s.
TEST_F(Counts, of_ranks_that_share_a_host_stay_there) {
  const std::string counts = file("m.txt", "0 100000 3000 0\n0 0 0 500\n0 0 0 0\n0 0 0 0\n");
  const json found = answer_of(
      "simulate alltoallv -a spread --per-host 2 -t xgft:1;2;1 --link 8Gbps,0s --counts " + counts);
  EXPECT_NEAR(found["least"]["time"].get<double>(), 3.5e-6, 1e-12);
  EXPECT_NEAR(found["time"].get<double>(), 3.5e-6, 1e-12);
}

// Of 3 ranks each sends its own block to both others.
TEST_F(Counts, go_into_the_messages_of_an_export) {
  const std::string schedule = folder_.path("s.weft"), goal = folder_.path("s.goal");
  const std::string counts = file("row.txt", "111\n222\n333\n");
  EXPECT_EQ(run_weft(words_of("schedule allgather -t complete:3 -a direct -o " + schedule)).code,
            0);
  const auto ran =
      run_weft(words_of("export " + schedule + " --to goal -o " + goal + " --counts " + counts));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string text = weft::test::read_text(goal);
  for (const char* bytes : {"send 111b", "send 222b", "send 333b"}) {
    const std::size_t first = text.find(bytes);
    ASSERT_NE(first, std::string::npos) << bytes << " in " << text;
    EXPECT_NE(text.find(bytes, first + 1), std::string::npos) << bytes << " in " << text;
  }
  for (const char* to : {"msccl", "mscclpp", "weft-run"})
    expect_refused("export " + schedule + " --to " + to + " -o " + goal + ".x --counts " + counts,
                   "--counts");
  expect_refused(
      "export " + schedule + " --to astra-sim-collective -o " + goal + ".x --counts " + counts,
      "blocks of one size");
}

TEST_F(Counts, are_refused_where_they_make_no_sense) {
  const std::string on = " -t ring:3 -a shift --counts ";
  expect_refused("simulate alltoallv -t ring:3 -a shift", "give --counts FILE or a distribution");
  expect_refused("compare allgatherv -t ring:3", "--counts zipf:1.2");
  expect_refused("compare alltoall -t ring:3 --counts zipf:1", "write alltoallv");
  expect_refused("compare broadcast -t ring:3 --counts zipf:1", "leave it out for broadcast");
  expect_refused("schedule alltoallv -t ring:3 -a shift",
                 "simulate, compare and plan support it, with --counts; elsewhere use");
  expect_refused("plan -t ring:3 --collectives alltoallv -o x.plan",
                 "alltoallv needs the sizes of its blocks; give --counts FILE");
  expect_refused("simulate alltoallv" + on + "zpf:1", "uniform:LO,HI, zipf:S");
  expect_refused("simulate alltoallv" + on + "zipf", "zipf needs 1 number");
  expect_refused("simulate alltoallv" + on + "zipf:nan", "zipf needs 1 number");
  expect_refused("simulate alltoallv" + on + "zipf:-1", "exponent");
  expect_refused("simulate alltoallv" + on + "uniform:2,1", "LO <= HI");
  expect_refused("simulate alltoallv" + on + "one-hot:4", "1 to 3");
  expect_refused("simulate allgatherv -t ring:3 -a ring --counts moe:1,1", "alltoallv");
  expect_refused("simulate alltoallv" + on + "nowhere.txt", "nowhere.txt");
  expect_refused("simulate alltoallv" + on + file("two.txt", "1 2 3\n4 5 6\n"),
                 "2 lines (alltoallv among 3 ranks needs one line for each sender, 3 in total)");
  expect_refused("simulate alltoallv" + on + file("short.txt", "1 2 3\n4 5\n7 8 9\n"),
                 "short.txt:2: 2 numbers");
  expect_refused("simulate alltoallv" + on + file("minus.txt", "1 2 3\n4 -5 6\n7 8 9\n"),
                 "minus.txt:2: ");
  expect_refused("simulate alltoallv" + on + file("nan.txt", "1 2 3\n4 nan 6\n7 8 9\n"),
                 "nan.txt:2: ");
  expect_refused("simulate alltoallv" + on + file("unit.txt", "1 2 3\n4 5Kx 6\n7 8 9\n"),
                 "unit.txt:2: ");
  expect_refused("simulate alltoallv" + on + file("zero.txt", "0 0 0\n0 0 0\n0 0 0\n"),
                 "all blocks are empty");
  expect_refused("simulate allgatherv -t ring:3 -a ring --counts " + file("row.txt", "1\n2\n"),
                 "2 numbers (allgatherv among 3 ranks needs 3)");
  expect_refused("compare alltoallv -t ring:3 --counts zipf:1 --library nccl", "--library");
}

}  // namespace
