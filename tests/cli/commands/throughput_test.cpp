// weft throughput: what it says, in text and JSON, and what it refuses.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/process/command_line.hpp"

namespace {

using nlohmann::json;
using weft::test::run_weft;

// Table 7 of the direct-connect paper prints 5.71e-2. Degree 4, 32 nodes: T_B = 4 / (32 f) = 35/16.
TEST(ThroughputCommand, answers_by_the_contract) {
  const auto ran = run_weft({"throughput", "line(bipartite:4,4)", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_DOUBLE_EQ(answer["throughput"], 2.0 / 35);
  EXPECT_DOUBLE_EQ(answer["upper_bound"], 2.0 / 35);
  EXPECT_EQ(answer["gap"], 0);
  EXPECT_EQ(answer["method"], "orbits");
  EXPECT_EQ(answer["exact"], "2/35");
  EXPECT_DOUBLE_EQ(answer["bandwidth_factor"], 35.0 / 16);
}

TEST(ThroughputCommand, keeps_the_gap_that_is_asked_for) {
  const auto ran = run_weft({"throughput", "random-regular:100,4,seed=1", "--method", "approximate",
                             "--gap", "0.02", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_LE(answer["gap"], 0.02);
  EXPECT_EQ(answer["exact"], nullptr);
  EXPECT_EQ(answer["method"], "approximate");
}

// Terminal links of half the speed of the others: each carries 2 pairs out of a host, 1/2 / 2.
TEST(ThroughputCommand, counts_speeds_by_the_fastest_link) {
  const auto ran = run_weft({"throughput", "hosts(1, complete:3)", "--link", "100Gbps,1us",
                             "--link", "terminal=50Gbps,1us", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["exact"], "1/4");
}

TEST(ThroughputCommand, prints_text) {
  const auto ran = run_weft({"throughput", "torus:4x4"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("1/8 = 0.125, exact"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("cayley"), std::string::npos) << ran.out;
}

// GPUs of these boxes have cables to switches of the box and to a card; without switches ranks'
// neighbours pass all on.
TEST(ThroughputCommand, says_how_many_hosts_pass_nothing_on) {
  const auto idle = [](const std::vector<std::string>& arguments) {
    const auto text = run_weft(arguments);
    std::vector<std::string> in_json = arguments;
    in_json.emplace_back("--json");
    const json answer = json::parse(run_weft(in_json).out);
    EXPECT_EQ(text.out.find("could pass data on") != std::string::npos, answer["idle_relays"] != 0)
        << text.out;
    return answer["idle_relays"].get<int>();
  };
  EXPECT_EQ(idle({"throughput", "boxes(2, network:dgx-a100)", "--hosts", "0-3,8-11"}), 8);
  EXPECT_EQ(idle({"throughput", "boxes(2, network:dgx-a100)"}), 0);
  EXPECT_EQ(idle({"throughput", "hosts(2, torus:3x3)", "--ranks", "9"}), 0);
  EXPECT_EQ(idle({"throughput", "torus:4x4", "--ranks", "9"}), 0);
}

// Distances from a node of torus:4x4 sum to 32, so 64 links leave each of 16 * 15 pairs 64 / 512.
TEST(ThroughputCommand, has_bounds_alone_where_there_is_no_time) {
  for (const char* method : {"auto", "cayley", "orbits", "approximate"}) {
    const auto ran =
        run_weft({"throughput", "torus:4x4", "--time-limit", "0", "--method", method, "--json"});
    EXPECT_EQ(ran.code, 1) << method;
    EXPECT_EQ(ran.err,
              "the time limit was reached: no throughput was found, and only upper bounds are "
              "known\n");
    const json answer = json::parse(ran.out);
    for (const char* key : {"throughput", "gap", "exact", "bandwidth_factor"})
      EXPECT_EQ(answer.at(key), nullptr) << key;
    EXPECT_DOUBLE_EQ(answer["distance_bound"], 1.0 / 8);
    EXPECT_EQ(answer["upper_bound"], answer["distance_bound"]);
    EXPECT_DOUBLE_EQ(answer["bandwidth_factor_bound"], 4.0 / 16 * 8);
  }
  const auto shown = run_weft({"throughput", "torus:4x4", "--time-limit", "0"});
  EXPECT_EQ(shown.code, 1);
  EXPECT_NE(shown.out.find("none found"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("0.125 (no throughput is higher"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("at least 2 M/B"), std::string::npos) << shown.out;
  EXPECT_EQ(shown.out.find("inf"), std::string::npos) << shown.out;
  EXPECT_EQ(
      run_weft({"throughput", "genkautz:4,12", "--time-limit", "0", "--method", "cayley"}).code, 2);
}

TEST(ThroughputCommand, has_an_interval_after_a_short_time) {
  const auto ran = run_weft({"throughput", "random-regular:100,4,seed=1", "--method", "approximate",
                             "--gap", "0.0001", "--time-limit", "1ms", "--json"});
  EXPECT_EQ(ran.code, 1);
  const json answer = json::parse(ran.out);
  EXPECT_GT(answer["throughput"], 0);
  EXPECT_LE(answer["throughput"], answer["upper_bound"]);
  EXPECT_LE(answer["upper_bound"], answer["distance_bound"]);
  EXPECT_NE(ran.err.find("the time limit was reached; proven so far"), std::string::npos)
      << ran.err;
}

TEST(ThroughputCommand, refuses_what_makes_no_sense) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"throughput", "torus:4x4", "--method", "caley"}, "did you mean cayley?"},
      {{"throughput", "genkautz:4,12", "--method", "cayley"},
       "method cayley needs a known Cayley network with equal links for"},
      {{"throughput", "torus:4x4", "--gap", "-1"}, "invalid gap '-1' (expected 1e-6 to 1"},
      {{"throughput", "torus:4x4", "--gap", "0"}, "invalid gap '0' (expected 1e-6 to 1"},
      {{"find", "--nodes", "8", "--throughput", "--gap", "2"},
       "invalid gap '2' (expected 1e-6 to 1"},
      {{"throughput", "torus:4x4", "--time-limit", "-1s"}, "invalid time '-1s'"},
      {{"throughput", "torus:4x4", "--time-limit", "60 parsecs"}, "unknown unit"},
      {{"throughput", "without(link=0, uniring:4)"}, "does not reach host"}};
  for (const auto& [arguments, problem] : cases) {
    const auto ran = run_weft(arguments);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find(problem), std::string::npos) << ran.err;
  }
}

}  // namespace
