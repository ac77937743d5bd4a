// GPU boxes on rails: what is advised comes near what the rails can carry.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "support/process/command_line.hpp"

namespace {

using nlohmann::json;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

// Boxes of 8 cards, card j of every box on rail j; the rails' switches are joined by one spine
// switch, unless its links carry nothing.
std::string rails(const ScratchFolder& folder, int boxes, bool spine) {
  const int cards = 8 * boxes, first_rail = cards + boxes, top = first_rail + 8;
  std::string links;
  int count = 0;
  const auto cable = [&](int a, int b, int speed) {
    links += fmt::format("{}[{},{},{},{}],[{},{},{},{}]", count == 0 ? "" : ",", a, b, speed,
                         count + 1, b, a, speed, count);
    count += 2;
  };
  for (int card = 0; card < cards; ++card) {
    cable(card, cards + card / 8, 0);
    cable(card, first_rail + card % 8, 1);
  }
  std::string switches;
  for (int node = cards; node < top + (spine ? 1 : 0); ++node)
    switches += fmt::format("{}{}", node == cards ? "" : ",", node);
  for (int rail = first_rail; spine && rail < top; ++rail) cable(rail, top, 2);
  return folder.file("rails.json", fmt::format(R"({{"format":"weft-topology","version":1,)"
                                               R"("nodes":{},"switches":[{}],)"
                                               R"("classes":["box","rail","spine"],"links":[{}]}})",
                                               top + (spine ? 1 : 0), switches, links));
}

struct Cluster {
  int boxes;
  int narrowing;  // of the spine: the bandwidth of a rail's cards over that of its link; 0: no
                  // spine
};

class Rails : public testing::TestWithParam<Cluster> {
 protected:
  json compare(const std::string& collective, const std::string& size) const {
    const ScratchFolder folder;
    const auto [boxes, narrowing] = GetParam();
    std::string line = fmt::format(
        "compare {} --size {} --link box=450GBps,250ns --link rail=50GBps,1us -t file:{} --json",
        collective, size, rails(folder, boxes, narrowing > 0));
    if (narrowing > 0) line += fmt::format(" --link spine={}MBps,1us", 50'000 * boxes / narrowing);
    const auto ran = run_weft(words_of(line));
    EXPECT_EQ(ran.code, 0) << line << ": " << ran.err;
    return json::parse(ran.out);
  }

  static double winner_s(const json& answer) {
    double least = std::numeric_limits<double>::infinity();
    for (const json& row : answer["rows"])
      if (row["best"]) least = std::min(least, row["time"].get<double>());
    return least;
  }
};

// What leaves a box: of each of its 8 cards a block to each card of the others, over 8 rails.
TEST_P(Rails, carry_an_all_to_all_near_what_they_can) {
  const double blocks = 8 * (GetParam().boxes - 1), least_s = blocks * (16 << 20) / 50e9;
  const json answer = compare("alltoall", "16MiB");
  EXPECT_GE(winner_s(answer), least_s);
  EXPECT_LE(winner_s(answer), 1.1 * least_s);
  if (GetParam().narrowing > 2) {  // whatever crosses the spine is far off
    EXPECT_EQ(answer["winners"][0]["algorithms"], json::array({"hierarchical"}));
  }
}

// Into a box comes the buffer, over 8 rails.
TEST_P(Rails, carry_a_broadcast_near_what_they_can) {
  const double least_s = (1 << 30) / 400e9;
  const json answer = compare("broadcast", "1GiB");
  EXPECT_GE(winner_s(answer), least_s);
  EXPECT_LE(winner_s(answer), 1.2 * least_s);
  EXPECT_EQ(answer["winners"][0]["algorithms"], json::array({"hierarchical"}));
}

std::string test_name(const testing::TestParamInfo<Cluster>& info) {
  return fmt::format("{}_boxes_spine_{}", info.param.boxes, info.param.narrowing);
}

INSTANTIATE_TEST_SUITE_P(Clusters, Rails,
                         testing::Values(Cluster{4, 4}, Cluster{4, 8}, Cluster{4, 0}, Cluster{2, 2},
                                         Cluster{2, 0}),
                         test_name);

}  // namespace
