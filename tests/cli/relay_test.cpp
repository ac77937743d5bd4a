// Clusters whose cards reach each other only through cards: they are compared, and it is said.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"

namespace {

using nlohmann::json;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

// Four boxes of four cards on four rails; 16 to 19 are the boxes' switches, 20 to 23 the rails'.
std::string rail_only(const ScratchFolder& folder) {
  std::string links;
  int count = 0;
  const auto cable = [&](int a, int b, int speed) {
    links += fmt::format("{}[{},{},{},{}],[{},{},{},{}]", count == 0 ? "" : ",", a, b, speed,
                         count + 1, b, a, speed, count);
    count += 2;
  };
  for (int card = 0; card < 16; ++card) {
    cable(card, 16 + card / 4, 0);
    cable(card, 20 + card % 4, 1);
  }
  return folder.file("rails.json",
                     "{\"format\":\"weft-topology\",\"version\":1,\"nodes\":24,"
                     "\"switches\":[16,17,18,19,20,21,22,23],\"classes\":[\"box\",\"rail\"],"
                     "\"links\":[" +
                         links + "]}");
}

json answer_of(const std::string& line) {
  const auto ran = run_weft(words_of(line + " --json"));
  EXPECT_EQ(ran.code, 0) << line << ": " << ran.err;
  return json::parse(ran.out);
}

// Of the 240 pairs 144 share neither box nor rail. Each of their two ways, box first or rail first,
// carries half. A card's rail cable: 3 blocks for its own rail, 9 halves of its own that go by rail
// first, 9 halves that come out of its box: 12 blocks; its box cable likewise. No latency, 100
// Gbps.
TEST(Relays, carry_an_all_to_all_in_its_closed_form) {
  const ScratchFolder folder;
  const json answer = answer_of(
      "simulate alltoall -a spread --size 1MiB --link 100Gbps,0s -t file:" + rail_only(folder));
  EXPECT_EQ(answer["relayed_pairs"], 144);
  EXPECT_NEAR(answer["time"].get<double>(), 12 * 1048576 / 12.5e9, 1e-12);
}

// What sends between neighbours alone, and reduces in the boxes first, wins: a rail cable carries
// 2 * 3/4 of a quarter of the data, where recursive halving puts 2 * 3/4 of all of it on rails.
TEST(Relays, leave_it_to_levels_to_win) {
  const ScratchFolder folder;
  const std::string where = " --link box=2Tbps,1us --link rail=200Gbps,2us -t file:" +
                            rail_only(folder),
                    network = " --size 1MiB" + where;
  const auto ran = run_weft(words_of("compare allreduce" + network));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("shortest-split, relayed by hosts for 144 pairs"), std::string::npos)
      << ran.out;
  const json answer =
      answer_of("compare allreduce -a hierarchical,ring,rabenseifner,spread" + network);
  EXPECT_EQ(answer["relayed_pairs"], 144);
  EXPECT_EQ(answer["winners"][0]["algorithms"], json({"hierarchical"}));
  const json priced = answer_of("schedule allreduce -a ring" + where);
  EXPECT_EQ(priced["relayed_pairs"], 144);
  const json ordered = answer_of("order allreduce -a ring" + network);
  EXPECT_LE(ordered["time"], ordered["start"]["time"]);
}

// A card that lost its rail cable needs its box; one that lost nothing needs nobody.
TEST(Relays, serve_a_cluster_with_a_dead_cable) {
  const std::string rails = "file:" + weft::test::source_dir() + "/examples/gpu-rails.json";
  const std::string spine = "node=44, node=45, node=46, node=47, ";
  EXPECT_EQ(answer_of("compare allreduce --size 1MiB -t " + rails)["relayed_pairs"], 0);
  // Card 0 to the 24 cards of other boxes, and they to it.
  EXPECT_EQ(answer_of("compare allreduce --size 1MiB -t 'without(cable=0~36, " + rails +
                      ")'")["relayed_pairs"],
            48);
  // Each of 32 to the 3 * 7 of another box and rail; card 0's rail mates are 6 pairs more.
  EXPECT_EQ(answer_of("compare allreduce --size 1MiB -t 'without(cable=0~36, " + spine + rails +
                      ")'")["relayed_pairs"],
            32 * 21 + 6);
}

// d-mod-k leads flows through the hosts that join planes; packets do not go there.
TEST(Relays, carry_no_packets) {
  const std::string line =
      "simulate alltoall -a spread -t 'without(cable=0, cable=3, xgft:2;4,4;2,2)' --model ";
  EXPECT_EQ(run_weft(words_of(line + "fluid")).code, 0);
  const auto refused = run_weft(words_of(line + "packet"));
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("a host, which does not forward packets (switches do not connect"),
            std::string::npos)
      << refused.err;
}

