// weft order: its answers, its files and its refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "support/command_line.hpp"

namespace {

using nlohmann::json;
using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

json order(const std::string& line) {
  const auto ran = run_weft(words_of("order broadcast " + line + " --json"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  return json::parse(ran.out);
}

TEST(OrderCommand, answers_by_the_contract) {
  for (const std::string objective : {"hops", "makespan", "time"}) {
    const json answer =
        order("-t 'hosts(1, random-regular:32,4,seed=1)' --attempts 300 --objective " + objective);
    EXPECT_EQ(answer["attempts"], 300);
    EXPECT_LT(answer[objective], answer["start"][objective]);
    EXPECT_EQ(answer["hops_bound"], 31);
    std::vector<int> hosts = answer["order"];
    std::sort(hosts.begin(), hosts.end());
    std::vector<int> all(32);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(hosts, all);
  }
}

// On one switch each message has its terminal links to itself: the fluid time is the makespan.
TEST(OrderCommand, makespan_is_the_time_where_messages_never_meet) {
  const json answer = order("-t 'hosts(8, complete:2)' --ranks 8 --alpha 1us --switch-delay 100ns");
  // Eight ranks on one switch: 3 sends in a row of 1 + 2 + 0.1 + 5.24288 us (64 KiB at 12.5 GB/s).
  EXPECT_NEAR(answer["makespan"].get<double>(), 3 * 8.34288e-6, 1e-11);
  EXPECT_NEAR(answer["time"].get<double>(), 3 * 8.34288e-6, 1e-11);
  EXPECT_EQ(answer["hops"], 0);
}

TEST(OrderCommand, writes_a_placement_that_simulate_reads) {
  const ScratchFolder folder;
  const std::string file = folder.path("order.txt"), network = "-t 'hosts(2, torus:3x3)' ";
  const json answer = order(network + "--size 1MiB --search anneal --attempts 20000 -o " + file);
  const auto ran = run_weft(words_of("simulate broadcast -a binomial --json --size 1MiB " +
                                     network + "--placement file:" + file));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["time"], answer["time"]);
  const json again = order(network + "--size 1MiB --attempts 1 --start file:" + file);
  EXPECT_EQ(again["start"]["hops"], answer["hops"]);
}

TEST(OrderCommand, puts_ranks_on_cores) {
  const json answer = order("-t 'hosts(1, ring:4)' --cores 4 --copy-bandwidth 10GB/s");
  EXPECT_EQ(answer["ranks"], 16);
  EXPECT_EQ(answer["hops_bound"], 3);
}

// Reduce mirrors the broadcast: the same messages the other way, on cables as long both ways.
TEST(OrderCommand, serves_other_collectives_and_algorithms) {
  const auto answer = [](const std::string& line) {
    const auto ran = run_weft(words_of("order " + line + " --json -t 'hosts(2, torus:4x4)'"));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return json::parse(ran.out);
  };
  const json reduce = answer("reduce"), broadcast = answer("broadcast");
  EXPECT_EQ(reduce["order"], broadcast["order"]);
  EXPECT_EQ(reduce["hops"], broadcast["hops"]);
  // 32 ranks in a ring of 31 steps over 16 switches: 15 switches are entered at least.
  const json ring = answer("allgather -a ring --search anneal --attempts 200000");
  EXPECT_EQ(ring["hops_bound"], 15 * 31);
  EXPECT_GE(ring["hops"], ring["hops_bound"]);
  EXPECT_EQ(ring["hops"].get<int>() % 31, 0);
  EXPECT_LT(ring["hops"], ring["start"]["hops"]);
  EXPECT_LT(ring["time"], ring["start"]["time"]);
}

// The start alone, and other algorithms beside it.
TEST(OrderCommand, shows_baselines_in_the_first_order) {
  const std::string network = "-t 'hosts(1, random-regular:32,4,seed=1)' --size 64KiB ";
  const json found = order(network + "--search none --baseline scatter-allgather --baseline tree");
  EXPECT_EQ(found["time"], found["start"]["time"]);
  EXPECT_EQ(found["attempts"], 0);
  ASSERT_EQ(found["baselines"].size(), 2u);
  EXPECT_EQ(found["baselines"][1]["algorithm"], "binomial");
  EXPECT_EQ(found["baselines"][1]["time"], found["time"]);
  const auto ran = run_weft(words_of("simulate broadcast -a scatter-allgather --json " + network));
  EXPECT_EQ(found["baselines"][0]["time"], json::parse(ran.out)["time"]);
}

TEST(OrderCommand, refuses_with_one_clear_line) {
  const ScratchFolder folder;
  const std::string twice = folder.file("twice.txt", "0\n1\n1\n"),
                    far = folder.file("far.txt", "0\n9\n");
  const std::string network = " -t 'hosts(1, ring:4)'";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"broadcast --ranks 5" + network, "5 ranks are more than"},
      {"broadcast --ranks 9 --cores 2" + network, "9 ranks are more than"},
      {"broadcast -t ring:4", "no switches"},
      {"broadcast --attempts 0" + network, "0 attempts"},
      {"broadcast --restarts 0" + network, "0 restarts"},
      {"broadcast --cores 0" + network, "0 cores"},
      {"broadcast --time-limit 0s" + network, "time limit of 0"},
      {"broadcast --start file:" + twice + network, "more often"},
      {"broadcast --start file:" + far + network, "host 9 does not exist"},
      {"broadcast --start spiral" + network, "unknown start"},
      {"broadcast --search three-opt" + network, "unknown search"},
      {"broadcast --objective cost" + network, "unknown objective"},
      {"broadcast --moves or" + network, "unknown kind of move"},
      {"broadcast --placement random" + network, "--start"},
      {"alltoall" + network, "binomial serves no alltoall"},
      {"allgather -a bfb" + network, "no ranks to place at will"},
      {"broadcast --baseline bruk" + network, "unknown algorithm"},
      {"point-to-point -a direct" + network, "no order"},
      {"gossip" + network, "unknown collective"},
      {"alltoall -a spread --cores 2048" + network, "2048 cores"}};
  for (const auto& [line, words] : cases) {
    const auto ran = run_weft(words_of("order " + line));
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_TRUE(ran.out.empty()) << line;
    EXPECT_NE(ran.err.find(words), std::string::npos) << line << ": " << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

}  // namespace
