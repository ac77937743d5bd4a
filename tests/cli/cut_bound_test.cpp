// Distances from what the bandwidth allows are told from the tightest cut, which is named.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/process/command_line.hpp"

namespace {

using nlohmann::json;
using weft::test::run_weft;
using weft::test::words_of;

// 4 boxes of 4 with links of 8 inside and 1 outside: B = 3 * 8 + 3 = 27; 12/16 M goes into a box
// over 12 links of 1, so that T_B is 27 * 12/16 / 12 = 27/16 at least, where ports say 15/16.
const std::string kBoxes = " -t 2dfc:4x4 --link x=800Gbps,1us --link y=100Gbps,1us ";

json answer(const std::string& line) {
  const auto ran = run_weft(words_of(line + " --json"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  return json::parse(ran.out);
}

TEST(CutBoundAnswers, stand_beside_the_port_bound) {
  for (const std::string& line :
       {"compare allgather -a ring --sizes 1MiB" + kBoxes, "schedule allgather -a ring" + kBoxes,
        "simulate allgather -a ring --size 1MiB" + kBoxes}) {
    const json found = answer(line);
    EXPECT_EQ(found["cut"]["bandwidth_factor"], "27/16") << line;
    EXPECT_EQ(found["cut"]["text"], "cut around each box") << line;
    EXPECT_EQ(found["cut"]["links"], 12) << line;
    EXPECT_EQ(found["cut"]["bandwidth_Bps"], 12 * 12'500'000'000) << line;
    EXPECT_EQ(found["cut"]["searched"], true) << line;
    if (line.starts_with("simulate")) continue;
    EXPECT_EQ(found["bandwidth_factor_bound"], "15/16") << line;
    EXPECT_EQ(found["optimum"], "27/16") << line;
    EXPECT_EQ(found["optimum_among"], "all schedules") << line;
  }
}

// Known values: 31/24 of uneven neighbourhoods, 5/2 where a corner's two links bring and take
// less than a middle's four, 35/16 of the line graph of K4,4 (Table 7).
TEST(CutBoundAnswers, give_the_optimum_where_a_cut_or_flows_tell_it) {
  EXPECT_EQ(answer("schedule allgather -a bfb -t genkautz:4,32")["optimum"], "31/24");
  EXPECT_EQ(answer("compare allreduce -a ring -t mesh:4x4 --sizes 1MiB")["optimum"], "5/2");
  const json all_to_all = answer("schedule alltoall -a spread -t line(bipartite:4,4)");
  EXPECT_EQ(all_to_all["optimum"], "35/16");
  EXPECT_EQ(all_to_all["bandwidth_factor_bound"], "35/16");
}

// The sum of contributions of a pair that sends one way alone may be made anywhere.
TEST(CutBoundAnswers, say_of_which_schedules_the_optimum_is) {
  const json found = answer("schedule allreduce -a ring -t without(link=3,kautz:3,3)");
  EXPECT_EQ(found["optimum_among"], "reduce-then-broadcast");
  const json large = answer("compare allreduce -a ring -t genkautz:4,400 --sizes 1KiB");
  EXPECT_EQ(large["optimum"], "399/200");  // the ports', where no node has a link to itself
  EXPECT_EQ(large["optimum_among"], "all schedules");
}

TEST(CutBoundAnswers, are_what_distances_are_told_from) {
  const auto ran =
      run_weft(words_of("compare allgather -a ring --sizes 1GiB --winners --sync lockstep "
                        "--model alpha-beta" +
                        kBoxes));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("times the bandwidth bound (cut around each box)"), std::string::npos)
      << ran.out;
  // Where a host's own links are the tightest cut there is nothing to name.
  const auto ring =
      run_weft(words_of("compare allgather -t ring:8 -a ring --sizes 1MiB --winners"));
  EXPECT_NE(ring.out.find("times the bandwidth bound."), std::string::npos) << ring.out;
}

// Node 1 receives M over one link, half of what node 0 sends; some schedules send from 1 to 2,
// where no way leads.
TEST(CutBoundAnswers, of_the_optimum_come_where_a_comparison_schedule_does_not) {
  const auto ran = run_weft(
      {"optimum", "broadcast", "--json", "-t", "without(link=2,link=5,link=6,link=7, mesh:2x2)"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["bandwidth_factor"], "2");
  EXPECT_NE(ran.err.find("chain, scatter-allgather are left out (node"), std::string::npos)
      << ran.err;
}

}  // namespace
