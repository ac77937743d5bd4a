// Routings as users meet them: the default, what answers say of it, failures in trees.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/command_line.hpp"

namespace weft::cli {
namespace {

using test::run_weft;
using test::words_of;

nlohmann::json json_of(const std::string& command) {
  const auto ran = run_weft(words_of(command + " --json"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  return nlohmann::json::parse(ran.out);
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

// Cable 128 joins leaf 0 and spine 0: what went over it goes over the next, which carries twice as
// much, and everything else as before.
TEST(Routing, shows_what_a_dead_cable_of_a_tree_costs) {
  const std::string end = "xgft:2;16,8;1,8";
  const auto json =
      json_of("compare alltoall -t without(cable=128,xgft:2;16,8;1,8) -a spread --sizes 1MiB");
  EXPECT_EQ(json["routing"], "d-mod-k");
  const double blocks_s = 2 * 224 * 1048576 / 12.5e9;
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
  EXPECT_NE(ran.err.find("--routing d-mod-k helps"), std::string::npos) << ran.err;
  EXPECT_EQ(run_weft(words_of(command)).err.find("helps"), std::string::npos);
  for (const std::string each : {"schedule alltoall -t xgft:2;8,4;1,4 -a spread",
                                 "simulate alltoall -t xgft:2;8,4;1,4 -a spread --size 1KiB"}) {
    const auto note = json_of(each + " --routing shortest")["routing_note"];
    EXPECT_EQ(note["helps"], "d-mod-k") << each;
    EXPECT_EQ(note["routing"], "shortest");
    EXPECT_DOUBLE_EQ(note["factor"], 4);
    EXPECT_TRUE(json_of(each)["routing_note"].is_null());
    EXPECT_NE(run_weft(words_of(each + " --routing shortest")).out.find("carries 4.0 times"),
              std::string::npos);
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

}  // namespace weft::cli
