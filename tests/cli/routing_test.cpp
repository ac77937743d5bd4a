// Routings as users meet them: the default, what answers say of it, failures in trees.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "support/process/command_line.hpp"

namespace weft::cli {
namespace {

using test::run_weft;
using test::words_of;

nlohmann::json json_of(const std::string& command) {
  const auto ran = run_weft(words_of(command + " --json"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  return nlohmann::json::parse(ran.out);
}

// The words with one blank between them, wherever lines were broken.
std::string unwrapped(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

double time_of(const std::string& command) {
  return json_of(command)["rows"][0]["time"];
}

// 16 hosts of a leaf send 112 blocks each over 8 cables: 224 blocks of 1 MiB at 12.5 GB/s, and 5 us
// of latency at most.
TEST(Routing, is_d_mod_k_on_leaf_and_spine) {
  const std::string command =
      "compare alltoall -t xgft:2;16,8;1,8 -a spread --sizes 1MiB --routing ";
  const auto json = json_of("compare alltoall -t xgft:2;16,8;1,8 -a spread --sizes 1MiB");
  EXPECT_EQ(json["routing"], "d-mod-k");
  EXPECT_TRUE(json["routing_note"].is_null());
  const double blocks_s = 224 * 1048576 / 12.5e9;
  EXPECT_NEAR(json["rows"][0]["time"], blocks_s, 0.001 * blocks_s);
  EXPECT_NEAR(time_of(command + "shortest"), 8 * blocks_s, 0.001 * blocks_s);
}

// Cable 128 joins leaf 0 and spine 0: the two hosts of leaf 0 that others reached by it are dealt
// to two of the seven other spines, which carry half as much again; everything else as before.
TEST(Routing, shows_what_a_dead_cable_of_a_tree_costs) {
  const std::string end = "xgft:2;16,8;1,8";
  const auto json =
      json_of("compare alltoall -t without(cable=128,xgft:2;16,8;1,8) -a spread --sizes 1MiB");
  EXPECT_EQ(json["routing"], "d-mod-k");
  const double blocks_s = 1.5 * 224 * 1048576 / 12.5e9;
  EXPECT_NEAR(json["rows"][0]["time"], blocks_s, 0.001 * blocks_s);
}

TEST(Routing, is_said_in_words) {
  for (const std::string command :
       {"compare allgather -t torus:4x4 -a ring --sizes 1KiB",
        "compare allgather -t torus:4x4 -a ring --sizes 1KiB --winners",
        "simulate allgather -t torus:4x4 -a ring --size 1KiB",
        "simulate allgather -t torus:4x4 -a ring --size 1KiB --model packet",
        "schedule allgather -t torus:4x4 -a ring",
        "load-curve -t torus:4x4 --loads 0.1 --warmup 100 --measure 100 --resolution 0.5"}) {
    const auto ran = run_weft(words_of(command));
    EXPECT_EQ(ran.code, 0) << command << ran.err;
    EXPECT_NE(ran.out.find("routing"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("dimension-order"), std::string::npos) << ran.out;
  }
}

TEST(Routing, note_appears_where_another_routing_helps_and_not_by_default) {
  const std::string command = "compare alltoall -t xgft:2;8,4;1,4 --sizes 1KiB";
  const auto ran = run_weft(words_of(command + " --routing shortest"));
  EXPECT_NE(
      ran.err.find(
          "times the load of an equal split over shortest paths; --routing d-mod-k reduces it"),
      std::string::npos)
      << ran.err;
  EXPECT_EQ(run_weft(words_of(command)).err.find("helps"), std::string::npos);
  for (const std::string each : {"schedule alltoall -t xgft:2;8,4;1,4 -a spread",
                                 "simulate alltoall -t xgft:2;8,4;1,4 -a spread --size 1KiB"}) {
    const auto answer = json_of(each + " --routing shortest");
    const auto& note = answer["routing_note"];
    EXPECT_EQ(note["helps"], "d-mod-k") << each;
    EXPECT_EQ(note["routing"], "shortest");
    EXPECT_DOUBLE_EQ(note["factor"], 4);
    EXPECT_TRUE(json_of(each)["routing_note"].is_null());
    ASSERT_FALSE(answer["notes"].empty()) << each;
    const std::string text = answer["notes"].front();
    EXPECT_NE(text.find("carries 4.0 times"), std::string::npos) << text;
    const test::Ran printed = run_weft(words_of(each + " --routing shortest"));
    EXPECT_NE(printed.err.find("note: " + text), std::string::npos) << printed.err;
    EXPECT_EQ(printed.out.find("carries 4.0 times"), std::string::npos) << printed.out;
  }
}

// The same name in every model, on each kind of network; packets on other switched networks draw
// among all shortest paths.
TEST(Routing, is_the_same_in_every_model) {
  for (const auto& [topology, routing] : {std::pair{"xgft:2;4,4;1,4", "d-mod-k"},
                                          {"dragonfly:a=4,p=1,h=1", "minimal"},
                                          {"torus:4x4", "dimension-order"},
                                          {"polarfly:3", "minimal"},
                                          {"hosts(2,random-regular:8,3)", "shortest-split"},
                                          {"kautz:2,2", "shortest"}})
    for (const std::string model : {"alpha-beta", "fluid", "packet", "flit"})
      EXPECT_EQ(json_of(std::string("simulate alltoall -t ") + topology +
                        " -a pairwise --size 2KiB --model " + model)["routing"],
                routing)
          << topology << ' ' << model;
}

// Leaf 6 is left with spine 10 alone and leaf 7 with spine 9: their hosts meet by way of leaf 8
// only, down and up again.
TEST(Routing, falls_back_where_a_tree_has_no_way_up_and_down_and_says_why) {
  const std::string command =
      " alltoall -t without(cable=6~9,cable=7~10,xgft:2;2,3;1,2) -a spread ";
  for (const std::string& each : {"compare" + command + "--sizes 1KiB --all",
                                  "simulate" + command + "--size 1KiB", "schedule" + command}) {
    const auto ran = run_weft(words_of(each));
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(
        unwrapped(ran.out).find("shortest-split (after the failures some hosts have no path up and "
                                "then down, which d-mod-k needs)"),
        std::string::npos)
        << ran.out;
    const auto json = json_of(each);
    EXPECT_EQ(json["routing"], "shortest-split") << each;
    EXPECT_TRUE(json["routing_reason"].is_string()) << each;
  }
  const auto named = run_weft(words_of("simulate" + command + "--size 1KiB --routing d-mod-k"));
  EXPECT_EQ(named.code, 2);
  EXPECT_NE(named.err.find("use shortest-split"), std::string::npos) << named.err;
  EXPECT_TRUE(json_of("simulate alltoall -t xgft:2;2,3;1,2 -a spread")["routing_reason"].is_null());
}

// Half-way round a ring of 4 the fluid model splits, and a packet cannot; a ring of 3 has no ties.
TEST(Routing, of_packets_says_what_it_draws) {
  const std::string options = " -a ring --model packet --routing dimension-order";
  const auto draws = [&](const std::string& topology) {
    const std::string command = "simulate allreduce -t " + topology + options + " --size 4KiB";
    const bool said =
        run_weft(words_of(command)).err.find("--seed chooses the direction") != std::string::npos;
    EXPECT_EQ(json_of(command)["routing_draws"].is_string(), said);
    const auto beside =
        run_weft(words_of("compare allreduce -t " + topology + options + " --sizes 4KiB"));
    EXPECT_EQ(beside.err.find("--seed chooses the direction") != std::string::npos, said);
    return said;
  };
  EXPECT_TRUE(draws("torus:4x4"));
  EXPECT_FALSE(draws("torus:3x3"));
}

// 16 ranks, 4 links apart: steps between ranks are not links. What is pipelined is priced with the
// segments of the largest size.
TEST(Compare, shows_bounds_and_prices_in_the_unit_of_the_steps) {
  const auto tree = run_weft(
      words_of("compare broadcast -t xgft:2;4,4;1,4 -a chain,binomial --sizes 1KiB,16MiB"));
  EXPECT_NE(tree.out.find("bounds: T_L 1, T_B"), std::string::npos) << tree.out;
  const auto json =
      json_of("compare broadcast -t xgft:2;4,4;1,4 -a chain,binomial --sizes 1KiB,16MiB");
  EXPECT_EQ(json["steps_bound"], 4);
  EXPECT_EQ(json["least_steps"], 1);
  const auto& chain = json["algorithms"][0];
  EXPECT_EQ(chain["least_steps"], 4);  // one message at once: 2^4 ranks
  const std::int64_t segments = chain["at_largest"]["segments"];
  EXPECT_GT(segments, 1);
  EXPECT_EQ(segments, json["rows"][1]["segments"]);
  EXPECT_EQ(chain["at_largest"]["steps"], json["rows"][1]["steps"]);
  EXPECT_NE(tree.out.find("chain (" + std::to_string(segments) + " segments)"), std::string::npos);
  const auto ring = run_weft(words_of("compare allgather -t ring:8 -a ring --sizes 1KiB"));
  EXPECT_NE(ring.out.find("bounds: T_L 4 (one link per step), T_B"), std::string::npos) << ring.out;
  EXPECT_EQ(json_of("compare allgather -t ring:8 -a ring --sizes 1KiB")["least_steps"], 4);
  // Routed messages need one step; a link a step, the diameter: 2 in each of three dimensions.
  for (const auto& [algorithms, bound] :
       {std::pair("spread", "T_L 1, T_B"),
        {"multitree", "T_L 6 (one link per step), T_B"},
        {"spread,multitree", "T_L 1 (6 with one link per step), T_B"}}) {
    const auto torus = run_weft(
        words_of("compare alltoall -t torus:4x4x4 --sizes 1KiB -a " + std::string(algorithms)));
    EXPECT_NE(torus.out.find(std::string("bounds: ") + bound), std::string::npos) << torus.out;
  }
  const auto told = run_weft(words_of("schedule allgather -t torus:4x4x4 -a bfb --cost-only"));
  EXPECT_NE(told.out.find("6   (bound 6, one link per step)"), std::string::npos) << told.out;
  const auto bruck = run_weft(words_of("schedule alltoall -t xgft:2;4,4;1,4 -a bruck"));
  EXPECT_NE(bruck.out.find("4   (bound 4, 1 message at once)"), std::string::npos) << bruck.out;
}

}  // namespace
// Packets follow one way each: where the default splits ties, they draw it, in every command.
TEST(Routing, of_packets_is_the_default_in_compare_too) {
  const auto simulated = run_weft(
      words_of("simulate allreduce -t torus:4x4 -a ring --size 64KiB --model packet --json"));
  const auto compared = run_weft(
      words_of("compare allreduce -t torus:4x4 -a ring --sizes 64KiB --model packet --json"));
  ASSERT_EQ(simulated.code, 0) << simulated.err;
  ASSERT_EQ(compared.code, 0) << compared.err;
  const auto alone = nlohmann::json::parse(simulated.out),
             beside = nlohmann::json::parse(compared.out);
  EXPECT_EQ(alone["routing"], beside["routing"]);
  EXPECT_EQ(alone["time"], beside["rows"][0]["time"]);
}

// Of the four steps of recursive doubling three stay within a leaf and take S/B = 80 us each; in
// the last one 8 flows each way are hashed to 8 uplinks, and the fullest of these takes m S/B. The
// chance that m is at most 2, 3, 4 both ways is 0.25, 0.83, 0.98 (squares of the exact shares of 8
// balls in 8 bins: 0.5008, 0.9101, 0.9902): the median is 3, the 95th percentile 4, an even
// split 1.
TEST(Routing, by_hash_has_quantiles_over_seeds) {
  const std::string line =
      "simulate allreduce -t leaf-spine:leaves=2,spines=8,hosts=8 -a recursive-doubling --size 1MB "
      "--link 100Gbps,0s --machine ideal ";
  const auto answer = json_of(line + "--routing ecmp --seeds 200");
  EXPECT_EQ(answer["seeds"]["count"], 200);
  EXPECT_NEAR(answer["seeds"]["median_time"], 6 * 80e-6, 1e-9);
  EXPECT_NEAR(answer["seeds"]["p95_time"], 7 * 80e-6, 1e-9);
  EXPECT_GE(answer["seeds"]["max_time"], answer["seeds"]["p95_time"]);
  EXPECT_EQ(answer["seeds"]["even_split"]["routing"], "shortest-split");
  EXPECT_NEAR(answer["seeds"]["even_split"]["time"], 4 * 80e-6, 1e-9);
  EXPECT_TRUE(answer["seeds"]["adaptive"].is_null());
  EXPECT_FALSE(json_of(line + "--routing ecmp").contains("seeds"));
  EXPECT_EQ(run_weft(words_of(line + "--seeds 5")).code, 2);
}

// Packets have an adaptive routing to compare with; connections need the routing that hashes them.
TEST(Routing, by_hash_stands_next_to_adaptive_packets) {
  const std::string line =
      "simulate allreduce -t leaf-spine:leaves=2,spines=8,hosts=8 -a recursive-doubling --size "
      "16KiB ";
  const auto answer = json_of(line + "--model packet --routing ecmp --seeds 5");
  EXPECT_EQ(answer["seeds"]["adaptive"]["routing"], "up-down-adaptive");
  EXPECT_LE(answer["seeds"]["adaptive"]["time"], answer["seeds"]["max_time"]);
  EXPECT_EQ(json_of(line + "--routing ecmp --connections 4")["routing"], "ecmp:4");
  EXPECT_EQ(run_weft(words_of(line + "--connections 4")).code, 2);
  EXPECT_EQ(run_weft(words_of(line + "--routing ecmp --connections 0")).code, 2);
  EXPECT_EQ(run_weft(words_of(line + "--routing ecmp:2 --connections 4")).code, 2);
}

// `valiant` is what other simulators call nonminimal; both names find it, as options do.
TEST(Routing, is_listed_by_its_aliases_too) {
  const auto listed = json_of("list routings NonMinimal")["routings"];
  ASSERT_EQ(listed.size(), 1);
  EXPECT_EQ(listed[0]["name"], "valiant");
  EXPECT_NE(listed[0]["aliases"].get<std::string>().find("nonminimal"), std::string::npos);
  EXPECT_EQ(run_weft(words_of("list routings no-such")).code, 2);
  const auto tree = json_of("list algorithms Double_Binary_Tree")["algorithms"];
  ASSERT_EQ(tree.size(), 1);
  EXPECT_EQ(tree[0]["name"], "double-binary-tree");
  EXPECT_NE(run_weft(words_of("list algorithms no-such")).err.find("unknown algorithm"),
            std::string::npos);
}

// A name and another name of it are one routing, where each model keeps its own ways too.
TEST(Routing, has_the_same_load_curve_by_its_aliases) {
  const std::string curve =
      "load-curve mesh:4x4 --loads 0.1,0.3 --vcs 16 --warmup 100 --measure 300 --routing ";
  EXPECT_EQ(json_of(curve + "nonminimal")["points"], json_of(curve + "valiant")["points"]);
}

}  // namespace weft::cli
