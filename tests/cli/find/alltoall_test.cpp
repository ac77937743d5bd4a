// weft find --for alltoall: networks by their all-to-all throughput.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/find/find_fixture.hpp"
#include "support/process/command_line.hpp"

namespace {

using nlohmann::json;
using weft::test::run_weft;
using weft::test::words_of;

class FindForAlltoall : public weft::test::FindFixture {
 protected:
  static json find(const std::string& line) {
    const auto ran = run_weft(words_of("find --for alltoall " + line + " --json"));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return json::parse(ran.out);
  }
};

// Moore graphs have the least distances, and as they are distance-transitive, shortest paths load
// all links alike: throughput d / (sum of distances of a node). Petersen: 3 / (3 + 2 * 6) = 1/5.
// Hoffman-Singleton (50 nodes of 7): 7 / (7 + 2 * 42) = 1/13. Complete: 1.
TEST_F(FindForAlltoall, ranks_moore_graphs_first) {
  for (const auto& [line, throughput] :
       {std::pair("-n 10 -d 3", 1.0 / 5), {"-n 50 -d 7", 1.0 / 13}, {"-n 6 -d 5", 1.0}}) {
    const json answer = find(line);
    EXPECT_EQ(answer["objective"], "alltoall");
    EXPECT_FALSE(answer.contains("pareto"));
    ASSERT_FALSE(answer["ranking"].empty());
    EXPECT_NEAR(answer["ranking"][0]["throughput"], throughput, 1e-6) << line;
    EXPECT_NEAR(answer["ranking"][0]["throughput_bound"], throughput, 1e-12) << line;
  }
}

// 24 nodes of 8: 8 are next to a node and 15 two links away at the least: 8 / (8 + 30) = 0.2105.
// The network with the best allgather, circulant:24,3,4,6,9, has 0.125; random regular graphs have
// 0.2 and more.
TEST_F(FindForAlltoall, has_networks_near_the_bound_in_order) {
  const json answer = find("-n 24 -d 8");
  const json& ranking = answer["ranking"];
  ASSERT_GE(ranking.size(), 2U);
  EXPECT_LE(ranking.size(), 8U);
  EXPECT_GT(ranking[0]["throughput"], 0.2);
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    EXPECT_NEAR(ranking[i]["throughput_bound"], 8.0 / 38, 1e-12);
    EXPECT_LE(ranking[i]["throughput"], ranking[i]["upper_bound"]);
    EXPECT_LE(ranking[i]["upper_bound"].get<double>(), 8.0 / 38 * (1 + 1e-12));
    EXPECT_EQ(ranking[i]["ports"], 8);
    if (i > 0) {
      EXPECT_LE(ranking[i]["throughput"], ranking[i - 1]["throughput"]);
    }
  }
}

TEST_F(FindForAlltoall, takes_odd_sizes_and_one_way_links) {
  for (const char* line : {"-n 9 -d 3", "-n 12 -d 2 --one-way", "-n 7 -d 2"}) {
    const json answer = find(line);
    ASSERT_FALSE(answer["ranking"].empty()) << line;
    for (const json& each : answer["ranking"]) {
      EXPECT_GT(each["throughput"], 0) << line;
      EXPECT_LE(each["throughput"], each["throughput_bound"]) << line;
    }
  }
}

TEST_F(FindForAlltoall, is_shown_with_the_bound_of_the_size) {
  const auto ran = run_weft(words_of("find --for all-to-all -n 10 -d 3"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("100.0%"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("any network"), std::string::npos) << ran.out;
}

TEST_F(FindForAlltoall, refuses_what_is_of_an_allgather) {
  for (const auto& [line, part] :
       {std::pair("-n 10 --for broadcast", "expected 'allgather' or 'alltoall'"),
        {"-n 10 --for alltoall --size 1MiB",
         "--size applies to allgather; remove it with --for alltoall"},
        {"-n 10 --for alltoall --steps 2..3",
         "--steps applies to allgather; remove it with --for alltoall"},
        {"-n 2..20 --for alltoall", "up to 8 sizes, not 19"}}) {
    const auto ran = run_weft(words_of(std::string("find ") + line));
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_NE(ran.err.find(part), std::string::npos) << ran.err;
  }
}

}  // namespace
