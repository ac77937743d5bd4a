// What weft order calls the fastest.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/process/command_line.hpp"

namespace {

using nlohmann::json;
using weft::test::run_weft;
using weft::test::words_of;

// What stands first is the fastest of all that compare has, with its time there, and the order
// beside it; under the fluid model and the start's placement compare simulates the same.
TEST(OrderCommand, names_the_fastest_of_what_compare_has) {
  for (const std::string network : {"torus:4x4", "hosts(4, torus:2x2)", "xgft:2;4,4;1,2"})
    for (const std::string line : {"allreduce --size 1MiB", "alltoall --size 64KiB"}) {
      const std::string question = line + " -t '" + network + "' --json";
      const json found = json::parse(run_weft(words_of("order " + question)).out),
                 all = json::parse(run_weft(words_of("compare --effort full " + question)).out);
      EXPECT_TRUE(found["alternatives_timed"]);
      EXPECT_LE(found["fastest"]["time"], found["time"]);
      EXPECT_EQ(found["fastest"]["made_for_network"].get<bool>(),
                found["fastest"]["algorithm"] != found["algorithm"]);
      for (const json& row : all["rows"])
        EXPECT_GE(row["time"].get<double>() * 1.001, found["fastest"]["time"].get<double>())
            << question << ' ' << row["algorithm"];
      for (const json& other : found["alternatives"])
        for (const json& row : all["rows"])
          if (row["algorithm"] == other["algorithm"]) {
            EXPECT_NEAR(row["time"].get<double>(), other["time"].get<double>(), 1e-12) << question;
          }
    }
}

// Who names an algorithm is told of the same ones beside it as who does not.
TEST(OrderCommand, times_schedules_of_the_network_beside_a_named_algorithm) {
  const auto found = [](const std::string& more) {
    return json::parse(run_weft(words_of("order allgather -t torus:4x4 --json" + more)).out);
  };
  const json named = found(" -a ring");
  EXPECT_EQ(named["algorithm"], "ring");
  EXPECT_TRUE(named["alternatives_timed"]);
  EXPECT_EQ(named["alternatives"], found("")["alternatives"]);
  EXPECT_TRUE(named["fastest"]["made_for_network"]);  // bfb keeps all four links busy, a ring one
  const auto ran = run_weft(words_of("order allgather -t torus:4x4 -a ring"));
  EXPECT_TRUE(ran.out.starts_with(
      "allgather at 64KiB: " + named["fastest"]["algorithm"].get<std::string>() +
      " is the fastest"))
      << ran.out;
}

// Nobody who names an algorithm is told that a slower one than what is chosen for others is
// fastest.
TEST(OrderCommand, names_what_needs_no_network_beside_a_named_algorithm) {
  const std::string line = "order alltoall -t 'hosts(2, torus:3x3)' --json";
  const json free = json::parse(run_weft(words_of(line)).out);
  const json named = json::parse(run_weft(words_of(line + " -a bruck")).out);
  ASSERT_EQ(named["algorithm"], "bruck");
  ASSERT_NE(free["algorithm"], "bruck");
  EXPECT_EQ(named["considered"], free["considered"]);
  EXPECT_LE(named["fastest"]["time"], free["considered"][0]["time"]);
}

// A baseline, or an algorithm of the network, that is faster than the order stands in the first
// line and in the table.
TEST(OrderCommand, says_first_what_is_faster_than_its_order) {
  const auto ran = run_weft(words_of("order allreduce -t torus:4x4 --size 1MiB"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json found =
      json::parse(run_weft(words_of("order allreduce -t torus:4x4 --size 1MiB --json")).out);
  ASSERT_TRUE(found["fastest"]["made_for_network"]);
  const std::string winner = found["fastest"]["algorithm"];
  EXPECT_TRUE(ran.out.starts_with("allreduce at 1MiB: " + winner + " is the fastest")) << ran.out;
  EXPECT_NE(ran.out.find("\n" + winner + ", linear"), std::string::npos) << ran.out;
  // 1 MiB down a chain of one segment to 32 ranks, or cut into their parts.
  const auto with_baseline = run_weft(
      words_of("order broadcast -t 'hosts(1, torus:4x8)' --size 1MiB -a chain --segments 1 "
               "--search none --baseline scatter-allgather"));
  EXPECT_TRUE(with_baseline.out.starts_with("broadcast at 1MiB: "))
      << with_baseline.out << with_baseline.err;
  EXPECT_NE(with_baseline.out.find(" is the fastest, "), std::string::npos) << with_baseline.out;
  EXPECT_NE(with_baseline.out.find("; chain(segments=1) takes "), std::string::npos)
      << with_baseline.out;
}

}  // namespace
