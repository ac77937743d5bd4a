// weft simulate --model packet and flit: what they say, and what they refuse.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "support/process/command_line.hpp"

namespace {

using nlohmann::json;
using weft::test::run_weft;
using weft::test::words_of;

const std::string kBroadcast =
    "simulate broadcast -t dragonfly:a=4,p=2,h=2 --ranks 16 --placement random --seed 3 "
    "--algorithm binomial --size 1KiB ";

// Two packets for each of 15 receivers; a message crosses two terminal links.
TEST(PacketCommand, answers_in_json_under_every_routing) {
  for (const std::string model : {"packet", "flit"})
    for (const std::string routing : {"minimal", "valiant", "nonminimal", "adaptive", "ugal-l",
                                      "ugal-g", "par", "shortest-table", "shortest"}) {
      const auto ran =
          run_weft(words_of(kBroadcast + "--model " + model + " --routing " + routing + " --json"));
      ASSERT_EQ(ran.code, 0) << ran.err;
      const json answer = json::parse(ran.out);
      EXPECT_EQ(answer["packets"], 30);
      EXPECT_EQ(answer["routing"], routing);
      EXPECT_EQ(answer["link_crossings"]["terminal"], 30);
      EXPECT_EQ(answer["packet_crossings"]["terminal"], 60);
      EXPECT_LE(answer["mean_latency"], answer["max_latency"]);
      EXPECT_LE(answer["p99_latency"], answer["max_latency"]);
      EXPECT_LE(answer["max_latency"], answer["time"]);
    }
}

// Paths would need a channel for each of 8 links; packets that choose by themselves need two.
TEST(PacketCommand, leaves_dimension_order_to_the_packets) {
  const std::string alltoall =
      "simulate alltoall -t torus:8x8 --algorithm shift --size 64KiB --model packet --routing ";
  EXPECT_EQ(run_weft(words_of(alltoall + "dimension-order --vcs 2")).code, 0);
  EXPECT_EQ(run_weft(words_of(alltoall + "minimal-adaptive --vcs 3")).code, 0);
  const auto ran = run_weft(words_of(alltoall + "dimension-order --vcs 1"));
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("give 2 or more"), std::string::npos) << ran.err;
}

TEST(PacketCommand, prints_text) {
  const auto ran = run_weft(words_of(kBroadcast + "--model packet --routing adaptive"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("packet latency"), std::string::npos);
  EXPECT_NE(ran.out.find("over terminal"), std::string::npos);
}

// Two of the 16 hosts send to themselves in each phase.
TEST(PacketCommand, sends_messages_to_oneself_over_the_network) {
  const std::string exchange =
      "simulate alltoall -t xgft:3;4,2,2;1,4,1 -a opt --size 4KiB --model flit --routing "
      "pattern-aware --json --self-messages ";
  const auto over = [&](const char* where) {
    return json::parse(run_weft(words_of(exchange + where)).out)["link_crossings"]["terminal"];
  };
  EXPECT_EQ(over("local"), 2 * 16 * 15);
  EXPECT_EQ(over("network"), 2 * 16 * 16);
}

// Routers of CODES pass packets alone: where no model is said, it is theirs.
TEST(PacketCommand, routers_of_codes_are_of_the_packet_model) {
  const auto ran = run_weft(words_of(
      "simulate broadcast -t dragonfly:a=4,p=2,h=2,arrangement=codes -a forest --couples "
      "codes --router codes --ranks 40 --placement random --size 1KiB --background uniform "
      "--json"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["model"], "packet");
  EXPECT_EQ(answer["router"], "codes");
  EXPECT_EQ(answer["algorithm"], "forest(couples=codes)");
  EXPECT_EQ(answer["packets"], 39 * 4);  // chunks of 256 B
}

// Sets of trees are chosen by flows, which know of no other traffic.
TEST(PacketCommand, trees_run_beside_background_traffic) {
  const auto ran = run_weft(
      words_of("simulate allreduce -t torus:4x4 -a packing --hosts 0-7 --size 4KiB --model packet "
               "--background uniform --json"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_GT(json::parse(ran.out)["time"], 0);
}

// Each row of a comparison is what a simulation of the same takes.
TEST(PacketCommand, comparisons_run_packets_as_simulations_do) {
  const std::string setting =
      " -t dragonfly:a=4,p=2,h=2,arrangement=codes --ranks 40 --placement random --router codes "
      "--router-delay 50ns --buffer 16KiB --json ";
  const auto ran = run_weft(words_of("compare broadcast -a tree,glf --sizes 4KiB" + setting));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json compared = json::parse(ran.out);
  EXPECT_EQ(compared["model"], "packet");
  EXPECT_EQ(compared["router"], "codes");
  ASSERT_EQ(compared["rows"].size(), 2u);
  for (const json& row : compared["rows"]) {
    const std::string name = row["algorithm"];
    const auto one = run_weft(words_of("simulate broadcast --size 4KiB -a " + name + setting));
    EXPECT_EQ(json::parse(one.out)["time"], row["time"]) << name;
  }
}

TEST(PacketCommand, refuses_what_makes_no_sense) {
  for (const std::string wrong :
       {"--model packet --buffer 100", "--model packet --buffer globl=4KiB",
        "--model packet --routing valiant --vcs 2", "--model packet --switching wormhole",
        "--model flit --switching store-and-forward", "--model flit --flit-size 1KiB",
        "--model packet --packet-size 0", "--model packet --arbitration fair",
        "--model packet --self-messages nowhere", "--model packet --router input-queued",
        "--model flit --router input", "--model flit --router input-queued --arbitration age",
        "--model flit --router input-queued --vcs 65",
        "--model flit --router input-queued --link 100Gbps,1ms", "--model flit --router codes",
        "--router codes --switching cut-through", "--model fluid --router codes"}) {
    const auto ran = run_weft(words_of(kBroadcast + wrong));
    EXPECT_EQ(ran.code, 2) << wrong;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  }
}

}  // namespace