// 0 -> 5 crosses two cables to a card of the box or of the rail, and two on from there; paths of
// switches alone are what multipath splits over, and there are none.
TEST(Relays, carry_a_message_from_card_to_card) {
  const ScratchFolder folder;
  const std::string line =
      "compare point-to-point --from 0 --to 5 --sizes 1MiB -t file:" + rail_only(folder);
  const json answer = answer_of(line);
  EXPECT_EQ(answer["relayed_pairs"], 144);
  ASSERT_EQ(answer["algorithms"].size(), 1U);
  EXPECT_EQ(answer["algorithms"][0]["algorithm"], "direct");
  const auto ran = run_weft(words_of(line + " -a multipath"));
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("only hosts join node 0 to node 5"), std::string::npos) << ran.err;
}

// What works box by box serves boxes of unequal sizes, too.
TEST(Relays, leave_boxes_of_unequal_sizes_their_levels) {
  const ScratchFolder folder;
  const std::string file = "file:" + rail_only(folder);
  const json answer =
      answer_of("compare allreduce --sizes 1KiB --all -t \"without(node=3, " + file + ")\"");
  EXPECT_TRUE(std::ranges::any_of(answer["algorithms"], [](const json& row) {
    return row["algorithm"].get<std::string>().starts_with("hierarchical");
  })) << answer["algorithms"];
}

// From end to end of a row of GPUs a message takes as long beside switches as without, in all
// models: GPUs of a box pass on what is for their box.
TEST(Relays, are_not_the_gpus_of_a_box_to_each_other) {
  for (const char* model : {"alpha-beta", "fluid", "packet", "flit"}) {
    const auto time_on = [&](const std::string& network) {
      return answer_of("simulate point-to-point -a direct --size 1MiB --from 0 --to 2 --model " +
                       std::string(model) + " -t " + network)["time"];
    };
    EXPECT_EQ(time_on("'boxes(2, mesh:3)'"), time_on("mesh:3")) << model;
  }
}

TEST(Relays, end_where_no_way_is_left) {
  const auto ran =
      run_weft(words_of("simulate allgather -a ring -t 'without(cable=0, hosts(1, ring:4))'"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  const auto cut = run_weft(
      words_of("simulate allgather -a ring -t 'without(cable=0, cable=2, hosts(1, ring:4))'"));
  EXPECT_EQ(cut.code, 2);
  EXPECT_NE(cut.err.find("not even through hosts"), std::string::npos) << cut.err;
}

// On a DGX-1 GPU 0 has no link to 5 nor 6: from 0 to 5 lead 1 and 4, from 6 to 0 lead 2 and 4, and
// all three run no rank.
TEST(Relays, are_named_by_every_command_whatever_routes_lead_through_them) {
  const ScratchFolder folder;
  const std::string box = " -a ring -t network:dgx-1 --hosts 0,5,6 ";
  const json relays{1, 2, 4};
  const std::string plan = "plan --collectives allreduce --sizes 1MiB -o " + folder.path("d.plan");
  EXPECT_EQ(answer_of("compare allreduce --sizes 1MiB" + box)["algorithms"][0]["forwarding_hosts"],
            relays);
  EXPECT_EQ(answer_of("simulate allreduce --size 1MiB" + box)["forwarding_hosts"], relays);
  const json planned = answer_of(plan + box);
  EXPECT_EQ(planned["forwarding_hosts"], relays);
  EXPECT_EQ(planned["schedules"][0]["forwarding_hosts"], relays);
  for (const std::string& line :
       {"compare allreduce --sizes 1MiB" + box, "simulate allreduce --size 1MiB" + box,
        "schedule allreduce" + box, plan + box})
    EXPECT_NE(run_weft(words_of(line)).err.find("through hosts 1-2,4, which run no rank"),
              std::string::npos)
        << line;
  EXPECT_EQ(answer_of("plan show " + folder.path("d.plan"))["made_for"]["forwarding-hosts"],
            "1-2,4");
}

// Packets that choose their own ways pass more hosts than the routes of the network do: from 0 to 2
// of a ring of 8 leads 1, and by way of any other host all others.
TEST(Relays, are_those_that_packets_pass) {
  const std::string line =
      "simulate allgather -a ring --size 64KiB -t ring:8 --hosts 0,2 --model packet";
  EXPECT_EQ(answer_of(line)["forwarding_hosts"], json{1});
  EXPECT_GT(answer_of(line + " --routing valiant")["forwarding_hosts"].size(), 1U);
}

}  // namespace
