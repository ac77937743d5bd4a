// Tables of forced algorithms.
#include <gtest/gtest.h>

#include <string>

#include "weft/base/error.hpp"
#include "weft/calibrate/published.hpp"

namespace weft::calibrate {
namespace {

TEST(ForcedPoints, reads_columns_by_name) {
  const auto points = read_forced_points(
      "# own\ntime,size,ranks,algorithm,collective,sample,topology\n"
      "12us,1KiB,8,ring,allreduce,barrier,\"xgft:2;1,8;1,1\"\n"
      "0.5e-3,2048,4,bruck,allgather,loop,\n0.5e-3,2048,4,bruck,allgather,,\n",
      "t.csv");
  ASSERT_EQ(points.size(), 3U);
  EXPECT_DOUBLE_EQ(points[0].time_s, 12e-6);
  EXPECT_EQ(points[0].size_B, 1024);
  EXPECT_EQ(points[0].topology, "xgft:2;1,8;1,1");
  EXPECT_EQ(points[0].sampling, Sampling::barrier);
  EXPECT_EQ(points[0].place(), "t.csv:3");
  EXPECT_DOUBLE_EQ(points[1].time_s, 0.5e-3);
  EXPECT_EQ(points[1].ranks, 4);
  EXPECT_EQ(points[1].sampling, Sampling::loop);
  EXPECT_EQ(points[2].sampling, Sampling::barrier);  // the default, as OSU and pico measure
}

// A table in microseconds without units would be read as seconds, a million times too slow.
TEST(ForcedPoints, remarks_that_bare_times_are_seconds) {
  const std::string head = "collective,algorithm,ranks,size,time\nallreduce,ring,4,8B,9us\n";
  EXPECT_TRUE(read_forced_table(head, "t.csv").remarks.empty());
  const ForcedTable table = read_forced_table(head + "allreduce,ring,4,1KiB,42\n", "t.csv");
  EXPECT_DOUBLE_EQ(table.points[1].time_s, 42);
  ASSERT_EQ(table.remarks.size(), 1U);
  EXPECT_EQ(table.remarks[0],
            "t.csv:3: the time 42 has no unit and is read as seconds, as every bare number of this "
            "column; write 42us for microseconds");
}

TEST(ForcedPoints, tells_such_tables_from_others) {
  EXPECT_TRUE(is_forced_table("\n# a\ncollective,algorithm,size\n"));
  EXPECT_FALSE(is_forced_table("# OSU MPI Latency Test v7.4\n1 2.0\n"));
  EXPECT_FALSE(is_forced_table(""));
}

// A summary of pico: nanoseconds, buffers of all ranks together where a collective gathers.
TEST(ForcedPoints, reads_summaries_of_pico) {
  const ForcedTable table = read_forced_table(
      "collective_type,array_dim,buffer_size,algo_name,datatype,mean,median,nnodes,"
      "tasks_per_node\n"
      "ALLGATHER,64,256,ring_ompi,int32,47000,45896.0,32,1\n"
      "ALLREDUCE,8,32,default-recursive_doubling,int32,9100.5,9050,2x2x2,2\n"
      "ALLREDUCE,8,32,default-default,int32,9100.5,9050,2x2x2,2\n",
      "p.csv");
  ASSERT_EQ(table.points.size(), 2U);
  EXPECT_EQ(table.points[0].algorithm, "ring");
  EXPECT_EQ(table.points[0].size_B, 8);  // 256 B of 32 ranks
  EXPECT_EQ(table.points[0].ranks, 32);
  EXPECT_DOUBLE_EQ(table.points[0].time_s, 45896e-9);
  EXPECT_EQ(table.points[0].sampling, Sampling::barrier);
  EXPECT_EQ(table.points[1].collective, "allreduce");
  EXPECT_EQ(table.points[1].algorithm, "recursive-doubling");
  EXPECT_EQ(table.points[1].size_B, 32);
  EXPECT_EQ(table.points[1].topology, "torus:2x2x2");
  EXPECT_EQ(table.points[1].ranks, 16);
  ASSERT_EQ(table.remarks.size(), 1U);
  EXPECT_NE(table.remarks[0].find("default-default"), std::string::npos);
}

// Raw files of pico say neither collective nor size; the summary beside them does.
TEST(ForcedPoints, names_the_summary_of_a_raw_file_of_pico) {
  constexpr const char* kRaw = "highest,rank0,rank1\n9100,9000,9100\n";
  EXPECT_TRUE(is_forced_table(kRaw));
  try {
    (void)read_forced_table(kRaw, "8_ring_int32.csv");
    ADD_FAILURE();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("aggregated_results_summary.csv"), std::string::npos)
        << error.what();
  }
}

TEST(ForcedPoints, refuses_wrong_lines_with_their_number) {
  const auto refused = [](const std::string& line, const char* says) {
    try {
      (void)read_forced_points("collective,algorithm,ranks,size,time\n" + line + "\n", "t.csv");
      ADD_FAILURE() << line;
    } catch (const InvalidInput& error) {
      const std::string what = error.what();
      EXPECT_EQ(what.find("t.csv"), 0U) << what;
      EXPECT_NE(what.find(says), std::string::npos) << what;
    }
  };
  refused("allreduce,ring,8,1024", "t.csv:2: 4 columns");
  refused("allredduce,ring,8,1024,1e-6", "t.csv:2: ");
  refused("allreduce,,8,1024,1e-6", "t.csv:2: the algorithm is missing");
  refused("allreduce,ring,1,1024,1e-6", "1 rank");
  refused("allreduce,ring,x,1024,1e-6", "ranks 'x'");
  refused("allreduce,ring,8,0,1e-6", "size");
  refused("allreduce,ring,8,1024,-1", "time");
  refused("allreduce,ring,8,1024,1e300",
          "the time is '1e300' (expected seconds from 1e-9 to 1e6, or a unit)");
  refused("allreduce,ring,8,1024,1e-300", "the time is '1e-300'");
  refused("# nothing", "the table of forced algorithms has no points");
  EXPECT_THROW((void)read_forced_points("# nothing\n", "t.csv"), InvalidInput);
  EXPECT_THROW((void)calibrate::read_published(
                   "collective,algorithm,ranks,size,time\nallreduce,ring,8,8,1\n", "t.csv"),
               InvalidInput);
  EXPECT_THROW((void)read_forced_points("collective,algorithm,size\n", "t.csv"), InvalidInput);
}

TEST(ForcedPoints, refuses_unknown_options_and_names_the_missing_column) {
  const auto what = [](const std::string& text) -> std::string {
    try {
      (void)read_forced_points(text, "t.csv");
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  const std::string head = "collective,algorithm,ranks,size,time,options\n";
  EXPECT_EQ(what(head + "broadcast,chain,8,1024,1e-6,segments=8;reduce-bandwidth=2GBps\n"), "");
  EXPECT_NE(what(head + "broadcast,chain,8,1024,1e-6,segmints=8\n")
                .find("t.csv:2: unknown option 'segmints'"),
            std::string::npos);
  EXPECT_NE(
      what("collective,algorithm,ranks,size,time,sample\nallreduce,ring,8,8,1us,mean\n")
          .find("t.csv:2: invalid sample 'mean' (expected 'barrier', one call after a barrier, "
                "or 'loop', the mean of calls in a row)"),
      std::string::npos);
  EXPECT_NE(what("collective,algorithm,size,time\nallreduce,ring,8,1\n")
                .find("t.csv:1: the column ranks is missing;"),
            std::string::npos);
}

// Which of two columns of a name holds the value is unknown; columns that nobody reads may repeat.
TEST(ForcedPoints, refuses_repeated_columns_that_it_reads) {
  const auto points = read_forced_points(
      "note,note,collective,note,algorithm,ranks,size,time\n"
      "a,b,allreduce,c,ring,4,8B,9us\n",
      "t.csv");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].collective, "allreduce");
  EXPECT_EQ(points[0].algorithm, "ring");
  EXPECT_EQ(points[0].ranks, 4);
  EXPECT_EQ(points[0].size_B, 8);
  EXPECT_DOUBLE_EQ(points[0].time_s, 9e-6);
  const auto what = [](const std::string& text) -> std::string {
    try {
      (void)read_forced_table(text, "t.csv");
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(what("# own\ncollective,algorithm,time,ranks,size,time\nallreduce,ring,9us,4,8B,8us\n"),
            "t.csv:2: the column time is repeated; name it once");
  EXPECT_EQ(what("collective,algorithm,sample,ranks,size,time,sample\n"),
            "t.csv:1: the column sample is repeated; name it once");
  const std::string pico = "buffer_size,algo_name,median,nnodes,tasks_per_node,collective_type";
  EXPECT_EQ(what(pico + ",median\n32,ring,9050,4,1,ALLREDUCE,9050\n"),
            "t.csv:1: the column median is repeated; name it once");
  EXPECT_EQ(what("mean,mean," + pico + "\n1,2,32,ring,9050,4,1,ALLREDUCE\n"), "");
}

}  // namespace
}  // namespace weft::calibrate
