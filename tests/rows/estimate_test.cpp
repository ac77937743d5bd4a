// What an answer will take, estimated: time, memory and packets, held against what was counted.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rows/rows_of.hpp"

namespace weft::rows {
namespace {

TEST(Estimate, grows_with_the_ranks_and_the_messages) {
  double last_s = 0, last_B = 0;
  for (const char* topology : {"ring:4", "ring:64", "ring:1024"}) {
    const auto rows =
        rows_of("topology = \"" + std::string(topology) +
                "\"\ncollective = \"allgather\"\nalgorithm = [\"bruck\", \"ring\"]\n");
    const Estimate small = estimate(rows[0]), large = estimate(rows[1]);
    EXPECT_LT(small.time_s, large.time_s);
    EXPECT_LE(small.memory_B, large.memory_B);
    EXPECT_LT(last_s, large.time_s);
    EXPECT_LT(last_B, large.memory_B);
    last_s = large.time_s;
    last_B = large.memory_B;
  }
}

TEST(Estimate, grows_with_the_nodes_of_a_topology) {
  const auto rows =
      rows_of("topology = [\"ring:4\", \"torus:8x8\", \"torus:32x32\"]\n", "topology");
  EXPECT_EQ(rows[2].nodes, 1024);
  EXPECT_LT(estimate(rows[0]).time_s, estimate(rows[1]).time_s);
  EXPECT_LT(estimate(rows[1]).time_s, estimate(rows[2]).time_s);
}

TEST(Estimate, grows_with_what_a_choice_takes) {
  for (const char* kind : {"compare", "optimum", "degrade", "plan"}) {
    const auto rows = rows_of(
        "topology = [\"ring:4\", \"ring:64\", \"ring:256\"]\ncollective = \"allreduce\"\n", kind);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      EXPECT_LT(estimate(rows[i - 1]).time_s, estimate(rows[i]).time_s) << kind;
      EXPECT_LT(estimate(rows[i - 1]).memory_B, estimate(rows[i]).memory_B) << kind;
    }
  }
  const std::string on_ring = "topology = \"ring:64\"\ncollective = \"allreduce\"\n";
  const auto time_s = [&](const char* kind, const std::string& grid) {
    return estimate(rows_of(grid, kind).at(0)).time_s;
  };
  EXPECT_LT(time_s("degrade", on_ring + "failing-cables = 1\n"),
            time_s("degrade", on_ring + "failing-cables = 50\n"));
  EXPECT_LT(time_s("plan", on_ring + "sizes = \"1KiB\"\n"), time_s("plan", on_ring));
  EXPECT_LT(time_s("compare", on_ring + "algorithms = \"ring\"\n"), time_s("compare", on_ring));
  const std::string mix = "mix = \"allreduce:1MiB\"\nbuild = \"switches\"\n";
  EXPECT_LT(time_s("design", mix + "nodes = 4\n"), time_s("design", mix + "nodes = 64\n"));
}

// The packet simulator takes about 6 million packet-hops a second, so the hops estimated, over the
// hops counted, are how far an estimate is off.
TEST(Estimate, foretells_the_links_that_packets_cross) {
  const std::vector<std::string> cases = {
      "broadcast\"\nalgorithm = [\"tree\", \"llf\", \"forest\", \"scatter-allgather\"]\nranks = "
      "24\n"
      "routing = [\"minimal\", \"valiant\", \"ugal-l\"]\nsize = \"64KiB\"\n",
      "broadcast\"\nalgorithm = [\"tree\", \"forest\"]\nranks = 24\nplacement = \"random\"\n"
      "routing = [\"minimal\", \"valiant\"]\nbackground = \"uniform\"\nsize = [\"1KiB\", "
      "\"64KiB\"]\n",
      "alltoall\"\nalgorithm = [\"pairwise\", \"bruck\"]\nsize = \"4KiB\"\nranks = 32\n",
      "allgather\"\nalgorithm = [\"ring\", \"bruck\"]\nsize = \"4KiB\"\nranks = 32\n"
      "placement = \"random\"\n",
      "allreduce\"\nalgorithm = [\"ring\", \"rabenseifner\"]\nsize = \"64KiB\"\nranks = 32\n"
      "placement = \"random\"\n",
      "scatter\"\nalgorithm = \"binomial\"\nsize = \"4KiB\"\nranks = 32\nplacement = \"random\"\n"};
  for (const std::string& rows : cases)
    for (const Row& row : rows_of("topology = \"dragonfly:a=4,p=2,h=2\"\nmodel = \"packet\"\n"
                                  "link = \"5GBps,50ns\"\ncollective = \"" +
                                  rows)) {
      const double counted = *fields::to_number(measure(row).at("packet_hops"));
      const double factor = estimate(row).packet_hops / counted;
      EXPECT_GT(factor, 1.0 / 3) << fields::to_json(row.parameters);
      EXPECT_LT(factor, 3) << fields::to_json(row.parameters);
    }
}

// The makespan of a tree is kept up to date, that of another schedule computed anew.
TEST(Estimate, judges_the_makespan_of_a_tree_by_what_a_move_changes) {
  const auto rows = rows_of(
      "topology = \"hosts(4, random-regular:64,8,seed=1)\"\ncollective = \"broadcast\"\ncores = 4\n"
      "algorithm = [\"binomial\", \"scatter-allgather\"]\nobjective = \"makespan\"\n"
      "search = \"anneal\"\nattempts = 100000\n",
      "order");
  EXPECT_GT(estimate(rows[0]).time_s, 0.05);  // 0.16 s was measured
  EXPECT_LT(estimate(rows[0]).time_s, 0.5);
  EXPECT_GT(estimate(rows[1]).time_s, 10 * estimate(rows[0]).time_s);
}

}  // namespace
}  // namespace weft::rows
